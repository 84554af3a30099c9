/*
 * Bullet (GImpact, double precision) on two triangulated spheres: all contacts of an overlap.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spheres.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

/* Counts contacts and keeps none. */
struct Counter : btManifoldResult {
  long n = 0;
  using btManifoldResult::btManifoldResult;
  void addContactPoint(const btVector3 &, const btVector3 &, btScalar) override
  {
    n++;
  }
};

static btTransform place(const std::array<double, 4> &q, const btVector3 &at)
{
  return btTransform(btQuaternion(q[1], q[2], q[3], q[0]), at);
}

int main()
{
  const Mesh mesh = sphere_mesh();
  std::vector<btScalar> points;
  std::vector<int> corners;
  for (const auto &v : mesh.vertex) points.insert(points.end(), v.begin(), v.end());
  for (const auto &t : mesh.triangle) corners.insert(corners.end(), t.begin(), t.end());
  btTriangleIndexVertexArray array((int)mesh.triangle.size(), corners.data(), 3 * sizeof(int),
                                   (int)mesh.vertex.size(), points.data(), 3 * sizeof(btScalar));

  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
  btGImpactMeshShape shape_a(&array), shape_b(&array);
  btCollisionObject a, b;
  for (auto *shape : {&shape_a, &shape_b}) {
    shape->setMargin(0);
    shape->updateBound();
  }
  a.setCollisionShape(&shape_a);
  b.setCollisionShape(&shape_b);

  measure("contact/overlap", -1e-3, [&](const PairPose &pose, double gap) {
    const btVector3 direction(pose.direction[0], pose.direction[1], pose.direction[2]);
    a.setWorldTransform(place(pose.a, btVector3(0, 0, 0)));
    b.setWorldTransform(place(pose.b, (2 + gap) * direction));
    btCollisionObjectWrapper wrap_a(0, &shape_a, &a, a.getWorldTransform(), -1, -1);
    btCollisionObjectWrapper wrap_b(0, &shape_b, &b, b.getWorldTransform(), -1, -1);
    Counter counter(&wrap_a, &wrap_b);
    const btDispatcherInfo info;
    auto *algorithm = dispatcher.findAlgorithm(&wrap_a, &wrap_b, 0, BT_CONTACT_POINT_ALGORITHMS);
    algorithm->processCollision(&wrap_a, &wrap_b, info, &counter);
    algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm(algorithm);
  });
}

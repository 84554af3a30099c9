/*
 * FCL on two triangulated spheres: all contacts of an overlap, and the distance over a gap.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spheres.h"

#include <fcl/fcl.h>

using Model = fcl::BVHModel<fcl::OBBRSSd>;

static Model build(const Mesh &mesh)
{
  std::vector<fcl::Vector3d> points;
  std::vector<fcl::Triangle> triangles;
  for (const auto &v : mesh.vertex) points.emplace_back(v[0], v[1], v[2]);
  for (const auto &t : mesh.triangle) triangles.emplace_back(t[0], t[1], t[2]);
  Model model;
  model.beginModel((int)triangles.size(), (int)points.size());
  model.addSubModel(points, triangles);
  model.endModel();
  return model;
}

static fcl::Transform3d place(const std::array<double, 4> &q, const fcl::Vector3d &at)
{
  fcl::Transform3d pose = fcl::Transform3d::Identity();
  pose.linear() = fcl::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  pose.translation() = at;
  return pose;
}

static fcl::Vector3d offset(const PairPose &pose, double gap)
{
  return (2 + gap) * fcl::Vector3d(pose.direction[0], pose.direction[1], pose.direction[2]);
}

int main()
{
  const Model model = build(sphere_mesh());
  measure("contact/overlap", -1e-3, [&](const PairPose &pose, double gap) {
    const fcl::CollisionRequestd request(100000, true);
    fcl::CollisionResultd result;
    fcl::collide(&model, place(pose.a, fcl::Vector3d::Zero()), &model,
                 place(pose.b, offset(pose, gap)), request, result);
  });
  measure("contact/distance", 1e-3, [&](const PairPose &pose, double gap) {
    const fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    fcl::distance(&model, place(pose.a, fcl::Vector3d::Zero()), &model,
                  place(pose.b, offset(pose, gap)), request, result);
  });
}

/*
 * ODE on two triangulated spheres: all contacts of an overlap. It has no distance query.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spheres.h"

#include <ode/ode.h>

int main()
{
  dInitODE2(0);
  dAllocateODEDataForThread(~0u);
  const Mesh mesh = sphere_mesh();
  std::vector<dReal> points;
  std::vector<dTriIndex> corners;
  for (const auto &v : mesh.vertex) points.insert(points.end(), v.begin(), v.end());
  for (const auto &t : mesh.triangle) corners.insert(corners.end(), t.begin(), t.end());

  dTriMeshDataID data = dGeomTriMeshDataCreate();
  dGeomTriMeshDataBuildDouble(data, points.data(), 3 * sizeof(dReal), (int)mesh.vertex.size(),
                              corners.data(), (int)corners.size(), 3 * sizeof(dTriIndex));
  dGeomID a = dCreateTriMesh(0, data, 0, 0, 0), b = dCreateTriMesh(0, data, 0, 0, 0);
  std::vector<dContactGeom> contacts(4096);

  measure("contact/overlap", -1e-3, [&](const PairPose &pose, double gap) {
    const double d = 2 + gap;
    dGeomSetQuaternion(a, pose.a.data());
    dGeomSetQuaternion(b, pose.b.data());
    dGeomSetPosition(b, d * pose.direction[0], d * pose.direction[1], d * pose.direction[2]);
    dCollide(a, b, (int)contacts.size(), contacts.data(), sizeof(dContactGeom));
  });
  dCloseODE();
}

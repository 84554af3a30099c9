/*
 * FCL: how long it takes to build what its queries need for a sphere of 20,480 triangles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "spheres.h"

#include <fcl/fcl.h>

int main()
{
  const Mesh mesh = sphere_mesh();
  std::vector<fcl::Vector3d> points;
  std::vector<fcl::Triangle> triangles;
  for (const auto &v : mesh.vertex) points.emplace_back(v[0], v[1], v[2]);
  for (const auto &t : mesh.triangle) triangles.emplace_back(t[0], t[1], t[2]);
  measure_build("xray/sphere/build lattices", [&] {
    fcl::BVHModel<fcl::OBBRSSd> model;
    model.beginModel((int)triangles.size(), (int)points.size());
    model.addSubModel(points, triangles);
    model.endModel();
  });
}

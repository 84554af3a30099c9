/*
 * ODE: how long it takes to build what its queries need for a sphere of 20,480 triangles.
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
  measure_build("xray/sphere/build lattices", [&] {
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, points.data(), 3 * sizeof(dReal), (int)mesh.vertex.size(),
                                corners.data(), (int)corners.size(), 3 * sizeof(dTriIndex));
    dGeomTriMeshDataDestroy(data);
  });
  dCloseODE();
}

/*
 * The contact benchmark shared by all peers: two unit spheres of 20,480 triangles each, in random
 * attitudes, at a small overlap or a small gap.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <vector>

struct Mesh {
  std::vector<std::array<double, 3>> vertex;
  std::vector<std::array<int, 3>> triangle;
};

struct PairPose {
  std::array<double, 4> a, b;      /* attitudes, scalar first */
  std::array<double, 3> direction; /* unit, from a to b */
};

template <size_t N> std::array<double, N> normalized(std::array<double, N> v)
{
  double square = 0;
  for (double x : v) square += x * x;
  for (double &x : v) x /= std::sqrt(square);
  return v;
}

/* Each triangle into four, new vertices on the sphere. */
inline void refine(Mesh &mesh)
{
  std::map<std::pair<int, int>, int> middle;
  auto between = [&](int i, int j) {
    const auto found = middle.find(std::minmax(i, j));
    if (found != middle.end()) return found->second;
    std::array<double, 3> sum;
    for (int k = 0; k < 3; k++) sum[k] = mesh.vertex[i][k] + mesh.vertex[j][k];
    mesh.vertex.push_back(normalized(sum));
    return middle[std::minmax(i, j)] = (int)mesh.vertex.size() - 1;
  };
  std::vector<std::array<int, 3>> finer;
  for (const auto &t : mesh.triangle) {
    const int x = between(t[0], t[1]), y = between(t[1], t[2]), z = between(t[2], t[0]);
    finer.insert(finer.end(), {{t[0], x, z}, {t[1], y, x}, {t[2], z, y}, {x, y, z}});
  }
  mesh.triangle = finer;
}

/* An icosahedron refined five times: 20 * 4^5 triangles. */
inline Mesh sphere_mesh()
{
  const double p = (1 + std::sqrt(5.0)) / 2;
  Mesh mesh;
  for (double s : {1.0, -1.0})
    for (double t : {p, -p}) {
      mesh.vertex.push_back(normalized<3>({0, s, t}));
      mesh.vertex.push_back(normalized<3>({s, t, 0}));
      mesh.vertex.push_back(normalized<3>({t, 0, s}));
    }
  /* Faces are the triples of mutual neighbours, turned outward. */
  const auto &v = mesh.vertex;
  auto near = [&](int i, int j) {
    return v[i][0] * v[j][0] + v[i][1] * v[j][1] + v[i][2] * v[j][2] > 0.4;
  };
  for (int i = 0; i < 12; i++)
    for (int j = i + 1; j < 12; j++)
      for (int k = j + 1; k < 12; k++) {
        if (!near(i, j) || !near(j, k) || !near(k, i)) continue;
        const double det = v[i][0] * (v[j][1] * v[k][2] - v[j][2] * v[k][1]) -
                           v[i][1] * (v[j][0] * v[k][2] - v[j][2] * v[k][0]) +
                           v[i][2] * (v[j][0] * v[k][1] - v[j][1] * v[k][0]);
        mesh.triangle.push_back(det > 0 ? std::array<int, 3>{i, j, k}
                                        : std::array<int, 3>{i, k, j});
      }
  for (int n = 0; n < 5; n++) refine(mesh);
  return mesh;
}

inline std::vector<PairPose> pair_poses(int n)
{
  std::mt19937_64 source(12345);
  std::normal_distribution<double> normal;
  std::vector<PairPose> poses(n);
  for (auto &pose : poses) {
    for (double &x : pose.a) x = normal(source);
    for (double &x : pose.b) x = normal(source);
    for (double &x : pose.direction) x = normal(source);
    pose = {normalized(pose.a), normalized(pose.b), normalized(pose.direction)};
  }
  return poses;
}

/* Time query(pose, gap) over all poses, after a first round that warms up, and print the line. */
template <class Query> void measure(const char *name, double gap, Query query)
{
  const int n = 1000;
  const auto poses = pair_poses(n);
  double seconds = 0;
  for (int round = 0; round < 2; round++) {
    const auto start = std::chrono::steady_clock::now();
    for (const auto &pose : poses) query(pose, gap);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  std::printf("%s | %d queries | %.6g | %.6g queries/s\n", name, n, seconds, n / seconds);
}

/* Print the median time of five builds. */
template <class Build> void measure_build(const char *name, Build build)
{
  std::array<double, 5> seconds;
  for (double &s : seconds) {
    const auto start = std::chrono::steady_clock::now();
    build();
    s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  std::sort(seconds.begin(), seconds.end());
  std::printf("%s | 1 builds | %.6g | %.6g builds/s\n", name, seconds[2], 1 / seconds[2]);
}

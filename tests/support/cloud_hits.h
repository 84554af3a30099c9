/*
 * Hits to condense: flat ones, smooth ones, moved ones, and measures of the answer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/pose.h"
#include "contact/cloud.h"
#include "support.h"

enum { MOST_HITS = 400, MOST_INCIDENTS = 16 };

static const double tolerance = 1e-4;

/* Poses, sums over a few hundred hits, and a few divisions. */
static const double tight = 1e-12;

typedef struct {
  int n;
  ContactHit hit[MOST_HITS];
} Hits;

typedef struct {
  int n;
  Incident incident[MOST_INCIDENTS];
} Answer;

static inline Answer condense_after(const Hits *hits, int previous)
{
  Answer answer = {0};
  CloudWork *work;
  const Incident *incident;
  MustPass(CloudWorkCreate(&work));
  MustPass(CloudCondense(work, hits->n, hits->hit, tolerance, previous, &answer.n, &incident));
  ck_assert_int_le(answer.n, MOST_INCIDENTS);
  for (int i = 0; i < answer.n; i++) answer.incident[i] = incident[i];
  MustPass(CloudWorkDestroy(&work));
  return answer;
}

static inline Answer condense(const Hits *hits)
{
  return condense_after(hits, CLOUD_NO_PREVIOUS);
}

static inline void add_flat(Hits *hits, double x, double y, double gap, int patch)
{
  hits->hit[hits->n++] = (ContactHit){.point = {x, y, 0.0},
                                      .normal = {0.0, 0.0, 1.0},
                                      .gap = gap,
                                      .spacing = 0.01,
                                      .exact_normal = true,
                                      .patch = patch};
}

static inline void add_smooth(Hits *hits, Vec3 point, Vec3 normal, double gap)
{
  hits->hit[hits->n++] = (ContactHit){
      .point = point, .normal = vec3_unit(normal), .gap = gap, .spacing = 0.1, .patch = -1};
}

static inline Hits moved(Hits hits, Pose pose)
{
  for (int i = 0; i < hits.n; i++) {
    hits.hit[i].point = pose_to_world(pose, hits.hit[i].point);
    hits.hit[i].normal = quat_rotate(pose.q, hits.hit[i].normal);
  }
  return hits;
}

static inline Pose random_pose(Random *r)
{
  const Vec3 w = {random_in(r, -2, 2), random_in(r, -2, 2), random_in(r, -2, 2)};
  return (Pose){{random_in(r, -1, 1), random_in(r, -1, 1), random_in(r, -1, 1)},
                quat_from_vector(w)};
}

static inline double nearest_point(const Incident *incident, Vec3 p)
{
  double best = INFINITY;
  for (int k = 0; k < incident->n_points; k++)
    best = fmin(best, vec3_distance(incident->point[k], p));
  return best;
}

static inline double area_of(const Incident *incident)
{
  Vec3 sum = {0.0, 0.0, 0.0};
  for (int k = 1; k + 1 < incident->n_points; k++)
    sum = vec3_add(sum, vec3_cross(vec3_sub(incident->point[k], incident->point[0]),
                                   vec3_sub(incident->point[k + 1], incident->point[0])));
  return 0.5 * vec3_dot(sum, incident->normal);
}

/*
 * What has moved? Receivers near which nothing has keep their state, their choice and their rows.
 */
#include "overset/overset_impl.h"

#include <string.h>

/* A box along the axes of the world around a box along those of a frame. */
static Box turned_box(const Frame *frame, Box box)
{
  Box out = box_empty();
  for (int k = 0; k < 8; k++)
    out = box_add_point(
        out, frame_to_world(frame, vec3(k & 1 ? box.hi.x : box.lo.x, k & 2 ? box.hi.y : box.lo.y,
                                        k & 4 ? box.hi.z : box.lo.z)));
  return out;
}

static Box box_join(Box a, Box b)
{
  return box_add_point(box_add_point(a, b.lo), b.hi);
}

void overset_place(Overset *s, const Pose pose[])
{
  for (int g = 0; g < s->n; g++) {
    s->part[g].frame = pose_frame(pose[g]);
    s->part[g].box_w = turned_box(&s->part[g].frame, s->part[g].map->box);
  }
}

/* Stencils reach so far beyond what changes. */
static double reach_of_change(const Overset *s)
{
  enum { CELLS = 4 };
  double most = s->coarsest;
  for (int g = 0; g < s->n; g++) most = s->part[g].map->cell > most ? s->part[g].map->cell : most;
  return CELLS * most;
}

void overset_find_motion(Overset *s, const Pose pose[])
{
  for (int g = 0; g < s->n; g++) {
    OversetPart *part = &s->part[g];
    const Frame before = pose_frame(s->pose[g]);
    part->moved = s->stale || memcmp(&s->pose[g], &pose[g], sizeof pose[g]) != 0;
    part->swept = turned_box(&before, part->map->box);
  }
  overset_place(s, pose);
  const double margin = reach_of_change(s);
  for (int g = 0; g < s->n; g++) {
    OversetPart *part = &s->part[g];
    part->swept = box_grow(box_join(part->swept, part->box_w), margin);
  }
  for (int g = 0; g < s->n; g++) {
    OversetPart *part = &s->part[g];
    part->calm = !part->moved && part->late == 0;
    for (int k = 0; k < s->n && part->calm; k++)
      part->calm = !s->part[k].moved || !box_overlaps(s->part[k].swept, part->box_w);
  }
}

/*
 * Where two bodies come near each other: hits, and the incidents they condense to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/vec3.h"

#include <stdbool.h>

/* One place where the surfaces of a and b come within reach; world frame. */
typedef struct {
  Vec3 point;        /* midway between the surfaces */
  Vec3 normal;       /* unit, from b to a */
  double gap;        /* negative: penetration */
  double spacing;    /* local edge length, the larger of the two */
  bool exact_normal; /* of a wall, or of a flat face that the hit lies inside */
  int patch;         /* which pair of flat faces (or straight edge and face) touches here, one
                        number for all hits of that pair; -1: none, the contact is curved */
} ContactHit;

typedef enum { INCIDENT_POINT, INCIDENT_LINE, INCIDENT_PLANE } IncidentKind;

enum { INCIDENT_POINTS = 4 };

/* A cloud of hits condensed: one point, the two ends of a line, or three or four points of a plane
 * whose mean is the mean of the cloud's hull. */
typedef struct {
  IncidentKind kind;
  int n_points;
  Vec3 point[INCIDENT_POINTS];
  double gap[INCIDENT_POINTS];
  Vec3 normal; /* unit, from b to a, the same for all points */
  Vec3 center;
} Incident;

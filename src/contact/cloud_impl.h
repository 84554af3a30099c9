/*
 * What the files that condense clouds share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/cloud.h"

/* A hit seen in the tangent plane of its cloud. */
typedef struct {
  double u, v;
  int hit;
} FlatPoint;

/* Three or four points in a plane, each the image of a hull point by shift and scale. */
typedef struct {
  int n;
  FlatPoint corner[INCIDENT_POINTS];             /* the hull points chosen */
  double u[INCIDENT_POINTS], v[INCIDENT_POINTS]; /* where they go to keep the centroid */
} FlatPick;

struct CloudWork {
  int n, capacity;
  ContactHit *hit;    /* owned, capacity, sorted by position */
  int *order;         /* owned, capacity: indices on their way to be sorted */
  int *parent;        /* owned, capacity: union-find; a root is its cloud's first hit */
  int *next;          /* owned, capacity: the hits of a cloud as a list */
  int *head;          /* owned, capacity: by root, its list; before, the patch it leans on */
  double *reach;      /* owned, capacity: by root, the distance to that patch */
  int *member;        /* owned, capacity: the hits of one cloud */
  int *active;        /* owned, capacity: those of them that count */
  FlatPoint *flat;    /* owned, capacity: the same in their plane */
  FlatPoint *hull;    /* owned, 2 capacity */
  Incident *incident; /* owned, capacity */
};

/* Does item a of the context come before item b? A strict order. */
typedef bool (*ComesBefore)(const void *context, int a, int b);

/* Sort indices in place without asking for memory, which qsort may do. */
void cloud_sort(int n, int order[], ComesBefore before, const void *context);

/* The incident of n hits of work->hit, ascending indices. */
Incident cloud_condense(CloudWork *work, int n, const int member[], double tolerance, int previous);

/*
 * The convex hull of n points, counter-clockwise; points nearer to each other than a billionth of
 * size are one. hull has room for 2 n, order for n. Returns the number of hull points.
 */
int cloud_hull(int n, const FlatPoint point[], double size, int order[], FlatPoint hull[]);

/* Three or four points within a hull of n >= 3 points that keep its centroid and much of its area.
 */
FlatPick cloud_pick(int n, const FlatPoint hull[], double size);

/*
 * Which hits belong together? Links by patch, by distance and by normal, joined by union-find.
 *
 * Hits are sorted by all they hold first, so that every later sum and choice is independent of the
 * order in which they came, and so that neighbours are found by a sweep along x.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/cloud.h"

#include "contact/cloud_impl.h"

/* Neighbours on one surface are at most this many local spacings apart. */
static const double link_spacings = 1.5;

/* cos 15 degrees: normals of neighbours on a smooth surface; cos 30: normals of one incident. */
static const double cos_link = 0.96592582628906829, cos_cloud = 0.86602540378443865;

/* Two exact normals are either the same or of two faces. */
static const double same_normal = 1e-6;

PetscErrorCode CloudWorkCreate(CloudWork **work)
{
  PetscFunctionBeginUser;
  PetscCall(PetscNew(work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ArraysFree(CloudWork *w)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree5(w->hit, w->order, w->parent, w->next, w->head));
  PetscCall(PetscFree6(w->reach, w->member, w->active, w->flat, w->hull, w->incident));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CloudWorkDestroy(CloudWork **work)
{
  PetscFunctionBeginUser;
  if (!*work) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ArraysFree(*work));
  PetscCall(PetscFree(*work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WorkGrow(CloudWork *w, int n)
{
  PetscFunctionBeginUser;
  if (n <= w->capacity) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ArraysFree(w));
  w->capacity = n + n / 2;
  const size_t m = (size_t)w->capacity;
  PetscCall(PetscMalloc5(m, &w->hit, m, &w->order, m, &w->parent, m, &w->next, m, &w->head));
  PetscCall(PetscMalloc6(m, &w->reach, m, &w->member, m, &w->active, m, &w->flat, 2 * m, &w->hull,
                         m, &w->incident));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void cloud_sort(int n, int order[], ComesBefore before, const void *context)
{
  int step = 1;
  while (step < n / 3) step = 3 * step + 1;
  for (; step > 0; step /= 3)
    for (int i = step; i < n; i++) {
      const int item = order[i];
      int j = i;
      for (; j >= step && before(context, item, order[j - step]); j -= step)
        order[j] = order[j - step];
      order[j] = item;
    }
}

/* By position; hits at one place by the rest of what they hold, so that only twins are equal. */
static bool hit_before(const void *context, int ia, int ib)
{
  const ContactHit *a = (const ContactHit *)context + ia, *b = (const ContactHit *)context + ib;
  const double ka[] = {a->point.x,  a->point.y,  a->point.z,  a->gap,
                       a->normal.x, a->normal.y, a->normal.z, a->spacing};
  const double kb[] = {b->point.x,  b->point.y,  b->point.z,  b->gap,
                       b->normal.x, b->normal.y, b->normal.z, b->spacing};
  for (int k = 0; k < 8; k++)
    if (ka[k] != kb[k]) return ka[k] < kb[k];
  if (a->exact_normal != b->exact_normal) return a->exact_normal;
  return a->patch < b->patch;
}

static bool patch_before(const void *context, int a, int b)
{
  const ContactHit *hit = context;
  return hit[a].patch != hit[b].patch ? hit[a].patch < hit[b].patch : a < b;
}

static PetscErrorCode HitsSort(CloudWork *w, int n, const ContactHit hits[])
{
  PetscFunctionBeginUser;
  PetscCall(WorkGrow(w, n));
  for (int i = 0; i < n; i++) w->order[i] = i;
  cloud_sort(n, w->order, hit_before, hits);
  for (int i = 0; i < n; i++) w->hit[i] = hits[w->order[i]];
  w->n = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int find_root(int parent[], int i)
{
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static void join(int parent[], int a, int b)
{
  const int ra = find_root(parent, a), rb = find_root(parent, b);
  if (ra < rb) parent[rb] = ra;
  if (rb < ra) parent[ra] = rb;
}

static void join_patches(CloudWork *w)
{
  for (int i = 0; i < w->n; i++) w->order[i] = w->parent[i] = i;
  cloud_sort(w->n, w->order, patch_before, w->hit);
  for (int i = 1; i < w->n; i++) {
    const int a = w->order[i - 1], b = w->order[i];
    if (w->hit[a].patch >= 0 && w->hit[a].patch == w->hit[b].patch) join(w->parent, a, b);
  }
}

/* Are two hits neighbours on one surface, as far as distance and normals tell? */
static bool are_near(const ContactHit *a, const ContactHit *b, double tolerance)
{
  const double spacing = a->spacing > b->spacing ? a->spacing : b->spacing;
  const double reach = link_spacings * spacing;
  if (vec3_distance(a->point, b->point) > (reach > tolerance ? reach : tolerance)) return false;
  if (a->exact_normal && b->exact_normal) return vec3_distance(a->normal, b->normal) <= same_normal;
  return vec3_dot(a->normal, b->normal) >= cos_link;
}

/* Remember the nearest patch for the chain of loose hits that begins with root. */
static void lean_on(CloudWork *w, int root, int patch_hit, double distance)
{
  if (distance >= w->reach[root]) return;
  w->reach[root] = distance;
  w->head[root] = patch_hit;
}

/* Visit all near pairs: first loose hits are chained, then chains look for their patch. */
static void sweep(CloudWork *w, double tolerance, bool patches)
{
  double reach = tolerance;
  for (int i = 0; i < w->n; i++)
    if (link_spacings * w->hit[i].spacing > reach) reach = link_spacings * w->hit[i].spacing;

  for (int i = 0; i < w->n; i++)
    for (int j = i + 1; j < w->n && w->hit[j].point.x - w->hit[i].point.x <= reach; j++) {
      const ContactHit *a = &w->hit[i], *b = &w->hit[j];
      const int n_loose = (a->patch < 0) + (b->patch < 0);
      if (n_loose != (patches ? 1 : 2) || !are_near(a, b, tolerance)) continue;
      const double distance = vec3_distance(a->point, b->point);
      if (!patches)
        join(w->parent, i, j);
      else if (a->patch < 0)
        lean_on(w, find_root(w->parent, i), j, distance);
      else
        lean_on(w, find_root(w->parent, j), i, distance);
    }
}

/* A chain of loose hits joins one patch only, or it would be a bridge between two feet. */
static void join_loose(CloudWork *w, double tolerance)
{
  sweep(w, tolerance, false);
  for (int i = 0; i < w->n; i++) {
    w->head[i] = -1;
    w->reach[i] = INFINITY;
  }
  sweep(w, tolerance, true);
  for (int i = 0; i < w->n; i++)
    if (w->head[i] >= 0) join(w->parent, i, w->head[i]);
}

/*
 * Put the hits that face as the nearest one does first, keeping the order in both parts, and return
 * their number: a pin that fills its hole is one chain with normals all round.
 */
static int split_by_normal(CloudWork *w, int n, int member[])
{
  int lead = member[0], n_first = 0, n_rest = 0;
  for (int m = 1; m < n; m++)
    if (w->hit[member[m]].gap < w->hit[lead].gap) lead = member[m];
  for (int m = 0; m < n; m++) {
    const int i = member[m];
    const bool alike = vec3_dot(w->hit[i].normal, w->hit[lead].normal) >= cos_cloud;
    if (alike)
      member[n_first++] = i;
    else
      w->order[n_rest++] = i;
  }
  for (int m = 0; m < n_rest; m++) member[n_first + m] = w->order[m];
  return n_first > 0 ? n_first : n;
}

static int condense_all(CloudWork *w, double tolerance, int previous)
{
  int n_incidents = 0;
  for (int i = 0; i < w->n; i++) w->head[i] = -1;
  for (int i = w->n - 1; i >= 0; i--) {
    const int root = find_root(w->parent, i);
    w->next[i] = w->head[root];
    w->head[root] = i;
  }
  for (int root = 0; root < w->n; root++) {
    int n = 0;
    for (int i = w->head[root]; i >= 0; i = w->next[i]) w->member[n++] = i;
    for (int first = 0; first < n;) {
      const int n_part = split_by_normal(w, n - first, w->member + first);
      w->incident[n_incidents++] =
          cloud_condense(w, n_part, w->member + first, tolerance, previous);
      first += n_part;
    }
  }
  return n_incidents;
}

PetscErrorCode CloudCondense(CloudWork *work, int n_hits, const ContactHit hits[], double tolerance,
                             int previous, int *n_incidents, const Incident **incidents)
{
  PetscFunctionBeginUser;
  PetscCheck(tolerance > 0.0, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "contact tolerance must be positive, got %g", tolerance);
  for (int i = 0; i < n_hits; i++)
    PetscCheck(vec3_finite(hits[i].point) && vec3_finite(hits[i].normal) && isfinite(hits[i].gap) &&
                   isfinite(hits[i].spacing),
               PETSC_COMM_SELF, PETSC_ERR_FP, "hit %d of %d is not finite", i, n_hits);

  PetscCall(HitsSort(work, n_hits, hits));
  join_patches(work);
  join_loose(work, tolerance);
  *n_incidents = condense_all(work, tolerance, previous);
  *incidents = work->incident;
  PetscFunctionReturn(PETSC_SUCCESS);
}

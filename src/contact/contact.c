#include "contact/contact.h"

#include "base/sort.h"
#include "contact/contact_impl.h"
#include "contact/exact.h"

#include <float.h>

static ContactBody make_body(const XRay *xray, Vec3 center, ExactShape exact)
{
  if (xray == NULL) return (ContactBody){.exists = false};
  ContactBody body = {.exists = true, .shape = contact_shape(xray), .center = center};
  for (int k = 0; k < xray_n_vertices(xray); k++) {
    const double r = vec3_distance(xray_vertex(xray, k, NULL), center);
    if (r > body.radius) body.radius = r;
  }
  body.radius += body.shape.bulge;
  body.shape.exact = exact;
  return body;
}

PetscErrorCode ContactCreate(MPI_Comm comm, const ContactInput *input, Contact **contact)
{
  PetscFunctionBeginUser;
  Contact *c = NULL;
  const int n = input->n_bodies;
  PetscCall(PetscNew(&c));
  c->comm = comm;
  PetscCallMPI(MPI_Comm_rank(comm, &c->rank));
  PetscCallMPI(MPI_Comm_size(comm, &c->n_ranks));
  PetscCall(PetscCalloc1(c->n_ranks, &c->load));
  c->spec = input->spec;
  c->n_bodies = n;
  c->n_walls = input->n_walls;
  c->spec_of = input->body;
  PetscCall(PetscMalloc1(c->n_walls, &c->wall));
  PetscCall(PetscArraycpy(c->wall, input->wall, c->n_walls));
  c->gravity = input->gravity;
  PetscCall(LookWorkCreate(&c->look));
  PetscCall(CloudWorkCreate(&c->cloud));
  PetscCall(IslandWorkCreate(&c->island));
  if (c->spec->law == LAW_HERTZ) PetscCall(HertzCreate(n, &c->hertz));
  PetscCall(CrowdCreate(n, &c->crowd));
  PetscCall(PetscCalloc7(n, &c->body, n, &c->ball, n, &c->motion, n, &c->order, n, &c->low, n,
                         &c->high, n + 1, &c->adjacent_from));
  PetscCall(PetscCalloc7(n, &c->member, n, &c->place, n, &c->state, n, &c->mobility, n, &c->twist,
                         n, &c->pushed, n, &c->struck));
  for (int b = 0; b < n; b++) {
    ExactShape exact = {.kind = EXACT_NONE};
    if (input->spec->primitives == PRIMITIVES_EXACT) exact = exact_shape(&input->body[b].shape);
    c->body[b] = make_body(input->xray[b], input->center[b], exact);
    c->order[b] = b;
    c->place[b] = -1;
  }
  *contact = c;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode free_lists(Contact *c)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(c->wall));
  PetscCall(PetscFree(c->pair));
  PetscCall(PetscFree(c->old));
  PetscCall(PetscFree(c->key));
  PetscCall(PetscFree(c->sorted));
  PetscCall(PetscFree(c->adjacent));
  PetscCall(PetscFree(c->load));
  PetscCall(PetscFree(c->share));
  PetscCall(PetscFree(c->event));
  PetscCall(PetscFree(c->touch));
  PetscCall(PetscFree(c->touch_old));
  PetscCall(PetscFree(c->hit));
  PetscCall(PetscFree(c->island_pair));
  PetscCall(PetscFree(c->contact));
  PetscCall(PetscFree(c->incident));
  PetscCall(PetscFree(c->source));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactDestroy(Contact **contact)
{
  PetscFunctionBeginUser;
  Contact *c = *contact;
  if (c == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(LookWorkDestroy(&c->look));
  PetscCall(CloudWorkDestroy(&c->cloud));
  PetscCall(IslandWorkDestroy(&c->island));
  PetscCall(HertzDestroy(&c->hertz));
  PetscCall(CrowdDestroy(&c->crowd));
  PetscCall(PetscFree7(c->body, c->ball, c->motion, c->order, c->low, c->high, c->adjacent_from));
  PetscCall(PetscFree7(c->member, c->place, c->state, c->mobility, c->twist, c->pushed, c->struck));
  PetscCall(free_lists(c));
  PetscCall(PetscFree(*contact));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool moves(const Contact *c, const Bodies *bodies, const ContactPair *pair, double t)
{
  if (body_moves_freely(bodies_body(bodies, pair->a), t)) return true;
  return pair->b < c->n_bodies && body_moves_freely(bodies_body(bodies, pair->b), t);
}

/* Room for a number per pair. */
static PetscErrorCode grow_share(Contact *c)
{
  PetscFunctionBeginUser;
  if (c->share_room < c->n_pairs) {
    c->share_room = c->pair_room;
    PetscCall(PetscRealloc(sizeof *c->share * c->share_room, &c->share));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All ranks learn what each has found for the stale pairs. Collective. */
static PetscErrorCode share_impacts(Contact *c)
{
  PetscFunctionBeginUser;
  PetscCall(grow_share(c));
  int n = 0;
  for (int k = 0; k < c->n_pairs; k++) {
    const ContactPair *pair = &c->pair[k];
    if (pair->stale) c->share[n++] = pair->rests ? -fmax(pair->impact, DBL_MIN) : pair->impact;
  }
  /* Times are not negative: a negative number is the time of a pair that rests, to the last bit. */
  for (int k = 0; k < n; k++)
    if (isinf(c->share[k])) c->share[k] = 1e300;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, c->share, n, MPI_DOUBLE, MPI_MIN, c->comm));
  n = 0;
  for (int k = 0; k < c->n_pairs; k++) {
    ContactPair *pair = &c->pair[k];
    if (!pair->stale) continue;
    const double told = c->share[n++];
    pair->rests = told < 0.0;
    pair->impact = told >= 1e300 ? INFINITY : told == -DBL_MIN ? 0.0 : fabs(told);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * Find the impacts of stale pairs anew. Each rank takes its share of them; what one rank found all
 * ranks learn, so that they go on alike.
 */
static PetscErrorCode find_impacts(Contact *c, Bodies *bodies, double t, double t_end)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < c->n_pairs; k++) {
    ContactPair *pair = &c->pair[k];
    if (!pair->stale) continue;
    pair->impact = INFINITY;
    pair->rests = false;
    const bool crowd = contact_in_crowd(c, pair->a) || contact_in_crowd(c, pair->b);
    const bool alone = crowd || pair->left_alone;
    if (alone || pair->owner != c->rank || !moves(c, bodies, pair, t_end))
      pair->clear = -INFINITY;
    else
      PetscCall(PairFindImpact(c, bodies, pair, t, t_end));
  }
  if (c->n_ranks > 1) PetscCall(share_impacts(c));
  for (int k = 0; k < c->n_pairs; k++) c->pair[k].stale = false;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The pair that strikes first; ties by the order of pairs. -1: none. */
static int first_impact(const Contact *c)
{
  int first = -1;
  for (int k = 0; k < c->n_pairs; k++)
    if (isfinite(c->pair[k].impact) && (first < 0 || c->pair[k].impact < c->pair[first].impact))
      first = k;
  return first;
}

static int by_time(const void *x, const void *y)
{
  const ContactEvent *p = x, *q = y;
  if (p->time != q->time) return p->time < q->time ? -1 : 1;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  return (p->b > q->b) - (p->b < q->b);
}

/*
 * Impacts that follow each other ever faster come to rest in finite time. After so many of one
 * pair in a step its contact is held; if it still strikes, it is left alone until the next step.
 */
enum { IMPACTS_UNTIL_HELD = 16, IMPACTS_UNTIL_LEFT = 64 };

static bool is_tired(ContactPair *pair)
{
  pair->n_impacts++;
  pair->left_alone = pair->n_impacts > IMPACTS_UNTIL_LEFT;
  return pair->n_impacts > IMPACTS_UNTIL_HELD && !pair->lasting;
}

/* A pair that only rests is held from now on. */
static void begin_lasting(Contact *c, ContactPair *pair)
{
  pair->lasting = true;
  pair->impact = INFINITY;
  c->struck[pair->a] = true;
  if (pair->b < c->n_bodies) c->struck[pair->b] = true;
}

static PetscErrorCode act_on_impact(Contact *c, Bodies *bodies, int k, double t, double t_end)
{
  PetscFunctionBeginUser;
  ContactPair *pair = &c->pair[k];
  const bool tired = is_tired(pair);
  if (pair->left_alone) {
    pair->impact = INFINITY;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (pair->rests || tired)
    begin_lasting(c, pair);
  else
    PetscCall(ContactResolve(c, bodies, k, t, t_end));
  PetscCall(ContactHold(c, bodies, t, t_end));
  PetscCall(ContactFindPairs(c, bodies, t, t_end));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactAdvance(Contact *c, Bodies *bodies, double t_end)
{
  PetscFunctionBeginUser;
  c->n_events = 0;
  if (c->spec->law == LAW_NONE) PetscFunctionReturn(PETSC_SUCCESS);
  if (c->hertz != NULL) {
    PetscCall(HertzAdvance(c, bodies, t_end));
    if (c->n_events > 0) sort_in_place(c->event, (size_t)c->n_events, sizeof *c->event, by_time);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  double t = bodies_time(bodies);
  PetscCall(ContactBeginPairs(c));
  for (int b = 0; b < c->n_bodies; b++) {
    contact_note_motion(c, bodies, b, t, t_end);
    c->pushed[b] = false;
    c->struck[b] = true;
  }
  PetscCall(ContactFindPairs(c, bodies, t, t_end));
  PetscCall(ContactCrowds(c, bodies, t, t_end));
  PetscCall(ContactHold(c, bodies, t, t_end));
  PetscCall(ContactFindPairs(c, bodies, t, t_end));
  while (true) {
    PetscCall(find_impacts(c, bodies, t, t_end));
    const int k = first_impact(c);
    if (k < 0) break;
    t = c->pair[k].impact;
    PetscCall(act_on_impact(c, bodies, k, t, t_end));
  }
  if (c->n_events > 0) sort_in_place(c->event, (size_t)c->n_events, sizeof *c->event, by_time);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactFindOverlap(Contact *c, Bodies *bodies, Overlap *worst)
{
  PetscFunctionBeginUser;
  const double t = bodies_time(bodies);
  *worst = (Overlap){.a = -1, .b = -1};
  if (c->spec->law == LAW_NONE) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(BodiesBegin(bodies, t));
  PetscCall(ContactFindPairs(c, bodies, t, t));
  PetscCall(grow_share(c));
  for (int k = 0; k < c->n_pairs; k++) {
    const ContactPair *pair = &c->pair[k];
    c->share[k] = 0.0;
    /* A fixed body may stand across a wall, as half a model does on a plane of symmetry. */
    if (pair->b >= c->n_bodies && bodies_body(bodies, pair->a)->motion == MOTION_FIXED) continue;
    if (pair->owner == c->rank) PetscCall(PairOverlap(c, bodies, pair, t, &c->share[k]));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, c->share, c->n_pairs, MPI_DOUBLE, MPI_MAX, c->comm));
  for (int k = 0; k < c->n_pairs; k++) {
    const ContactPair *pair = &c->pair[k];
    const double depth = c->share[k], allowed = 1e-4 * pair->size;
    if (depth / allowed > worst->depth / (worst->allowed > 0.0 ? worst->allowed : 1.0))
      *worst = (Overlap){pair->a, pair->b, depth, allowed};
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

int contact_events(const Contact *c, const ContactEvent **events)
{
  *events = c->event;
  return c->n_events;
}

const char *contact_wall_name(const Contact *c, int w)
{
  return c->wall[w].name;
}

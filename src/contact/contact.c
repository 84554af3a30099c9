#include "contact/contact.h"

#include "base/sort.h"
#include "contact/contact_impl.h"

static ContactBody make_body(const XRay *xray, Vec3 center)
{
  if (xray == NULL) return (ContactBody){.exists = false};
  ContactBody body = {.exists = true, .shape = contact_shape(xray), .center = center};
  for (int k = 0; k < xray_n_vertices(xray); k++) {
    const double r = vec3_distance(xray_vertex(xray, k, NULL), center);
    if (r > body.radius) body.radius = r;
  }
  body.radius += body.shape.bulge;
  return body;
}

PetscErrorCode ContactCreate(MPI_Comm comm, const ContactInput *input, Contact **contact)
{
  PetscFunctionBeginUser;
  Contact *c = NULL;
  const int n = input->n_bodies;
  PetscCall(PetscNew(&c));
  c->comm = comm;
  c->spec = input->spec;
  c->n_bodies = n;
  c->n_walls = input->n_walls;
  c->spec_of = input->body;
  c->wall = input->wall;
  c->gravity = input->gravity;
  PetscCall(LookWorkCreate(&c->look));
  PetscCall(CloudWorkCreate(&c->cloud));
  PetscCall(IslandWorkCreate(&c->island));
  if (c->spec->law == LAW_HERTZ) PetscCall(HertzCreate(n, &c->hertz));
  PetscCall(
      PetscCalloc6(n, &c->body, n, &c->ball, n, &c->order, n, &c->low, n, &c->high, n, &c->member));
  PetscCall(PetscCalloc7(n, &c->place, n, &c->state, n + 1, &c->mobility, n + 1, &c->twist, n,
                         &c->kick, n, &c->kicked, n, &c->kicked_at));
  for (int b = 0; b < n; b++) {
    c->body[b] = make_body(input->xray[b], input->center[b]);
    c->order[b] = b;
    c->place[b] = -1;
  }
  *contact = c;
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
  PetscCall(PetscFree6(c->body, c->ball, c->order, c->low, c->high, c->member));
  PetscCall(
      PetscFree7(c->place, c->state, c->mobility, c->twist, c->kick, c->kicked, c->kicked_at));
  PetscCall(PetscFree(c->pair));
  PetscCall(PetscFree(c->old));
  PetscCall(PetscFree(c->lasting));
  PetscCall(PetscFree(c->share));
  PetscCall(PetscFree(c->event));
  PetscCall(PetscFree(c->contact));
  PetscCall(PetscFree(c->incident));
  PetscCall(PetscFree(*contact));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * Find the impacts of stale pairs anew. Each rank takes its share of them; what one rank found all
 * ranks learn, so that they go on alike.
 */
static PetscErrorCode find_impacts(Contact *c, Bodies *bodies, double t, double t_end)
{
  PetscFunctionBeginUser;
  int rank = 0, size = 1, turn = 0;
  PetscCallMPI(MPI_Comm_rank(c->comm, &rank));
  PetscCallMPI(MPI_Comm_size(c->comm, &size));
  for (int k = 0; k < c->n_pairs; k++) {
    ContactPair *pair = &c->pair[k];
    if (!pair->stale) continue;
    pair->impact = INFINITY;
    pair->rests = false;
    if (pair->left_alone || turn++ % size != rank) continue;
    PetscCall(PairFindImpact(c, bodies, pair, t, t_end, &pair->impact, &pair->rests));
  }
  if (size > 1) PetscCall(ContactShareImpacts(c));
  for (int k = 0; k < c->n_pairs; k++) c->pair[k].stale = false;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactShareImpacts(Contact *c)
{
  PetscFunctionBeginUser;
  if (c->share_room < c->n_pairs) {
    c->share_room = c->pair_room;
    PetscCall(PetscRealloc(sizeof *c->share * c->share_room, &c->share));
  }
  int n = 0;
  for (int k = 0; k < c->n_pairs; k++) {
    const ContactPair *pair = &c->pair[k];
    if (pair->stale) c->share[n++] = pair->rests ? -pair->impact - 1.0 : pair->impact;
  }
  /* Times are not negative: a negative number is the time of a pair that rests. */
  for (int k = 0; k < n; k++)
    if (isinf(c->share[k])) c->share[k] = 1e300;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, c->share, n, MPI_DOUBLE, MPI_MIN, c->comm));
  n = 0;
  for (int k = 0; k < c->n_pairs; k++) {
    ContactPair *pair = &c->pair[k];
    if (!pair->stale) continue;
    const double told = c->share[n++];
    pair->rests = told < 0.0;
    pair->impact = pair->rests ? -told - 1.0 : told >= 1e300 ? INFINITY : told;
  }
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

/* The lasting pairs of this step are those of the next. */
static PetscErrorCode remember_lasting(Contact *c)
{
  PetscFunctionBeginUser;
  if (c->lasting_room < c->n_pairs) {
    c->lasting_room = c->pair_room;
    PetscCall(PetscRealloc(sizeof *c->lasting * c->lasting_room, &c->lasting));
  }
  c->n_lasting = 0;
  for (int k = 0; k < c->n_pairs; k++)
    if (c->pair[k].lasting)
      c->lasting[c->n_lasting++] = ((int64_t)c->pair[k].a << 32) | c->pair[k].b;
  PetscFunctionReturn(PETSC_SUCCESS);
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
static PetscErrorCode begin_lasting(Contact *c, Bodies *bodies, int k, double t, double t_end)
{
  PetscFunctionBeginUser;
  c->pair[k].lasting = true;
  c->pair[k].impact = INFINITY;
  PetscCall(ContactHoldLasting(c, bodies, t, t_end));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactAdvance(Contact *c, Bodies *bodies, double t_end)
{
  PetscFunctionBeginUser;
  c->n_events = 0;
  c->n_pairs = 0;
  if (c->spec->law == LAW_NONE) PetscFunctionReturn(PETSC_SUCCESS);
  if (c->hertz != NULL) {
    PetscCall(HertzAdvance(c, bodies, t_end));
    if (c->n_events > 0) sort_in_place(c->event, (size_t)c->n_events, sizeof *c->event, by_time);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  double t = bodies_time(bodies);
  PetscCall(ContactFindPairs(c, bodies, t, t_end));
  PetscCall(ContactHoldLasting(c, bodies, t, t_end));
  while (true) {
    PetscCall(find_impacts(c, bodies, t, t_end));
    const int k = first_impact(c);
    if (k < 0) break;
    t = c->pair[k].impact;
    const bool tired = is_tired(&c->pair[k]);
    if (c->pair[k].left_alone) {
      c->pair[k].impact = INFINITY;
    } else if (c->pair[k].rests || tired) {
      PetscCall(begin_lasting(c, bodies, k, t, t_end));
    } else {
      PetscCall(ContactResolve(c, bodies, k, t, t_end));
    }
  }
  PetscCall(ContactFinishLasting(c, bodies, t_end));
  PetscCall(remember_lasting(c));
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
  for (int k = 0; k < c->n_pairs; k++) {
    Side side[2];
    Look look;
    const ContactPair *pair = &c->pair[k];
    const double allowed = 1e-4 * pair_size(c, pair);
    pair_sides(c, bodies, pair, t, side);
    if (look_bound(&side[0], &side[1], 0.1 * pair_size(c, pair)) > 0.0) continue;
    PetscCall(LookClosely(c->look, &side[0], &side[1], allowed, &look));
    double depth = look.n > 0 ? -look.least : look.crossed ? 2.0 * allowed : 0.0;
    if (depth / allowed > worst->depth / (worst->allowed > 0.0 ? worst->allowed : 1.0))
      *worst = (Overlap){pair->a, pair->b, depth, allowed};
  }
  c->n_pairs = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

int contact_events(const Contact *c, const ContactEvent **events)
{
  *events = c->event;
  return c->n_events;
}

int contact_record_size(const Contact *c)
{
  return c->hertz != NULL ? hertz_record_size(c->hertz) : c->n_lasting;
}

void contact_record_get(const Contact *c, int64_t record[])
{
  if (c->hertz != NULL) hertz_record_get(c->hertz, record);
  for (int k = 0; k < c->n_lasting; k++) record[k] = c->lasting[k];
}

PetscErrorCode ContactRecordSet(Contact *c, int n, const int64_t record[])
{
  PetscFunctionBeginUser;
  if (c->hertz != NULL) {
    PetscCall(HertzRecordSet(c->hertz, n, record));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (c->lasting_room < n) {
    c->lasting_room = n;
    PetscCall(PetscRealloc(sizeof *c->lasting * n, &c->lasting));
  }
  for (int k = 0; k < n; k++) c->lasting[k] = record[k];
  c->n_lasting = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * The rounds of an island: who approaches, who is solved together with whom, and when to stop.
 */
#include "contact/island_impl.h"

#include <string.h>

/* Approach, relative to the speeds of the island, that is rounding. */
static const double approach_rounding = 1e-12;

PetscErrorCode IslandWorkCreate(IslandWork **work)
{
  PetscFunctionBeginUser;
  PetscCall(PetscNew(work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FreeNodes(IslandWork *w)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree4(w->node, w->impulse, w->law, w->arm));
  PetscCall(PetscFree4(w->order, w->list, w->passive, w->flips));
  PetscCall(PetscFree5(w->q, w->shifted, w->x, w->rhs, w->slack));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode IslandWorkDestroy(IslandWork **work)
{
  PetscFunctionBeginUser;
  if (!*work) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree4((*work)->body, (*work)->twist, (*work)->saved, (*work)->parent));
  PetscCall(FreeNodes(*work));
  PetscCall(PetscFree2((*work)->incident_law, (*work)->incident_speed));
  PetscCall(PetscFree2((*work)->matrix, (*work)->factor));
  PetscCall(PetscFree(*work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Half as much again as is wanted, so that slowly growing islands seldom allocate. */
static PetscErrorCode Grow(IslandWork *w, int bodies, int nodes, int incidents)
{
  PetscFunctionBeginUser;
  if (bodies > w->room_bodies) {
    PetscCall(PetscFree4(w->body, w->twist, w->saved, w->parent));
    w->room_bodies = bodies + bodies / 2;
    const int n = w->room_bodies;
    PetscCall(PetscMalloc4(n, &w->body, n, &w->twist, n, &w->saved, n, &w->parent));
  }
  if (nodes > w->room_nodes) {
    PetscCall(FreeNodes(w));
    w->room_nodes = nodes + nodes / 2;
    const int n = w->room_nodes;
    PetscCall(PetscMalloc4(n, &w->node, n, &w->impulse, n, &w->law, 3 * n, &w->arm));
    PetscCall(PetscMalloc4(n, &w->order, n, &w->list, n, &w->passive, n, &w->flips));
    PetscCall(PetscMalloc5(n, &w->q, n, &w->shifted, n, &w->x, n, &w->rhs, n, &w->slack));
  }
  if (incidents > w->room_incidents) {
    PetscCall(PetscFree2(w->incident_law, w->incident_speed));
    w->room_incidents = incidents + incidents / 2;
    const int n = w->room_incidents;
    PetscCall(PetscMalloc2(n, &w->incident_law, n, &w->incident_speed));
  }
  const int dense = nodes < ISLAND_DENSE ? nodes : ISLAND_DENSE;
  if (dense > w->room_dense) {
    PetscCall(PetscFree2(w->matrix, w->factor));
    w->room_dense = dense + dense / 2 < ISLAND_DENSE ? dense + dense / 2 : ISLAND_DENSE;
    const size_t square = (size_t)w->room_dense * w->room_dense;
    PetscCall(PetscMalloc2(square, &w->matrix, square, &w->factor));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

Vec3 island_velocity(const IslandWork *w, const IslandNode *c)
{
  return vec3_sub(mobility_velocity(&w->body[c->a], w->twist[c->a], c->point),
                  mobility_velocity(&w->body[c->b], w->twist[c->b], c->point));
}

void island_kick(IslandWork *w, const IslandNode *c, Vec3 impulse)
{
  w->twist[c->a] = mobility_kick(&w->body[c->a], w->twist[c->a], c->point, impulse);
  w->twist[c->b] =
      mobility_kick(&w->body[c->b], w->twist[c->b], c->point, vec3_scale(-1.0, impulse));
}

void island_record(IslandWork *w, IslandNode *c, Vec3 impulse, double done, ImpactLaw law)
{
  c->impulse = vec3_add(c->impulse, impulse);
  c->law = law > c->law ? law : c->law;
  w->work += done;
}

static double normal_speed(const IslandWork *w, const IslandNode *c)
{
  return vec3_dot(c->frame.n, island_velocity(w, c));
}

static int order_of(double a, double b)
{
  return (a > b) - (a < b);
}

/* By key, then place, then the line of the normal without its sign, then material. */
static int compare(const IslandContact *a, const IslandContact *b)
{
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  const double left[] = {a->point.x,        a->point.y,        a->point.z,  fabs(a->normal.x),
                         fabs(a->normal.y), fabs(a->normal.z), a->friction, a->restitution};
  const double right[] = {b->point.x,        b->point.y,        b->point.z,  fabs(b->normal.x),
                          fabs(b->normal.y), fabs(b->normal.z), b->friction, b->restitution};
  for (int i = 0; i < 8; i++)
    if (left[i] != right[i]) return order_of(left[i], right[i]);
  return 0;
}

/* Sift the root of the heap order[first..n) down to its place. */
static void sift(int order[], int first, int n, const IslandContact contact[])
{
  for (int i = first, child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && compare(&contact[order[child]], &contact[order[child + 1]]) < 0) child++;
    if (compare(&contact[order[i]], &contact[order[child]]) >= 0) return;
    const int swap = order[i];
    order[i] = order[child];
    order[child] = swap;
  }
}

static void sort_contacts(int order[], int n, const IslandContact contact[])
{
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = n / 2 - 1; i >= 0; i--) sift(order, i, n, contact);
  for (int last = n - 1; last > 0; last--) {
    const int swap = order[0];
    order[0] = order[last];
    order[last] = swap;
    sift(order, 0, last, contact);
  }
}

static IslandNode node_of(const IslandWork *w, const IslandInput *in, int source)
{
  const IslandContact *c = &in->contact[source];
  IslandNode node = {.a = c->a, .b = c->b < 0 ? in->n_bodies : c->b, .source = source};
  const Mobility *a = &w->body[node.a], *b = &w->body[node.b];
  node.point = c->point;
  node.mu = c->friction;
  node.inverse_mass = mobility_pair(a, b, c->point);
  node.frame = contact_frame(&node.inverse_mass, c->normal);
  node.blocked = impact_blocked(&node.inverse_mass, c->normal);
  node.lever[0] = vec3_cross(vec3_sub(c->point, a->center), c->normal);
  node.lever[1] = vec3_cross(vec3_sub(c->point, b->center), c->normal);
  node.least = c->least;
  node.guess = c->guess;
  node.incident = c->incident < in->n_incidents ? c->incident : -1;
  return node;
}

static void load(IslandWork *w, const IslandInput *in)
{
  w->n_bodies = in->n_bodies;
  w->n_nodes = in->n_contacts;
  w->speed = w->work = 0.0;
  w->enough = in->enough;
  w->dissipates = !in->holds;
  for (int b = 0; b < in->n_bodies; b++) w->body[b] = in->body[b], w->twist[b] = in->twist[b];
  w->body[in->n_bodies] = mobility_none(vec3(0, 0, 0));
  w->twist[in->n_bodies] = (Twist){{0, 0, 0}, {0, 0, 0}};
  sort_contacts(w->order, in->n_contacts, in->contact);
  for (int i = 0; i < in->n_contacts; i++) {
    w->node[i] = node_of(w, in, w->order[i]);
    w->speed = fmax(w->speed, vec3_norm(island_velocity(w, &w->node[i])));
  }
}

static int root_of(int parent[], int b)
{
  while (parent[b] != b) b = parent[b] = parent[parent[b]];
  return b;
}

static bool movable(const Mobility *body)
{
  const Mat3 *j = &body->inverse_inertia;
  return body->inverse_mass > 0.0 || j->m[0][0] + j->m[1][1] + j->m[2][2] > 0.0;
}

/* The fastest approach of each incident, and of all. */
static double fastest_approach(IslandWork *w, const IslandInput *in)
{
  double fastest = 0.0;
  for (int k = 0; k < in->n_incidents; k++) w->incident_speed[k] = 0.0;
  for (int i = 0; i < w->n_nodes; i++) {
    IslandNode *c = &w->node[i];
    c->approach = c->blocked ? -INFINITY : c->least - normal_speed(w, c);
    if (c->approach <= approach_rounding * w->speed) continue;
    fastest = fmax(fastest, c->approach);
    if (c->incident >= 0)
      w->incident_speed[c->incident] = fmax(w->incident_speed[c->incident], c->approach);
  }
  return fastest;
}

/*
 * Who approaches, with the restitution of this round; the fastest approach. Points of an incident
 * that hardly part are there with those that approach, without restitution: rounding does not
 * divide points that are alike.
 */
static double find_approaching(IslandWork *w, const IslandInput *in)
{
  const double fastest = fastest_approach(w, in), rounding = approach_rounding * w->speed;
  const double lingering = -fmax(rounding, in->resting_speed);
  for (int b = 0; b <= w->n_bodies; b++) w->parent[b] = b;
  for (int i = 0; i < w->n_nodes; i++) {
    IslandNode *c = &w->node[i];
    const double speed = c->incident >= 0 ? w->incident_speed[c->incident] : c->approach;
    const bool approaches = c->approach > rounding;
    c->group = -1;
    if (!approaches && !(speed > rounding && c->approach > lingering)) continue;
    c->group = movable(&w->body[c->a]) ? c->a : c->b;
    c->e = 0.0;
    c->rests = c->approach <= fmax(rounding, in->resting_speed);
    if (!c->rests) c->e = in->contact[c->source].restitution;
    if (movable(&w->body[c->a]) && movable(&w->body[c->b]))
      w->parent[root_of(w->parent, c->a)] = root_of(w->parent, c->b);
  }
  for (int i = 0; i < w->n_nodes; i++)
    if (w->node[i].group >= 0) w->node[i].group = root_of(w->parent, w->node[i].group);
  return fastest;
}

static void solve_single(IslandWork *w, IslandNode *c, LawKind law)
{
  const ImpactInput one = {.inverse_mass = c->inverse_mass,
                           .normal = c->frame.n,
                           .velocity = island_velocity(w, c),
                           .restitution = c->e,
                           .friction = c->mu};
  const ImpactResult r = law == LAW_ALGEBRAIC ? impact_algebraic(&one)
                         : law == LAW_STRONGE ? impact_stronge(&one)
                                              : impact_auto(&one);
  island_kick(w, c, r.impulse);
  island_record(w, c, r.impulse, r.work, r.law);
}

/* Solve the n contacts of one group, which order[] lists. */
static void solve_group(IslandWork *w, int n, const int list[], LawKind law)
{
  if (n == 1) {
    solve_single(w, &w->node[list[0]], law);
    return;
  }
  bool rough = false;
  for (int k = 0; k < n; k++) {
    const IslandNode *c = &w->node[list[k]];
    rough = rough || c->mu > 0.0;
    w->slack[k] = c->e > 0.0 ? c->e * normal_speed(w, c) : -c->least;
  }
  island_normals(w, n, list, w->slack, rough);
  if (rough)
    island_march(w, n, list);
  else
    island_apply_normals(w, n, list, IMPACT_ALGEBRAIC);
}

/* The contacts of each group, in the order of the first of them. */
static void solve_round(IslandWork *w, LawKind law)
{
  for (int i = 0; i < w->n_nodes; i++) {
    const int group = w->node[i].group;
    if (group < 0) continue;
    int n = 0;
    for (int j = i; j < w->n_nodes; j++)
      if (w->node[j].group == group) {
        w->order[n++] = j;
        w->node[j].group = -1;
      }
    solve_group(w, n, w->order, law);
  }
}

static void store(IslandWork *w, const IslandInput *in, IslandResult *result)
{
  for (int i = 0; i < in->n_incidents; i++) w->incident_law[i] = IMPACT_NONE;
  for (int i = 0; i < w->n_nodes; i++) {
    const IslandNode *c = &w->node[i];
    const int incident = in->contact[c->source].incident;
    w->impulse[c->source] = c->impulse;
    w->law[c->source] = c->law;
    if (incident >= 0 && incident < in->n_incidents && c->law > w->incident_law[incident])
      w->incident_law[incident] = c->law;
  }
  result->twist = w->twist;
  result->impulse = w->impulse;
  result->law = w->law;
  result->incident_law = w->incident_law;
  result->work = w->work;
}

PetscErrorCode IslandSolve(IslandWork *w, const IslandInput *in, IslandResult *result)
{
  PetscFunctionBeginUser;
  PetscCall(Grow(w, in->n_bodies + 1, in->n_contacts, in->n_incidents));
  load(w, in);
  memset(result, 0, sizeof *result);
  const int cap = 50 + 10 * in->n_contacts;
  for (;;) {
    const double fastest = find_approaching(w, in);
    if (fastest == 0.0) break;
    result->capped = result->rounds >= cap;
    if (result->capped || fastest <= in->resting_speed) {
      result->rested = true;
      result->residual = island_rest(w);
      break;
    }
    solve_round(w, in->law);
    result->rounds++;
  }
  store(w, in, result);
  PetscFunctionReturn(PETSC_SUCCESS);
}

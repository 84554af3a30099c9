#include "body/bodies_impl.h"

#include <string.h>

/* Root of b's tree in the forest of ties, halving the path on the way. */
static int root_of(int tie[], int b)
{
  while (tie[b] != b) b = tie[b] = tie[tie[b]];
  return b;
}

/* Number the groups by their first body and count what they hold. */
static PetscErrorCode number_groups(Bodies *s)
{
  PetscFunctionBeginUser;
  int *tie;
  PetscCall(PetscMalloc1(s->n, &tie));
  for (int b = 0; b < s->n; b++) tie[b] = b;
  for (int k = 0; k < s->n_loads; k++) {
    if (s->load[k].carrier < 0) continue;
    const int a = root_of(tie, s->load[k].body), c = root_of(tie, s->load[k].carrier);
    if (a < c)
      tie[c] = a;
    else
      tie[a] = c;
  }
  for (int b = 0; b < s->n; b++) {
    const int root = root_of(tie, b);
    s->group_of[b] = root == b ? s->n_groups++ : s->group_of[root];
  }
  PetscCall(PetscFree(tie));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Give each group its slices of the shared lists, then fill them in case order. */
static PetscErrorCode fill_groups(Bodies *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(s->n_groups, &s->group));
  for (int b = 0; b < s->n; b++) s->group[s->group_of[b]].n++;
  for (int k = 0; k < s->n_loads; k++) s->group[s->group_of[s->load[k].body]].n_loads++;
  int *member = s->members, *load = s->group_loads;
  for (int i = 0; i < s->n_groups; i++) {
    Group *g = &s->group[i];
    g->member = member;
    g->load = load;
    member += g->n;
    load += g->n_loads;
    if (g->n > s->largest) s->largest = g->n;
    g->capacity = 4;
    PetscCall(PetscMalloc1(g->capacity, &g->t));
    PetscCall(PetscMalloc1(g->capacity * g->n, &g->state));
    PetscCall(PetscMalloc1(g->capacity * g->n, &g->push));
    g->n = g->n_loads = 0;
  }
  for (int b = 0; b < s->n; b++) {
    Group *g = &s->group[s->group_of[b]];
    s->place_of[b] = g->n;
    g->member[g->n++] = b;
  }
  for (int k = 0; k < s->n_loads; k++) {
    Group *g = &s->group[s->group_of[s->load[k].body]];
    g->load[g->n_loads++] = k;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BodiesCreate(int n, const BodyInput inputs[], MotionTable *const tables[],
                            int n_loads, const Load loads[], Vec3 gravity, Bodies **bodies)
{
  PetscFunctionBeginUser;
  Bodies *s = NULL;
  PetscCall(PetscNew(&s));
  s->n = n;
  s->n_loads = n_loads;
  s->gravity = gravity;
  PetscCall(PetscCalloc3(n, &s->body, n, &s->state, n, &s->next));
  PetscCall(PetscCalloc3(n, &s->air, n, &s->air_rate, n, &s->push));
  PetscCall(PetscCalloc5(n_loads, &s->load, n, &s->members, n_loads, &s->group_loads, n,
                         &s->group_of, n, &s->place_of));
  for (int k = 0; k < n_loads; k++) {
    s->load[k] = loads[k];
    s->load[k].begun = s->load[k].ended = INFINITY;
  }
  for (int b = 0; b < n; b++) {
    PetscCall(BodyInit(&inputs[b], tables[b], &s->body[b]));
    const Body *body = &s->body[b];
    s->state[b] = body_moves_freely(body, 0.0) ? body->start : body_given_state(body, 0.0);
  }
  PetscCall(number_groups(s));
  PetscCall(fill_groups(s));
  PetscCall(
      PetscMalloc3(s->largest, &s->total, 2 * s->largest, &s->rate, 3 * s->largest, &s->stage));
  *bodies = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BodiesDestroy(Bodies **bodies)
{
  PetscFunctionBeginUser;
  Bodies *s = *bodies;
  if (s == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  for (int b = 0; b < s->n; b++) PetscCall(MotionTableDestroy(&s->body[b].table));
  for (int k = 0; k < s->n_loads; k++) PetscCall(PetscFree(s->load[k].table.row));
  for (int i = 0; i < s->n_groups; i++) {
    PetscCall(PetscFree(s->group[i].t));
    PetscCall(PetscFree(s->group[i].state));
    PetscCall(PetscFree(s->group[i].push));
  }
  PetscCall(PetscFree3(s->total, s->rate, s->stage));
  PetscCall(PetscFree(s->group));
  PetscCall(PetscFree5(s->load, s->members, s->group_loads, s->group_of, s->place_of));
  PetscCall(PetscFree3(s->air, s->air_rate, s->push));
  PetscCall(PetscFree3(s->body, s->state, s->next));
  PetscCall(PetscFree(*bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int bodies_count(const Bodies *s)
{
  return s->n;
}

double bodies_time(const Bodies *s)
{
  return s->t;
}

const Body *bodies_body(const Bodies *s, int b)
{
  return &s->body[b];
}

const BodyState *bodies_state(const Bodies *s, int b)
{
  return &s->state[b];
}

Wrench bodies_air_load(const Bodies *s, int b)
{
  Wrench load = s->air[b];
  load.force = vec3_add(load.force, bodies_drag(s, b, &s->state[b], s->t));
  return load;
}

void bodies_set_air(Bodies *s, int b, Wrench value, Wrench rate)
{
  s->air[b] = value;
  s->air_rate[b] = rate;
}

void bodies_push(Bodies *s, int b, Wrench push)
{
  s->push[b] = (Push){.value = push};
}

void bodies_push_from(Bodies *s, int b, double t, Wrench value, Wrench rate)
{
  s->push[b] = (Push){value, rate, t};
}

int bodies_group(const Bodies *s, int b)
{
  return s->group_of[b];
}

void bodies_push_at(Bodies *s, int b, Vec3 p, Vec3 x, Vec3 force)
{
  Wrench *push = &s->push[b].value;
  push->force = vec3_add(push->force, force);
  push->moment = vec3_add(push->moment, vec3_cross(vec3_sub(p, x), force));
}

PetscErrorCode BodiesBegin(Bodies *s, double t_end)
{
  PetscFunctionBeginUser;
  s->t_end = t_end;
  PetscCall(PetscArrayzero(s->push, s->n));
  for (int i = 0; i < s->n_groups; i++) {
    Group *g = &s->group[i];
    BodyState *from = s->stage;
    for (int k = 0; k < g->n; k++) from[k] = s->state[g->member[k]];
    group_rewind(s, g, s->t);
    g->n_pieces = 0;
    PetscCall(GroupAdvance(s, g, s->t, from));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

BodyState bodies_at(Bodies *s, int b, double t)
{
  BodyState *states = s->stage + 2 * s->largest;
  group_at(s, &s->group[s->group_of[b]], t, states);
  return states[s->place_of[b]];
}

/* Collect the members' states of a group at t, with those that are reset replaced. */
static PetscErrorCode reset_group(Bodies *s, Group *g, double t, int n, const int ids[],
                                  const BodyState states[])
{
  PetscFunctionBeginUser;
  BodyState *from = s->stage + 2 * s->largest;
  group_at(s, g, t, from);
  for (int k = 0; k < n; k++)
    if (&s->group[s->group_of[ids[k]]] == g) from[s->place_of[ids[k]]] = states[k];
  group_rewind(s, g, t);
  PetscCall(GroupAdvance(s, g, t, from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BodiesReset(Bodies *s, double t, int n, const int ids[], const BodyState states[])
{
  PetscFunctionBeginUser;
  for (int k = 0; k < n; k++) {
    Group *g = &s->group[s->group_of[ids[k]]];
    bool done = false;
    for (int j = 0; j < k && g->n > 1 && !done; j++)
      done = s->group_of[ids[j]] == s->group_of[ids[k]];
    if (t >= s->t_end)
      s->next[ids[k]] = states[k];
    else if (g->n == 1)
      PetscCall(reset_group(s, g, t, 1, &ids[k], &states[k]));
    else if (!done)
      PetscCall(reset_group(s, g, t, n, ids, states));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void bodies_end(Bodies *s)
{
  s->t = s->t_end;
  for (int b = 0; b < s->n; b++) s->state[b] = s->next[b];
}

/* A record is the time, 13 numbers per body, 5 per load. */
enum { BODY_NUMBERS = 13, LOAD_NUMBERS = 5 };

int bodies_record_size(const Bodies *s)
{
  return 1 + BODY_NUMBERS * s->n + LOAD_NUMBERS * s->n_loads;
}

void bodies_record_get(const Bodies *s, double record[])
{
  *record++ = s->t;
  for (int b = 0; b < s->n; b++, record += BODY_NUMBERS)
    memcpy(record, &s->state[b], sizeof s->state[b]);
  for (int k = 0; k < s->n_loads; k++, record += LOAD_NUMBERS) {
    const Load *load = &s->load[k];
    const double numbers[LOAD_NUMBERS] = {load->begun, load->origin.x, load->origin.y,
                                          load->origin.z, load->ended};
    memcpy(record, numbers, sizeof numbers);
  }
}

void bodies_record_set(Bodies *s, const double record[])
{
  s->t = *record++;
  for (int b = 0; b < s->n; b++, record += BODY_NUMBERS)
    memcpy(&s->state[b], record, sizeof s->state[b]);
  for (int k = 0; k < s->n_loads; k++, record += LOAD_NUMBERS) {
    s->load[k].begun = record[0];
    s->load[k].origin = vec3(record[1], record[2], record[3]);
    s->load[k].ended = record[4];
  }
}

_Static_assert(sizeof(BodyState) == BODY_NUMBERS * sizeof(double), "a body state is 13 numbers");

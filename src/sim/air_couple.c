/*
 * Loads in time, and Aitken's relaxation of them (Irons and Tuck 1969; for bodies in flow Kuettler
 * and Wall 2008), with a factor of its own for the force and the moment on each body.
 */
#include "sim/air_couple.h"

#include <math.h>
#include <string.h>

/* Agreement relative to the load; and the part of pressure times area below which it is none. */
static const double agreement = 1e-4, nothing = 1e-6;
enum { MOST_PASSES = 25 };

static const double first_factor = 0.5, least_factor = 1e-3, most_factor = 1.5;

enum { TRACK_NUMBERS = 15 };

int air_track_size(const Air *s)
{
  return TRACK_NUMBERS * s->n;
}

void air_track_get(const Air *s, double number[])
{
  for (int g = 0; g < s->n; g++, number += TRACK_NUMBERS) {
    const AirTrack *track = &s->track[g];
    memcpy(number, &track->now, sizeof track->now);
    memcpy(number + 6, &track->rate, sizeof track->rate);
    memcpy(number + 12, track->factor, sizeof track->factor);
    number[14] = track->closed_before;
  }
}

void air_track_set(Air *s, const double number[])
{
  for (int g = 0; g < s->n; g++, number += TRACK_NUMBERS) {
    AirTrack *track = &s->track[g];
    memcpy(&track->now, number, sizeof track->now);
    memcpy(&track->rate, number + 6, sizeof track->rate);
    memcpy(track->factor, number + 12, sizeof track->factor);
    track->closed = track->closed_before = number[14];
  }
}

static const Wrench no_load = {{0, 0, 0}, {0, 0, 0}};

static Wrench load_on(const Air *s, int g)
{
  const GridLoads *l = &s->loads[g];
  return (Wrench){vec3_add(l->pressure_force, l->friction_force),
                  vec3_add(l->pressure_moment, l->friction_moment)};
}

void air_track_start(Air *s)
{
  for (int g = 0; g < s->n; g++)
    s->track[g] = (AirTrack){.away = s->track[g].away,
                             .now = load_on(s, g),
                             .factor = {first_factor, first_factor},
                             .closed = s->track[g].closed,
                             .closed_before = s->track[g].closed};
}

void air_tell(const Air *s, Bodies *bodies)
{
  for (int g = 0; g < s->n; g++)
    bodies_set_air(bodies, s->body[g], s->track[g].now, s->track[g].rate);
}

void air_begin(Air *s)
{
  s->passes = s->inner = s->linear = 0;
  s->trouble = NULL;
  for (int g = 0; g < s->n; g++) s->track[g].kept = s->track[g].rate;
}

void air_go_back(Air *s, Bodies *bodies)
{
  for (int g = 0; g < s->n; g++) s->track[g].rate = s->track[g].kept;
  air_place_grids(s, bodies);
  air_tell(s, bodies);
}

/* The factor that would have made the last two misses vanish, were the flow linear. */
static double better_factor(double factor, Vec3 before, Vec3 now)
{
  const Vec3 change = vec3_sub(now, before);
  const double size = vec3_norm2(change);
  if (size <= 0.0) return factor;
  const double better = -factor * vec3_dot(before, change) / size;
  return fmin(fmax(better, least_factor), most_factor);
}

/* How far belief and answer are apart, relative to the load or to what counts as one. */
static double distance(Vec3 miss, Vec3 now, Vec3 end, double least)
{
  return vec3_norm(miss) / fmax(fmax(vec3_norm(now), vec3_norm(end)), least);
}

/* Compare one body's answer with its belief; returns how far they are apart. */
static double compare(const Air *s, int g, double dt, Wrench *miss)
{
  const AirTrack *track = &s->track[g];
  const Wrench end = load_on(s, g);
  miss->force = vec3_sub(end.force, vec3_axpy(track->now.force, dt, track->rate.force));
  miss->moment = vec3_sub(end.moment, vec3_axpy(track->now.moment, dt, track->rate.moment));
  const double size = 0.5 * box_longest(s->grid[g]->box);
  const double least = nothing * flow_stream(s->flow)->pressure * size * size;
  const double force = distance(miss->force, track->now.force, end.force, least);
  return fmax(force, distance(miss->moment, track->now.moment, end.moment, least * size));
}

/* What to believe in the next pass. */
static void relax(AirTrack *track, bool first, double dt, Wrench miss)
{
  if (!first) {
    track->factor[0] = better_factor(track->factor[0], track->miss.force, miss.force);
    track->factor[1] = better_factor(track->factor[1], track->miss.moment, miss.moment);
  }
  track->miss = miss;
  track->rate.force = vec3_axpy(track->rate.force, track->factor[0] / dt, miss.force);
  track->rate.moment = vec3_axpy(track->rate.moment, track->factor[1] / dt, miss.moment);
}

PetscErrorCode AirSettle(Air *s, Bodies *bodies, double t_end, bool *settled, bool *sound)
{
  PetscFunctionBeginUser;
  const double dt = t_end - bodies_time(bodies);
  s->passes++;
  s->disagreement = 0.0;
  for (int g = 0; g < s->n; g++) {
    Wrench miss;
    if (!body_moves_freely(bodies_body(bodies, s->body[g]), t_end)) continue;
    s->disagreement = fmax(s->disagreement, compare(s, g, dt, &miss));
  }
  *settled = s->the_case->flow.coupling == COUPLING_LOOSE || s->disagreement <= agreement;
  *sound = *settled || (s->passes < MOST_PASSES && isfinite(s->disagreement));
  if (!*sound) s->trouble = "bodies and air came to no agreement";
  if (*settled) PetscFunctionReturn(PETSC_SUCCESS);
  for (int g = 0; g < s->n; g++) {
    Wrench miss;
    if (!body_moves_freely(bodies_body(bodies, s->body[g]), t_end)) continue;
    compare(s, g, dt, &miss);
    relax(&s->track[g], s->passes == 1, dt, miss);
  }
  air_tell(s, bodies);
  PetscCall(FlowRewind(s->flow));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Has a body been struck in the last step? */
static bool struck(const Contact *contact, int b)
{
  const ContactEvent *event = NULL;
  const int n = contact != NULL ? contact_events(contact, &event) : 0;
  for (int k = 0; k < n; k++)
    if (event[k].a == b || event[k].b == b) return true;
  return false;
}

PetscErrorCode AirAccept(Air *s, Bodies *bodies, const Contact *contact, double dt)
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n; g++) {
    AirTrack *track = &s->track[g];
    const Wrench end = load_on(s, g);
    track->rate = no_load;
    const bool other_gaps = track->closed != track->closed_before;
    track->closed_before = track->closed;
    if (!struck(contact, s->body[g]) && !other_gaps) {
      track->rate.force = vec3_scale(1.0 / dt, vec3_sub(end.force, track->now.force));
      track->rate.moment = vec3_scale(1.0 / dt, vec3_sub(end.moment, track->now.moment));
    }
    track->now = end;
  }
  if (s->overset != NULL) overset_accept(s->overset);
  PetscCall(FlowAccept(s->flow));
  air_tell(s, bodies);
  PetscFunctionReturn(PETSC_SUCCESS);
}

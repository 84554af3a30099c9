#include "body/body.h"

#include <string.h>

static bool is_pivoted(MotionKind motion)
{
  return motion == MOTION_AXIS || motion == MOTION_POINT;
}

static bool is_given(MotionKind motion)
{
  return motion == MOTION_FIXED || motion == MOTION_PRESCRIBED;
}

/* The spin of the case in inertial axes; on an axis only its part along the axis. */
static Vec3 start_spin(const BodySpec *spec, const Body *body)
{
  Vec3 spin = vec3(0, 0, 0);
  if (vec3_finite(spec->spin)) spin = spec->spin;
  if (vec3_finite(spec->spin_body)) spin = quat_rotate(spec->attitude, spec->spin_body);
  if (body->motion == MOTION_AXIS) spin = vec3_scale(vec3_dot(spin, body->axis), body->axis);
  return body->motion == MOTION_FIXED ? vec3(0, 0, 0) : spin;
}

/* Inertia about the pivot, and the distance of the mass centre from it. */
static void hang_on_pivot(const BodySpec *spec, Body *body)
{
  body->pivot = spec->pivot;
  body->arm = quat_rotate_back(spec->attitude, vec3_sub(spec->position, spec->pivot));
  const Mat3 shift = mat3_steiner(body->arm), added = mat3_scale(body->mass, &shift);
  body->inertia = mat3_add(&body->inertia, &added);
  if (body->motion != MOTION_AXIS) return;
  body->axis = vec3_unit(spec->axis);
  const Vec3 axis_b = quat_rotate_back(spec->attitude, body->axis);
  body->axis_inertia = vec3_dot(axis_b, mat3_apply(&body->inertia, axis_b));
}

/* Position and velocity of a pivoted body follow from its attitude and momentum. */
static void follow_pivot(const Body *body, BodyState *state)
{
  const Vec3 arm = quat_rotate(state->q, body->arm);
  state->x = vec3_add(body->pivot, arm);
  state->v = vec3_cross(body_spin(body, state), arm);
}

PetscErrorCode BodyInit(const BodyInput *input, MotionTable *table, Body *body)
{
  PetscFunctionBeginUser;
  const BodySpec *spec = input->spec;
  memset(body, 0, sizeof *body);
  body->motion = spec->motion;
  body->mass = input->mass;
  body->inertia = input->inertia;
  body->release = spec->motion == MOTION_FREE ? spec->release : 0.0;
  body->table = table;
  if (is_pivoted(spec->motion)) hang_on_pivot(spec, body);
  body->inverse_inertia = mat3_inverse(&body->inertia);

  BodyState *start = &body->start;
  start->x = spec->position;
  start->q = quat_unit(spec->attitude);
  if (vec3_finite(spec->velocity) && spec->motion != MOTION_FIXED) start->v = spec->velocity;
  start->L = body_momentum(body, start->q, start_spin(spec, body));
  if (is_pivoted(spec->motion)) follow_pivot(body, start);
  PetscFunctionReturn(PETSC_SUCCESS);
}

bool body_moves_freely(const Body *body, double t)
{
  return !is_given(body->motion) && t >= body->release;
}

Vec3 body_spin(const Body *body, const BodyState *state)
{
  if (is_given(body->motion)) return state->L;
  if (body->motion == MOTION_AXIS)
    return vec3_scale(vec3_dot(body->axis, state->L) / body->axis_inertia, body->axis);
  const Mat3 r = quat_matrix(state->q);
  const Vec3 L_b = mat3_apply_transposed(&r, state->L);
  return mat3_apply(&r, mat3_apply(&body->inverse_inertia, L_b));
}

Vec3 body_momentum(const Body *body, Quat q, Vec3 spin)
{
  if (is_given(body->motion)) return spin;
  if (body->motion == MOTION_AXIS)
    return vec3_scale(body->axis_inertia * vec3_dot(body->axis, spin), body->axis);
  const Mat3 r = quat_matrix(q);
  const Vec3 spin_b = mat3_apply_transposed(&r, spin);
  return mat3_apply(&r, mat3_apply(&body->inertia, spin_b));
}

BodyState body_given_state(const Body *body, double t)
{
  BodyState s = body->start;
  if (body->motion == MOTION_PRESCRIBED && body->table != NULL) {
    const MotionPoint p = motion_table_at(body->table, t);
    return (BodyState){p.pose.x, p.velocity, p.pose.q, p.spin};
  }
  if (body->motion == MOTION_PRESCRIBED) {
    s.x = vec3_axpy(s.x, t, s.v);
    s.q = quat_unit(quat_multiply(quat_from_vector(vec3_scale(t, s.L)), s.q));
    return s;
  }
  s.v = s.L = vec3(0, 0, 0);
  return s;
}

BodyRate body_rate(const Body *body, const BodyState *state, Wrench total)
{
  BodyRate rate = {.dx = state->v};
  rate.dq = quat_rate(state->q, body_spin(body, state));
  rate.dv = vec3_scale(1.0 / body->mass, total.force);
  rate.dL = total.moment;
  if (!is_pivoted(body->motion)) return rate;

  const Vec3 arm = vec3_sub(state->x, body->pivot);
  rate.dL = vec3_add(total.moment, vec3_cross(arm, total.force));
  if (body->motion == MOTION_AXIS) rate.dL = vec3_scale(vec3_dot(body->axis, rate.dL), body->axis);
  return rate;
}

BodyState body_move(const Body *body, const BodyState *state, double h, const BodyRate *rate)
{
  BodyState s;
  s.x = vec3_axpy(state->x, h, rate->dx);
  s.v = vec3_axpy(state->v, h, rate->dv);
  s.q = quat_unit(quat_axpy(state->q, h, rate->dq));
  s.L = vec3_axpy(state->L, h, rate->dL);
  if (is_pivoted(body->motion)) follow_pivot(body, &s);
  return s;
}

double body_kinetic_energy(const Body *body, const BodyState *state)
{
  if (is_given(body->motion)) return 0.0;
  const double turning = 0.5 * vec3_dot(body_spin(body, state), state->L);
  return is_pivoted(body->motion) ? turning : turning + 0.5 * body->mass * vec3_norm2(state->v);
}

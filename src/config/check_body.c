/*
 * Can these bodies exist, and can they move as they are told?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/check_impl.h"

#include <string.h>

/* Directions of unit length stay as they are, so that printed ones read back unchanged. */
Vec3 direction_unit(Vec3 v)
{
  return fabs(vec3_norm(v) - 1.0) < 1e-15 ? v : vec3_unit(v);
}

static bool moves_by_forces(const BodySpec *body)
{
  return body->motion == MOTION_FREE || body->motion == MOTION_AXIS || body->motion == MOTION_POINT;
}

static PetscErrorCode CheckInertia(const Place *place, const BodySpec *body)
{
  PetscFunctionBeginUser;
  if (body->n_inertia == 0) PetscFunctionReturn(PETSC_SUCCESS);
  const double *i = body->inertia;
  const Mat3 tensor = mat3_symmetric(i[0], i[1], i[2], i[3], i[4], i[5]);
  Mat3 axes;
  const Vec3 e = mat3_eigen_symmetric(&tensor, &axes);
  if (!(e.x > 0.0) || !isfinite(e.z))
    PetscCall(PlaceComplain(place, "inertia",
                            "must be positive definite, got a principal moment of %g", e.x));
  else if (e.z > (e.x + e.y) * (1.0 + 1e-9))
    PetscCall(PlaceWarn(place, "inertia",
                        "no solid has principal moments %g, %g, %g: the largest exceeds the sum of "
                        "the others",
                        e.x, e.y, e.z));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckMass(const Place *place, const BodySpec *body)
{
  PetscFunctionBeginUser;
  const bool mass = place_has(place, "mass"), density = place_has(place, "density");
  static const char *const motions[] = {"that is free", "", "on an axis", "on a point", ""};
  if (mass && density)
    PetscCall(PlaceComplain(place, "density", "cannot be given together with mass"));
  if (!mass && !density && moves_by_forces(body))
    PetscCall(PlaceComplain(place, "mass", "missing, a body %s needs mass or density",
                            motions[body->motion]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The spin about inertial axes; zero when none is given. */
static Vec3 given_spin(const BodySpec *body)
{
  if (vec3_finite(body->spin)) return body->spin;
  if (vec3_finite(body->spin_body)) return quat_rotate(body->attitude, body->spin_body);
  return vec3(0, 0, 0);
}

/* On an axis only the spin along it is kept. */
static void project_spin(BodySpec *body)
{
  const Vec3 spin = given_spin(body);
  const Vec3 along = vec3_scale(vec3_dot(spin, body->axis), body->axis);
  if (vec3_distance(spin, along) <= 1e-12 * vec3_norm(spin)) return;
  body->spin = along;
  body->spin_body = vec3(NAN, NAN, NAN);
}

/* Turning about a pivot: the velocity follows from the spin and may only repeat it. */
static PetscErrorCode CheckPivot(const Place *place, BodySpec *body)
{
  PetscFunctionBeginUser;
  const bool axis = body->motion == MOTION_AXIS;
  if (!place_has(place, "pivot"))
    PetscCall(
        PlaceComplain(place, "pivot", "missing, motion %s needs a pivot", axis ? "axis" : "point"));
  if (axis && !place_has(place, "axis"))
    PetscCall(PlaceComplain(place, "axis", "missing, motion axis needs an axis"));
  if (!vec3_finite(body->pivot) || (axis && !vec3_finite(body->axis)))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (axis) project_spin(body);
  if (!vec3_finite(body->velocity)) PetscFunctionReturn(PETSC_SUCCESS);

  const Vec3 spin = given_spin(body), arm = vec3_sub(body->position, body->pivot);
  const Vec3 v = vec3_add(vec3_cross(spin, arm), vec3(0, 0, 0)); /* no minus zeros */
  const double scale = vec3_norm(spin) * vec3_norm(arm) + vec3_norm(body->velocity);
  if (vec3_distance(v, body->velocity) > 1e-9 * scale)
    PetscCall(PlaceComplain(place, "velocity",
                            "contradicts spin and pivot, got [%g, %g, %g], wanted [%g, %g, %g] or "
                            "nothing",
                            body->velocity.x, body->velocity.y, body->velocity.z, v.x, v.y, v.z));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckTable(const Place *place, const BodySpec *body)
{
  PetscFunctionBeginUser;
  if (!place_has(place, "motion_table")) PetscFunctionReturn(PETSC_SUCCESS);
  if (body->motion != MOTION_PRESCRIBED)
    PetscCall(PlaceComplain(place, "motion_table", "is only for motion prescribed"));
  static const char *const keys[] = {"velocity", "spin", "spin_body"};
  for (int k = 0; k < 3; k++)
    if (body->motion == MOTION_PRESCRIBED && place_has(place, keys[k]))
      PetscCall(PlaceComplain(place, keys[k], "cannot be given together with motion_table"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Keys that do nothing with this motion: harmless, but perhaps not what was meant. */
static PetscErrorCode WarnIdle(const Place *place, const BodySpec *body)
{
  PetscFunctionBeginUser;
  const bool turning = body->motion == MOTION_AXIS || body->motion == MOTION_POINT;
  if (!turning && place_has(place, "pivot"))
    PetscCall(PlaceWarn(place, "pivot", "does nothing, it is for motion axis and point"));
  if (body->motion != MOTION_AXIS && place_has(place, "axis"))
    PetscCall(PlaceWarn(place, "axis", "does nothing, it is for motion axis"));
  static const char *const keys[] = {"velocity", "spin", "spin_body"};
  const Vec3 values[] = {body->velocity, body->spin, body->spin_body};
  for (int k = 0; k < 3; k++)
    if (body->motion == MOTION_FIXED && vec3_norm(values[k]) > 0.0)
      PetscCall(PlaceWarn(place, keys[k], "does nothing, the body is fixed"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Zero where nothing was given and nothing else decides. */
static void rest_by_default(BodySpec *body)
{
  const bool turning = body->motion == MOTION_AXIS || body->motion == MOTION_POINT;
  if (body->motion_table != NULL) return;
  if (!turning && !vec3_finite(body->velocity)) body->velocity = vec3(0, 0, 0);
  if (!vec3_finite(body->spin) && !vec3_finite(body->spin_body)) body->spin = vec3(0, 0, 0);
}

static PetscErrorCode CheckMotion(const Place *place, BodySpec *body)
{
  PetscFunctionBeginUser;
  if (vec3_finite(body->axis)) body->axis = direction_unit(body->axis);
  if (place_has(place, "spin") && place_has(place, "spin_body"))
    PetscCall(PlaceComplain(place, "spin_body", "cannot be given together with spin"));
  else if (body->motion == MOTION_AXIS || body->motion == MOTION_POINT)
    PetscCall(CheckPivot(place, body));
  PetscCall(CheckTable(place, body));
  PetscCall(WarnIdle(place, body));
  if (body->motion != MOTION_FREE && body->release > 0.0)
    PetscCall(PlaceComplain(place, "release", "is only for free bodies"));
  rest_by_default(body);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Was a motion given that is none? Then nothing can be said about what it needs. */
static bool motion_is_unknown(const Place *place)
{
  const Node *node = node_find(place->node, "motion");
  const SchemaKey *key = schema_find(&schema_body, "motion", strlen("motion"));
  return node != NULL &&
         (node->kind != NODE_SCALAR || schema_word_value(key->words, node->text, node->length) < 0);
}

PetscErrorCode CheckBody(const Place *place, BodyDraft *body, const Directory *names)
{
  PetscFunctionBeginUser;
  const bool held = body->body.motion == MOTION_FIXED || body->body.motion == MOTION_PRESCRIBED ||
                    motion_is_unknown(place);
  const Place grid = place_inner(place, "grid");
  if (!place_has(place, "shape") && !(held && place_has(&grid, "file")))
    PetscCall(PlaceComplain(
        place, "shape", "missing, only a fixed or prescribed body with grid.file does without"));
  PetscCall(CheckInertia(place, &body->body));
  if (!motion_is_unknown(place)) {
    PetscCall(CheckMass(place, &body->body));
    PetscCall(CheckMotion(place, &body->body));
  }
  PetscCall(CheckLoads(place, &body->body, names));
  if (body->grid.given) PetscCall(CheckGrid(place, body));
  PetscFunctionReturn(PETSC_SUCCESS);
}

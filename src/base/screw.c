#include "base/screw.h"

/* (1 - cos a) / a^2 and (a - sin a) / a^3, also at zero. */
static void coefficients(double a, double *first, double *second)
{
  const double a2 = a * a;
  if (a2 < 1e-4) {
    *first = 0.5 - a2 / 24.0 * (1.0 - a2 / 30.0);
    *second = 1.0 / 6.0 - a2 / 120.0 * (1.0 - a2 / 42.0);
  } else {
    *first = (1.0 - cos(a)) / a2;
    *second = (a - sin(a)) / (a2 * a);
  }
}

Pose screw_move(Pose start, Screw twist, double dt)
{
  const Vec3 turn = vec3_scale(dt, twist.w), way = vec3_scale(dt, twist.v);
  double first, second;
  coefficients(vec3_norm(turn), &first, &second);
  const Vec3 cross = vec3_cross(turn, way);
  const Vec3 x = vec3_axpy(vec3_axpy(way, first, cross), second, vec3_cross(turn, cross));
  const Pose moved = pose_multiply(start, (Pose){x, quat_from_vector(turn)});
  return (Pose){moved.x, quat_unit(moved.q)};
}

Screw screw_between(Pose start, Pose end, double dt)
{
  const Pose step = pose_multiply(pose_inverse(start), end);
  const Vec3 turn = quat_to_vector(step.q);
  const double a = vec3_norm(turn);
  double first, second;
  coefficients(a, &first, &second);

  /* The inverse of 1 + first [turn] + second [turn]^2 is 1 - [turn] / 2 + c [turn]^2. */
  const double sinc = 1.0 - second * a * a;
  const double c =
      a * a < 1e-4 ? 1.0 / 12.0 + a * a / 720.0 : (1.0 - sinc / (2.0 * first)) / (a * a);
  const Vec3 cross = vec3_cross(turn, step.x);
  const Vec3 way = vec3_axpy(vec3_axpy(step.x, -0.5, cross), c, vec3_cross(turn, cross));
  return (Screw){vec3_scale(1.0 / dt, way), vec3_scale(1.0 / dt, turn)};
}

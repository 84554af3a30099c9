/*
 * Friction and heat conduction on a patch at fourth order, from the cells that its sides bring.
 *
 * Along each axis the layers of the block are taken in turn, ghosts included. The stress at a face
 * needs derivatives along the axis, from the four layers around the face, and across it. Those
 * across are taken within the n x n cells of the layer alone, one-sided near its rim: no edges or
 * corners of neighbours are needed, two patches that share a face compute the same flux through it
 * from the same numbers, and the error of a one-sided difference varies smoothly along the axis
 * along which the fluxes are differenced, so that fourth order is kept. A face's point value G
 * becomes a flux whose difference is a derivative by G - (G_-1 - 2 G + G_1) / 24.
 */
#include "flow/patch_kernels.h"

#include "grid/cell_state.h"

#include <math.h>

enum {
  RING = 4,   /* layers around a face */
  WEIGHTS = 5 /* of a derivative across */
};

/* What is known of a layer: velocities along and across, T, and from these the rate of strain
 * across, the shears of the velocity along, and viscosity. */
enum { ALONG, FIRST, SECOND, HEAT, SPREAD, SHEAR_FIRST, SHEAR_SECOND, MU, LAYER_FIELDS };

/* Fluxes: momentum along and across, energy. */
enum { FLUXES = 4, POINTS = 3 };

/* The axis of the sweep, the axes a and b of its layers, and which variables the fluxes change. */
static const int axes_of[3][3] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}};

typedef struct {
  const PatchBlock *block;
  const PatchFriction *friction;
  int axis, face;        /* cells of a layer */
  double *layer[RING];   /* [field][b][a] */
  double *point[POINTS]; /* [flux][b][a] at three faces in turn */
  double *flux;          /* [flux][b][a] */
} Sweep;

size_t patch_friction_size(int n)
{
  return (size_t)(RING * LAYER_FIELDS + (POINTS + 1) * FLUXES) * n * n;
}

/* Where cell (a, b) = (0, b) of layer m is in a field of the block, and the way to the next a. */
static const double *layer_row(const PatchBlock *block, int axis, int m, int b, int field,
                               ptrdiff_t *step)
{
  const double *core = block->core + field * block->field;
  const int g = PATCH_GHOST, row = block->row, n = block->n;
  *step = 1;
  if (axis == 2) return core + (m + g) * block->plane + (b + g) * row;
  if (axis == 1) return core + (b + g) * block->plane + (m + g) * row;
  if (m < 0) return block->x_side[0] + field * block->x_field + (b * g + m + g) * row;
  if (m >= n) return block->x_side[1] + field * block->x_field + (b * g + m - n) * row;
  *step = row;
  return core + (b + g) * block->plane + g * row + m;
}

static void load_layer(const Sweep *s, int m, double *restrict layer)
{
  const int n = s->block->n;
  for (int b = 0; b < n; b++) {
    ptrdiff_t step;
    for (int k = 0; k < 3; k++) {
      const double *from = layer_row(s->block, s->axis, m, b, 1 + axes_of[s->axis][k], &step);
      double *to = layer + (ALONG + k) * s->face + b * n;
      for (int a = 0; a < n; a++) to[a] = from[a * step];
    }
    const double *sound = layer_row(s->block, s->axis, m, b, 5, &step);
    double *t = layer + HEAT * s->face + b * n;
    for (int a = 0; a < n; a++) t[a] = sound[a * step] * sound[a * step];
  }
}

/* Weights of five points in a row of n for the derivative at point i, and the first of them. */
static int across_weights(int n, int i, double w[WEIGHTS])
{
  static const double table[3][WEIGHTS] = {{-25.0 / 12, 4.0, -3.0, 4.0 / 3, -0.25},
                                           {-0.25, -5.0 / 6, 1.5, -0.5, 1.0 / 12},
                                           {1.0 / 12, -2.0 / 3, 0.0, 2.0 / 3, -1.0 / 12}};
  const int from_end = n - 1 - i, mirrored = from_end < 2;
  const double *row = table[mirrored ? from_end : i < 2 ? i : 2];
  for (int k = 0; k < WEIGHTS; k++) w[k] = mirrored ? -row[WEIGHTS - 1 - k] : row[k];
  return mirrored ? n - WEIGHTS : i < 2 ? 0 : i - 2;
}

/* out (+)= d in / d b. */
static void differ_second(int n, int add, const double *restrict in, double *restrict out)
{
  for (int b = 0; b < n; b++) {
    double w[WEIGHTS];
    const double *from = in + across_weights(n, b, w) * n;
    double *to = out + b * n;
#pragma omp simd
    for (int a = 0; a < n; a++) {
      const double d = ((w[0] * from[a] + w[1] * from[n + a]) + w[2] * from[2 * n + a]) +
                       (w[3] * from[3 * n + a] + w[4] * from[4 * n + a]);
      to[a] = add ? to[a] + d : d;
    }
  }
}

/* out = d in / d a. */
static void differ_first(int n, const double *restrict in, double *restrict out)
{
  for (int b = 0; b < n; b++) {
    const double *from = in + b * n;
    double *to = out + b * n;
#pragma omp simd
    for (int a = 2; a < n - 2; a++)
      to[a] = (2.0 / 3) * (from[a + 1] - from[a - 1]) - (1.0 / 12) * (from[a + 2] - from[a - 2]);
    for (int k = 0; k < 4; k++) {
      const int a = k < 2 ? k : n - 1 - (k - 2);
      double w[WEIGHTS];
      const double *p = from + across_weights(n, a, w);
      to[a] = ((w[0] * p[0] + w[1] * p[1]) + w[2] * p[2]) + (w[3] * p[3] + w[4] * p[4]);
    }
  }
}

static void complete_layer(const Sweep *s, double *restrict layer)
{
  const int n = s->block->n, face = s->face;
  differ_first(n, layer + FIRST * face, layer + SPREAD * face);
  differ_second(n, 1, layer + SECOND * face, layer + SPREAD * face);
  differ_first(n, layer + ALONG * face, layer + SHEAR_FIRST * face);
  differ_second(n, 0, layer + ALONG * face, layer + SHEAR_SECOND * face);
  const double mu = s->friction->viscosity, k = s->friction->sutherland;
  const double *t = layer + HEAT * face;
  double *to = layer + MU * face;
  if (isnan(k))
    for (int i = 0; i < face; i++) to[i] = mu;
  else
    for (int i = 0; i < face; i++) to[i] = mu * (1.0 + k) * t[i] * sqrt(t[i]) / (t[i] + k);
}

/* Four values around a face: the value at it, and the derivative per width of a cell. */
static inline double at_face(double m2, double m1, double p1, double p2)
{
  return (9.0 / 16) * (m1 + p1) - (1.0 / 16) * (m2 + p2);
}

static inline double over_face(double m2, double m1, double p1, double p2)
{
  return (27.0 / 24) * (p1 - m1) - (1.0 / 24) * (p2 - m2);
}

/* Point values of the fluxes at the face between the second and the third of four layers. */
static void face_fluxes(const Sweep *s, const double *const l[RING], double *restrict out)
{
  const int face = s->face;
  const double heat = s->friction->heat, third = 1.0 / 3;
#pragma omp simd
  for (int i = 0; i < face; i++) {
    double q[LAYER_FIELDS], d[4];
    for (int f = 0; f < LAYER_FIELDS; f++)
      q[f] =
          at_face(l[0][f * face + i], l[1][f * face + i], l[2][f * face + i], l[3][f * face + i]);
    for (int f = 0; f < 4; f++)
      d[f] =
          over_face(l[0][f * face + i], l[1][f * face + i], l[2][f * face + i], l[3][f * face + i]);
    /* Beyond a shock the cubic may lead below zero. */
    const double m1 = l[1][MU * face + i], p1 = l[2][MU * face + i];
    const double least = 0.5 * (m1 < p1 ? m1 : p1), mu = q[MU] > least ? q[MU] : least;
    const double along = 2.0 * mu * (d[ALONG] - third * (d[ALONG] + q[SPREAD]));
    const double first = mu * (d[FIRST] + q[SHEAR_FIRST]);
    const double second = mu * (d[SECOND] + q[SHEAR_SECOND]);
    out[i] = along;
    out[face + i] = first;
    out[2 * face + i] = second;
    out[3 * face + i] =
        q[ALONG] * along + q[FIRST] * first + q[SECOND] * second + heat * mu * d[HEAT];
  }
}

/* Fluxes per width of a cell from the point values at three faces. */
static void correct_fluxes(const Sweep *s, const double *restrict low, const double *restrict mid,
                           const double *restrict high, double *restrict flux)
{
  const double per_width = 1.0 / s->friction->spacing;
#pragma omp simd
  for (int i = 0; i < FLUXES * s->face; i++)
    flux[i] = per_width * (mid[i] - (1.0 / 24) * ((low[i] + high[i]) - 2.0 * mid[i]));
}

/* Which variable flux k changes. */
static int variable_of(int axis, int k)
{
  return k == 3 ? 4 : 1 + axes_of[axis][k];
}

/* Add sign times the fluxes to the differences of layer m. */
static void add_to_layer(const Sweep *s, int m, double sign)
{
  const PatchBlock *block = s->block;
  const int n = block->n, row = block->row;
  for (int k = 0; k < FLUXES; k++)
    for (int b = 0; b < n; b++) {
      double *to = block->difference + variable_of(s->axis, k) * n * n * row;
      const double *from = s->flux + k * s->face + b * n;
      const int step = s->axis == 0 ? row : 1;
      to += s->axis == 2 ? (m * n + b) * row : s->axis == 1 ? (b * n + m) * row : b * n * row + m;
      for (int a = 0; a < n; a++) to[a * step] += sign * from[a];
    }
}

/* The fluxes through a side of the patch, where they are asked for. */
static void add_to_side(const Sweep *s, double *restrict side)
{
  for (int k = 0; k < FLUXES && side != NULL; k++)
    for (int i = 0; i < s->face; i++)
      side[variable_of(s->axis, k) * s->face + i] -= s->flux[k * s->face + i];
}

static void sweep_axis(Sweep *s, double *const face_flux[6])
{
  const int n = s->block->n;
  for (int m = -PATCH_GHOST; m < n + PATCH_GHOST; m++) {
    double *now = s->layer[(m + PATCH_GHOST) % RING];
    load_layer(s, m, now);
    complete_layer(s, now);
    /* With layer m the point values at face m - 1 can be had, with these the fluxes of m - 2. */
    const double *around[RING];
    for (int k = 0; k < RING; k++) around[k] = s->layer[(m + PATCH_GHOST + 1 + k) % RING];
    if (m < 0) continue;
    face_fluxes(s, around, s->point[m % POINTS]);
    const int f = m - 2;
    if (f < 0) continue;
    correct_fluxes(s, s->point[(m + 1) % POINTS], s->point[(m + 2) % POINTS], s->point[m % POINTS],
                   s->flux);
    if (f > 0) add_to_layer(s, f - 1, -1.0);
    if (f < n) add_to_layer(s, f, 1.0);
    if (f == 0) add_to_side(s, face_flux[2 * s->axis]);
    if (f == n) add_to_side(s, face_flux[2 * s->axis + 1]);
  }
}

void patch_add_friction(const PatchBlock *block, const PatchFriction *friction,
                        double *const face_flux[6])
{
  const int face = block->n * block->n;
  Sweep s = {.block = block, .friction = friction, .face = face};
  double *at = block->friction;
  for (int k = 0; k < RING; k++, at += LAYER_FIELDS * face) s.layer[k] = at;
  for (int k = 0; k < POINTS; k++, at += FLUXES * face) s.point[k] = at;
  s.flux = at;
  for (s.axis = 0; s.axis < 3; s.axis++) sweep_axis(&s, face_flux);
}

double patch_diffusivity(int n, double gamma, const PatchFriction *friction,
                         const double *restrict u, const uint8_t *restrict state)
{
  const int cells = n * n * n;
  const double k = friction->sutherland, momentum = 4.0 / 3;
  const double conduction = friction->heat * (gamma - 1.0) * gamma;
  const double most = conduction > momentum ? conduction : momentum;
  double fast = 0.0;
  for (int c = 0; c < cells; c++) {
    const double rho = u[c], mx = u[c + cells], my = u[c + 2 * cells], mz = u[c + 3 * cells];
    const double inner = u[c + 4 * cells] - 0.5 * (mx * mx + my * my + mz * mz) / rho;
    const double t = gamma * (gamma - 1.0) * inner / rho;
    const double mu = isnan(k) ? 1.0 : (1.0 + k) * t * sqrt(t) / (t + k);
    const double here = state != NULL && state[c] != STATE_FIELD ? 0.0 : mu / rho;
    fast = here > fast ? here : fast;
  }
  return most * friction->viscosity * fast;
}

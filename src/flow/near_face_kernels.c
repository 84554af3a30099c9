/*
 * Faces are taken in blocks that stay in the first cache, turned into one array per number so that
 * the fluxes of several faces are computed at a time; a block in which no face is near a shock
 * skips HLL.
 */
#include "flow/near_face_kernels.h"

#include "flow/hllc.h"
#include "flow/near_side.h"

enum { BLOCK = 64, FACES_AHEAD = BLOCK };

typedef struct {
  double nx[BLOCK], ny[BLOCK], nz[BLOCK], speed[BLOCK], area[BLOCK];
  double side[2][NEAR_FLUX][BLOCK]; /* states and calm; then the flux in the first */
} Block;

/* Unit normals in inertial axes, areas, and speeds along the normals due to translation. */
static void load_normals(const NearArrays *a, const NearMotion *m, LocalId first, int n, Block *b)
{
  const double *restrict sx = a->sx + first, *restrict sy = a->sy + first;
  const double *restrict sz = a->sz + first;
  const Vec3 v = m->twist.v;
  const Mat3 r = m->r;
#pragma omp simd simdlen(ROW)
  for (int i = 0; i < n; i++) {
    const double x = sx[i], y = sy[i], z = sz[i];
    const double size = sqrt(x * x + y * y + z * z);
    const double per = 1.0 / (size > 0.0 ? size : 1.0);
    b->nx[i] = (r.m[0][0] * x + r.m[0][1] * y + r.m[0][2] * z) * per;
    b->ny[i] = (r.m[1][0] * x + r.m[1][1] * y + r.m[1][2] * z) * per;
    b->nz[i] = (r.m[2][0] * x + r.m[2][1] * y + r.m[2][2] * z) * per;
    b->speed[i] = (v.x * x + v.y * y + v.z * z) * per;
    b->area[i] = size;
  }
}

/* Add the speeds due to rotation, whose moments need not be read where there is none. */
static void turn_faces(const NearArrays *a, Vec3 w, LocalId first, int n, Block *b)
{
  const double *restrict tx = a->tx + first, *restrict ty = a->ty + first;
  const double *restrict tz = a->tz + first;
#pragma omp simd simdlen(ROW)
  for (int i = 0; i < n; i++) {
    const double swept = w.x * tx[i] + w.y * ty[i] + w.z * tz[i];
    b->speed[i] += swept / (b->area[i] > 0.0 ? b->area[i] : 1.0);
  }
}

/* The cell on the right may lie anywhere ahead on the curve: have it in the cache by its turn. */
static inline void fetch_ahead(const NearArrays *a, LocalId f)
{
  const LocalId later = f + FACES_AHEAD < a->n_interior ? f + FACES_AHEAD : f;
  const double *slope = a->slope + NEAR_SLOPE * (size_t)a->right[later];
  __builtin_prefetch(a->cell + NEAR_CELL * (size_t)a->right[later]);
  __builtin_prefetch(slope);
  __builtin_prefetch(slope + NEAR_SLOPE / 2);
}

/* States on one side of n faces, one array per number; returns the least calm among them. */
static double load_side(const NearArrays *a, const LocalId *cell, LocalId first, int n,
                        double side[NEAR_FLUX][BLOCK])
{
  Row least = row_of(1.0);
  for (int i = 0; i < n; i += ROW) {
    Row w[ROW];
    for (int k = 0; k < ROW; k++) {
      const int at = i + k < n ? i + k : n - 1;
      w[k] = near_side(a, cell[at], first + at);
    }
    rows_transpose(w);
    for (int k = 0; k < NEAR_FLUX; k++) row_store(side[k] + i, w[k], ROW);
    least = row_min(w[NEAR_VARS], least);
  }
  double lowest = least[0];
  for (int k = 1; k < ROW; k++) lowest = least[k] < lowest ? least[k] : lowest;
  return lowest;
}

/* States on both sides; returns whether all faces are calm. */
static int load_sides(const NearArrays *a, LocalId first, int n, Block *b)
{
  for (int i = 0; i < n; i++) fetch_ahead(a, first + i);
  const double l = load_side(a, a->left + first, first, n, b->side[0]);
  const double r = load_side(a, a->right + first, first, n, b->side[1]);
  return face_sharpness(l, r) == 1.0;
}

static void store_fluxes(const Block *b, int n, double *restrict flux)
{
  for (int i = 0; i < n; i += ROW) {
    Row w[ROW] = {{0}};
    for (int k = 0; k < NEAR_FLUX; k++) w[k] = row_load(b->side[0][k] + i);
    rows_transpose(w);
    for (int k = 0; k < ROW && i + k < n; k++)
      row_store(flux + NEAR_FLUX * (i + k), w[k], NEAR_FLUX);
  }
}

static inline FaceState load_state(const Block *b, double gamma, FaceNormal n, int side, int i)
{
  return face_state(gamma, n, b->side[side][0][i], b->side[side][1][i], b->side[side][2][i],
                    b->side[side][3][i], b->side[side][4][i]);
}

static inline void store_flux(Block *b, int i, FaceFlux f, double slow, double fast)
{
  const double area = b->area[i], speed = fast > -slow ? fast : -slow;
  b->side[0][0][i] = f.rho * area;
  b->side[0][1][i] = f.u * area;
  b->side[0][2][i] = f.v * area;
  b->side[0][3][i] = f.w * area;
  b->side[0][4][i] = f.e * area;
  b->side[0][NEAR_SPEED][i] = speed * area;
}

static void flux_calm(Block *restrict b, double gamma, int n_faces)
{
#pragma omp simd simdlen(ROW)
  for (int i = 0; i < n_faces; i++) {
    double slow, fast;
    const FaceNormal n = {b->nx[i], b->ny[i], b->nz[i], b->speed[i]};
    const FaceState l = load_state(b, gamma, n, 0, i), r = load_state(b, gamma, n, 1, i);
    wave_speeds(l, r, &slow, &fast);
    store_flux(b, i, hllc_flux(n, l, r, slow, fast), slow, fast);
  }
}

static void flux_shocked(Block *restrict b, double gamma, int n_faces)
{
#pragma omp simd simdlen(ROW)
  for (int i = 0; i < n_faces; i++) {
    double slow, fast;
    const FaceNormal n = {b->nx[i], b->ny[i], b->nz[i], b->speed[i]};
    const FaceState l = load_state(b, gamma, n, 0, i), r = load_state(b, gamma, n, 1, i);
    const double sharp = face_sharpness(b->side[0][NEAR_VARS][i], b->side[1][NEAR_VARS][i]);
    wave_speeds(l, r, &slow, &fast);
    const FaceFlux flux =
        blend_flux(sharp, hllc_flux(n, l, r, slow, fast), hll_flux(n, l, r, slow, fast));
    store_flux(b, i, flux, slow, fast);
  }
}

void near_face_flux(const NearArrays *a, double gamma, const NearMotion *m, LocalId first,
                    LocalId end)
{
  const bool turning = vec3_norm2(m->twist.w) > 0.0;
  Block block;
  for (LocalId f = first; f < end; f += BLOCK) {
    const int n = end - f < BLOCK ? end - f : BLOCK;
    load_normals(a, m, f, n, &block);
    if (turning) turn_faces(a, m->twist.w, f, n, &block);
    if (load_sides(a, f, n, &block))
      flux_calm(&block, gamma, n);
    else
      flux_shocked(&block, gamma, n);
    store_fluxes(&block, n, a->flux + NEAR_FLUX * (size_t)f);
  }
}

/*
 * The turbulence model of Spalart and Allmaras in its negative variant, at a point.
 *
 * One more variable, nu_tilde, is carried along, spread and made where the flow turns; it is the
 * kinematic viscosity of turbulence away from walls. Where a solver's way leads it below zero, the
 * model goes on with equations of its own that bring it back, so nothing is clipped. There is no
 * trip: what flows in is turbulent.
 *
 * Methods: S. R. Allmaras, F. T. Johnson, P. R. Spalart, ICCFD7-1902 (2012), whose numbers the
 * comments give; rotation: J. Dacles-Mariani, G. G. Zilliac, J. S. Chow, P. Bradshaw, AIAA J. 33
 * (1995); delayed detached eddies: P. R. Spalart et al., Theor. Comput. Fluid Dyn. 20 (2006).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/flow_spec.h"
#include "flow/gas.h"

#include <math.h>

/* What the source of a point depends on; gradients as squares and products. */
typedef struct {
  double rho, nu, nu_tilde;
  double vorticity, strain; /* sqrt(2 W:W) and sqrt(2 S:S) */
  double shear;             /* sqrt of the sum of squares of all velocity derivatives */
  double steep2;            /* |grad nu_tilde|^2 */
  double with_rho;          /* grad nu_tilde . grad rho */
  double distance;          /* to the nearest wall; HUGE_VAL: there is none */
  double width;             /* of the cell */
} SaPoint;

#define SA_SIGMA (2.0 / 3.0)
#define SA_PRANDTL 0.9 /* of turbulence */
static const double SA_KAPPA = 0.41, SA_CB1 = 0.1355, SA_CB2 = 0.622;
static const double SA_CW2 = 0.3, SA_CW3 = 2.0, SA_CV1 = 7.1, SA_CV2 = 0.7, SA_CV3 = 0.9;
static const double SA_CT3 = 1.2, SA_CT4 = 0.5, SA_CN1 = 16.0, SA_MOST_R = 10.0;
static const double SA_C_ROTATION = 2.0, SA_C_DES = 0.65;

static inline double sa_cube(double a)
{
  return a * a * a;
}

static inline double sa_cw1(void)
{
  return SA_CB1 / (SA_KAPPA * SA_KAPPA) + (1.0 + SA_CB2) / SA_SIGMA;
}

/* nu_tilde of air that nothing has disturbed: three times its viscosity. */
static inline double sa_far(const Gas *gas, const Primitive *stream)
{
  return 3.0 * gas_viscosity(gas, gas_temperature(gas, *stream)) / stream->rho;
}

/* The viscosity of turbulence. (1) */
static inline double sa_eddy(double rho, double nu, double nu_tilde)
{
  const double chi3 = sa_cube(nu_tilde / nu);
  return nu_tilde > 0.0 ? rho * nu_tilde * chi3 / (chi3 + sa_cube(SA_CV1)) : 0.0;
}

/* How fast nu_tilde spreads, times sigma: nu + nu_tilde f_n. (23) */
static inline double sa_spread(double nu, double nu_tilde)
{
  const double chi3 = sa_cube(nu_tilde / nu);
  return nu + nu_tilde * (nu_tilde >= 0.0 ? 1.0 : (SA_CN1 + chi3) / (SA_CN1 - chi3));
}

/* The vorticity as changed near walls, never below a tenth of it. (11, 12) */
static inline double sa_vorticity(double vorticity, double nu_bar)
{
  if (nu_bar >= -SA_CV2 * vorticity) return vorticity + nu_bar;
  return vorticity + vorticity * (SA_CV2 * SA_CV2 * vorticity + SA_CV3 * nu_bar) /
                         ((SA_CV3 - 2.0 * SA_CV2) * vorticity - nu_bar);
}

/* The length that ends the growth of eddies: the distance from the wall, or the width of cells
 * where the flow is away from it. */
static inline double sa_length(const SaSpec *spec, const SaPoint *p)
{
  const double d = p->distance;
  if (!spec->ddes) return d;
  if (!(d < HUGE_VAL)) return SA_C_DES * p->width;
  const double eddy = sa_eddy(1.0, p->nu, p->nu_tilde);
  const double kd = SA_KAPPA * d, shear = p->shear > 1e-10 ? p->shear : 1e-10;
  const double away = 1.0 - tanh(sa_cube(8.0 * (eddy + p->nu) / (shear * kd * kd)));
  const double beyond = d - SA_C_DES * p->width;
  return d - away * (beyond > 0.0 ? beyond : 0.0);
}

/* What is made less what is destroyed. (3 to 10) */
static inline double sa_balance(const SaSpec *spec, const SaPoint *p)
{
  const double nt = p->nu_tilde, chi = nt / p->nu, chi3 = sa_cube(chi);
  const double less = p->strain - p->vorticity;
  const double turn = p->vorticity + (spec->rotation && less < 0.0 ? SA_C_ROTATION * less : 0.0);
  const double d = sa_length(spec, p), per_d2 = 1.0 / (d * d), cw1 = sa_cw1();
  const double per_kd2 = per_d2 / (SA_KAPPA * SA_KAPPA);
  if (nt < 0.0) {
    const double made = SA_CB1 * (1.0 - SA_CT3) * (turn > 0.0 ? turn : 0.0) * nt;
    return made + cw1 * nt * nt * per_d2;
  }
  const double fv1 = chi3 / (chi3 + sa_cube(SA_CV1)), fv2 = 1.0 - chi / (1.0 + chi * fv1);
  const double ft2 = SA_CT3 * exp(-SA_CT4 * chi * chi);
  const double s = sa_vorticity(turn > 0.0 ? turn : 0.0, nt * per_kd2 * fv2);
  const double wanted = nt * per_kd2;
  const double r = wanted < SA_MOST_R * s ? wanted / s : SA_MOST_R;
  const double g = r + SA_CW2 * (r * r * r * r * r * r - r),
               cw36 = sa_cube(SA_CW3) * sa_cube(SA_CW3);
  const double g6 = sa_cube(g) * sa_cube(g), fw = g * pow((1.0 + cw36) / (g6 + cw36), 1.0 / 6.0);
  const double kappa2 = SA_KAPPA * SA_KAPPA;
  return SA_CB1 * (1.0 - ft2) * s * nt - (cw1 * fw - SA_CB1 / kappa2 * ft2) * nt * nt * per_d2;
}

/* The source of rho nu_tilde in a volume of one. (2) */
static inline double sa_source(const SaSpec *spec, const SaPoint *p)
{
  const double spread = sa_spread(p->nu, p->nu_tilde);
  return p->rho * (sa_balance(spec, p) + SA_CB2 / SA_SIGMA * p->steep2) -
         spread / SA_SIGMA * p->with_rho;
}

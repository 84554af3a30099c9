/*
 * Sums over all ranks that do not depend on the order of what is added.
 *
 * Every number is cut into whole multiples of powers of two, which integers add up exactly; so
 * the result has the same bits for any division among ranks, and no rounding of the sum but one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

enum { SUM_MOST = 32 };

/*
 * total[k] = sum of value[i * n_sums + k] over the n items of each rank; n_sums up to SUM_MOST,
 * fewer than 2^27 items in all. A value that is not finite makes its sum a NaN. Collective.
 */
PetscErrorCode SumExactly(MPI_Comm comm, int n, int n_sums, const double value[], double total[]);

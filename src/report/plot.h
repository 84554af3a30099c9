/*
 * The common plots of a run on one sheet, for papers and logs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "report/results.h"

/*
 * Paths, speeds, spins and energies as SVG, with contacts marked. Fails with CAROM_ERR_FILE when
 * the results have no motion or path cannot be written. Not collective.
 */
PetscErrorCode PlotWrite(const char *path, const Results *results);

/* Does the name end as one of the kinds that can be written, .svg or .png? */
bool plot_is_known(const char *path);

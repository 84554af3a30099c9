/*
 * The report: one web page that needs nothing beside it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "report/results.h"

/*
 * Write the page of a run to path; ghost (NULL: none) is another run to compare it with. Not
 * collective.
 */
PetscErrorCode PageWrite(const char *path, const Results *results, const Results *ghost);

/* The page without data, made by viewer/, closed with a zero: see template.sh. */
extern const unsigned char page_template[];

/* What stands in it for the data of the run and of the ghost. */
#define PAGE_MARK_RUN "@CAROM_RUN@"
#define PAGE_MARK_GHOST "@CAROM_GHOST@"

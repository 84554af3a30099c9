/*
 * Texts made from the schema table: the reference page and the starter case.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <stdio.h>

/* The reference of the case file in Markdown: doc/case.md. */
PetscErrorCode SchemaWriteReference(FILE *out);

/* A commented case that runs as it stands: carom init NAME. */
PetscErrorCode SchemaWriteStarter(const char *title, FILE *out);

/*
 * The case: everything a run is told, checked and with defaults filled in.
 *
 * A case is parsed from the bytes of its file by every rank alike. All mistakes are
 * collected, each with its place in the file; physics never sees YAML.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "body/body_spec.h"
#include "contact/contact_spec.h"
#include "flow/flow_spec.h"
#include "grid/grid_spec.h"
#include "overset/overset_spec.h"

#include <stdio.h>

typedef struct {
  double step, end;
} TimeSpec;

typedef struct {
  Vec3 point, normal; /* normal: unit */
  int every;
  FlowQuantity quantity;
  double low, high; /* of the colours; NaN: those of the values */
  double width;     /* of what is shown; NaN: all */
} SliceSpec;

typedef struct {
  const char *directory; /* NULL: the case's name with .out */
  int history, fields, surfaces, checkpoint;
  int n_slices;
  SliceSpec *slices; /* owned by the case */
} OutputSpec;

typedef struct {
  const char *title; /* "" when not given */
  Vec3 gravity;
  TimeSpec time;
  int n_bodies;
  BodySpec *bodies; /* owned by the case; bodies[b].shape.kind may be SHAPE_NONE */
  GridSpec *grids;  /* n_bodies, one per body */
  int n_walls;
  WallSpec *walls; /* owned by the case */
  ContactSpec contact;
  FlowSpec flow;
  ReferenceSpec reference;
  OffBodySpec off_body;
  OversetSpec overset;
  OutputSpec output;
} Case;

typedef struct CaseFile CaseFile;

/*
 * Parse and check the text of a case file. name is what messages call the file. Never fails
 * for a mistake in the text: ask case_file_complaints. Not collective; every rank that has
 * the same bytes comes to the same result.
 */
PetscErrorCode CaseFileCreate(const char *name, const char *text, size_t length, CaseFile **file);
PetscErrorCode CaseFileDestroy(CaseFile **file);

/* The case; complete only when there are no complaints. Lives as long as file. */
const Case *case_file_case(const CaseFile *file);

/* How many mistakes there are, and the k-th as one line without newline, in file order. */
int case_file_complaints(const CaseFile *file);
const char *case_file_complaint(const CaseFile *file, int k);

/* Likewise for what is odd but allowed: an inertia that no solid has, a key that does nothing. */
int case_file_warnings(const CaseFile *file);
const char *case_file_warning(const CaseFile *file, int k);

/*
 * Add a complaint found later (a file that cannot be read, an open surface), with the place of
 * the key in the file. path is as in messages: "bodies[1].shape.file". The text is printf-like.
 */
PetscErrorCode CaseFileComplain(CaseFile *file, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Print the complaints to stderr on rank 0 of comm and raise PETSC_ERR_USER_INPUT if there are any.
 */
PetscErrorCode CaseFileReport(const CaseFile *file, MPI_Comm comm);

/* Write the whole case with every default filled in, as YAML that parses to the same case. */
PetscErrorCode CasePrint(const Case *the_case, FILE *out);

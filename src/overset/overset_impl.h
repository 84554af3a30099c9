/*
 * Inside overset connectivity. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "overset/overset.h"

#include "grid/cover_map.h"
#include "grid/near_locate.h"

enum { FROM_FOREST = -1, FROM_NOBODY = -2 };

/* A cell that receives. */
typedef struct {
  LocalId cell; /* local cell of a grid, or place in [patch][z][y][x] */
  int from;     /* grid that gives, FROM_FOREST or FROM_NOBODY */
  bool late;    /* it would be computed, had it not been left out in the step before */
  Vec3 at;      /* its centre: in the frame of its grid, or in the world */
} Receiver;

typedef struct {
  int n, room;
  Receiver *item; /* owned */
} ReceiverList;

/* A question to the rank that may know: what is at p (frame of the grid, or world)? */
typedef struct {
  int grid;     /* FROM_FOREST: the forest */
  int receiver; /* who asks: its number in the present pass */
  int to;       /* the rank that is asked */
  Vec3 p;
} Question;

/* How good a donor is. */
typedef enum {
  DONOR_SOUND, /* all of its stencil is computed */
  DONOR_POOR,  /* part of it receives or is left out */
  DONOR_NONE
} DonorGrade;

typedef struct {
  double excess;            /* how far the place is outside of the donor cell */
  GlobalId id;              /* of the donor cell */
  int grade;                /* DonorGrade */
  double value[ROW_VALUES]; /* density, velocity, pressure */
} Answer;

typedef struct {
  OversetGrid of;
  CoverMap *map;        /* owned */
  NearLocator *locator; /* owned */
  OversetBall ball;
  Frame frame;     /* of the present call */
  Box box_w;       /* around its cover map, in the world */
  uint8_t *state;  /* owned, n_local */
  uint8_t *before; /* owned, n_own: that of the update before */
  double *number;  /* owned, n_local: what is exchanged */
  ReceiverList fringe;
  OversetCount count;
} OversetPart;

struct Overset {
  MPI_Comm comm;
  int rank, size;
  const OversetSpec *spec; /* borrowed */
  int n;
  OversetPart *part; /* owned */
  int patch, reach;
  const Forest *forest; /* borrowed from the last update */
  size_t off_cells, off_room;
  uint8_t *off_state, *off_before; /* owned */
  bool off_known;                  /* off_before is of this forest */
  bool known;                      /* `before` of the grids is */
  bool stale;                      /* the forest is another one than at the last update */
  Pose *pose;                      /* owned: of the last update */
  ReceiverList off_fringe;
  int n_questions, question_room;
  Question *question; /* owned */
  Answer *answer;     /* owned, beside question */
  int answer_room;
  Answer *best; /* owned, one per receiver of the present pass */
  int best_room;
  OversetReport report;
};

/* Is a place in the frame of a grid inside its body? */
static inline bool part_is_solid(const OversetPart *part, Vec3 p)
{
  return part->of.xray != NULL && xray_contains(part->of.xray, vec3_add(p, part->of.center));
}

/* States of near-body cells. overset/near_states.c */
PetscErrorCode OversetNearStates(Overset *s);

/* States of off-body cells. overset/off_states.c */
PetscErrorCode OversetOffStates(Overset *s);

/* Choose who gives to each receiver, by asking. overset/donors.c */
PetscErrorCode OversetChooseDonors(Overset *s);

/* Move the grids to these poses. overset/fill.c */
void overset_place(Overset *s, const Pose pose[]);
PetscErrorCode OversetFill(void *context, const Pose pose[], const RowFields *fields);

/* Let a receiver of the present pass ask a grid or the forest what is at x (world). ask.c */
PetscErrorCode OversetQuestion(Overset *s, int receiver, int from, Vec3 x);

/* Ask all questions of the pass; s->best has an answer for each of the n receivers. Fields may be
 * NULL: then only grades are told. Collective. */
PetscErrorCode OversetAsk(Overset *s, const RowFields *fields, int n_receivers);

PetscErrorCode ReceiverListAdd(ReceiverList *list, Receiver item);

/*
 * Inside overset connectivity. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "overset/overset.h"

#include "comm/post.h"
#include "grid/cover_map.h"
#include "grid/near_locate.h"
#include "overset/donor_cells.h"
#include "overset/table.h"

enum { FROM_FOREST = -1, FROM_NOBODY = -2, OVERSET_SUMS = 6 };

/* A cell that receives. */
typedef struct {
  LocalId cell;   /* local cell of a grid, or place in [patch][z][y][x] */
  int from;       /* grid that gives, FROM_FOREST or FROM_NOBODY */
  bool late;      /* it would be computed, had it not been left out in the step before */
  bool calm;      /* nothing has moved near it: what was chosen for it still holds */
  uint8_t grade;  /* DonorGrade of the best it has found */
  uint8_t choice; /* how far its choice has come */
  int tried;      /* whom it has asked last */
  Vec3 at;        /* its centre: in the frame of its grid, or in the world */
} Receiver;

typedef struct {
  int n, room;
  Receiver *item; /* owned */
} ReceiverList;

/* A question to the rank that may know: what is at p (frame of the grid, or world)? */
typedef struct {
  int grid;     /* FROM_FOREST: the forest */
  int receiver; /* who asks: its number in the table */
  Vec3 p;
} Question;

/* How good a donor is. */
typedef enum {
  DONOR_FULL,   /* all of its stencil is computed: a fit of second degree, */
  DONOR_SOUND,  /* of first degree */
  DONOR_POOR,   /* some of it is not, and left out of the average */
  DONOR_CLOSED, /* there is a cell, in a gap that is closed */
  DONOR_UNFIT,  /* there is a cell, but neither it nor what is around it is computed */
  DONOR_NONE    /* there is no cell */
} DonorGrade;

typedef struct {
  double excess; /* how far the place is outside of the donor cell */
  GlobalId id;   /* of the donor cell */
  int grade;     /* DonorGrade */
} Reply;

/* Receivers, whom they have asked, and on the other side what this rank gives. */
typedef struct {
  bool ready; /* made for the poses below */
  Pose *pose; /* owned, one per grid */
  int n_receivers, winner_room;
  int *winner; /* owned, per receiver: the question that was answered best, or -1 */
  int n, room;
  Question *question; /* owned */
  int *to;            /* owned, beside it, as all below: the rank that is asked, */
  Reply *reply;       /* what it said, */
  double *answer;     /* and the ROW_ROOM values it gave */
  Post *post;         /* owned; NULL on one rank */
  int n_asked, asked_room;
  Question *asked; /* owned: what this rank is asked; on one rank `question` */
  Reply *given;    /* owned: what it says */
  double *value;   /* owned: what it gives; on one rank `answer` */
  int *order;      /* owned: questions by grid */
  RowList *near;   /* owned, one per grid */
  RowList forest;
  BrickList brick;
} Table;

typedef struct {
  OversetGrid of;
  CoverMap *map;        /* owned */
  NearLocator *locator; /* owned */
  DonorCells *cells;    /* owned */
  OversetBall ball;
  Frame frame;     /* of the present call */
  Box box_w;       /* around its cover map, in the world */
  Box swept;       /* what it touches at the last poses and the present ones, and a little more */
  bool moved;      /* since the last update */
  bool calm;       /* neither it nor anything near it has */
  double loose;    /* so far inside the solid of its own body a cell may seem to be */
  uint8_t *state;  /* owned, n_local */
  uint8_t *before; /* owned, n_own: that of the update before */
  double *number;  /* owned, n_local: what is exchanged */
  LocalId n_walls;
  LocalId *wall;    /* owned: own cells at boundaries that are not overset */
  uint8_t *pressed; /* owned, n_own: the solid of another body is here or next to it */
  ReceiverList fringe;
  OversetCount count;
  GlobalId late;   /* cells that receive for this step only */
  GlobalId closed; /* wall cells in gaps too narrow to compute */
  int closed_by;   /* the first grid on the other side; -1: none */
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
  LocalId patch_room;
  int *near_start, *near_list; /* owned: grids near each patch, in turn */
  int near_room;
  uint8_t *restless;   /* owned, per patch: something near it has moved */
  uint8_t *patch_late; /* owned, per patch: some of its cells are late */
  int *patch_first;    /* owned, per patch and one more: its receivers */
  bool off_known;      /* off_before is of this forest */
  bool known;          /* `before` of the grids is */
  bool stale;          /* the forest is another one than at the last update */
  double coarsest;     /* spacing of the forest near grids at the last update */
  Pose *pose;          /* owned: of the last update */
  ReceiverList off_fringe, spare;
  GlobalId off_late; /* cells that receive for this step only */
  bool rechosen;     /* some receiver of this rank was given another donor than it asked first */
  uint64_t calm_sum; /* of the receivers near which nothing moves */
  Table restless_rows, calm_rows, other_rows; /* the last for second choices */
  GlobalId *sum;                              /* owned: OVERSET_SUMS for the forest and each grid */
  OversetReport report;
};

/* Is a place in the frame of a grid inside its body? */
static inline bool part_is_solid(const OversetPart *part, Vec3 p)
{
  return part->of.xray != NULL && xray_contains(part->of.xray, vec3_add(p, part->of.center));
}

/* Receivers of a grid, or of the forest. */
static inline ReceiverList *receivers_of(Overset *s, int own)
{
  return own == FROM_FOREST ? &s->off_fringe : &s->part[own].fringe;
}

static inline Vec3 receiver_place(const Overset *s, int own, const Receiver *r)
{
  return own == FROM_FOREST ? r->at : frame_to_world(&s->part[own].frame, r->at);
}

/* States of near-body cells. overset/near_states.c */
PetscErrorCode OversetNearStates(Overset *s);

/* States of off-body cells. overset/off_states.c */
PetscErrorCode OversetOffStates(Overset *s);

/* Choose who gives to each receiver, by asking. overset/donors.c */
PetscErrorCode OversetChooseDonors(Overset *s);

/* Count what there is, over all ranks. overset/report.c */
PetscErrorCode OversetSumUp(Overset *s);

/* Move the grids to these poses; find out what has moved since the last update. overset/motion.c */
void overset_place(Overset *s, const Pose pose[]);
void overset_find_motion(Overset *s, const Pose pose[]);

/* Fill receivers. overset/fill.c */
PetscErrorCode OversetFill(void *context, const Pose pose[], const RowFields *fields);

/* Tables: ask, with receivers numbered 0, 1 ...; then the winner of each is known. Collective but
 * for TableQuestion. overset/search.c */
PetscErrorCode TableCreate(const Overset *s, Table *table);
PetscErrorCode TableDestroy(const Overset *s, Table *table);
void table_begin(Table *table);
PetscErrorCode TableQuestion(const Overset *s, Table *table, int from, Vec3 x);
PetscErrorCode TableSearch(const Overset *s, Table *table);
size_t table_memory(const Overset *s, const Table *table);

/* Values of all rows, taken to those who asked. Collective. overset/fill.c */
PetscErrorCode TableFetch(const Overset *s, Table *table, const RowFields *fields);

/* What was said to a receiver. */
static inline const Reply *table_reply(const Table *table, int receiver)
{
  const int q = table->winner[receiver];
  return q < 0 ? NULL : &table->reply[q];
}

/* Rows of the places that were asked of a grid, or of the forest. overset/near_rows.c,
 * overset/forest_rows.c */
PetscErrorCode TableNearRows(const Overset *s, Table *table, int g, int n, const int order[]);
PetscErrorCode TableForestRows(const Overset *s, Table *table, int n, const int order[]);

PetscErrorCode ReceiverListAdd(ReceiverList *list, Receiver item);

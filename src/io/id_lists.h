/*
 * Lists of ids that grow. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/ids.h"

/* Lists of ids in one row: list i is item[start[i]] up to item[start[i + 1]]. */
typedef struct {
  LocalId n, n_room, item_room;
  LocalId *start; /* owned, n + 1 */
  GlobalId *item; /* owned */
} IdLists;

PetscErrorCode IdListsAdd(IdLists *lists, int n, const GlobalId item[]);
PetscErrorCode IdListsFree(IdLists *lists);

/* Make room for entry n of an array. */
PetscErrorCode RoomFor(LocalId n, LocalId *room, size_t size, void *array);

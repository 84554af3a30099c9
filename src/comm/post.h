/*
 * Records sent to the ranks that deal with them, and answers sent back, again and again: what
 * comm/route.h does once, for destinations that change from call to call. Memory is kept, so
 * nothing is allocated once it has grown, and only ranks that have something for each other
 * exchange more than a count.
 *
 * Records arrive by sender, and from one sender in the order given.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/ids.h"

#include <stddef.h>

typedef struct Post Post;

/* Collective, as all below. */
PetscErrorCode PostCreate(MPI_Comm comm, Post **post);
PetscErrorCode PostDestroy(Post **post);

/* From now on record i goes to rank to[i]. */
PetscErrorCode PostAddress(Post *post, LocalId n, const int to[]);

/* Records that arrive here, and how many records this rank sends. */
LocalId post_n_arriving(const Post *post);
LocalId post_n_leaving(const Post *post);

/* Send n records of `size` bytes; `got` has room for those that arrive. */
PetscErrorCode PostSend(Post *post, size_t size, const void *record, void *got);

/* Send one answer per record that arrived; answer[i] ends beside record i. */
PetscErrorCode PostReply(Post *post, size_t size, const void *given, void *answer);

/* Bytes this rank holds. */
size_t post_memory(const Post *post);

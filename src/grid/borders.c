/*
 * Both ends of a message list what it holds by themselves: from their own links, sorted by the
 * receiver's patch, side and quarter. So no message is needed to agree on it.
 */
#include "grid/borders.h"

#include <stdint.h>
#include <stdlib.h>

/* Something to be sent or received, and its place in the order that both ends share. */
typedef struct {
  int rank; /* of the other end */
  GlobalId receiver;
  int side, part; /* of the receiver */
  size_t size;
  LocalId patch; /* local: the sender's or the receiver's own */
  LinkKind kind; /* sender: what the receiver is to it */
  int quarter;   /* sender: the part of its own face, or of the coarse one */
} Item;

typedef struct {
  int n, room;
  Item *item; /* owned */
} ItemList;

static int compare_items(const void *a, const void *b)
{
  const Item *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  if (x->receiver != y->receiver) return x->receiver < y->receiver ? -1 : 1;
  if (x->side != y->side) return x->side < y->side ? -1 : 1;
  return (x->part > y->part) - (x->part < y->part);
}

static PetscErrorCode ListAdd(ItemList *list, Item item)
{
  PetscFunctionBeginUser;
  if (list->n == list->room) {
    list->room = 2 * list->room + 64;
    PetscCall(PetscRealloc(sizeof(Item) * (size_t)list->room, &list->item));
  }
  list->item[list->n++] = item;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The ghosts that one side of a patch receives and gives. */
static PetscErrorCode ListGhosts(const Forest *forest, LocalId c, int side, size_t full,
                                 ItemList *in, ItemList *out)
{
  PetscFunctionBeginUser;
  const Link *link = &forest_links(forest)[c][side];
  const GlobalId id = forest_first(forest) + c;
  const bool fine = link->kind == LINK_FINE, coarse = link->kind == LINK_COARSE;
  const int n = link->kind == LINK_OUTSIDE ? 0 : fine ? 4 : 1;
  for (int k = 0; k < n; k++) {
    const Neighbour *other = &link->other[k];
    if (link->kind == LINK_SAME && other->rank == forest_rank(forest)) continue;
    PetscCall(ListAdd(in, (Item){other->rank, id, side, k, fine ? full / 4 : full, c, 0, 0}));
    PetscCall(
        ListAdd(out, (Item){other->rank, other->id, side ^ 1, coarse ? link->part : 0,
                            coarse ? full / 4 : full, c, link->kind, coarse ? link->part : k}));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The fluxes that fine sides give and coarse ones receive. */
static PetscErrorCode ListFluxes(const Forest *forest, LocalId c, int side, size_t quarter,
                                 ItemList *in, ItemList *out)
{
  PetscFunctionBeginUser;
  const Link *link = &forest_links(forest)[c][side];
  const GlobalId id = forest_first(forest) + c;
  if (link->kind == LINK_COARSE)
    PetscCall(ListAdd(out, (Item){link->other[0].rank, link->other[0].id, side ^ 1, link->part,
                                  quarter, c, link->kind, link->part}));
  for (int k = 0; k < 4 && link->kind == LINK_FINE; k++)
    PetscCall(ListAdd(in, (Item){link->other[k].rank, id, side, k, quarter, c, 0, 0}));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Counts per peer from both sorted lists; what stays on this rank is counted apart. */
static PetscErrorCode CountPeers(int rank, const ItemList *in, const ItemList *out, int *n_peers,
                                 ParcelPeer **peers, size_t *local)
{
  PetscFunctionBeginUser;
  int n = 0, i = 0, o = 0;
  *local = 0;
  PetscCall(PetscMalloc1(in->n + out->n, peers));
  while (i < in->n || o < out->n) {
    const int next_in = i < in->n ? in->item[i].rank : INT32_MAX;
    const int next_out = o < out->n ? out->item[o].rank : INT32_MAX;
    ParcelPeer peer = {.rank = next_in < next_out ? next_in : next_out};
    for (; i < in->n && in->item[i].rank == peer.rank; i++) peer.n_receive += in->item[i].size;
    for (; o < out->n && out->item[o].rank == peer.rank; o++) peer.n_send += out->item[o].size;
    if (peer.rank == rank)
      *local = peer.n_receive;
    else
      (*peers)[n++] = peer;
  }
  *n_peers = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Slots of what arrives in the order of the list, then those of what stays here. */
static size_t place_slots(int rank, const ItemList *in, size_t slot[])
{
  size_t at = 0, local = 0;
  for (int pass = 0; pass < 2; pass++) {
    if (pass == 1) local = at;
    for (int k = 0; k < in->n; k++) {
      const Item *item = &in->item[k];
      if ((item->rank == rank) != (pass == 1)) continue;
      slot[((size_t)item->patch * SIDES + item->side) * 4 + item->part] = at;
      at += item->size;
    }
  }
  return local;
}

static PetscErrorCode MakeJobs(int rank, const ItemList *out, size_t first_local,
                               BorderTable *table)
{
  PetscFunctionBeginUser;
  double *remote = parcels_out(table->parcels), *local = parcels_in(table->parcels) + first_local;
  table->n_jobs = out->n;
  PetscCall(PetscMalloc1(out->n, &table->job));
  for (int k = 0; k < out->n; k++) {
    const Item *item = &out->item[k];
    double **to = item->rank == rank ? &local : &remote;
    table->job[k] = (BorderJob){item->patch, item->side ^ 1, item->kind, item->quarter, *to};
    *to += item->size;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An empty list has no memory, which qsort must not be given. */
static void sort_items(ItemList *list)
{
  if (list->n > 0) qsort(list->item, (size_t)list->n, sizeof *list->item, compare_items);
}

typedef PetscErrorCode (*Lister)(const Forest *, LocalId, int, size_t, ItemList *, ItemList *);

static PetscErrorCode TableInit(const Forest *forest, int tag, Lister lister, size_t size,
                                BorderTable *table)
{
  PetscFunctionBeginUser;
  const int rank = forest_rank(forest);
  const size_t n_slots = (size_t)forest_n(forest) * SIDES * 4;
  ItemList in = {0}, out = {0};
  ParcelPeer *peers = NULL;
  int n_peers = 0;
  size_t local = 0;
  for (LocalId c = 0; c < forest_n(forest); c++)
    for (int side = 0; side < SIDES; side++) PetscCall(lister(forest, c, side, size, &in, &out));
  sort_items(&in);
  sort_items(&out);
  PetscCall(CountPeers(rank, &in, &out, &n_peers, &peers, &local));
  PetscCall(ParcelsCreate(forest_comm(forest), tag, n_peers, peers, local, &table->parcels));
  PetscCall(PetscMalloc1(n_slots, &table->slot));
  for (size_t k = 0; k < n_slots; k++) table->slot[k] = SIZE_MAX;
  PetscCall(MakeJobs(rank, &out, place_slots(rank, &in, table->slot), table));
  PetscCall(PetscFree(peers));
  PetscCall(PetscFree(in.item));
  PetscCall(PetscFree(out.item));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool needs_others(const Forest *forest, LocalId c)
{
  for (int side = 0; side < SIDES; side++) {
    const Link *link = &forest_links(forest)[c][side];
    const int n = link->kind == LINK_OUTSIDE ? 0 : link->kind == LINK_FINE ? 4 : 1;
    for (int k = 0; k < n; k++)
      if (link->other[k].rank != forest_rank(forest)) return true;
  }
  return false;
}

PetscErrorCode BordersCreate(const Forest *forest, BorderSizes sizes, Borders **borders)
{
  PetscFunctionBeginUser;
  enum { TAG_GHOSTS = 41, TAG_FLUXES = 42 };
  Borders *b = NULL;
  PetscCall(PetscNew(&b));
  PetscCall(TableInit(forest, TAG_GHOSTS, ListGhosts, sizes.ghost, &b->ghosts));
  PetscCall(TableInit(forest, TAG_FLUXES, ListFluxes, sizes.flux, &b->fluxes));
  PetscCall(PetscMalloc1(forest_n(forest), &b->order));
  for (LocalId c = 0; c < forest_n(forest); c++)
    if (!needs_others(forest, c)) b->order[b->n_inner++] = c;
  for (LocalId c = 0, at = b->n_inner; c < forest_n(forest); c++)
    if (needs_others(forest, c)) b->order[at++] = c;
  *borders = b;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TableReset(BorderTable *table)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(table->job));
  PetscCall(PetscFree(table->slot));
  PetscCall(ParcelsDestroy(&table->parcels));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BordersDestroy(Borders **borders)
{
  PetscFunctionBeginUser;
  if (*borders == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(TableReset(&(*borders)->ghosts));
  PetscCall(TableReset(&(*borders)->fluxes));
  PetscCall(PetscFree((*borders)->order));
  PetscCall(PetscFree(*borders));
  PetscFunctionReturn(PETSC_SUCCESS);
}

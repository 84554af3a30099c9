#include "comm/deal.h"

#include "comm/block.h"

int order_key_compare(const void *a, const void *b)
{
  const OrderKey *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return p->id < q->id ? -1 : p->id > q->id;
}

/* Things here that do not come after `last`. */
static LocalId count_up_to(LocalId n, const OrderKey sorted[], OrderKey last)
{
  LocalId lo = 0, hi = n;
  while (lo < hi) {
    const LocalId mid = lo + (hi - lo) / 2;
    if (order_key_compare(&sorted[mid], &last) <= 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* Half way between two neighbours of the order; the id counts only when the keys are equal. */
static OrderKey middle(OrderKey lo, OrderKey hi)
{
  const GlobalId most = (GlobalId)1 << 62;
  if (lo.key == hi.key) return (OrderKey){lo.key, lo.id + (hi.id - lo.id) / 2};
  return (OrderKey){lo.key + (hi.key - lo.key) / 2, most};
}

/* Narrow (lo, hi] around the first thing with more than `wanted` things up to it. */
static void narrow(OrderKey *lo, OrderKey *hi, OrderKey mid, bool enough)
{
  if (enough)
    *hi = mid;
  else if (mid.key != hi->key)
    *lo = (OrderKey){mid.key + 1, 0};
  else
    *lo = (OrderKey){mid.key, mid.id + 1};
}

/* Where the runs of ranks 1, 2, ... begin. */
static PetscErrorCode FindBegins(MPI_Comm comm, int size, GlobalId n_all, LocalId n,
                                 const OrderKey sorted[], OrderKey begin[])
{
  PetscFunctionBeginUser;
  OrderKey *lo = NULL;
  PetscInt64 *count = NULL;
  PetscCall(PetscCalloc2(size, &lo, size, &count));
  const OrderKey end = {((uint64_t)1 << 63) - 1, (GlobalId)1 << 62};
  for (int r = 1; r < size; r++) begin[r] = end;
  for (bool open = size > 1; open;) {
    open = false;
    for (int r = 1; r < size; r++) count[r] = count_up_to(n, sorted, middle(lo[r], begin[r]));
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, count, size, MPIU_INT64, MPI_SUM, comm));
    for (int r = 1; r < size; r++) {
      if (order_key_compare(&lo[r], &begin[r]) >= 0) continue;
      narrow(&lo[r], &begin[r], middle(lo[r], begin[r]), count[r] > block_first(n_all, size, r));
      open = true;
    }
  }
  PetscCall(PetscFree2(lo, count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DealInOrder(MPI_Comm comm, GlobalId n_all, LocalId n, const OrderKey sorted[],
                           int to[])
{
  PetscFunctionBeginUser;
  int size = 0, rank = 0;
  OrderKey *begin = NULL;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCall(PetscCalloc1(size, &begin));
  PetscCall(FindBegins(comm, size, n_all, n, sorted, begin));
  for (LocalId i = 0; i < n; i++) {
    while (rank + 1 < size && order_key_compare(&begin[rank + 1], &sorted[i]) <= 0) rank++;
    to[i] = rank;
  }
  PetscCall(PetscFree(begin));
  PetscFunctionReturn(PETSC_SUCCESS);
}

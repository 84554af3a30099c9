#include "comm/exchange.h"

#include "comm/route.h"

/* One rank values go to or come from, and its run of entries in the lists. */
typedef struct {
  int rank;
  LocalId first, n;
} Neighbor;

struct Exchange {
  MPI_Comm comm; /* owned: a duplicate, so that no other message can be mistaken for ours */
  int most_components;
  LocalId n_own;
  int n_to, n_from;
  Neighbor *to, *from;     /* owned */
  LocalId n_sent, n_got;   /* entries over all neighbours */
  LocalId *sent;           /* owned, n_sent: own entries, in the order of the receiver */
  LocalId *got;            /* owned, n_got: halo entries that arrive, by rank */
  LocalId n_images;        /* halo entries that copy own ones */
  LocalId *image, *source; /* owned, n_images */
  double *out, *in;        /* owned, n_sent and n_got times most_components */
  MPI_Request *request;    /* owned, n_from then n_to */
};

/* Group entries by rank; ranks rise. */
static PetscErrorCode MakeNeighbors(LocalId n, const int rank[], int *n_neighbors,
                                    Neighbor **neighbor)
{
  PetscFunctionBeginUser;
  int count = 0;
  for (LocalId i = 0; i < n; i++) count += i == 0 || rank[i] != rank[i - 1];
  PetscCall(PetscMalloc1(count, neighbor));
  *n_neighbors = count;
  count = 0;
  for (LocalId i = 0; i < n; i++) {
    if (i == 0 || rank[i] != rank[i - 1])
      (*neighbor)[count++] = (Neighbor){.rank = rank[i], .first = i};
    (*neighbor)[count - 1].n++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Split the halo into images of own entries and those that arrive; owners of the latter. */
static PetscErrorCode SplitHalo(Exchange *self, int me, LocalId n_halo, const int owner[],
                                const LocalId source[], int from[])
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc3(n_halo, &self->got, n_halo, &self->image, n_halo, &self->source));
  for (LocalId h = 0; h < n_halo; h++) {
    PetscCheck(h == 0 || owner[h] >= owner[h - 1], PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
               "owners of halo entries must rise");
    if (owner[h] == me) {
      self->image[self->n_images] = h;
      self->source[self->n_images++] = source[h];
    } else {
      from[self->n_got] = owner[h];
      self->got[self->n_got++] = h;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Tell each owner which of its entries are wanted, and by whom. */
static PetscErrorCode AskOwners(Exchange *self, int me, const int from[], const LocalId source[])
{
  PetscFunctionBeginUser;
  typedef struct {
    int by;
    LocalId entry;
  } Wish;
  Route *route = NULL;
  Wish *wish = NULL, *asked = NULL;
  int *by = NULL;
  PetscCall(RouteCreate(self->comm, self->n_got, from, &route));
  self->n_sent = route_n_arriving(route);
  PetscCall(PetscMalloc3(self->n_got, &wish, self->n_sent, &asked, self->n_sent, &by));
  PetscCall(PetscMalloc1(self->n_sent, &self->sent));
  for (LocalId i = 0; i < self->n_got; i++) wish[i] = (Wish){me, source[self->got[i]]};
  PetscCall(RouteSend(route, sizeof *wish, wish, asked));
  for (LocalId i = 0; i < self->n_sent; i++) {
    by[i] = asked[i].by;
    self->sent[i] = asked[i].entry;
  }
  PetscCall(MakeNeighbors(self->n_sent, by, &self->n_to, &self->to));
  PetscCall(PetscFree3(wish, asked, by));
  PetscCall(RouteDestroy(&route));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExchangeCreate(MPI_Comm comm, LocalId n_own, LocalId n_halo, const int owner[],
                              const LocalId source[], int most_components, Exchange **exchange)
{
  PetscFunctionBeginUser;
  Exchange *self = NULL;
  int me = 0, *from = NULL;
  PetscCall(PetscNew(&self));
  PetscCallMPI(MPI_Comm_dup(comm, &self->comm));
  PetscCallMPI(MPI_Comm_rank(comm, &me));
  self->most_components = most_components;
  self->n_own = n_own;
  PetscCall(PetscMalloc1(n_halo, &from));
  PetscCall(SplitHalo(self, me, n_halo, owner, source, from));
  PetscCall(MakeNeighbors(self->n_got, from, &self->n_from, &self->from));
  PetscCall(AskOwners(self, me, from, source));
  PetscCall(PetscFree(from));
  PetscCall(PetscMalloc3((size_t)self->n_sent * most_components, &self->out,
                         (size_t)self->n_got * most_components, &self->in,
                         self->n_from + self->n_to, &self->request));
  *exchange = self;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExchangeDestroy(Exchange **exchange)
{
  PetscFunctionBeginUser;
  Exchange *self = *exchange;
  if (self == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree3(self->got, self->image, self->source));
  PetscCall(PetscFree(self->sent));
  PetscCall(PetscFree(self->to));
  PetscCall(PetscFree(self->from));
  PetscCall(PetscFree3(self->out, self->in, self->request));
  PetscCallMPI(MPI_Comm_free(&self->comm));
  PetscCall(PetscFree(*exchange));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExchangeBegin(Exchange *exchange, int n_components, int stride,
                             double *const field[])
{
  PetscFunctionBeginUser;
  PetscCheck(n_components <= exchange->most_components, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ,
             "%d components in an exchange made for %d", n_components, exchange->most_components);
  const int m = n_components;
  MPI_Request *request = exchange->request;
  for (int i = 0; i < exchange->n_from; i++) {
    const Neighbor *at = &exchange->from[i];
    PetscCallMPI(MPI_Irecv(exchange->in + (size_t)at->first * m, at->n * m, MPI_DOUBLE, at->rank, 0,
                           exchange->comm, request++));
  }
  double *out = exchange->out;
  for (LocalId i = 0; i < exchange->n_sent; i++)
    for (int k = 0; k < m; k++) *out++ = field[k][(size_t)exchange->sent[i] * stride];
  for (int i = 0; i < exchange->n_to; i++) {
    const Neighbor *at = &exchange->to[i];
    PetscCallMPI(MPI_Isend(exchange->out + (size_t)at->first * m, at->n * m, MPI_DOUBLE, at->rank,
                           0, exchange->comm, request++));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExchangeEnd(Exchange *exchange, int n_components, int stride, double *const field[])
{
  PetscFunctionBeginUser;
  for (LocalId i = 0; i < exchange->n_images; i++) {
    const size_t from = (size_t)exchange->source[i] * stride;
    const size_t to = ((size_t)exchange->n_own + exchange->image[i]) * stride;
    for (int k = 0; k < n_components; k++) field[k][to] = field[k][from];
  }
  PetscCallMPI(
      MPI_Waitall(exchange->n_from + exchange->n_to, exchange->request, MPI_STATUSES_IGNORE));
  const double *in = exchange->in;
  for (LocalId i = 0; i < exchange->n_got; i++) {
    const size_t to = ((size_t)exchange->n_own + exchange->got[i]) * stride;
    for (int k = 0; k < n_components; k++) field[k][to] = *in++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExchangeUpdate(Exchange *exchange, int n_components, int stride,
                              double *const field[])
{
  PetscFunctionBeginUser;
  PetscCall(ExchangeBegin(exchange, n_components, stride, field));
  PetscCall(ExchangeEnd(exchange, n_components, stride, field));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int exchange_n_neighbors(const Exchange *exchange)
{
  return exchange->n_to;
}

LocalId exchange_n_sent(const Exchange *exchange)
{
  return exchange->n_sent;
}

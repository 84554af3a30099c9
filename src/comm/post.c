#include "comm/post.h"

#include <limits.h>
#include <string.h>

enum { TAG_SEND = 1, TAG_REPLY = 2 };

/* What goes to the ranks or comes from them: records by rank. */
typedef struct {
  int *n;     /* owned, one per rank: records */
  int *first; /* owned, one more */
} Side;

struct Post {
  MPI_Comm comm; /* owned: a duplicate, so that tags are our own */
  int rank, size;
  LocalId n, place_room;
  LocalId *place; /* owned: of record i among those that leave, by rank */
  Side out, in;
  MPI_Request *request; /* owned, two per rank */
  size_t room;
  char *packed; /* owned: what leaves or what has come back, by rank */
};

PetscErrorCode PostCreate(MPI_Comm comm, Post **post)
{
  PetscFunctionBeginUser;
  Post *p = NULL;
  PetscCall(PetscNew(&p));
  PetscCallMPI(MPI_Comm_dup(comm, &p->comm));
  PetscCallMPI(MPI_Comm_rank(comm, &p->rank));
  PetscCallMPI(MPI_Comm_size(comm, &p->size));
  PetscCall(PetscCalloc4(p->size, &p->out.n, p->size + 1, &p->out.first, p->size, &p->in.n,
                         p->size + 1, &p->in.first));
  PetscCall(PetscMalloc1(2 * p->size, &p->request));
  *post = p;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PostDestroy(Post **post)
{
  PetscFunctionBeginUser;
  Post *p = *post;
  if (p == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree4(p->out.n, p->out.first, p->in.n, p->in.first));
  PetscCall(PetscFree(p->request));
  PetscCall(PetscFree(p->place));
  PetscCall(PetscFree(p->packed));
  PetscCallMPI(MPI_Comm_free(&p->comm));
  PetscCall(PetscFree(*post));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void sum_up(int n, Side *side)
{
  side->first[0] = 0;
  for (int r = 0; r < n; r++) side->first[r + 1] = side->first[r] + side->n[r];
}

PetscErrorCode PostAddress(Post *p, LocalId n, const int to[])
{
  PetscFunctionBeginUser;
  p->n = n;
  if (n > p->place_room) {
    p->place_room = n + n / 4;
    PetscCall(PetscFree(p->place));
    PetscCall(PetscMalloc1(p->place_room, &p->place));
  }
  PetscCall(PetscArrayzero(p->out.n, p->size));
  for (LocalId i = 0; i < n; i++) p->out.n[to[i]]++;
  PetscCallMPI(MPI_Alltoall(p->out.n, 1, MPI_INT, p->in.n, 1, MPI_INT, p->comm));
  sum_up(p->size, &p->out);
  sum_up(p->size, &p->in);
  /* A counting sort keeps the order among records for the same rank. */
  for (LocalId i = 0; i < n; i++) p->place[i] = p->out.first[to[i]]++;
  sum_up(p->size, &p->out);
  PetscFunctionReturn(PETSC_SUCCESS);
}

LocalId post_n_arriving(const Post *p)
{
  return p->in.first[p->size];
}

LocalId post_n_leaving(const Post *p)
{
  return p->n;
}

static PetscErrorCode make_room(Post *p, size_t bytes)
{
  PetscFunctionBeginUser;
  if (bytes <= p->room) PetscFunctionReturn(PETSC_SUCCESS);
  p->room = bytes + bytes / 4;
  PetscCall(PetscFree(p->packed));
  PetscCall(PetscMalloc1(p->room, &p->packed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From one side's buffer to the other's, rank by rank; what stays here is copied. */
static PetscErrorCode exchange(Post *p, int tag, size_t size, const Side *from, const char *leaving,
                               const Side *to, char *got)
{
  PetscFunctionBeginUser;
  int n = 0;
  for (int r = 0; r < p->size; r++) {
    const size_t n_in = size * (size_t)to->n[r], n_out = size * (size_t)from->n[r];
    char *in = got + size * (size_t)to->first[r];
    const char *out = leaving + size * (size_t)from->first[r];
    PetscCheck(n_in <= INT_MAX && n_out <= INT_MAX, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "more than %d bytes for one rank", INT_MAX);
    if (r == p->rank) {
      memcpy(in, out, n_in);
      continue;
    }
    if (n_in > 0)
      PetscCallMPI(MPI_Irecv(in, (int)n_in, MPI_BYTE, r, tag, p->comm, &p->request[n++]));
    if (n_out > 0)
      PetscCallMPI(MPI_Isend(out, (int)n_out, MPI_BYTE, r, tag, p->comm, &p->request[n++]));
  }
  PetscCallMPI(MPI_Waitall(n, p->request, MPI_STATUSES_IGNORE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PostSend(Post *p, size_t size, const void *record, void *got)
{
  PetscFunctionBeginUser;
  PetscCall(make_room(p, (size_t)p->n * size));
  for (LocalId i = 0; i < p->n; i++)
    memcpy(p->packed + (size_t)p->place[i] * size, (const char *)record + (size_t)i * size, size);
  PetscCall(exchange(p, TAG_SEND, size, &p->out, p->packed, &p->in, got));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PostReply(Post *p, size_t size, const void *given, void *answer)
{
  PetscFunctionBeginUser;
  PetscCall(make_room(p, (size_t)p->n * size));
  PetscCall(exchange(p, TAG_REPLY, size, &p->in, given, &p->out, p->packed));
  for (LocalId i = 0; i < p->n; i++)
    memcpy((char *)answer + (size_t)i * size, p->packed + (size_t)p->place[i] * size, size);
  PetscFunctionReturn(PETSC_SUCCESS);
}

size_t post_memory(const Post *p)
{
  return p->room + (size_t)p->place_room * sizeof *p->place;
}

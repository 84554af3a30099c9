#include "comm/sum.h"

#include <math.h>
#include <stdint.h>

/* Three pieces of 36 bits below the largest number leave 27 bits for carries. */
enum { PIECES = 3, PIECE_BITS = 36 };

/* The exponent above all values of a sum, on all ranks; beyond that of any double: not finite. */
static PetscErrorCode find_exponents(MPI_Comm comm, int n, int n_sums, const double value[],
                                     int exponent[])
{
  PetscFunctionBeginUser;
  enum { LEAST = -1100, NOT_FINITE = 2000 };
  for (int k = 0; k < n_sums; k++) exponent[k] = LEAST;
  for (int i = 0; i < n * n_sums; i++) {
    int e = NOT_FINITE;
    if (isfinite(value[i])) frexp(value[i], &e);
    if (value[i] != 0.0 && e > exponent[i % n_sums]) exponent[i % n_sums] = e;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, exponent, n_sums, MPI_INT, MPI_MAX, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Add the pieces of x, which is below 2^exponent; what is below the last piece is dropped. */
static void add_pieces(double x, int exponent, int64_t piece[PIECES])
{
  for (int p = 0; p < PIECES; p++) {
    const int unit = exponent - PIECE_BITS * (p + 1);
    const double whole = trunc(ldexp(x, -unit));
    piece[p] += (int64_t)whole;
    x -= ldexp(whole, unit);
  }
}

PetscErrorCode SumExactly(MPI_Comm comm, int n, int n_sums, const double value[], double total[])
{
  PetscFunctionBeginUser;
  PetscCheck(n_sums <= SUM_MOST, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "%d sums, at most %d",
             n_sums, SUM_MOST);
  int exponent[SUM_MOST];
  int64_t piece[SUM_MOST][PIECES] = {{0}};
  PetscCall(find_exponents(comm, n, n_sums, value, exponent));
  for (int i = 0; i < n * n_sums; i++)
    if (exponent[i % n_sums] <= 1024) add_pieces(value[i], exponent[i % n_sums], piece[i % n_sums]);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, piece, n_sums * PIECES, MPI_INT64_T, MPI_SUM, comm));
  for (int k = 0; k < n_sums; k++) {
    total[k] = exponent[k] > 1024 ? NAN : 0.0;
    for (int p = PIECES - 1; p >= 0; p--)
      total[k] += ldexp((double)piece[k][p], exponent[k] - PIECE_BITS * (p + 1));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

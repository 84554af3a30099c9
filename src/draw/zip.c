#include "draw/zip.h"

#include <zlib.h>

PetscErrorCode ZipBytes(const void *bytes, size_t n, unsigned char **zipped, size_t *length)
{
  PetscFunctionBeginUser;
  uLongf used = compressBound(n);
  unsigned char *out = NULL;
  PetscCall(PetscMalloc1(used, &out));
  const int code = compress2(out, &used, bytes, n, 9);
  PetscCheck(code == Z_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "zlib says %d", code);
  *zipped = out;
  *length = used;
  PetscFunctionReturn(PETSC_SUCCESS);
}

uint32_t zip_check(uint32_t before, const void *bytes, size_t n)
{
  return (uint32_t)crc32(before, bytes, (uInt)n);
}

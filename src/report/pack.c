#include "report/pack.h"

#include "draw/zip.h"

#include <string.h>

enum { ARRAYS = 96, ALIGNMENT = 8 };

typedef struct {
  const char *name, *type;
  int rows, columns;
  size_t offset;
} PackArray;

struct Pack {
  int n;
  PackArray array[ARRAYS];
  unsigned char *bytes; /* owned, room */
  size_t length, room;
};

PetscErrorCode PackCreate(Pack **pack)
{
  PetscFunctionBeginUser;
  PetscCall(PetscNew(pack));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PackDestroy(Pack **pack)
{
  PetscFunctionBeginUser;
  if (*pack != NULL) PetscCall(PetscFree((*pack)->bytes));
  PetscCall(PetscFree(*pack));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static size_t padded(size_t n)
{
  return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* List an array and give room for its n bytes, which are zero. */
static PetscErrorCode add_array(Pack *pack, PackArray array, size_t n, unsigned char **bytes)
{
  PetscFunctionBeginUser;
  PetscCheck(pack->n < ARRAYS, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "too many arrays");
  if (pack->length + padded(n) > pack->room) {
    pack->room = 2 * pack->room + padded(n);
    PetscCall(PetscRealloc(pack->room, &pack->bytes));
  }
  array.offset = pack->length;
  pack->array[pack->n++] = array;
  *bytes = pack->bytes + pack->length;
  if (n > 0) memset(*bytes, 0, padded(n));
  pack->length += padded(n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_plain(Pack *pack, PackArray array, size_t size, const void *value)
{
  PetscFunctionBeginUser;
  const size_t n = (size_t)array.rows * array.columns * size;
  unsigned char *bytes = NULL;
  PetscCall(add_array(pack, array, n, &bytes));
  if (n > 0) memcpy(bytes, value, n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PackAddDouble(Pack *pack, const char *name, int rows, int columns,
                             const double value[])
{
  PetscFunctionBeginUser;
  PetscCall(add_plain(pack, (PackArray){name, "f64", rows, columns, 0}, sizeof *value, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PackAddInt(Pack *pack, const char *name, int rows, int columns, const int value[])
{
  PetscFunctionBeginUser;
  PetscCall(add_plain(pack, (PackArray){name, "i32", rows, columns, 0}, sizeof *value, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PackAddShort(Pack *pack, const char *name, int rows, int columns,
                            const int16_t value[])
{
  PetscFunctionBeginUser;
  PetscCall(add_plain(pack, (PackArray){name, "i16", rows, columns, 0}, sizeof *value, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PackAddBytes(Pack *pack, const char *name, int n, const unsigned char bytes[])
{
  PetscFunctionBeginUser;
  PetscCall(add_plain(pack, (PackArray){name, "u8", 1, n, 0}, 1, bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PackAddHistory(Pack *pack, const char *name, int rows, int columns,
                              const float value[])
{
  PetscFunctionBeginUser;
  const size_t n = (size_t)rows * columns;
  unsigned char *bytes = NULL;
  PetscCall(add_array(pack, (PackArray){name, "f32", rows, columns, 0}, n * sizeof(float), &bytes));
  for (size_t i = 0; i < n; i++) {
    uint32_t now, last = 0;
    memcpy(&now, &value[i], sizeof now);
    if (i % (size_t)columns != 0) memcpy(&last, &value[i - 1], sizeof last);
    const uint32_t step = now - last;
    for (int k = 0; k < 4; k++) bytes[k * n + i] = (unsigned char)(step >> (8 * k));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void pack_put_arrays(const Pack *pack, FILE *out)
{
  fprintf(out, "[");
  for (int k = 0; k < pack->n; k++) {
    const PackArray *a = &pack->array[k];
    fprintf(out, "%s\n{\"name\":\"%s\",\"type\":\"%s\",\"rows\":%d,\"columns\":%d,\"offset\":%zu}",
            k > 0 ? "," : "", a->name, a->type, a->rows, a->columns, a->offset);
  }
  fprintf(out, "]");
}

static void put_base64(const unsigned char *bytes, size_t n, FILE *out)
{
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    const unsigned a = bytes[i], b = i + 1 < n ? bytes[i + 1] : 0, c = i + 2 < n ? bytes[i + 2] : 0;
    const char text[4] = {digit[a >> 2], digit[(a & 3) << 4 | b >> 4],
                          i + 1 < n ? digit[(b & 15) << 2 | c >> 6] : '=',
                          i + 2 < n ? digit[c & 63] : '='};
    fwrite(text, 1, sizeof text, out);
  }
}

PetscErrorCode PackWrite(const Pack *pack, const char *heading, size_t length, FILE *out)
{
  PetscFunctionBeginUser;
  const size_t start = padded(4 + length), n = start + pack->length;
  unsigned char *plain, *packed;
  size_t packed_length = 0;
  PetscCall(PetscMalloc1(n, &plain));
  memset(plain, ' ', start);
  for (int k = 0; k < 4; k++) plain[k] = (unsigned char)((start - 4) >> (8 * k));
  memcpy(plain + 4, heading, length);
  if (pack->length > 0) memcpy(plain + start, pack->bytes, pack->length);
  PetscCall(ZipBytes(plain, n, &packed, &packed_length));
  put_base64(packed, packed_length, out);
  PetscCall(PetscFree(plain));
  PetscCall(PetscFree(packed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

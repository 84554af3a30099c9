#include "allocations.h"

#include "config.h"

#include <errno.h>
#include <stddef.h>

/* What stands in for malloc can only count in a global. */
static long count = 0;

long allocations_so_far(void)
{
  return __atomic_load_n(&count, __ATOMIC_RELAXED);
}

#ifdef CAROM_SANITIZED

bool allocations_are_counted(void)
{
  return false;
}

#else

bool allocations_are_counted(void)
{
  return true;
}

/* The C library's own, under the names it keeps for this. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *old, size_t size);
void *memalign(size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **memory, size_t alignment, size_t size);

static void count_one(void)
{
  __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
}

void *malloc(size_t size)
{
  count_one();
  return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
  count_one();
  return __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
  count_one();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
  count_one();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
  return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
  *memory = memalign(alignment, size);
  return *memory != NULL ? 0 : ENOMEM;
}

#endif

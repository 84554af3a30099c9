#include "base/sort.h"

typedef struct {
  char *at;
  size_t size;
  int (*compare)(const void *, const void *);
} Records;

static void swap(const Records *r, size_t i, size_t j)
{
  char *p = r->at + i * r->size, *q = r->at + j * r->size;
  for (size_t k = 0; k < r->size; k++) {
    const char c = p[k];
    p[k] = q[k];
    q[k] = c;
  }
}

/* Let record i sink in the heap of n records, the largest on top. */
static void sink(const Records *r, size_t i, size_t n)
{
  while (2 * i + 1 < n) {
    size_t child = 2 * i + 1;
    const char *left = r->at + child * r->size;
    if (child + 1 < n && r->compare(left, left + r->size) < 0) child++;
    if (r->compare(r->at + i * r->size, r->at + child * r->size) >= 0) return;
    swap(r, i, child);
    i = child;
  }
}

void sort_in_place(void *records, size_t n, size_t size, int (*compare)(const void *, const void *))
{
  const Records r = {records, size, compare};
  for (size_t i = n / 2; i-- > 0;) sink(&r, i, n);
  for (size_t last = n; last-- > 1;) {
    swap(&r, 0, last);
    sink(&r, 0, last);
  }
}

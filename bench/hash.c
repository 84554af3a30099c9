/*
 * How fast are bytes summed up for checkpoints?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/hash.h"
#include "bench.h"

#include <stdlib.h>

int main(void)
{
  const size_t length = (size_t)64 << 20;
  unsigned char *data = malloc(length);
  if (data == NULL) return 1;
  for (size_t i = 0; i < length; i++) data[i] = (unsigned char)(i * 7);

  const double start = bench_now();
  const uint64_t sum = hash_bytes(0, data, length);
  bench_report("hash/64MiB", (double)length, "bytes", bench_now() - start);
  free(data);
  return sum == 0;
}

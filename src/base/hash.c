#include "base/hash.h"

#include <string.h>

/* The finaliser of splitmix64: every input bit reaches every output bit. */
static uint64_t mix(uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint64_t hash_word(uint64_t position, uint64_t word)
{
  return mix(word + 0x9e3779b97f4a7c15u * (position + 1)) + mix(position ^ 0x6a09e667f3bcc908u);
}

uint64_t hash_bytes(uint64_t first_position, const void *bytes, size_t n)
{
  const unsigned char *at = bytes;
  uint64_t sum = 0, position = first_position;
  for (size_t done = 0; done < n; done += 8) {
    uint64_t word = 0;
    memcpy(&word, at + done, n - done < 8 ? n - done : 8);
    sum += hash_word(position++, word);
  }
  return sum;
}

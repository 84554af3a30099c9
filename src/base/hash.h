/*
 * A 64-bit checksum that does not care who adds which part in which order.
 *
 * Each 8-byte word is mixed with its position and the results are summed modulo 2^64, so
 * that ranks may add the words they own and get the same sum on any partition.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Mix of a word and its global position. */
uint64_t hash_word(uint64_t position, uint64_t word);

/* Sum over n bytes whose first word has the given position; a short last word is padded. */
uint64_t hash_bytes(uint64_t first_position, const void *bytes, size_t n);

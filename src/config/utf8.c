/*
 * Is a text made of characters that may stand in a YAML file?
 *
 * libyaml refuses the same bytes but says only their offset; a user wants line and column.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/utf8_impl.h"

#include <stdbool.h>

Character utf8_decode(const char *text, size_t n)
{
  const unsigned char *s = (const unsigned char *)text;
  if (s[0] < 0x80) return (Character){s[0], 1};
  const size_t bytes = s[0] >= 0xf0 && s[0] < 0xf8   ? 4
                       : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                       : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                                                     : 0;
  if (bytes == 0 || bytes > n) return (Character){0, 0};
  uint32_t code = s[0] & (0xffu >> (bytes + 1));
  for (size_t i = 1; i < bytes; i++) {
    if ((s[i] & 0xc0) != 0x80) return (Character){0, 0};
    code = code << 6 | (s[i] & 0x3fu);
  }
  const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < least[bytes] || code > 0x10ffff || surrogate) return (Character){0, 0};
  return (Character){code, bytes};
}

static bool is_allowed(uint32_t code)
{
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  if (code < 0xa0) return code <= 0x7e || code == 0x85;
  return code != 0xfeff && code != 0xfffe && code != 0xffff;
}

Utf8Fault utf8_fault(const char *text, size_t length)
{
  Utf8Fault at = {NULL, 1, 1};
  for (size_t i = 0; i < length;) {
    const Character c = utf8_decode(text + i, length - i);
    if (c.bytes == 0) return (Utf8Fault){"is not valid UTF-8 text", at.line, at.column};
    if (c.code == 0)
      return (Utf8Fault){"holds a zero byte; is this a text file?", at.line, at.column};
    if (!is_allowed(c.code)) return (Utf8Fault){"holds a control character", at.line, at.column};
    const bool newline =
        c.code == '\n' || (c.code == '\r' && (i + 1 == length || text[i + 1] != '\n'));
    at.line += newline;
    at.column = newline ? 1 : at.column + 1;
    i += c.bytes;
  }
  return at;
}

/*
 * A font of strokes, made for this program. A letter stands on a grid: x from 0 to 8, the base line
 * at y = 3, small letters up to 9, capitals up to 12, tails down to 0.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

enum { FONT_BASE = 3, FONT_CAPITAL = 12, FONT_GAP = 3, FONT_SPACE = 4 };

/*
 * The strokes of a letter of ASCII (a box for any other): points of two hexadecimal digits, x and
 * y; a space lifts the pen.
 */
const char *font_strokes(unsigned char letter);

/* The value of a digit of it. */
int font_digit(char digit);

/* How far the letter reaches to the right of its left edge. */
int font_width(unsigned char letter);

#include "draw/canvas.h"
#include "draw/font.h"

enum { POINTS = 16 };

/* Bytes that go on with a letter outside of ASCII. */
static bool goes_on(char letter)
{
  return ((unsigned char)letter & 0xc0) == 0x80;
}

/* A capital is seven tenths of the size of the font. */
static double unit_of(double size)
{
  return 0.7 * size / (FONT_CAPITAL - FONT_BASE);
}

double canvas_text_width(double size, const char *text)
{
  int width = 0;
  for (const char *at = text; *at != '\0'; at++)
    if (!goes_on(*at)) width += font_width((unsigned char)*at) + FONT_GAP;
  return unit_of(size) * (width > 0 ? width - FONT_GAP : 0);
}

static void draw_letter(Canvas *c, double x, double y, double unit, Pen pen, const char *at)
{
  double px[POINTS], py[POINTS];
  int n = 0;
  for (;; at++) {
    if (*at == ' ' || *at == '\0') {
      canvas_line(c, pen, n, px, py);
      n = 0;
      if (*at == '\0') return;
      continue;
    }
    px[n] = x + unit * font_digit(at[0]);
    py[n++] = y - unit * (font_digit(at[1]) - FONT_BASE);
    at++;
  }
}

void canvas_text(Canvas *c, double x, double y, double size, Anchor anchor, Colour colour,
                 const char *text)
{
  const double unit = unit_of(size), width = canvas_text_width(size, text);
  const double thick = 0.085 * size;
  const Pen pen = {.colour = colour, .width = thick > 1.0 ? thick : 1.0};
  x -= anchor == ANCHOR_START ? 0.0 : anchor == ANCHOR_MIDDLE ? 0.5 * width : width;
  for (const char *at = text; *at != '\0'; at++) {
    if (goes_on(*at)) continue;
    draw_letter(c, x, y, unit, pen, font_strokes((unsigned char)*at));
    x += unit * (font_width((unsigned char)*at) + FONT_GAP);
  }
}

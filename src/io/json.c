#include "io/json.h"

#include <math.h>

void json_put_text(FILE *out, const char *text)
{
  fputc('"', out);
  for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
    if (*at == '"' || *at == '\\')
      fprintf(out, "\\%c", *at);
    else if (*at < 0x20)
      fprintf(out, "\\u%04x", *at);
    else
      fputc(*at, out);
  }
  fputc('"', out);
}

void json_put_number(FILE *out, double value)
{
  if (isfinite(value))
    fprintf(out, "%.17g", value);
  else
    fprintf(out, "null");
}

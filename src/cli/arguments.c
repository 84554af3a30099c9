#include "cli/arguments.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const Flag *find_flag(const char *text, size_t n, const Flag flags[], int n_flags)
{
  for (int k = 0; k < n_flags; k++)
    if (strlen(flags[k].name) == n && strncmp(flags[k].name, text, n) == 0) return &flags[k];
  return NULL;
}

bool arguments_parse(int argc, char **argv, const Flag flags[], int n_flags, const char *words[],
                     int max_words, int *n_words, char problem[static ARGUMENTS_PROBLEM])
{
  *n_words = 0;
  for (int i = 0; i < argc; i++) {
    const char *text = argv[i];
    if (text[0] != '-' || text[1] == '\0') {
      if (*n_words == max_words) {
        snprintf(problem, ARGUMENTS_PROBLEM, "unexpected argument '%.100s'", text);
        return false;
      }
      words[(*n_words)++] = text;
      continue;
    }
    const char *equals = strchr(text, '=');
    const Flag *flag =
        find_flag(text, equals ? (size_t)(equals - text) : strlen(text), flags, n_flags);
    if (flag == NULL) {
      snprintf(problem, ARGUMENTS_PROBLEM, "unknown flag '%.100s'", text);
      return false;
    }
    const bool next = flag->has_value && equals == NULL;
    if ((next && i + 1 == argc) || (!flag->has_value && equals != NULL)) {
      snprintf(problem, ARGUMENTS_PROBLEM, "flag %s %s", flag->name,
               flag->has_value ? "needs a value" : "takes no value");
      return false;
    }
    *flag->value = next ? argv[++i] : equals != NULL ? equals + 1 : flag->name;
  }
  return true;
}

bool argument_count(const char *text, long long *value)
{
  char *end = NULL;
  errno = 0;
  *value = strtoll(text, &end, 10);
  return isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0;
}

bool argument_seconds(const char *text, double *value)
{
  char *end = NULL;
  *value = strtod(text, &end);
  const bool starts = isdigit((unsigned char)text[0]) || text[0] == '.';
  return starts && *end == '\0' && isfinite(*value) && *value >= 0.0 && strpbrk(text, "xX") == NULL;
}

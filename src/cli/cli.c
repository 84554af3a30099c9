#include "cli/cli.h"

#include "base/version.h"

#include <stdio.h>

int cli_main(int argc, char **argv)
{
  (void)argc;
  (void)argv;
  fputs(version_summary(), stdout);
  return 0;
}

#include "base/version.h"

#include "config.h"

const char *version_number(void)
{
  return PACKAGE_VERSION;
}

const char *version_summary(void)
{
  return "carom " PACKAGE_VERSION "\ncompiler:  " CAROM_COMPILER "\nflags:     " CAROM_FLAGS
         "\nmpi:       " CAROM_MPI "\nlibraries: " CAROM_LIBRARIES "\n";
}

const char *version_libraries(void)
{
  return CAROM_MPI "; " CAROM_LIBRARIES;
}

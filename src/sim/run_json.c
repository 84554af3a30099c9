/*
 * run.json: what ran, where, how long, and why it ended.
 */
#include "base/version.h"
#include "io/file.h"
#include "io/json.h"
#include "sim/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void add_pair(FILE *out, const char *key, const char *text)
{
  fprintf(out, "  \"%s\": ", key);
  json_put_text(out, text);
  fprintf(out, ",\n");
}

static void add_host(FILE *out)
{
  struct utsname facts;
  char host[512] = "unknown";
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  const double memory =
      (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE) / (1024.0 * 1024 * 1024);
  if (uname(&facts) == 0)
    snprintf(host, sizeof host, "%s %s %s, %ld cores, %.1f GiB", facts.sysname, facts.release,
             facts.machine, cores, memory);
  add_pair(out, "host", host);
}

static void write_json(const Output *o, const RunFacts *facts, const char *reason, int status,
                       FILE *out)
{
  char now_text[32], hash[32];
  const time_t now = time(NULL);
  struct tm parts;
  strftime(now_text, sizeof now_text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)facts->case_hash);
  fprintf(out, "{\n");
  add_pair(out, "version", version_number());
  add_pair(out, "case", o->case_path);
  add_pair(out, "case_hash", hash);
  fprintf(out, "  \"ranks\": %d,\n", facts->ranks);
  add_pair(out, "libraries", version_libraries());
  add_host(out);
  add_pair(out, "started", o->started);
  add_pair(out, "written", now_text);
  fprintf(out, "  \"seconds\": %.3f,\n", facts->seconds);
  fprintf(out, "  \"step\": %lld,\n  \"steps\": %lld,\n", (long long)facts->step,
          (long long)facts->n_steps);
  fprintf(out, "  \"time\": %.17g,\n  \"contacts\": %lld,\n", facts->t,
          (long long)facts->n_contacts);
  add_pair(out, "exit_reason", reason);
  fprintf(out, "  \"exit_status\": %d\n}\n", status);
}

PetscErrorCode OutputRunJson(const Output *o, MPI_Comm comm, const RunFacts *facts,
                             const char *reason, int status)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN], *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  PetscCheck(out != NULL, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for run.json");
  write_json(o, facts, reason, status, out);
  fclose(out);
  PetscCall(FileJoin(o->directory, "run.json", path, sizeof path));
  PetscCall(FileReplace(comm, path, text, length));
  free(text);
  PetscFunctionReturn(PETSC_SUCCESS);
}

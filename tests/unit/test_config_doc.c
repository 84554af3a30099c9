#include "config/case.h"
#include "config/schema_doc.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* All bytes of a file of the source tree; to be freed. */
static char *read_source(const char *path)
{
  char full[4096];
  const char *top = getenv("srcdir");
  snprintf(full, sizeof full, "%s/%s", top != NULL ? top : ".", path);
  FILE *in = fopen(full, "r");
  ck_assert_msg(in != NULL, "cannot read %s", full);
  char *text = calloc(1, 1 << 20);
  ck_assert(fread(text, 1, (1 << 20) - 1, in) > 0);
  fclose(in);
  return text;
}

START_TEST(the_committed_reference_is_the_generated_one)
{
  char *generated = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&generated, &n);
  MustPass(SchemaWriteReference(out));
  fclose(out);
  char *committed = read_source("doc/case.md");
  ck_assert_msg(strcmp(generated, committed) == 0, "doc/case.md is stale: make case-reference");
  free(committed);
  free(generated);
}
END_TEST

START_TEST(the_starter_is_a_dry_case_without_mistakes)
{
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  MustPass(SchemaWriteStarter("it's \"mine\": # \xc3\xa9", out));
  fclose(out);
  CaseFile *file = NULL;
  MustPass(CaseFileCreate("starter.yaml", text, n, &file));
  ck_assert_int_eq(case_file_complaints(file), 0);
  ck_assert_int_eq(case_file_warnings(file), 0);
  const Case *c = case_file_case(file);
  ck_assert_str_eq(c->title, "it's \"mine\": # \xc3\xa9");
  ck_assert(c->n_bodies == 2 && c->n_walls == 1 && !c->flow.given && c->gravity.z < 0);
  MustPass(CaseFileDestroy(&file));
  free(text);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("config/schema_doc");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, the_committed_reference_is_the_generated_one);
  tcase_add_test(tests, the_starter_is_a_dry_case_without_mistakes);
  suite_add_tcase(suite, tests);
  return suite;
}

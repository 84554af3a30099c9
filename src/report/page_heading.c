/*
 * The heading of the data of a page: everything that is not an array of numbers.
 */
#include "base/version.h"
#include "io/json.h"
#include "report/page_impl.h"

#include <string.h>
#include <time.h>

static void put_key(FILE *out, const char *key)
{
  fprintf(out, ",\n\"%s\":", key);
}

static void put_vec3(FILE *out, Vec3 v)
{
  fputc('[', out);
  for (int k = 0; k < 3; k++) {
    if (k > 0) fputc(',', out);
    json_put_number(out, vec3_at(v, k));
  }
  fputc(']', out);
}

/* Text, or null when there is none. */
static void put_maybe(FILE *out, const char *text)
{
  if (text != NULL)
    json_put_text(out, text);
  else
    fprintf(out, "null");
}

static void put_texts(FILE *out, const char *const text[], int n)
{
  fputc('[', out);
  for (int k = 0; k < n; k++) {
    if (k > 0) fputc(',', out);
    json_put_text(out, text[k]);
  }
  fputc(']', out);
}

static void put_bodies(const Results *r, FILE *out)
{
  static const char *const motions[] = {"free", "fixed", "axis", "point", "prescribed"};
  const Case *c = result_case(r);
  fputc('[', out);
  for (int b = 0; b < r->n_bodies; b++) {
    const ResultBody *body = &r->body[b];
    fprintf(out, "%s\n{\"name\":", b > 0 ? "," : "");
    json_put_text(out, body->name);
    fprintf(out, ",\"motion\":");
    put_maybe(out, c != NULL ? motions[c->bodies[b].motion] : NULL);
    fprintf(out, ",\"mass\":");
    json_put_number(out, body->mass);
    fprintf(out, ",\"center\":");
    put_vec3(out, body->center);
    fprintf(out, ",\"inertia\":");
    put_vec3(out, vec3(body->inertia.m[0][0], body->inertia.m[1][1], body->inertia.m[2][2]));
    fprintf(out, ",\"skin\":%d", r->skin.first != NULL ? r->skin.first[b] : -1);
    fprintf(out, ",\"shape\":%d}", c != NULL ? r->shapes.of_body[b] : -1);
  }
  fputc(']', out);
}

static void put_shapes(const Results *r, FILE *out)
{
  static const char *const kinds[] = {"none",    "sphere", "box", "cylinder",
                                      "capsule", "cone",   "stl", "cgns"};
  fputc('[', out);
  for (int k = 0; k < r->shapes.n; k++) {
    const Surface *s = r->shapes.shape[k].surface;
    fprintf(out, "%s{\"kind\":\"%s\",\"vertices\":%d,\"triangles\":%d}", k > 0 ? "," : "",
            kinds[r->shapes.shape[k].spec.kind], s != NULL ? s->n_vertices : 0,
            s != NULL ? s->n_triangles : 0);
  }
  fputc(']', out);
}

static void put_walls(const Case *c, FILE *out)
{
  fputc('[', out);
  for (int w = 0; c != NULL && w < c->n_walls; w++) {
    fprintf(out, "%s{\"name\":", w > 0 ? "," : "");
    json_put_text(out, c->walls[w].name);
    fprintf(out, ",\"point\":");
    put_vec3(out, c->walls[w].point);
    fprintf(out, ",\"normal\":");
    put_vec3(out, c->walls[w].normal);
    fputc('}', out);
  }
  fputc(']', out);
}

/* Dynamic pressure of the free stream; NaN when the case does not say it in these words. */
static double dynamic_pressure(const FlowSpec *flow)
{
  const FreestreamSpec *s = &flow->freestream;
  double p = s->pressure, rho = s->density;
  if (isnan(p)) p = rho * flow->gas.gas_constant * s->temperature;
  if (isnan(rho)) rho = p / (flow->gas.gas_constant * s->temperature);
  if (!isnan(s->mach)) return 0.5 * flow->gas.gamma * p * s->mach * s->mach;
  return 0.5 * rho * vec3_norm2(s->velocity);
}

/* What forces and moments are divided by to become coefficients. */
static void put_reference(const Case *c, FILE *out)
{
  const double q = c != NULL && c->flow.given ? dynamic_pressure(&c->flow) : NAN;
  if (!(q > 0.0)) {
    fprintf(out, "null");
    return;
  }
  fprintf(out, "{\"force\":%.17g,\"moment\":%.17g}", q * c->reference.area,
          q * c->reference.area * c->reference.length);
}

static void put_counts(const Results *r, FILE *out)
{
  put_key(out, "frames");
  fprintf(out, "{\"kept\":%d,\"written\":%lld,\"from_case\":%s}", r->frames.n,
          (long long)r->frames.n_written, r->frames.from_case ? "true" : "false");
  put_key(out, "contacts");
  fprintf(out, "{\"kept\":%d,\"written\":%lld}", r->n_contacts, (long long)r->n_contacts_written);
}

/* What each picture says of itself, and how long it is. */
static void put_slices(const Results *r, FILE *out)
{
  fputc('[', out);
  for (int k = 0; k < r->n_slices; k++) {
    fprintf(out, "%s\n{\"bytes\":%zu,\"note\":", k > 0 ? "," : "", r->slice[k].length);
    json_put_text(out, r->slice[k].note);
    fputc('}', out);
  }
  fputc(']', out);
}

static void put_now(FILE *out)
{
  char text[32];
  const time_t now = time(NULL);
  struct tm parts;
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
  json_put_text(out, text);
}

void page_put_heading(const Results *r, const Pack *pack, FILE *out)
{
  const Case *c = result_case(r);
  fprintf(out, "{\"format\":1");
  put_key(out, "title");
  put_maybe(out, c != NULL ? c->title : NULL);
  put_key(out, "directory");
  json_put_text(out, r->directory);
  put_key(out, "made");
  put_now(out);
  put_key(out, "version");
  json_put_text(out, version_number());
  put_key(out, "notes");
  put_texts(out, r->note, r->n_notes);
  put_key(out, "bodies");
  put_bodies(r, out);
  put_key(out, "shapes");
  put_shapes(r, out);
  put_key(out, "walls");
  put_walls(c, out);
  put_key(out, "names");
  put_texts(out, r->name, r->n_names);
  put_key(out, "gravity");
  put_vec3(out, c != NULL ? c->gravity : vec3(0, 0, 0));
  put_key(out, "end");
  json_put_number(out, c != NULL ? c->time.end : NAN);
  put_counts(r, out);
  put_key(out, "reference");
  put_reference(c, out);
  put_key(out, "flow");
  put_texts(out, r->flow.heading, r->flow.n_rows > 0 ? r->flow.n_columns : 0);
  put_key(out, "slices");
  put_slices(r, out);
  put_key(out, "verified");
  put_maybe(out, r->verified);
  put_key(out, "run");
  put_maybe(out, r->run_json);
  put_key(out, "case");
  put_maybe(out, r->case_text);
  put_key(out, "arrays");
  pack_put_arrays(pack, out);
  fprintf(out, "}");
}

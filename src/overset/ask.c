/*
 * Answers of donors. A near-body donor gives the linear fit through its cell and those around it
 * that are not left out; the forest gives the polynomial of second degree in each direction through
 * 3 x 3 x 3 cells of one patch, of first degree where that would touch cells left out.
 */
#include "overset/overset_impl.h"

#include "comm/route.h"

#include <math.h>

enum { RHO = 0, P = 4, MOST_RANKS = 64 };

/* Farther than this outside of a cell, in its own size, a place has no donor in it. */
static const double most_excess = 0.1;

/* A fit that takes density or pressure below this share of the donor's own is not used. */
static const double least_share = 0.1;

static bool usable(const double value[], const double own[])
{
  return value[RHO] > least_share * own[RHO] && value[P] > least_share * own[P];
}

/* The neighbours of a donor that count, and the normal matrix of the fit through them. */
typedef struct {
  Mat3 m;
  double rhs[3][ROW_VALUES];
  bool poor;
} Fit;

static void fit_add(Fit *fit, Vec3 d, const double *there, const double *here)
{
  const double w = 1.0 / vec3_norm2(d);
  const double at[3] = {d.x, d.y, d.z};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) fit->m.m[i][k] += w * at[i] * at[k];
    if (there == NULL) continue;
    for (int v = 0; v < ROW_VALUES; v++) fit->rhs[i][v] += w * at[i] * (there[v] - here[v]);
  }
}

static Fit fit_cell(const OversetPart *part, LocalId c, const double *record, int size)
{
  const NearGrid *g = part->of.grid;
  const double *here = record == NULL ? NULL : record + (size_t)size * c;
  Fit fit = {.poor = part->state[c] != STATE_FIELD};
  for (LocalId j = g->face_start[c]; j < g->face_start[c + 1]; j++) {
    const LocalId f = g->face[j];
    if (f >= g->n_interior) continue;
    const LocalId n = g->left[f] == c ? g->right[f] : g->left[f];
    fit.poor |= part->state[n] != STATE_FIELD;
    if (part->state[n] == STATE_HOLE) continue;
    const Vec3 d = vec3(g->x[n] - g->x[c], g->y[n] - g->y[c], g->z[n] - g->z[c]);
    fit_add(&fit, d, here == NULL ? NULL : record + (size_t)size * n, here);
  }
  return fit;
}

/* m^-1 d, zero where m does not resolve three directions. */
static Vec3 fit_solve(const Mat3 *m, Vec3 d)
{
  const Vec3 a = vec3(m->m[0][0], m->m[0][1], m->m[0][2]);
  const Vec3 b = vec3(m->m[1][0], m->m[1][1], m->m[1][2]);
  const Vec3 c = vec3(m->m[2][0], m->m[2][1], m->m[2][2]);
  const Vec3 bc = vec3_cross(b, c), ca = vec3_cross(c, a), ab = vec3_cross(a, b);
  const double det = vec3_dot(a, bc), mean = (a.x + b.y + c.z) / 3.0;
  if (det <= 1e-5 * mean * mean * mean) return vec3(0, 0, 0);
  /* The matrix is symmetric, so its cofactors may be taken by rows. */
  return vec3_scale(1.0 / det, vec3(vec3_dot(bc, d), vec3_dot(ca, d), vec3_dot(ab, d)));
}

static void near_answer(const Overset *s, const OversetPart *part, Vec3 p, const double *record,
                        int size, Answer *answer)
{
  const NearGrid *g = part->of.grid;
  const NearPlace place = near_locator_find(part->locator, p);
  const LocalId c = place.cell;
  (void)s;
  *answer = (Answer){.excess = INFINITY, .grade = DONOR_NONE};
  if (c < 0) return;
  answer->excess = place.excess;
  answer->id = g->cell_id[c];
  if (place.excess > most_excess * cbrt(g->volume[c])) return;
  if (part->state[c] == STATE_HOLE || part->state[c] == STATE_ORPHAN) return;
  const Fit fit = fit_cell(part, c, record, size);
  answer->grade = fit.poor ? DONOR_POOR : DONOR_SOUND;
  if (record == NULL) return;
  const double *own = record + (size_t)size * c;
  const Vec3 y = fit_solve(&fit.m, vec3_sub(p, vec3(g->x[c], g->y[c], g->z[c])));
  for (int v = 0; v < ROW_VALUES; v++)
    answer->value[v] = own[v] + (y.x * fit.rhs[0][v] + y.y * fit.rhs[1][v] + y.z * fit.rhs[2][v]);
  if (!fit.poor && usable(answer->value, own)) return;
  /* Cells that give to each other in turn must not extrapolate. */
  for (int v = 0; v < ROW_VALUES; v++) answer->value[v] = own[v];
}

/* Cells of a patch along one axis and what they weigh. */
typedef struct {
  int first, n;
  double weight[3];
} Stencil;

/* u: place in cells from the first centre. The stencil stays within the patch. */
static Stencil stencil_of(double u, int cells, int n)
{
  Stencil s = {.n = n};
  const double from = n == 3 ? rint(u) - 1.0 : floor(u);
  s.first = n == 1 ? (int)rint(u) : (int)from;
  if (s.first > cells - n) s.first = cells - n;
  if (s.first < 0) s.first = 0;
  const double end = cells - 1.0, in = u < 0.0 ? 0.0 : u > end ? end : u;
  const double t = (n == 3 ? u : in) - s.first;
  if (n == 1) {
    s.weight[0] = 1.0;
  } else if (n == 2) {
    s.weight[0] = 1.0 - t, s.weight[1] = t;
  } else {
    s.weight[0] = 0.5 * (t - 1.0) * (t - 2.0);
    s.weight[1] = t * (2.0 - t);
    s.weight[2] = 0.5 * t * (t - 1.0);
  }
  return s;
}

/* The worst state of the cells of a stencil: holes, then what receives. */
static int worst_state(const uint8_t *state, int n, const Stencil at[3])
{
  int worst = STATE_FIELD;
  for (int k = at[2].first; k < at[2].first + at[2].n; k++)
    for (int j = at[1].first; j < at[1].first + at[1].n; j++)
      for (int i = at[0].first; i < at[0].first + at[0].n; i++) {
        const int now = state[((size_t)k * n + j) * n + i];
        if (now == STATE_HOLE || now == STATE_ORPHAN) return STATE_HOLE;
        if (now > worst) worst = now;
      }
  return worst;
}

/* The value at the middle and the sum of weighted differences to it: exact for even flow. */
static void forest_values(const double *u, int n, const Stencil at[3], double out[ROW_VALUES])
{
  const size_t cells = (size_t)n * n * n;
  const size_t mid = ((size_t)(at[2].first + at[2].n / 2) * n + at[1].first + at[1].n / 2) * n +
                     at[0].first + at[0].n / 2;
  for (int v = 0; v < ROW_VALUES; v++) {
    const double *field = u + v * cells, own = field[mid];
    double sum = 0.0;
    for (int k = 0; k < at[2].n; k++)
      for (int j = 0; j < at[1].n; j++) {
        const double *row =
            field + ((size_t)(at[2].first + k) * n + at[1].first + j) * n + at[0].first;
        double part = 0.0;
        for (int i = 0; i < at[0].n; i++) part += at[0].weight[i] * (row[i] - own);
        sum += at[2].weight[k] * at[1].weight[j] * part;
      }
    out[v] = own + sum;
  }
}

static void to_primitive(double gamma, double u[ROW_VALUES])
{
  for (int v = 1; v <= 3; v++) u[v] /= u[RHO];
  u[P] = (gamma - 1.0) * (u[P] - 0.5 * u[RHO] * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]));
}

static void place_stencils(const double u[3], int cells, int n, Stencil at[3])
{
  for (int i = 0; i < 3; i++) at[i] = stencil_of(u[i], cells, n);
}

static void forest_answer(const Overset *s, Vec3 x, const RowFields *fields, Answer *answer)
{
  *answer = (Answer){.excess = INFINITY, .grade = DONOR_NONE};
  const LocalId c = forest_find(s->forest, x);
  if (c < 0) return;
  const PatchPlace place = forest_places(s->forest)[c];
  const double per = 1.0 / forest_spacing(s->forest, place.level);
  const Vec3 lo = forest_corner(s->forest, place);
  const double u[3] = {(x.x - lo.x) * per - 0.5, (x.y - lo.y) * per - 0.5,
                       (x.z - lo.z) * per - 0.5};
  const size_t cells = (size_t)s->patch * s->patch * s->patch;
  const uint8_t *state = s->off_state + (size_t)c * cells;
  Stencil at[3];
  int worst = STATE_HOLE, n = 4;
  /* Cells that give to each other in turn must not extrapolate: three points are for computed ones,
   * two or one of a patch never do. */
  while (worst >= (n >= 3 ? STATE_FRINGE : STATE_HOLE) && --n > 0) {
    place_stencils(u, s->patch, n, at);
    worst = worst_state(state, s->patch, at);
  }
  if (n == 0) return;
  answer->excess = 0.0;
  answer->grade = n == 3 && worst == STATE_FIELD ? DONOR_SOUND : DONOR_POOR;
  if (fields == NULL) return;
  const double *from = fields->off + (size_t)c * cells * ROW_VALUES;
  double own[ROW_VALUES];
  forest_values(from, s->patch, at, answer->value);
  to_primitive(fields->gamma, answer->value);
  place_stencils(u, s->patch, 1, at);
  forest_values(from, s->patch, at, own);
  to_primitive(fields->gamma, own);
  if (usable(answer->value, own)) return;
  for (int v = 0; v < ROW_VALUES; v++) answer->value[v] = own[v];
}

static void answer_all(const Overset *s, const RowFields *fields, int n, const Question question[],
                       Answer answer[])
{
  for (int i = 0; i < n; i++) {
    const Question *q = &question[i];
    if (q->grid == FROM_FOREST)
      forest_answer(s, q->p, fields, &answer[i]);
    else
      near_answer(s, &s->part[q->grid], q->p, fields == NULL ? NULL : fields->near[q->grid],
                  fields == NULL ? 0 : fields->near_record, &answer[i]);
  }
}

static PetscErrorCode ask_ranks(Overset *s, const RowFields *fields)
{
  PetscFunctionBeginUser;
  Route *route = NULL;
  Question *asked;
  Answer *given;
  int *to;
  PetscCall(PetscMalloc1(s->n_questions, &to));
  for (int i = 0; i < s->n_questions; i++) to[i] = s->question[i].to;
  PetscCall(RouteCreate(s->comm, s->n_questions, to, &route));
  const LocalId n = route_n_arriving(route);
  PetscCall(PetscCalloc2(n, &asked, n, &given));
  PetscCall(RouteSend(route, sizeof *asked, s->question, asked));
  answer_all(s, fields, n, asked, given);
  PetscCall(RouteReply(route, sizeof *given, given, s->answer));
  PetscCall(PetscFree2(asked, given));
  PetscCall(PetscFree(to));
  PetscCall(RouteDestroy(&route));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode push(Overset *s, Question question)
{
  PetscFunctionBeginUser;
  if (s->n_questions == s->question_room) {
    const int room = 2 * s->question_room + 1024;
    PetscCall(PetscRealloc(room * sizeof *s->question, &s->question));
    PetscCall(PetscRealloc(room * sizeof *s->answer, &s->answer));
    s->question_room = room;
  }
  s->question[s->n_questions++] = question;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OversetQuestion(Overset *s, int receiver, int from, Vec3 x)
{
  PetscFunctionBeginUser;
  if (from == FROM_FOREST) {
    const int to = forest_owner(s->forest, x);
    if (to >= 0) PetscCall(push(s, (Question){from, receiver, to, x}));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  int rank[MOST_RANKS];
  const Vec3 p = frame_to_body(&s->part[from].frame, x);
  const int n = near_locator_ranks(s->part[from].locator, p, MOST_RANKS, rank);
  for (int k = 0; k < n && k < MOST_RANKS; k++)
    PetscCall(push(s, (Question){from, receiver, rank[k], p}));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The cell that holds the place best is the donor, even if it turns out to be none. */
static bool better(const Answer *a, const Answer *b)
{
  return a->excess != b->excess ? a->excess < b->excess : a->id < b->id;
}

PetscErrorCode OversetAsk(Overset *s, const RowFields *fields, int n_receivers)
{
  PetscFunctionBeginUser;
  if (n_receivers > s->best_room) {
    s->best_room = 2 * n_receivers;
    PetscCall(PetscFree(s->best));
    PetscCall(PetscMalloc1(s->best_room, &s->best));
  }
  for (int r = 0; r < n_receivers; r++)
    s->best[r] = (Answer){.excess = INFINITY, .grade = DONOR_NONE};
  if (s->size == 1)
    answer_all(s, fields, s->n_questions, s->question, s->answer);
  else
    PetscCall(ask_ranks(s, fields));
  for (int i = 0; i < s->n_questions; i++) {
    Answer *best = &s->best[s->question[i].receiver];
    if (better(&s->answer[i], best)) *best = s->answer[i];
  }
  s->n_questions = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * Do names mean one thing each, and do the rules of contact speak of things that exist?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/check_impl.h"
#include "config/suggest_impl.h"

#include <stdlib.h>
#include <string.h>

static const char *const side_names[SIDES] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};

/* By name, then bodies before walls before sides, each in the order of the file. */
static int compare_named(const void *left, const void *right)
{
  const Named *a = left, *b = right;
  const int order = strcmp(a->name, b->name);
  if (order != 0) return order;
  const int kind_a = a->body >= 0 ? 0 : a->wall >= 0 ? 1 : 2;
  const int kind_b = b->body >= 0 ? 0 : b->wall >= 0 ? 1 : 2;
  if (kind_a != kind_b) return kind_a - kind_b;
  return kind_a == 0 ? a->body - b->body : a->wall - b->wall;
}

PetscErrorCode DirectoryCreate(Arena *arena, const Place *top, const CaseDraft *draft,
                               Directory *directory)
{
  PetscFunctionBeginUser;
  const Case *c = &draft->the;
  const size_t most = (size_t)draft->n_bodies + (size_t)c->n_walls + SIDES;
  Named *list = NULL;
  PetscCall(ArenaTake(arena, most * sizeof *list, &list));
  int n = 0;
  const Node *item = draft->n_bodies > 0 ? node_find(top->node, "bodies")->first : NULL;
  for (int b = 0; b < draft->n_bodies; b++, item = item->next)
    if (draft->bodies[b].body.name != NULL)
      list[n++] = (Named){draft->bodies[b].body.name, b, -1, item};
  item = c->n_walls > 0 ? node_find(top->node, "walls")->first : NULL;
  for (int w = 0; w < c->n_walls; w++, item = item->next)
    if (c->walls[w].name != NULL) list[n++] = (Named){c->walls[w].name, -1, w, item};
  for (int s = 0; s < SIDES && c->off_body.given; s++) {
    const BoundaryKind kind = c->off_body.boundaries[s];
    const bool solid = kind == BOUNDARY_SYMMETRY || kind == BOUNDARY_SLIP;
    if (solid) list[n++] = (Named){side_names[s], -1, -1, NULL};
  }
  qsort(list, (size_t)n, sizeof *list, compare_named);
  *directory = (Directory){n, list};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int compare_name(const void *name, const void *named)
{
  return strcmp(name, ((const Named *)named)->name);
}

const Named *directory_find(const Directory *directory, const char *name)
{
  return bsearch(name, directory->list, (size_t)directory->n, sizeof *directory->list,
                 compare_name);
}

PetscErrorCode DirectoryRefuse(const Directory *directory, const Place *place, const char *key,
                               const char *what, const char *name)
{
  PetscFunctionBeginUser;
  Suggestion best = suggestion_for(name, strlen(name));
  const bool only_bodies = strcmp(what, "body") == 0;
  for (int k = 0; k < directory->n; k++)
    if (directory->list[k].body >= 0 || !only_bodies)
      suggestion_offer(&best, directory->list[k].name);
  char shown[SHOWN];
  text_show(name, strlen(name), shown);
  if (best.nearest != NULL)
    PetscCall(PlaceComplain(place, key, "there is no %s %s; did you mean '%s'?", what, shown,
                            best.nearest));
  else
    PetscCall(PlaceComplain(place, key, "there is no %s %s", what, shown));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a name must not hold because it goes into CSV files and messages, or NULL. */
static const char *name_fault(const char *name)
{
  for (const char *c = name; *c != '\0'; c++) {
    if (*c == ',') return "a comma";
    if (*c == '"' || *c == '\'') return "a quote";
    if ((unsigned char)*c < 0x20 || *c == 0x7f) return "a control character";
  }
  const size_t n = strlen(name);
  return n > 0 && (name[0] == ' ' || name[n - 1] == ' ') ? "a space at its ends" : NULL;
}

static PetscErrorCode CheckName(const Place *list, const Node *item, int index, const char *name)
{
  PetscFunctionBeginUser;
  const char *fault = name != NULL ? name_fault(name) : NULL;
  const Place place = place_item(list, item, index);
  if (fault != NULL) PetscCall(PlaceComplain(&place, "name", "must not hold %s", fault));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode NameWalls(Arena *arena, const Place *walls, Case *c)
{
  PetscFunctionBeginUser;
  const Node *item = walls->node != NULL ? walls->node->first : NULL;
  for (int w = 0; w < c->n_walls; w++, item = item->next) {
    char name[24];
    const int n = snprintf(name, sizeof name, "wall%d", w);
    if (node_find(item, "name") == NULL)
      PetscCall(ArenaCopyText(arena, name, (size_t)n, &c->walls[w].name));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Two things have one name: complain of the later one, or of the one that is no side. */
static PetscErrorCode RefuseTwin(const Place *top, const Named *first, const Named *second)
{
  PetscFunctionBeginUser;
  const Named *user = second->node != NULL ? second : first;
  const Place list = place_inner(top, user->wall >= 0 ? "walls" : "bodies");
  const Place place = place_item(&list, user->node, user->wall >= 0 ? user->wall : user->body);
  char shown[SHOWN];
  text_show(user->name, strlen(user->name), shown);
  if (second->node == NULL)
    PetscCall(PlaceComplain(&place, "name", "%s is already the name of a side of off_body", shown));
  else
    PetscCall(PlaceComplain(&place, "name", "%s is already the name of %s[%d]", shown,
                            first->body >= 0 ? "bodies" : "walls",
                            first->body >= 0 ? first->body : first->wall));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CheckNames(Arena *arena, const Place *top, CaseDraft *draft, Directory *names)
{
  PetscFunctionBeginUser;
  const Place bodies = place_inner(top, "bodies"), walls = place_inner(top, "walls");
  PetscCall(NameWalls(arena, &walls, &draft->the));
  const Node *item = draft->n_bodies > 0 ? bodies.node->first : NULL;
  for (int b = 0; b < draft->n_bodies; b++, item = item->next)
    PetscCall(CheckName(&bodies, item, b, draft->bodies[b].body.name));
  item = draft->the.n_walls > 0 ? walls.node->first : NULL;
  for (int w = 0; w < draft->the.n_walls; w++, item = item->next)
    PetscCall(CheckName(&walls, item, w, draft->the.walls[w].name));

  PetscCall(DirectoryCreate(arena, top, draft, names));
  int first = 0;
  for (int k = 1; k < names->n; k++) {
    if (strcmp(names->list[k].name, names->list[first].name) == 0)
      PetscCall(RefuseTwin(top, &names->list[first], &names->list[k]));
    else
      first = k;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Hertz needs to know how stiff everything is that may be touched. */
static PetscErrorCode CheckHertz(const Place *top, const CaseDraft *draft)
{
  PetscFunctionBeginUser;
  const Place bodies = place_inner(top, "bodies");
  const Node *item = draft->n_bodies > 0 ? bodies.node->first : NULL;
  for (int b = 0; b < draft->n_bodies; b++, item = item->next) {
    const Place place = place_item(&bodies, item, b);
    if (!place_has(&place, "shape")) continue;
    static const char *const keys[] = {"young", "poisson"};
    for (int k = 0; k < 2; k++)
      if (!place_has(&place, keys[k]))
        PetscCall(PlaceComplain(&place, keys[k], "missing, contact law hertz needs it"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool same_pair(const PairSpec *a, const PairSpec *b)
{
  if (a->bodies.n != 2 || b->bodies.n != 2) return false;
  const char *const *x = a->bodies.name, *const *y = b->bodies.name;
  return (strcmp(x[0], y[0]) == 0 && strcmp(x[1], y[1]) == 0) ||
         (strcmp(x[0], y[1]) == 0 && strcmp(x[1], y[0]) == 0);
}

static PetscErrorCode CheckPair(const Place *place, const Directory *names, const PairSpec *pair)
{
  PetscFunctionBeginUser;
  const int n = pair->bodies.n;
  if (node_find(place->node, "bodies") == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  if (n != 2) {
    if (node_find(place->node, "bodies")->kind == NODE_LIST)
      PetscCall(PlaceComplain(place, "bodies", "must be two names, got %d", n));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  const Named *found[2];
  for (int k = 0; k < 2; k++) {
    char key[32];
    snprintf(key, sizeof key, "bodies[%d]", k);
    const char *name = pair->bodies.name[k];
    found[k] = directory_find(names, name);
    if (found[k] == NULL && name[0] != '\0')
      PetscCall(DirectoryRefuse(names, place, key, "body or wall", name));
  }
  if (strcmp(pair->bodies.name[0], pair->bodies.name[1]) == 0)
    PetscCall(PlaceComplain(place, "bodies", "must be two different names"));
  else if (found[0] != NULL && found[1] != NULL && found[0]->body < 0 && found[1]->body < 0)
    PetscCall(PlaceComplain(place, "bodies", "must hold a body, got two walls"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckPairs(const Place *contact, const ContactSpec *spec,
                                 const Directory *names)
{
  PetscFunctionBeginUser;
  const Place pairs = place_inner(contact, "pairs");
  const Node *item = spec->n_pairs > 0 ? pairs.node->first : NULL;
  for (int p = 0; p < spec->n_pairs; p++, item = item->next) {
    const Place place = place_item(&pairs, item, p);
    PetscCall(CheckPair(&place, names, &spec->pairs[p]));
    for (int q = 0; q < p; q++)
      if (same_pair(&spec->pairs[p], &spec->pairs[q])) {
        PetscCall(PlaceComplain(&place, "bodies", "the same pair as contact.pairs[%d]", q));
        break;
      }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CheckContact(const Place *top, CaseDraft *draft, const Directory *names)
{
  PetscFunctionBeginUser;
  Case *c = &draft->the;
  for (int w = 0; w < c->n_walls; w++)
    if (vec3_finite(c->walls[w].normal)) c->walls[w].normal = direction_unit(c->walls[w].normal);
  const Place contact = place_inner(top, "contact");
  if (c->contact.tolerance >= 1.0)
    PetscCall(PlaceComplain(&contact, "tolerance",
                            "must be below 1, or bodies are smaller than it, got %g",
                            c->contact.tolerance));
  if (c->contact.law == LAW_HERTZ) PetscCall(CheckHertz(top, draft));
  PetscCall(CheckPairs(&contact, &c->contact, names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

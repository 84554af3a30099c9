/*
 * The schema of bodies: shapes, loads, near-body grids.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/schema_impl.h"

static const SchemaWord shape_words[] = {{"sphere", SHAPE_SPHERE},     {"box", SHAPE_BOX},
                                         {"cylinder", SHAPE_CYLINDER}, {"capsule", SHAPE_CAPSULE},
                                         {"cone", SHAPE_CONE},         {"stl", SHAPE_STL},
                                         {"cgns", SHAPE_CGNS},         {NULL, 0}};

enum {
  AXIAL = SCHEMA_BIT(SHAPE_CYLINDER) | SCHEMA_BIT(SHAPE_CAPSULE) | SCHEMA_BIT(SHAPE_CONE),
  ROUND = SCHEMA_BIT(SHAPE_SPHERE) | AXIAL,
  FILES = SCHEMA_BIT(SHAPE_STL) | SCHEMA_BIT(SHAPE_CGNS)
};

static int shape_variant(const void *at)
{
  const ShapeKind kind = ((const ShapeSpec *)at)->kind;
  return kind == SHAPE_NONE ? -1 : (int)kind;
}

static const SchemaKey shape_keys[] = {
    {"kind", TYPE_WORD, .offset = offsetof(ShapeSpec, kind), .words = shape_words, .required = true,
     .help = "a primitive, or a surface read from a file"},
    {"radius", TYPE_NUMBER, .offset = offsetof(ShapeSpec, radius), .unit = "m", .required = true,
     .bound = BOUND_POSITIVE, .variants = ROUND, .help = "radius; of a cone at its base"},
    {"size", TYPE_VECTOR, .offset = offsetof(ShapeSpec, size), .unit = "m", .required = true,
     .bound = BOUND_POSITIVE, .variants = SCHEMA_BIT(SHAPE_BOX), .help = "full edge lengths"},
    {"length", TYPE_NUMBER, .offset = offsetof(ShapeSpec, length), .unit = "m", .required = true,
     .bound = BOUND_POSITIVE, .variants = AXIAL,
     .help = "height; of a capsule the distance between the centres of its caps"},
    {"axis", TYPE_VECTOR, .offset = offsetof(ShapeSpec, axis), .standard = "[0, 0, 1]",
     .direction = true, .variants = AXIAL,
     .help = "direction of the axis; a cone points its apex along it"},
    {"file", TYPE_TEXT, .offset = offsetof(ShapeSpec, file), .required = true, .variants = FILES,
     .help = "surface file, relative to the case file"},
    {"families", TYPE_NAMES, .offset = offsetof(ShapeSpec, families),
     .variants = SCHEMA_BIT(SHAPE_CGNS), .help = "boundary families that form the surface"},
    {"scale", TYPE_NUMBER, .offset = offsetof(ShapeSpec, scale), .standard = "1",
     .bound = BOUND_POSITIVE, .variants = FILES, .help = "factor on the file's coordinates"},
    {"spacing", TYPE_NUMBER, .offset = offsetof(ShapeSpec, spacing), .unit = "m",
     .bound = BOUND_POSITIVE, .variants = ROUND | SCHEMA_BIT(SHAPE_BOX),
     .help = "longest surface edge; left out: 1/20 of the radius on curved parts, flat faces as "
             "coarse as their outline allows"},
};

static const SchemaSection shape_section = {
    .help = "The solid. Its origin is the centre of a sphere, box, cylinder or capsule, the centre "
            "of a cone's base, or the origin of the file. It may be left out of a fixed or "
            "prescribed body with `grid.file`, which then touches nothing.",
    .size = sizeof(ShapeSpec),
    .n_keys = SCHEMA_COUNT(shape_keys),
    .keys = shape_keys,
    .variants = shape_words,
    .variant_noun = "kind ",
    .variant = shape_variant};

static const SchemaKey attitude_keys[] = {
    {"axis", TYPE_VECTOR, .offset = offsetof(AttitudeDraft, axis), .direction = true,
     .help = "with `angle`: turned about this axis"},
    {"angle", TYPE_NUMBER, .offset = offsetof(AttitudeDraft, angle), .unit = "degrees",
     .help = "with `axis`: by this angle"},
    {"quaternion", TYPE_QUATERNION, .offset = offsetof(AttitudeDraft, quaternion),
     .help = "[w, x, y, z], scalar first; normalised"},
    {"euler", TYPE_VECTOR, .offset = offsetof(AttitudeDraft, euler), .unit = "degrees",
     .help = "[roll, pitch, yaw], applied z-y-x: R = Rz(yaw) Ry(pitch) Rx(roll)"},
};

static const SchemaSection attitude_section = {
    .help = "From body axes to inertial axes, in exactly one of the three forms. Left out: not "
            "turned.",
    .size = sizeof(AttitudeDraft),
    .n_keys = SCHEMA_COUNT(attitude_keys),
    .keys = attitude_keys};

static const SchemaKey drag_keys[] = {
    {"cd", TYPE_NUMBER, .offset = offsetof(DragSpec, cd), .required = true,
     .bound = BOUND_NOT_NEGATIVE, .help = "drag coefficient"},
    {"area", TYPE_NUMBER, .offset = offsetof(DragSpec, area), .unit = "m2", .required = true,
     .bound = BOUND_NOT_NEGATIVE, .help = "reference area"},
    {"density", TYPE_NUMBER, .offset = offsetof(DragSpec, density), .unit = "kg/m3",
     .required = true, .bound = BOUND_NOT_NEGATIVE, .help = "density of the air"},
};

static const SchemaSection drag_section = {
    .help = "A dry stand-in for air: -1/2 density area cd |v| v on the mass centre.",
    .size = sizeof(DragSpec),
    .n_keys = SCHEMA_COUNT(drag_keys),
    .keys = drag_keys};

static const SchemaWord frame_words[] = {
    {"body", FRAME_BODY}, {"inertial", FRAME_INERTIAL}, {NULL, 0}};

static const SchemaWord load_variants[] = {
    {"a force", LOAD_FORCE}, {"a table", LOAD_TABLE}, {"a drag", LOAD_DRAG}, {NULL, 0}};

static int load_variant(const void *at)
{
  const LoadSpec *load = at;
  const bool drag = !isnan(load->drag.cd) || !isnan(load->drag.area) || !isnan(load->drag.density);
  return drag ? LOAD_DRAG : load->table != NULL ? LOAD_TABLE : LOAD_FORCE;
}

enum { PUSHES = SCHEMA_BIT(LOAD_FORCE) | SCHEMA_BIT(LOAD_TABLE) };

static const SchemaKey load_keys[] = {
    {"force", TYPE_VECTOR, .offset = offsetof(LoadSpec, force), .unit = "N",
     .standard = "[0, 0, 0]", .variants = SCHEMA_BIT(LOAD_FORCE),
     .help = "force at the point `at`"},
    {"moment", TYPE_VECTOR, .offset = offsetof(LoadSpec, moment), .unit = "N m",
     .standard = "[0, 0, 0]", .variants = SCHEMA_BIT(LOAD_FORCE),
     .help = "moment besides that of force"},
    {"table", TYPE_TEXT, .offset = offsetof(LoadSpec, table), .variants = SCHEMA_BIT(LOAD_TABLE),
     .help = "file of rows t,fx,fy,fz,mx,my,mz in place of force and moment"},
    {"at", TYPE_VECTOR, .offset = offsetof(LoadSpec, at), .unit = "m", .standard = "[0, 0, 0]",
     .variants = PUSHES, .help = "where it acts: body axes, from the mass centre"},
    {"frame", TYPE_WORD, .offset = offsetof(LoadSpec, frame), .standard = "body",
     .words = frame_words, .variants = PUSHES, .help = "axes of force and moment"},
    {"from", TYPE_NUMBER, .offset = offsetof(LoadSpec, from), .unit = "s", .standard = "0",
     .help = "time at which it begins"},
    {"to", TYPE_NUMBER, .offset = offsetof(LoadSpec, to), .unit = "s", .unlimited = true,
     .help = "time at which it ends"},
    {"stroke", TYPE_NUMBER, .offset = offsetof(LoadSpec, stroke), .unit = "m", .unlimited = true,
     .bound = BOUND_POSITIVE, .variants = PUSHES,
     .help = "it ends when its point has moved that far"},
    {"relative_to", TYPE_TEXT, .offset = offsetof(LoadSpec, relative_to), .variants = PUSHES,
     .help = "body the stroke is measured from; it takes the reaction"},
    {"drag", TYPE_SECTION, .offset = offsetof(LoadSpec, drag), .section = &drag_section,
     .variants = SCHEMA_BIT(LOAD_DRAG), .help = "quadratic drag instead of a force"},
};

static const SchemaSection load_section = {
    .help = "An applied load: a force and a moment, a table of them, or a drag.",
    .size = sizeof(LoadSpec),
    .n_keys = SCHEMA_COUNT(load_keys),
    .keys = load_keys,
    .variants = load_variants,
    .variant_noun = "",
    .variant = load_variant};

#define FAMILIES(word, kind, text)                                                   \
  {                                                                                  \
    word, TYPE_NAMES, .offset = (kind) * sizeof(NameList), .help = "families: " text \
  }

static const SchemaKey family_keys[] = {
    FAMILIES("wall", BOUNDARY_WALL, "solid, no slip (slip under euler)"),
    FAMILIES("slip", BOUNDARY_SLIP, "solid without friction"),
    FAMILIES("symmetry", BOUNDARY_SYMMETRY, "plane of symmetry"),
    FAMILIES("overset", BOUNDARY_OVERSET, "filled from other grids"),
    FAMILIES("farfield", BOUNDARY_FARFIELD, "free stream"),
    FAMILIES("supersonic_in", BOUNDARY_SUPERSONIC_IN, "free stream, everything given"),
    FAMILIES("out", BOUNDARY_OUT, "everything leaves"),
    FAMILIES("periodic", BOUNDARY_PERIODIC, "joined to its opposite"),
};

static const SchemaSection family_section = {
    .help = "Which families of the grid are boundaries of which kind; the types in the file are "
            "only hints. An extruded grid has the families `body` (wall; slip under euler) and "
            "`outer` (overset with off_body, farfield without).",
    .size = sizeof(NameList[BOUNDARY_KINDS]),
    .n_keys = SCHEMA_COUNT(family_keys),
    .keys = family_keys};

static const SchemaWord grid_variants[] = {
    {"a grid file", GRID_FILE}, {"an extruded grid", GRID_EXTRUDED}, {NULL, 0}};

static int grid_variant(const void *at)
{
  return ((const GridSpec *)at)->file != NULL ? GRID_FILE : GRID_EXTRUDED;
}

static const SchemaKey grid_keys[] = {
    {"file", TYPE_TEXT, .offset = offsetof(GridSpec, file),
     .help = "grid file in shape coordinates; left out: extruded from the surface"},
    {"layers", TYPE_INTEGER, .offset = offsetof(GridSpec, layers), .standard = "24",
     .bound = BOUND_AT_LEAST_ONE, .variants = SCHEMA_BIT(GRID_EXTRUDED),
     .help = "number of layers"},
    {"first", TYPE_NUMBER, .offset = offsetof(GridSpec, first), .unit = "m", .required = true,
     .bound = BOUND_POSITIVE, .word = "auto", .variants = SCHEMA_BIT(GRID_EXTRUDED),
     .help =
         "height of the first layer; auto: from `y_plus`, the free stream and the length of the "
         "body"},
    {"y_plus", TYPE_NUMBER, .offset = offsetof(GridSpec, y_plus), .standard = "1",
     .bound = BOUND_POSITIVE, .variants = SCHEMA_BIT(GRID_EXTRUDED),
     .help = "where `first: auto` puts the centres of the first cells, in units of the wall"},
    {"growth", TYPE_NUMBER, .offset = offsetof(GridSpec, growth), .standard = "1.2",
     .bound = BOUND_AT_LEAST_ONE, .variants = SCHEMA_BIT(GRID_EXTRUDED),
     .help = "ratio of the heights of neighbouring layers"},
    {"wall_temperature", TYPE_NUMBER, .offset = offsetof(GridSpec, wall_temperature), .unit = "K",
     .bound = BOUND_POSITIVE, .help = "isothermal no-slip walls; left out: adiabatic"},
    {"boundaries", TYPE_SECTION, .offset = offsetof(GridSpec, boundaries),
     .section = &family_section, .help = "families of each kind of boundary"},
};

const SchemaSection schema_grid = {
    .help = "The near-body grid of a wet run, read from a file or extruded from the surface.",
    .size = sizeof(GridSpec),
    .n_keys = SCHEMA_COUNT(grid_keys),
    .keys = grid_keys,
    .has_given = true,
    .given = offsetof(GridSpec, given),
    .variants = grid_variants,
    .variant_noun = "",
    .variant = grid_variant};

static const SchemaWord motion_words[] = {
    {"free", MOTION_FREE},   {"fixed", MOTION_FIXED},           {"axis", MOTION_AXIS},
    {"point", MOTION_POINT}, {"prescribed", MOTION_PRESCRIBED}, {NULL, 0}};

static const SchemaKey body_keys[] = {
    {"name", TYPE_TEXT, .offset = offsetof(BodyDraft, body.name), .required = true,
     .help = "unique among bodies and walls"},
    {"shape", TYPE_SECTION, .offset = offsetof(BodyDraft, body.shape), .section = &shape_section,
     .help = "the solid"},
    {"mass", TYPE_NUMBER, .offset = offsetof(BodyDraft, body.mass), .unit = "kg",
     .bound = BOUND_POSITIVE,
     .help = "or `density`; bodies that move freely, on an axis or on a "
             "point need one of them"},
    {"density", TYPE_NUMBER, .offset = offsetof(BodyDraft, body.density), .unit = "kg/m3",
     .bound = BOUND_POSITIVE, .help = "of the solid, instead of `mass`"},
    {"inertia", TYPE_INERTIA, .offset = offsetof(BodyDraft, body.inertia),
     .extra = offsetof(BodyDraft, body.n_inertia), .unit = "kg m2",
     .help = "about the mass centre, shape axes: 3 diagonal values or 6 (xx, yy, zz, xy, xz, yz); "
             "left out: from the shape"},
    {"center", TYPE_VECTOR, .offset = offsetof(BodyDraft, body.center), .unit = "m",
     .help = "mass centre in shape coordinates; left out: from the shape"},
    {"position", TYPE_VECTOR, .offset = offsetof(BodyDraft, body.position), .unit = "m",
     .standard = "[0, 0, 0]", .help = "mass centre at the start, inertial axes"},
    {"attitude", TYPE_ATTITUDE, .offset = offsetof(BodyDraft, body.attitude),
     .section = &attitude_section, .help = "how the body is turned at the start"},
    {"velocity", TYPE_VECTOR, .offset = offsetof(BodyDraft, body.velocity), .unit = "m/s",
     .help = "of the mass centre, inertial axes; left out: [0, 0, 0], or what spin and pivot make "
             "it on an axis or a point"},
    {"spin", TYPE_VECTOR, .offset = offsetof(BodyDraft, body.spin), .unit = "rad/s",
     .help = "angular velocity, inertial axes; left out: [0, 0, 0]. On an axis only the part along "
             "it is kept"},
    {"spin_body", TYPE_VECTOR, .offset = offsetof(BodyDraft, body.spin_body), .unit = "rad/s",
     .help = "angular velocity in body axes, instead of `spin`"},
    {"motion", TYPE_WORD, .offset = offsetof(BodyDraft, body.motion), .standard = "free",
     .words = motion_words,
     .help = "free flight, held fast, turning about a fixed axis or point, or prescribed: "
             "velocity and spin stay as given, or follow `motion_table`"},
    {"pivot", TYPE_VECTOR, .offset = offsetof(BodyDraft, body.pivot), .unit = "m",
     .help = "motion axis or point: inertial point that stays"},
    {"axis", TYPE_VECTOR, .offset = offsetof(BodyDraft, body.axis), .direction = true,
     .help = "motion axis: inertial direction"},
    {"motion_table", TYPE_TEXT, .offset = offsetof(BodyDraft, body.motion_table),
     .help = "motion prescribed: file of rows time,x,y,z,qw,qx,qy,qz; cubic in position, slerp in "
             "attitude"},
    {"release", TYPE_NUMBER, .offset = offsetof(BodyDraft, body.release), .unit = "s",
     .standard = "0", .bound = BOUND_NOT_NEGATIVE,
     .help = "a free body stands still until then, and starts with its velocity and spin"},
    {"restitution", TYPE_NUMBER, .offset = offsetof(BodyDraft, body.restitution), .standard = "1",
     .bound = BOUND_SHARE, .help = "a pair takes the smaller of the two"},
    {"friction", TYPE_NUMBER, .offset = offsetof(BodyDraft, body.friction), .standard = "0",
     .bound = BOUND_NOT_NEGATIVE, .help = "Coulomb's; a pair takes the smaller of the two"},
    {"young", TYPE_NUMBER, .offset = offsetof(BodyDraft, body.young), .unit = "Pa",
     .bound = BOUND_POSITIVE, .help = "Young's modulus; needed by law hertz"},
    {"poisson", TYPE_NUMBER, .offset = offsetof(BodyDraft, body.poisson), .bound = BOUND_POISSON,
     .help = "Poisson's ratio; needed by law hertz"},
    {"loads", TYPE_LIST, .offset = offsetof(BodyDraft, body.loads),
     .extra = offsetof(BodyDraft, body.n_loads), .section = &load_section, .help = "applied loads"},
    {"grid", TYPE_SECTION, .offset = offsetof(BodyDraft, grid), .section = &schema_grid,
     .help = "near-body grid of a wet run"},
};

const SchemaSection schema_body = {
    .help = "A rigid body. Body axes are the shape axes moved to the mass centre: a point p of the "
            "shape lies at position + R (p - center).",
    .size = sizeof(BodyDraft),
    .n_keys = SCHEMA_COUNT(body_keys),
    .keys = body_keys};

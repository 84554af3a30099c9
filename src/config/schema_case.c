/*
 * The schema of a case: its top level, walls, contact, overset and output.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/schema_impl.h"

static const SchemaKey time_keys[] = {
    {"step", TYPE_NUMBER, .offset = offsetof(TimeSpec, step), .unit = "s", .required = true,
     .bound = BOUND_POSITIVE, .help = "length of a step; the last one is shortened to fit"},
    {"end", TYPE_NUMBER, .offset = offsetof(TimeSpec, end), .unit = "s", .required = true,
     .bound = BOUND_POSITIVE, .help = "the run goes from 0 to here"},
};

static const SchemaSection time_section = {.help = "How long and in which steps.",
                                           .size = sizeof(TimeSpec),
                                           .n_keys = SCHEMA_COUNT(time_keys),
                                           .keys = time_keys};

static const SchemaKey wall_keys[] = {
    {"name", TYPE_TEXT, .offset = offsetof(WallSpec, name),
     .help = "unique among bodies and walls; left out: wall0, wall1, ..."},
    {"point", TYPE_VECTOR, .offset = offsetof(WallSpec, point), .unit = "m", .required = true,
     .help = "a point of its plane"},
    {"normal", TYPE_VECTOR, .offset = offsetof(WallSpec, normal), .required = true,
     .direction = true, .help = "points to the side of the bodies"},
    {"restitution", TYPE_NUMBER, .offset = offsetof(WallSpec, restitution), .standard = "1",
     .bound = BOUND_SHARE, .help = "a pair takes the smaller of the two"},
    {"friction", TYPE_NUMBER, .offset = offsetof(WallSpec, friction), .standard = "0",
     .bound = BOUND_NOT_NEGATIVE, .help = "a pair takes the smaller of the two"},
};

static const SchemaSection wall_section = {
    .help = "A rigid half-space that bodies strike. The air does not see it; its solid sides are "
            "off_body.boundaries.",
    .size = sizeof(WallSpec),
    .n_keys = SCHEMA_COUNT(wall_keys),
    .keys = wall_keys};

static const SchemaWord law_words[] = {{"auto", LAW_AUTO},       {"algebraic", LAW_ALGEBRAIC},
                                       {"stronge", LAW_STRONGE}, {"hertz", LAW_HERTZ},
                                       {"none", LAW_NONE},       {NULL, 0}};

static const SchemaWord primitives_words[] = {
    {"exact", PRIMITIVES_EXACT}, {"xray", PRIMITIVES_XRAY}, {NULL, 0}};

static const SchemaKey pair_keys[] = {
    {"bodies", TYPE_NAMES, .offset = offsetof(PairSpec, bodies), .required = true,
     .help = "two names: of bodies, or of a body and a wall"},
    {"restitution", TYPE_NUMBER, .offset = offsetof(PairSpec, restitution), .bound = BOUND_SHARE,
     .help = "left out: the smaller of the two"},
    {"friction", TYPE_NUMBER, .offset = offsetof(PairSpec, friction), .bound = BOUND_NOT_NEGATIVE,
     .help = "left out: the smaller of the two"},
    {"ignore", TYPE_FLAG, .offset = offsetof(PairSpec, ignore), .standard = "false",
     .help = "the two pass through each other"},
};

static const SchemaSection pair_section = {.help = "What holds for one pair only.",
                                           .size = sizeof(PairSpec),
                                           .n_keys = SCHEMA_COUNT(pair_keys),
                                           .keys = pair_keys};

static const SchemaKey contact_keys[] = {
    {"law", TYPE_WORD, .offset = offsetof(ContactSpec, law), .standard = "auto", .words = law_words,
     .help = "how impacts are resolved"},
    {"tolerance", TYPE_NUMBER, .offset = offsetof(ContactSpec, tolerance), .standard = "1e-6",
     .bound = BOUND_POSITIVE,
     .help = "gap at which surfaces touch, relative to the smaller body's size; never under four "
             "times the error of the geometry"},
    {"allow_initial_overlap", TYPE_FLAG, .offset = offsetof(ContactSpec, allow_initial_overlap),
     .standard = "false",
     .help = "bodies may overlap at the start by more than 1e-4 of their size"},
    {"primitives", TYPE_WORD, .offset = offsetof(ContactSpec, primitives), .standard = "exact",
     .words = primitives_words,
     .help = "how spheres and capsules touch each other and walls: in closed form, or by their "
             "x-rays as all other shapes do"},
    {"resting_speed", TYPE_NUMBER, .offset = offsetof(ContactSpec, resting_speed), .unit = "m/s",
     .standard = "auto", .word = "auto", .bound = BOUND_NOT_NEGATIVE,
     .help = "below it restitution is zero; auto: 1e-4 sqrt(|gravity| size), 0 without gravity"},
    {"pairs", TYPE_LIST, .offset = offsetof(ContactSpec, pairs),
     .extra = offsetof(ContactSpec, n_pairs), .section = &pair_section,
     .help = "overrides for single pairs"},
};

static const SchemaSection contact_section = {.help = "How bodies strike each other and the walls.",
                                              .size = sizeof(ContactSpec),
                                              .n_keys = SCHEMA_COUNT(contact_keys),
                                              .keys = contact_keys};

static const SchemaKey reference_keys[] = {
    {"length", TYPE_NUMBER, .offset = offsetof(ReferenceSpec, length), .unit = "m", .standard = "1",
     .bound = BOUND_POSITIVE, .help = "of moment coefficients and of reynolds"},
    {"area", TYPE_NUMBER, .offset = offsetof(ReferenceSpec, area), .unit = "m2", .standard = "1",
     .bound = BOUND_POSITIVE, .help = "of force coefficients"},
    {"point", TYPE_VECTOR, .offset = offsetof(ReferenceSpec, point), .unit = "m",
     .standard = "[0, 0, 0]", .help = "of moments"},
};

static const SchemaSection reference_section = {.help = "What coefficients refer to.",
                                                .size = sizeof(ReferenceSpec),
                                                .n_keys = SCHEMA_COUNT(reference_keys),
                                                .keys = reference_keys};

static const SchemaKey overset_keys[] = {
    {"max_orphans", TYPE_NUMBER, .offset = offsetof(OversetSpec, max_orphans), .standard = "0.001",
     .bound = BOUND_SHARE,
     .help = "share of fringe cells without a donor above which the run stops"},
    {"fringe", TYPE_INTEGER, .offset = offsetof(OversetSpec, fringe), .unit = "layers",
     .standard = "auto", .word = "auto", .bound = BOUND_AT_LEAST_ONE,
     .help = "fringe layers; auto: as many as the scheme needs"},
    {"priority", TYPE_NAMES, .offset = offsetof(OversetSpec, priority),
     .help = "bodies whose grids win, first ones first; only to override"},
};

static const SchemaSection overset_section = {.help = "How the grids are joined.",
                                              .size = sizeof(OversetSpec),
                                              .n_keys = SCHEMA_COUNT(overset_keys),
                                              .keys = overset_keys};

static const SchemaWord quantity_words[] = {
    {"mach", QUANTITY_MACH},         {"density", QUANTITY_DENSITY},
    {"pressure", QUANTITY_PRESSURE}, {"temperature", QUANTITY_TEMPERATURE},
    {"speed", QUANTITY_SPEED},       {NULL, 0}};

static const SchemaKey slice_keys[] = {
    {"point", TYPE_VECTOR, .offset = offsetof(SliceSpec, point), .unit = "m", .required = true,
     .help = "a point of the plane"},
    {"normal", TYPE_VECTOR, .offset = offsetof(SliceSpec, normal), .required = true,
     .direction = true, .help = "normal of the plane"},
    {"every", TYPE_INTEGER, .offset = offsetof(SliceSpec, every), .unit = "steps", .standard = "10",
     .bound = BOUND_AT_LEAST_ONE, .help = "steps between files"},
    {"quantity", TYPE_WORD, .offset = offsetof(SliceSpec, quantity), .standard = "mach",
     .words = quantity_words, .help = "what the picture shows; the CGNS file has all of them"},
    {"low", TYPE_NUMBER, .offset = offsetof(SliceSpec, low),
     .help = "lower end of the colours; left out: that of the values"},
    {"high", TYPE_NUMBER, .offset = offsetof(SliceSpec, high),
     .help = "upper end of the colours; left out: that of the values"},
    {"width", TYPE_NUMBER, .offset = offsetof(SliceSpec, width), .unit = "m",
     .bound = BOUND_POSITIVE,
     .help = "side of the square around point that the picture shows; left "
             "out: all there is"},
};

static const SchemaSection slice_section = {.help = "A plane through the flow, written often.",
                                            .size = sizeof(SliceSpec),
                                            .n_keys = SCHEMA_COUNT(slice_keys),
                                            .keys = slice_keys};

static const SchemaKey output_keys[] = {
    {"directory", TYPE_TEXT, .offset = offsetof(OutputSpec, directory),
     .help = "where results go; left out: beside the case file, its name with .out"},
    {"history", TYPE_INTEGER, .offset = offsetof(OutputSpec, history), .unit = "steps",
     .standard = "1", .bound = BOUND_AT_LEAST_ONE, .help = "steps between rows of the histories"},
    {"fields", TYPE_INTEGER, .offset = offsetof(OutputSpec, fields), .unit = "steps",
     .standard = "50", .bound = BOUND_NOT_NEGATIVE,
     .help = "steps between CGNS field files; 0: none"},
    {"surfaces", TYPE_INTEGER, .offset = offsetof(OutputSpec, surfaces), .unit = "steps",
     .standard = "0", .bound = BOUND_NOT_NEGATIVE,
     .help = "steps between CGNS files of pressure and friction on bodies; 0: none but in fields"},
    {"checkpoint", TYPE_INTEGER, .offset = offsetof(OutputSpec, checkpoint), .unit = "steps",
     .standard = "100", .bound = BOUND_NOT_NEGATIVE,
     .help = "steps between checkpoints; 0: only at the end and on request"},
    {"slices", TYPE_LIST, .offset = offsetof(OutputSpec, slices),
     .extra = offsetof(OutputSpec, n_slices), .section = &slice_section,
     .help = "planes through the flow"},
};

static const SchemaSection output_section = {.help = "What is written, and how often.",
                                             .size = sizeof(OutputSpec),
                                             .n_keys = SCHEMA_COUNT(output_keys),
                                             .keys = output_keys};

static const SchemaKey case_keys[] = {
    {"title", TYPE_TEXT, .offset = offsetof(CaseDraft, the.title), .standard = "",
     .may_be_empty = true, .help = "one line for people"},
    {"gravity", TYPE_VECTOR, .offset = offsetof(CaseDraft, the.gravity), .unit = "m/s2",
     .standard = "[0, 0, 0]", .help = "acceleration of free fall"},
    {"time", TYPE_SECTION, .offset = offsetof(CaseDraft, the.time), .section = &time_section,
     .required = true, .help = "how long and in which steps"},
    {"bodies", TYPE_LIST, .offset = offsetof(CaseDraft, bodies),
     .extra = offsetof(CaseDraft, n_bodies), .section = &schema_body,
     .help = "at least one in a dry run"},
    {"walls", TYPE_LIST, .offset = offsetof(CaseDraft, the.walls),
     .extra = offsetof(CaseDraft, the.n_walls), .section = &wall_section,
     .help = "rigid half-spaces that bodies strike"},
    {"contact", TYPE_SECTION, .offset = offsetof(CaseDraft, the.contact),
     .section = &contact_section, .help = "how bodies strike each other and the walls"},
    {"flow", TYPE_SECTION, .offset = offsetof(CaseDraft, the.flow), .section = &schema_flow,
     .help = "the air; left out: a dry run"},
    {"reference", TYPE_SECTION, .offset = offsetof(CaseDraft, the.reference),
     .section = &reference_section, .help = "what coefficients refer to"},
    {"off_body", TYPE_SECTION, .offset = offsetof(CaseDraft, the.off_body),
     .section = &schema_off_body, .help = "the forest of patches around the bodies"},
    {"overset", TYPE_SECTION, .offset = offsetof(CaseDraft, the.overset),
     .section = &overset_section, .help = "how the grids are joined"},
    {"output", TYPE_SECTION, .offset = offsetof(CaseDraft, the.output), .section = &output_section,
     .help = "what is written, and how often"},
};

const SchemaSection schema_case = {.help =
                                       "Any consistent units will do; the ones named here are SI.",
                                   .size = sizeof(CaseDraft),
                                   .n_keys = SCHEMA_COUNT(case_keys),
                                   .keys = case_keys};

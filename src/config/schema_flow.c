/*
 * The schema of the air: flow, free stream, the off-body forest.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/schema_impl.h"

static const SchemaKey gas_keys[] = {
    {"gamma", TYPE_NUMBER, .offset = offsetof(GasSpec, gamma), .standard = "1.4",
     .bound = BOUND_ABOVE_ONE, .help = "ratio of specific heats"},
    {"gas_constant", TYPE_NUMBER, .offset = offsetof(GasSpec, gas_constant), .unit = "J/(kg K)",
     .standard = "287.05", .bound = BOUND_POSITIVE, .help = "p = density gas_constant temperature"},
    {"prandtl", TYPE_NUMBER, .offset = offsetof(GasSpec, prandtl), .standard = "0.72",
     .bound = BOUND_POSITIVE, .help = "Prandtl number"},
    {"viscosity", TYPE_NUMBER, .offset = offsetof(GasSpec, viscosity), .unit = "Pa s",
     .standard = "sutherland", .word = "sutherland", .bound = BOUND_NOT_NEGATIVE,
     .help = "Sutherland's law for air in SI units, or a constant"},
};

static const SchemaSection gas_section = {.help = "An ideal gas.",
                                          .size = sizeof(GasSpec),
                                          .n_keys = SCHEMA_COUNT(gas_keys),
                                          .keys = gas_keys};

static const SchemaWord stream_variants[] = {
    {"mach", STREAM_MACH}, {"velocity", STREAM_VELOCITY}, {NULL, 0}};

static int stream_variant(const void *at)
{
  const FreestreamSpec *stream = at;
  return !isnan(stream->mach) ? STREAM_MACH : !isnan(stream->velocity.x) ? STREAM_VELOCITY : -1;
}

static const SchemaKey freestream_keys[] = {
    {"mach", TYPE_NUMBER, .offset = offsetof(FreestreamSpec, mach), .bound = BOUND_NOT_NEGATIVE,
     .help = "Mach number"},
    {"velocity", TYPE_VECTOR, .offset = offsetof(FreestreamSpec, velocity), .unit = "m/s",
     .help = "instead of `mach`, `alpha` and `beta`"},
    {"alpha", TYPE_NUMBER, .offset = offsetof(FreestreamSpec, alpha), .unit = "degrees",
     .standard = "0", .variants = SCHEMA_BIT(STREAM_MACH),
     .help = "turns the stream up, to +z; zero is along +x"},
    {"beta", TYPE_NUMBER, .offset = offsetof(FreestreamSpec, beta), .unit = "degrees",
     .standard = "0", .variants = SCHEMA_BIT(STREAM_MACH), .help = "turns the stream to +y"},
    {"pressure", TYPE_NUMBER, .offset = offsetof(FreestreamSpec, pressure), .unit = "Pa",
     .bound = BOUND_POSITIVE, .help = "two of pressure, temperature and density are given"},
    {"temperature", TYPE_NUMBER, .offset = offsetof(FreestreamSpec, temperature), .unit = "K",
     .bound = BOUND_POSITIVE, .help = "two of pressure, temperature and density are given"},
    {"density", TYPE_NUMBER, .offset = offsetof(FreestreamSpec, density), .unit = "kg/m3",
     .bound = BOUND_POSITIVE, .help = "two of pressure, temperature and density are given"},
    {"altitude", TYPE_NUMBER, .offset = offsetof(FreestreamSpec, altitude), .unit = "m",
     .bound = BOUND_ALTITUDE, .variants = SCHEMA_BIT(STREAM_MACH),
     .help = "standard atmosphere instead of pressure, temperature and density"},
};

static const SchemaSection freestream_section = {
    .help = "The undisturbed air: `mach` with two of pressure, temperature and density, or with "
            "`altitude`; or `velocity` with two of them.",
    .size = sizeof(FreestreamSpec),
    .n_keys = SCHEMA_COUNT(freestream_keys),
    .keys = freestream_keys,
    .variants = stream_variants,
    .variant_noun = "",
    .variant = stream_variant};

static const SchemaKey steady_keys[] = {
    {"iterations", TYPE_INTEGER, .offset = offsetof(SteadyStartSpec, iterations), .standard = "500",
     .bound = BOUND_AT_LEAST_ONE, .help = "at most so many"},
    {"drop", TYPE_NUMBER, .offset = offsetof(SteadyStartSpec, drop), .standard = "1e-4",
     .bound = BOUND_POSITIVE, .help = "stop when the residual has fallen to this share"},
};

static const SchemaSection steady_section = {
    .help = "A steady flow about the bodies at rest, before they are let go.",
    .size = sizeof(SteadyStartSpec),
    .n_keys = SCHEMA_COUNT(steady_keys),
    .keys = steady_keys,
    .has_given = true,
    .given = offsetof(SteadyStartSpec, given)};

static const SchemaKey turbulence_keys[] = {
    {"order", TYPE_INTEGER, .offset = offsetof(SaSpec, order), .standard = "2",
     .bound = BOUND_ONE_OR_TWO, .help = "of accuracy of the convection of nu_tilde"},
    {"rotation", TYPE_FLAG, .offset = offsetof(SaSpec, rotation), .standard = "false",
     .help = "make less of it where the flow turns more than it strains: in vortices"},
    {"ddes", TYPE_FLAG, .offset = offsetof(SaSpec, ddes), .standard = "false",
     .help = "away from walls take the size of cells for the length: delayed detached eddies"},
};

static const SchemaSection turbulence_section = {
    .help = "The turbulence model of equations rans: Spalart and Allmaras, negative variant.",
    .size = sizeof(SaSpec),
    .n_keys = SCHEMA_COUNT(turbulence_keys),
    .keys = turbulence_keys};

static const SchemaWord equations_words[] = {{"euler", EQUATIONS_EULER},
                                             {"laminar", EQUATIONS_LAMINAR},
                                             {"rans", EQUATIONS_RANS},
                                             {NULL, 0}};
static const SchemaWord initial_words[] = {{"freestream", INITIAL_FREESTREAM},
                                           {"vortex", INITIAL_VORTEX},
                                           {"sod", INITIAL_SOD},
                                           {"blast", INITIAL_BLAST},
                                           {NULL, 0}};
static const SchemaWord integrator_words[] = {{"bdf2", INTEGRATOR_BDF2},
                                              {"ssprk3", INTEGRATOR_SSPRK3},
                                              {"mixed", INTEGRATOR_MIXED},
                                              {NULL, 0}};
static const SchemaWord flux_words[] = {{"hllc", FLUX_HLLC}, {NULL, 0}};
static const SchemaWord coupling_words[] = {
    {"loose", COUPLING_LOOSE}, {"strong", COUPLING_STRONG}, {NULL, 0}};

static const SchemaKey flow_keys[] = {
    {"equations", TYPE_WORD, .offset = offsetof(FlowSpec, equations), .standard = "euler",
     .words = equations_words, .help = "without friction, laminar, or turbulent"},
    {"turbulence", TYPE_SECTION, .offset = offsetof(FlowSpec, turbulence),
     .section = &turbulence_section, .help = "of equations rans"},
    {"gas", TYPE_SECTION, .offset = offsetof(FlowSpec, gas), .section = &gas_section,
     .help = "what the air is"},
    {"freestream", TYPE_SECTION, .offset = offsetof(FlowSpec, freestream),
     .section = &freestream_section, .required = true, .help = "the undisturbed air"},
    {"reynolds", TYPE_NUMBER, .offset = offsetof(FlowSpec, reynolds), .bound = BOUND_POSITIVE,
     .help = "with reference.length: sets the viscosity instead of gas.viscosity"},
    {"initial", TYPE_INITIAL, .offset = offsetof(FlowSpec, initial),
     .extra = offsetof(FlowSpec, initial_directory), .standard = "freestream",
     .words = initial_words,
     .help = "what fills the domain at the start, about reference.point with reference.length; "
             "any other text is the directory of a checkpoint"},
    {"integrator", TYPE_WORD, .offset = offsetof(FlowSpec, integrator), .standard = "bdf2",
     .words = integrator_words,
     .help = "implicit, explicit, or near-body implicit with off-body explicit"},
    {"cfl", TYPE_NUMBER, .offset = offsetof(FlowSpec, cfl), .standard = "0.5",
     .bound = BOUND_POSITIVE, .help = "explicit parts: sub-steps of time.step keep to it"},
    {"flux", TYPE_WORD, .offset = offsetof(FlowSpec, flux), .standard = "hllc", .words = flux_words,
     .help = "numerical flux"},
    {"steady_start", TYPE_SECTION, .offset = offsetof(FlowSpec, steady_start),
     .section = &steady_section, .help = "find a steady flow first"},
    {"coupling", TYPE_WORD, .offset = offsetof(FlowSpec, coupling), .standard = "loose",
     .words = coupling_words,
     .help = "strong repeats bodies and air within a step; light bodies need it"},
};

const SchemaSection schema_flow = {.help = "The air. Left out: a dry run.",
                                   .size = sizeof(FlowSpec),
                                   .n_keys = SCHEMA_COUNT(flow_keys),
                                   .keys = flow_keys,
                                   .has_given = true,
                                   .given = offsetof(FlowSpec, given)};

static const SchemaKey box_keys[] = {
    {"min", TYPE_VECTOR, .offset = offsetof(Box, lo), .unit = "m", .required = true,
     .help = "lower corner"},
    {"max", TYPE_VECTOR, .offset = offsetof(Box, hi), .unit = "m", .required = true,
     .help = "upper corner"},
};

static const SchemaSection box_section = {
    .help = "The domain.", .size = sizeof(Box), .n_keys = SCHEMA_COUNT(box_keys), .keys = box_keys};

static const SchemaKey refine_keys[] = {
    {"min", TYPE_VECTOR, .offset = offsetof(RefineSpec, min), .unit = "m", .required = true,
     .help = "lower corner"},
    {"max", TYPE_VECTOR, .offset = offsetof(RefineSpec, max), .unit = "m", .required = true,
     .help = "upper corner"},
    {"level", TYPE_INTEGER, .offset = offsetof(RefineSpec, level), .required = true,
     .bound = BOUND_NOT_NEGATIVE, .help = "level 0 has `spacing`, level k has spacing / 2^k"},
};

static const SchemaSection refine_section = {.help = "A box that is refined.",
                                             .size = sizeof(RefineSpec),
                                             .n_keys = SCHEMA_COUNT(refine_keys),
                                             .keys = refine_keys};

static const SchemaWord sensor_words[] = {{"density", SENSOR_DENSITY},
                                          {"pressure", SENSOR_PRESSURE},
                                          {"vorticity", SENSOR_VORTICITY},
                                          {"entropy", SENSOR_ENTROPY},
                                          {NULL, 0}};

static const SchemaKey adapt_keys[] = {
    {"every", TYPE_INTEGER, .offset = offsetof(AdaptSpec, every), .unit = "steps", .standard = "10",
     .bound = BOUND_AT_LEAST_ONE, .help = "steps between adaptations"},
    {"sensor", TYPE_WORD, .offset = offsetof(AdaptSpec, sensor), .standard = "density",
     .words = sensor_words, .help = "what is watched"},
    {"threshold", TYPE_NUMBER, .offset = offsetof(AdaptSpec, threshold), .standard = "0.05",
     .bound = BOUND_POSITIVE, .help = "refine where the sensor is above it"},
};

static const SchemaSection adapt_section = {.help = "Refinement that follows the flow.",
                                            .size = sizeof(AdaptSpec),
                                            .n_keys = SCHEMA_COUNT(adapt_keys),
                                            .keys = adapt_keys,
                                            .has_given = true,
                                            .given = offsetof(AdaptSpec, given)};

static const SchemaWord side_words[] = {{"farfield", BOUNDARY_FARFIELD},
                                        {"symmetry", BOUNDARY_SYMMETRY},
                                        {"slip", BOUNDARY_SLIP},
                                        {"periodic", BOUNDARY_PERIODIC},
                                        {"supersonic_in", BOUNDARY_SUPERSONIC_IN},
                                        {"out", BOUNDARY_OUT},
                                        {NULL, 0}};

#define SIDE(word, k)                                                                     \
  {                                                                                       \
    word, TYPE_WORD, .offset = (k) * sizeof(BoundaryKind), .standard = "farfield",        \
                     .words = side_words, .help = "symmetry and slip stop bodies as well" \
  }

static const SchemaKey side_keys[] = {SIDE("xmin", 0), SIDE("xmax", 1), SIDE("ymin", 2),
                                      SIDE("ymax", 3), SIDE("zmin", 4), SIDE("zmax", 5)};

static const SchemaSection side_section = {.help = "The sides of the box.",
                                           .size = sizeof(BoundaryKind[SIDES]),
                                           .n_keys = SCHEMA_COUNT(side_keys),
                                           .keys = side_keys};

static const SchemaKey off_body_keys[] = {
    {"box", TYPE_SECTION, .offset = offsetof(OffBodySpec, box), .section = &box_section,
     .required = true, .help = "the domain"},
    {"spacing", TYPE_NUMBER, .offset = offsetof(OffBodySpec, spacing), .unit = "m",
     .required = true, .bound = BOUND_POSITIVE,
     .help = "coarsest cells; the box grows at its max sides to whole patches, but periodic sides "
             "must fit"},
    {"refine", TYPE_LIST, .offset = offsetof(OffBodySpec, refine),
     .extra = offsetof(OffBodySpec, n_refine), .section = &refine_section,
     .help = "boxes of finer cells"},
    {"levels", TYPE_INTEGER, .offset = offsetof(OffBodySpec, levels), .standard = "5",
     .bound = BOUND_LEVELS, .help = "finest cells are spacing / 2^(levels-1)"},
    {"patch", TYPE_INTEGER, .offset = offsetof(OffBodySpec, patch), .standard = "16",
     .bound = BOUND_PATCH, .help = "cells along the edge of a patch, an even number"},
    {"order", TYPE_INTEGER, .offset = offsetof(OffBodySpec, order), .standard = "5",
     .bound = BOUND_ORDER, .help = "order of accuracy"},
    {"boundaries", TYPE_SECTION, .offset = offsetof(OffBodySpec, boundaries),
     .section = &side_section, .help = "the sides of the box"},
    {"adapt", TYPE_SECTION, .offset = offsetof(OffBodySpec, adapt), .section = &adapt_section,
     .help = "refinement that follows the flow"},
};

const SchemaSection schema_off_body = {.help = "The forest of patches around the bodies.",
                                       .size = sizeof(OffBodySpec),
                                       .n_keys = SCHEMA_COUNT(off_body_keys),
                                       .keys = off_body_keys,
                                       .has_given = true,
                                       .given = offsetof(OffBodySpec, given)};

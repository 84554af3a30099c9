/*
 * The kernels again with vectors of two lanes, the width of the plainest machine: the same tests,
 * so the same results to the same tolerance.
 */
#define LANES 2
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#include "flow/patch_gather_kernels.c"
#include "flow/patch_order2_kernels.c"
#include "flow/patch_order5_kernels.c"
#include "flow/patch_survey_kernels.c"
#include "flow/patch_sweep_kernels.c"

#include "test_flow_patch.c"

/*
 * The loop around the step: histories, checkpoints, requests to stop, and the way out.
 *
 * A row that is written only because the run stops here goes into the histories after the
 * checkpoint, so that a resumed run cuts it off and the files come out as if never stopped.
 */
#include "sim/progress.h"
#include "sim/sim.h"
#include "sim/stop.h"

#include <math.h>

static RunFacts facts_of(const Sim *s)
{
  RunFacts facts = {.step = s->step, .n_steps = s->n_steps, .n_contacts = s->n_contacts};
  facts.t = bodies_time(s->bodies);
  facts.seconds = clock_now() - s->clock.started;
  facts.case_hash = s->case_hash;
  MPI_Comm_size(s->comm, &facts.ranks);
  return facts;
}

/* Bring all histories to the disk. Collective. */
static PetscErrorCode flush(Sim *s)
{
  PetscFunctionBeginUser;
  PetscCall(OutputFlush(&s->output));
  if (s->air != NULL && s->air->history != NULL) PetscCall(HistoryFlush(s->air->history, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool has_row(const Sim *s)
{
  return s->step % s->the_case->output.history == 0 || s->step == s->n_steps;
}

static PetscErrorCode write_checkpoint(Sim *s)
{
  PetscFunctionBeginUser;
  const RunFacts facts = facts_of(s);
  PetscCall(OutputCheckpoint(&s->output, s->comm, s->bodies, s->contact, s->air, &facts));
  s->saved = s->step;
  clock_lap(&s->clock, STAGE_CHECKPOINT);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_rows(Sim *s)
{
  PetscFunctionBeginUser;
  output_add_bodies(&s->output, s->the_case, s->bodies);
  if (s->air != NULL) PetscCall(AirAddRow(s->air, s->step, bodies_time(s->bodies)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is due after a step: rows, and a checkpoint now and then. */
static PetscErrorCode write_results(Sim *s)
{
  PetscFunctionBeginUser;
  const int fields = s->the_case->output.fields;
  if (has_row(s)) PetscCall(add_rows(s));
  if (output_write_out(&s->output) && s->air != NULL) history_write_out(s->air->history);
  if (s->air != NULL && fields > 0 && (s->step % fields == 0 || s->step == s->n_steps))
    PetscCall(AirWriteFields(s->air, s->output.directory, s->step, bodies_time(s->bodies)));
  if (s->air != NULL)
    PetscCall(AirWritePictures(s->air, s->output.directory, s->step, s->step == s->n_steps,
                               bodies_time(s->bodies)));
  clock_lap(&s->clock, STAGE_WRITE);
  const int every = s->the_case->output.checkpoint;
  if (every > 0 && s->step % every == 0 && s->step < s->n_steps) PetscCall(write_checkpoint(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A broken state is never gone on from: it has no body whose state is not finite. */
static PetscErrorCode check_states(const Sim *s)
{
  PetscFunctionBeginUser;
  char way_back[64] = "there is no checkpoint yet";
  if (s->saved >= 0)
    PetscCall(PetscSNPrintf(way_back, sizeof way_back, "resume would go on from step %lld",
                            (long long)s->saved));
  for (int b = 0; b < bodies_count(s->bodies); b++) {
    const BodyState *state = bodies_state(s->bodies, b);
    const bool sound = vec3_finite(state->x) && vec3_finite(state->v) && vec3_finite(state->L) &&
                       isfinite(state->q.w + state->q.x + state->q.y + state->q.z);
    PetscCheck(sound, s->comm, CAROM_ERR_DIVERGED,
               "step %lld, t = %g: the motion of body '%s' is no longer finite; %s",
               (long long)s->step, bodies_time(s->bodies), s->the_case->bodies[b].name, way_back);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A step that fails however small its parts: keep and show the moment before, then leave. */
static PetscErrorCode leave_diverged(Sim *s)
{
  PetscFunctionBeginUser;
  const double t = bodies_time(s->bodies);
  PetscCall(AirWriteFields(s->air, s->output.directory, s->step, t));
  PetscCall(write_checkpoint(s));
  SETERRQ(s->comm, CAROM_ERR_DIVERGED,
          "step %lld failed at t = %g, in the smallest parts too: %s; fields of that moment are in "
          "%s, and a checkpoint",
          (long long)s->step + 1, t, s->air->trouble, s->output.directory);
}

/* Steps until the end, a limit of this invocation, or a request. */
static PetscErrorCode take_steps(Sim *s, const RunOptions *options, StopWatch *stop,
                                 StopReason *reason)
{
  PetscFunctionBeginUser;
  const int64_t last = options->steps >= 0 && options->steps < s->n_steps - s->step
                           ? s->step + options->steps
                           : s->n_steps;
  Progress progress =
      progress_start(s->comm, options->quiet, bodies_time(s->bodies), s->the_case->time.end);
  *reason = STOP_NONE;
  while (s->step < last && bodies_time(s->bodies) < options->until) {
    bool troubled = false;
    PetscCall(StopCheck(stop, output_in_trouble(&s->output), reason, &troubled));
    if (troubled) PetscCall(flush(s));
    if (*reason != STOP_NONE) break;
    StepVerdict verdict = STEP_ACCEPTED;
    PetscCall(SimAdvance(s, &verdict));
    if (verdict != STEP_ACCEPTED) PetscCall(leave_diverged(s));
    PetscCall(check_states(s));
    PetscCall(write_results(s));
    progress_step(&progress, s->step, s->n_steps, bodies_time(s->bodies), s->n_contacts);
  }
  progress_finish(&progress);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The last checkpoint, the last row, and why it is over. */
static PetscErrorCode finish(Sim *s, StopReason stopped, int *status)
{
  PetscFunctionBeginUser;
  *status = stopped == STOP_NONE ? EXIT_DONE : EXIT_STOPPED;
  PetscCall(write_checkpoint(s));
  if (!has_row(s)) PetscCall(add_rows(s));
  PetscCall(flush(s));
  clock_lap(&s->clock, STAGE_WRITE);
  const char *reason = stopped != STOP_NONE    ? stop_reason_text(stopped)
                       : s->step == s->n_steps ? "done"
                                               : "limit of this invocation";
  const RunFacts facts = facts_of(s);
  PetscCall(OutputRunJson(&s->output, s->comm, &facts, reason, *status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode print_ending(const Sim *s, const RunOptions *options, StopReason stopped)
{
  PetscFunctionBeginUser;
  if (options->quiet) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ClockPrint(&s->clock, s->comm, stdout));
  const char *how = stopped != STOP_NONE    ? stop_reason_text(stopped)
                    : s->step == s->n_steps ? "done"
                                            : "limit reached";
  PetscCall(PetscPrintf(s->comm,
                        "%s at step %lld of %lld, t = %.6g, %lld contacts: %s/bodies.csv\n", how,
                        (long long)s->step, (long long)s->n_steps, bodies_time(s->bodies),
                        (long long)s->n_contacts, s->output.directory));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char *failure_text(PetscErrorCode code)
{
  if (code == CAROM_ERR_DIVERGED) return "diverged";
  if (code == CAROM_ERR_FILE) return "files could not be read or written";
  return code == CAROM_ERR_MESH ? "mesh or connectivity unusable" : "mistake in the input";
}

/* Rows and the reason, as far as they can be written: what went wrong has been said already. */
static void leave_reason(Sim *s, PetscErrorCode code)
{
  const RunFacts facts = facts_of(s);
  PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  (void)flush(s);
  (void)OutputRunJson(&s->output, s->comm, &facts, failure_text(code), error_exit_status(code));
  PetscPopErrorHandler();
}

/* From a prepared state to the exit status. Failures leave their reason in run.json. */
static PetscErrorCode go(Sim *s, const RunOptions *options, int *status)
{
  PetscFunctionBeginUser;
  StopWatch stop;
  StopReason reason = STOP_NONE;
  const RunFacts facts = facts_of(s);
  PetscCall(StopInit(s->comm, s->output.directory, options->wall, &stop));
  PetscCall(OutputRunJson(&s->output, s->comm, &facts, "running", -1));
  PetscErrorCode code = take_steps(s, options, &stop, &reason);
  if (code == PETSC_SUCCESS) code = finish(s, reason, status);
  if (error_is_plain(code)) leave_reason(s, code);
  PetscCall(code);
  PetscCall(print_ending(s, options, reason));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The next run with these shapes will not have to make their x-rays. */
static PetscErrorCode keep_xrays(const Sim *s)
{
  PetscFunctionBeginUser;
  char folder[PETSC_MAX_PATH_LEN];
  PetscCall(OutputCacheFolder(&s->output, folder, sizeof folder));
  PetscCall(ShapesKeepXRays(s->comm, folder, &s->shapes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first state of the air, and its files. */
static PetscErrorCode start_air(Sim *s)
{
  PetscFunctionBeginUser;
  PetscCall(AirBeginHistory(s->air, s->output.directory));
  PetscCall(AirStart(s->air, s->folder, s->bodies));
  if (s->the_case->output.fields > 0)
    PetscCall(AirWriteFields(s->air, s->output.directory, 0, bodies_time(s->bodies)));
  PetscCall(AirWritePictures(s->air, s->output.directory, 0, false, bodies_time(s->bodies)));
  clock_lap(&s->clock, STAGE_FLOW);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SimRun(Sim *s, const RunOptions *options, int *status)
{
  PetscFunctionBeginUser;
  PetscCall(OutputCreate(&s->output, s->comm, s->folder, options->force));
  PetscCall(keep_xrays(s));
  if (s->air != NULL) PetscCall(start_air(s));
  PetscCall(add_rows(s));
  PetscCall(go(s, options, status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SimResume(MPI_Comm comm, const RunOptions *options, int *status)
{
  PetscFunctionBeginUser;
  char case_path[PETSC_MAX_PATH_LEN], folder[PETSC_MAX_PATH_LEN];
  Sim *s = NULL;
  PetscCall(OutputFind(comm, options->directory, case_path, folder, sizeof folder));
  PetscCall(SimCreate(comm, case_path, folder, options->directory, &s));
  RunFacts facts = facts_of(s);
  PetscCall(
      OutputRestore(&s->output, comm, options->directory, s->bodies, s->contact, s->air, &facts));
  s->step = s->saved = facts.step;
  s->n_contacts = facts.n_contacts;
  if (s->step >= s->n_steps) {
    *status = EXIT_DONE;
    if (!options->quiet)
      PetscCall(PetscPrintf(comm, "nothing left to do: %s is at t = %.6g\n", options->directory,
                            bodies_time(s->bodies)));
  } else {
    PetscCall(go(s, options, status));
  }
  PetscCall(SimDestroy(&s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

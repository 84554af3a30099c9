/*
 * A host with a time loop and a force of its own: a spring pulls a ball onto a wall, again and
 * again. Carom moves the ball and finds its impacts; the spring is this program's.
 *
 * The spring is relaxed where the ball touches the wall, so the ball needs a quarter of the period
 * for every way to the wall or back, and each impact leaves half of its speed: at t = 1 period the
 * ball stands still at a quarter of the distance it was let go at.
 *
 *   mpicc embed.c $(pkg-config --cflags --libs carom) -o embed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <carom.h>

#include <math.h>
#include <stdio.h>

static const char description[] = "bodies:\n"
                                  "  - name: ball\n"
                                  "    shape: {kind: sphere, radius: 0.5}\n"
                                  "    mass: 2\n"
                                  "    restitution: 0.5\n"
                                  "    position: [1, 0, 0]\n"
                                  "walls:\n"
                                  "  - {name: stop, point: [-0.5, 0, 0], normal: [1, 0, 0]}\n";

static const double mass = 2.0, stiffness = 2.0 * 4.0 * M_PI * M_PI; /* period 1 */

/* The spring half a step ahead, where the force of a whole step is best taken. */
static CaromStatus pull(CaromScene *scene, int ball, double dt)
{
  CaromState now;
  const double none[3] = {0, 0, 0};
  const CaromStatus status = CaromGetState(scene, ball, &now);
  if (status != CAROM_OK) return status;
  const double middle = now.position[0] + 0.5 * dt * now.velocity[0];
  const double force[3] = {-stiffness * middle, 0, 0};
  return CaromSetForce(scene, ball, force, none);
}

static CaromStatus tell(CaromScene *scene, int rank)
{
  int n = 0;
  CaromStatus status = CaromGetEventCount(scene, &n);
  for (int k = 0; k < n && status == CAROM_OK; k++) {
    CaromEvent event;
    status = CaromGetEvent(scene, k, &event);
    if (rank == 0 && status == CAROM_OK)
      printf("impact at %.6f, speed %.6f, impulse %.6f, law %s\n", event.time, event.approach,
             event.impulse[0], event.law);
  }
  return status;
}

static CaromStatus run(CaromScene *scene, int rank, int n_steps)
{
  int ball = 0;
  CaromState end;
  CaromStatus status = CaromFindBody(scene, "ball", &ball);
  for (int k = 0; k < n_steps && status == CAROM_OK; k++) {
    status = pull(scene, ball, 1.0 / n_steps);
    if (status == CAROM_OK) status = CaromAdvance(scene, 1.0 / n_steps);
    if (status == CAROM_OK) status = tell(scene, rank);
  }
  if (status == CAROM_OK) status = CaromGetState(scene, ball, &end);
  if (rank == 0 && status == CAROM_OK)
    printf("end x %.6f, v %.6f, energy %.6f\n", end.position[0], end.velocity[0],
           0.5 * mass * end.velocity[0] * end.velocity[0]);
  return status;
}

int main(void)
{
  int rank = 0;
  CaromScene *scene = NULL;
  CaromStatus status = CaromInit(MPI_COMM_WORLD);
  if (status != CAROM_OK) return status;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  status = CaromSceneCreate(MPI_COMM_WORLD, description, ".", &scene);
  if (status == CAROM_OK) status = run(scene, rank, 1000);
  if (rank == 0 && status != CAROM_OK) fprintf(stderr, "embed: %s\n", CaromMessage(scene));
  CaromSceneDestroy(&scene);
  CaromFinish();
  return status;
}

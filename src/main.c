/*
 * Carom: the flight of bodies close enough to disturb and strike each other.
 *
 * The verbs of the command line are in cli/; what a step does is in sim/step.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli/cli.h"

int main(int argc, char **argv)
{
  return cli_main(argc, argv);
}

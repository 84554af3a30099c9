/*
 * The command line: verbs, flags and exit status.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* Run the program; returns the exit status, the same on every rank. */
int cli_main(int argc, char **argv);

/*
 * Write the reference of the case file to standard output.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/schema_doc.h"

int main(int argc, char **argv)
{
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(SchemaWriteReference(stdout));
  PetscCall(PetscFinalize());
  return 0;
}

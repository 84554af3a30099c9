#include "base/arena.h"

#include <string.h>

typedef struct Block {
  struct Block *next;
  max_align_t memory[];
} Block;

struct Arena {
  Block *first; /* owned, newest first */
};

PetscErrorCode ArenaCreate(Arena **arena)
{
  PetscFunctionBeginUser;
  PetscCall(PetscNew(arena));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ArenaDestroy(Arena **arena)
{
  PetscFunctionBeginUser;
  if (*arena == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  for (Block *block = (*arena)->first; block != NULL;) {
    Block *next = block->next;
    PetscCall(PetscFree(block));
    block = next;
  }
  PetscCall(PetscFree(*arena));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ArenaTake(Arena *arena, size_t bytes, void *memory)
{
  PetscFunctionBeginUser;
  char *raw = NULL;
  PetscCall(PetscCalloc1(sizeof(Block) + bytes, &raw));
  Block *block = (Block *)raw;
  block->next = arena->first;
  arena->first = block;
  *(void **)memory = block->memory;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ArenaCopyText(Arena *arena, const char *text, size_t n, const char **copy)
{
  PetscFunctionBeginUser;
  char *memory = NULL;
  PetscCall(ArenaTake(arena, n + 1, &memory));
  memcpy(memory, text, n);
  *copy = memory;
  PetscFunctionReturn(PETSC_SUCCESS);
}

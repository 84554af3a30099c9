# Sourced by the scripts: where the project is, and an environment in which MPI runs anywhere:
# as root, on fewer cores than ranks, in a container, without a locale.
top=$(cd "$(dirname "$0")/.." && pwd)
export LC_ALL=C
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_hwloc_base_binding_policy=none

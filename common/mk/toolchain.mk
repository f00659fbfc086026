# Finds the compilers and the GPU. Included by common/Makefile and every step's.

MK := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))

# $(call found,COMMANDS...): those that are installed. It ends well, or make would show what it found.
found = $(strip $(shell for c in $(1); do command -v $$c; done 2>/dev/null; :))

ifeq ($(origin CC),default)
CC := $(firstword $(call found,gcc cc clang) cc)
endif
ifeq ($(origin CXX),default)
CXX := $(firstword $(call found,g++ clang++))
endif

# `NVCC=` means none.
ifeq ($(origin NVCC),undefined)
NVCC := $(firstword $(call found,nvcc))
endif

# $(call options_mpi,compile) and $(call options_mpi,link): the flags of MPI; without it nothing.
options_mpi = $(and $(call found,mpicc),$(filter -I% -L% -l%,$(shell mpicc --showme:$(1) 2>/dev/null)))
options_nccl = $(if $(filter link,$(1)),-lnccl)
options_cusparse = $(if $(filter link,$(1)),-lcusparse)

# What this machine's first GPU is, as in sm_90; empty without one. Asked once, where it is used.
GPU_ARCH = $(eval GPU_ARCH := $(addprefix sm_,$(subst .,,$(shell \
    timeout 20 nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | \
    sed -n '/^[0-9.]*$$/p;q'))))$(GPU_ARCH)

# The architectures that CUDA sources are compiled for: ARCH, the GPU's, else the oldest of the
# course and the newest that nvcc knows.
NEWEST_ARCH = $(eval NEWEST_ARCH := $(lastword sm_newest $(subst compute_,sm_,$(shell \
    $(NVCC) --list-gpu-arch | sort -V))))$(NEWEST_ARCH)
ARCHITECTURES = $(or $(ARCH),$(GPU_ARCH),sm_75 $(NEWEST_ARCH))

# $(call accepts,COMPILER,FLAGS): the flags if the compiler compiles and links a program with them.
accepts = $(shell $(MK)accepts.sh '$(1)' '$(2)' '$(MK)../../build/accepts/$(subst /,_,$(1) $(2))')

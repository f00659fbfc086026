# Finds the compilers. Included by the Makefile, common/Makefile and every step's.

ifeq ($(origin CC),default)
CC := $(firstword $(shell command -v gcc cc clang 2>/dev/null) cc)
endif

# $(call accepts,COMPILER,FLAGS): the flags if the compiler compiles and links a program with them.
accepts = $(shell echo 'int main(void) { return 0; }' | $(1) $(2) -x c -o /dev/null - >/dev/null 2>&1 && echo '$(2)')

# `NVCC=` means none. GPU_ARCH is what this machine's GPU is, as in sm_90; empty without one.
ifeq ($(origin NVCC),undefined)
NVCC := $(firstword $(shell command -v nvcc /usr/local/cuda/bin/nvcc 2>/dev/null))
endif

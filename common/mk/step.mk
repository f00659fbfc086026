# How any step is built. A step's Makefile includes its manifest and this file. What of a manifest is meant for
# make (the maintainer guide has all of it):
#   flags, variants, variant_X   of every variant; their names, the default first; the flags of one
#   source_X                     the variant's own source, steps/NN_name/source_X or solutions/NN_name/source_X; else it is a build of `source`
#   compiler_X                   the variant's compiler, if it is not $(CC); for C
#   with_X                       what the variant needs and not every machine has: mpi, nccl or cusparse for
#                                CUDA C, avx512 for C
#   largest_X                    the largest n at which a check without a GPU tries the variant; for the referee
#   nvcc_flags, nvcc_flags_X     for nvcc alone; of one variant, in their place
#   flags_file                   a file beside the source with more of them
#   openmp = yes                 the step uses OpenMP; for C
#   races                        variants in which threads meet where they do not in the default: a check looks
#                                for races in them, too; for CUDA C
#   standalone, standalone_X     variants of several processes, which the referee does not start: they have the
#                                build `standalone` and no other; for CUDA C
#   without, without_X           for ABLATE=1: variant without_X of solutions/NN_name/leave_one_out.cu
#   peers_c, peers_cuda, peer_X  for bench: variant peer_X of solutions/NN_name/peers.c and peers.cu
# In the step's folder, the verbs of the top Makefile mean this step.

# The rules that make knows by itself would look for sources of our sources.
MAKEFLAGS += --no-builtin-rules

ROOT := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/../..)
STEP := $(notdir $(CURDIR))
include $(ROOT)/common/mk/toolchain.mk

# A FILE is meant from here, too.
HERE = $(if $(FILE),FILE='$(subst ','\'',$(if $(filter /%,$(firstword $(FILE))),,$(CURDIR)/)$(FILE))')

VERBS := build run check bench diff explain live trace timeline standalone predict hint watch reset
$(VERBS):
	@$(MAKE) --no-print-directory -C $(ROOT) $@ STEP=$(STEP) $(HERE)
.DEFAULT_GOAL := check

# The referee calls `make players NAME=nbody.c OUT=folder PROBLEM=nbody BUILDS="plain address thread"
# [VARIANTS=...] [VARIANT=...] [ARCH=sm_90] [ABLATE=1] [PEERS=1]`; the environment's SOURCE is the file, which
# may have any name, and SHOWN how messages call it. Out comes a program for each variant and build, or for
# VARIANT alone, and players.tsv, which lists all of them. A program that does not compile is missing, and its
# log says why.
ifeq ($(origin OUT),command line)

# A user's environment may have words of its own under these names.
$(foreach v,VARIANTS VARIANT ABLATE PEERS ARCH flags nvcc_flags flags_file openmp races without standalone peers_c peers_cuda,\
    $(if $(findstring environment,$(origin $(v))),$(eval undefine $(v))))

# Variants with a source of their own, which is built for one of them at a time.
APART := $(foreach v,$(variants),$(if $(source_$(v)),$(v)))

ifdef ABLATE
VARIANTS := $(addprefix without_,$(without))
else ifdef PEERS
VARIANTS := $(addprefix peer_,$(peers_$(if $(filter %.cu,$(NAME)),cuda,c)))
else
VARIANTS ?= $(filter-out $(APART),$(variants)) $(if $(filter standalone,$(BUILDS)),$(standalone))
endif
races := $(filter $(if $(filter $(APART),$(VARIANTS)),$(VARIANTS),$(filter-out $(APART),$(races))),$(races))
# $(call own_flags,VARIANT)
own_flags = $(if $(filter without_% peer_%,$(1)),$($(1)),$(or $(variant_$(1)),$(standalone_$(1))))
PLAYER := $(ROOT)/build/common/player/player.o $(ROOT)/build/common/player/$(PROBLEM).o
COPY := $(OUT)/$(NAME)
# What the build `standalone` is linked with: no referee, one process, for profilers and debuggers.
PROBLEMS := $(patsubst $(ROOT)/%.c,$(ROOT)/build/%.o,\
    $(wildcard $(ROOT)/common/problems/*.c $(ROOT)/common/problems/*/*.c))
STANDALONE := $(filter-out %/player.o,$(PLAYER)) $(PROBLEMS)
INCLUDED := $(wildcard $(ROOT)/common/include/*.h $(ROOT)/common/kit/*.h)
HASH := \#
SPACE := $(subst ,, )
comma := ,

# $(call version,COMPILER): its name and version, asked once.
version = $(call version_once,$(1),version_of_$(subst $(SPACE),_,$(1)))
version_once = $(or $($(2)),$(eval $(2) := $(notdir $(1)) $(shell \
    $(1) -dumpfullversion -dumpversion 2>/dev/null | head -n 1))$($(2)))

# The source as the compiler gets it, in the root, where its name leads debuggers to it. It changes only when its text or its name does, whatever the
# times of the files say, and messages name the file that the learner knows.
# A byte-order mark, which compilers skip where a file begins, would stand in its midst.
$(shell mkdir -p $(OUT); \
        { printf '$(HASH)line 1 "%s"\n' "$$(printf %s "$$SHOWN" | sed 's/[\\"]/\\&/g')"; \
          LC_ALL=C sed '1s/^\xef\xbb\xbf//' "$$SOURCE"; } >$(COPY).new; \
        cmp -s $(COPY).new $(COPY) && rm $(COPY).new || mv $(COPY).new $(COPY))

# $(call text,COMPILER,FLAGS): what the source comes to with those macros, for the referee to see which
# variants are one program. Our headers that it includes are part of it.
text = awk -v folders='$(ROOT)/common/include $(ROOT)/common/kit' -f $(ROOT)/common/mk/text.awk $(COPY) | \
    $(1) -E -P -x c -D__CUDA_ARCH__=900 $(filter -D%,$(2)) - 2>/dev/null | cksum

# $(call texts,VARIANT,COMPILER): the rule for that of the variant's plain build.
define texts
$(OUT)/$(1)/plain.text: $(COPY) $(OUT)/$(1)/plain.flags $(INCLUDED)
	@$(call text,$(2),$(call flags_of,$(1))) >$$@
PROGRAMS += $(OUT)/$(1)/plain.text
endef

# $(call wanted,VARIANT,FILE): the file, unless another variant alone is to be built.
wanted = $(if $(filter-out $(1),$(VARIANT)),,$(2))

# $(call remember,FILE,TEXT): has the file hold the text, without touching it if it does.
remember = $(if $(call same,$(file <$(1)),$(2)),,$(shell mkdir -p $(dir $(1)); echo '$(2)' >$(1)))
same = $(and $(findstring <$(1)>,<$(2)>),$(findstring <$(2)>,<$(1)>))

# $(call row,VARIANT,BUILD,BACKEND,THREADS,COMPILER,FLAGS,PATH): a row of players.tsv
row = $(eval ROWS += $(1)\t$(2)\t$(3)\t$(4)\t$(5)\t$(or $(strip $(6)),-)\t$(7)\n)

include $(ROOT)/common/mk/step_$(if $(filter %.cu,$(NAME)),cuda,c).mk

players: $(PROGRAMS)
	@printf '$(ROWS)' | sed 's/^ //; s/\t /\t/' >$(OUT)/players.tsv

endif

.PHONY: players $(VERBS)

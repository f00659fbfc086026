# How any step is built. A step's Makefile sets, before it includes this file:
#   VARIANT_name = flags    one line a variant; the first is the default
#   COMPILER_name = clang   the variant's compiler, if it is not $(CC)
#   FLAGS = flags           of every variant
#   OPENMP = yes            the step uses OpenMP
# In the step's folder, the verbs of the top Makefile mean this step.

ROOT := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/../..)
STEP := $(notdir $(CURDIR))
include $(ROOT)/common/mk/toolchain.mk

# A FILE is meant from here, too.
HERE = $(if $(FILE),FILE='$(subst ','\'',$(if $(filter /%,$(firstword $(FILE))),,$(CURDIR)/)$(FILE))')

VERBS := build run check bench diff
$(VERBS):
	@$(MAKE) --no-print-directory -C $(ROOT) $@ STEP=$(STEP) $(HERE)
.DEFAULT_GOAL := check

# The referee calls `make players NAME=nbody.c OUT=folder PROBLEM=nbody BUILDS="plain address thread"
# [VARIANTS=...]`; the environment's SOURCE is the file, which may have any name, and SHOWN how
# messages call it. Out comes a program for each variant and build, and players.tsv,
# which lists them. A program that does not compile is missing, and its log says why.
ifdef OUT

VARIANTS ?= $(shell sed -n 's/^VARIANT_\([A-Za-z0-9_]*\) *=.*/\1/p' Makefile)
PLAYER := $(ROOT)/build/common/player/player.o $(ROOT)/build/common/player/$(PROBLEM).o
COPY := $(OUT)/$(NAME)
INCLUDED := $(wildcard $(ROOT)/common/include/*.h)
HASH := \#

compiler = $(or $(COMPILER_$(1)),$(CC))
flags = $(strip $(FLAGS) $(VARIANT_$(1)) $(if $(OPENMP),-fopenmp))
found = $(shell command -v $(1) 2>/dev/null)
version = $(notdir $(1)) $(shell $(1) -dumpfullversion -dumpversion 2>/dev/null | head -n 1)

# A race is looked for at -O0: the optimiser may keep a shared variable in a register and hide it.
SANITIZE_plain :=
SANITIZE_address := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
SANITIZE_thread := -O0 -g -fsanitize=thread

# $(call builds,VARIANT): those of BUILDS that can be had. Not every compiler comes with the runtimes.
# Races under OpenMP are seen without false alarms only by clang with libomp and libarcher; a step
# with one thread has none.
comma := ,
race_compiler = $(if $(OPENMP),$(and $(call found,clang),\
    $(call accepts,clang,-fsanitize=thread -fopenmp),clang))
memory_check = $(call accepts,$(call compiler,$(1)),-fsanitize=address$(comma)undefined)
builds = $(filter plain,$(BUILDS)) \
    $(and $(filter address,$(BUILDS)),$(call memory_check,$(1)),address) \
    $(and $(filter thread,$(BUILDS)),$(race_compiler),thread)

# The source as the compiler gets it. It changes only when its text or its name does, whatever the
# times of the files say, and messages name the file that the learner knows.
$(shell mkdir -p $(OUT); \
        { printf '$(HASH)line 1 "%s"\n' "$$(printf %s "$$SHOWN" | sed 's/[\\"]/\\&/g')"; \
          cat "$$SOURCE"; } >$(COPY).new; \
        cmp -s $(COPY).new $(COPY) && rm $(COPY).new || mv $(COPY).new $(COPY))

# $(call remember,FILE,TEXT): has the file hold the text, without touching it if it does.
remember = $(shell mkdir -p $(dir $(1)); echo '$(2)' | cmp -s - $(1) || echo '$(2)' >$(1))

# $(call program,VARIANT,BUILD,COMPILER): a rule and a row of players.tsv
define program
$(call remember,$(OUT)/$(1)/$(2).flags,$(call version,$(3)) $(call flags,$(1)) $(SANITIZE_$(2)))
$(OUT)/$(1)/$(2): $(COPY) $(OUT)/$(1)/$(2).flags $(PLAYER) $(INCLUDED) $(ROOT)/common/mk/step.mk
	@mkdir -p $$(@D)
	@$(3) -std=gnu11 -Wall -Wextra -Werror=implicit-function-declaration -I$(ROOT)/common/include $(call flags,$(1)) $(SANITIZE_$(2)) \
	    -o $$@ $(COPY) $(PLAYER) -lm >$$@.log 2>&1 || rm -f $$@
PROGRAMS += $(OUT)/$(1)/$(2)
ROWS += $(1)\t$(2)\tcpu\t$(if $(OPENMP),all,one)\t$(call version,$(3))\t
ROWS += $(or $(call flags,$(1)),-)\t$(OUT)/$(1)/$(2)\n
endef

$(foreach v,$(VARIANTS),$(if $(call found,$(call compiler,$(v))),\
    $(foreach b,$(call builds,$(v)),\
        $(eval $(call program,$(v),$(b),$(if $(filter thread,$(b)),clang,$(call compiler,$(v)))))),\
    $(eval ROWS += $(v)\tmissing\tcpu\tone\t$(call compiler,$(v))\t-\t-\n)))

players: $(PROGRAMS)
	@printf '$(ROWS)' | sed 's/^ //; s/\t /\t/' >$(OUT)/players.tsv

endif

.PHONY: players $(VERBS)

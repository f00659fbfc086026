# The programs of a step in C; included by step.mk.

compiler = $(or $(compiler_$(1)),$(CC))
flags_of = $(strip $(flags) $(own_flags) $(if $(openmp),-fopenmp))

# A race is looked for at -O0: the optimiser may keep a shared variable in a register and hide it.
FLAGS_plain := -g1 -gdwarf-4
FLAGS_address := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
FLAGS_thread := -O0 -g -fsanitize=thread
# The problem's oracle, which `standalone` is linked with, was compiled with OpenMP if that is there.
FLAGS_standalone = -g $(call accepts,$(CC),-fopenmp)

# $(call builds,VARIANT): those of BUILDS that can be had. Not every compiler comes with the runtimes.
# Races under OpenMP are seen without false alarms only by clang with libomp and libarcher, which not
# every libomp loads by itself: it is linked. A step with one thread has none.
ARCHER := $(wildcard $(dir $(realpath $(call found,clang)))../lib/libarcher.so)
LINK_thread = $(if $(openmp),$(ARCHER) $(ARCHER:%/libarcher.so=-Wl$(comma)-rpath$(comma)%))
race_compiler = $(if $(openmp),$(and $(call found,clang),\
    $(call accepts,clang,-fsanitize=thread -fopenmp),clang))
memory_check = $(call accepts,$(call compiler,$(1)),-fsanitize=address$(comma)undefined)
builds = $(filter plain,$(BUILDS)) \
    $(and $(filter address,$(BUILDS)),$(call memory_check,$(1)),address) \
    $(and $(filter thread,$(BUILDS)),$(race_compiler),thread) \
    $(and $(filter standalone,$(BUILDS)),$(call accepts,$(call compiler,$(1)),$(FLAGS_standalone)),standalone)

# $(call program,VARIANT,BUILD,COMPILER): a rule and a row of players.tsv
define program
$(call remember,$(OUT)/$(1)/$(2).flags,$(call version,$(3)) $(call flags_of,$(1)) $(FLAGS_$(2)))
$(OUT)/$(1)/$(2): $(COPY) $(OUT)/$(1)/$(2).flags $(if $(filter standalone,$(2)),$(STANDALONE),$(PLAYER)) $(INCLUDED) $(ROOT)/common/mk/step_c.mk
	@mkdir -p $$(@D)
	@cd $(ROOT) && $(3) -std=gnu11 -Wall -Wextra -Werror=implicit-function-declaration -I$(ROOT)/common/include -I$(ROOT)/common/kit $(call flags_of,$(1)) $(FLAGS_$(2)) \
	    -o $$@ $(COPY) $(if $(filter standalone,$(2)),$(STANDALONE),$(PLAYER)) $(LINK_$(2)) -lm >$$@.log 2>&1 || rm -f $$@
PROGRAMS += $(call wanted,$(1),$(OUT)/$(1)/$(2))
$(if $(filter plain,$(2)),$(call texts,$(1),$(3)))
$(call row,$(1),$(2),cpu,$(if $(findstring -fopenmp,$(call flags_of,$(1))),all,one),$(call version,$(3)),$(call flags_of,$(1)),$(OUT)/$(1)/$(2))
endef

# $(call lacks,VARIANT): what it needs and this machine has not.
AVX512 := $(if $(filter avx512f,$(file </proc/cpuinfo)),,a processor with AVX-512)
lacks = $(or $(if $(filter avx512,$(with_$(1))),$(AVX512)),\
    $(if $(call found,$(call compiler,$(1))),,$(call compiler,$(1))))

$(foreach v,$(VARIANTS),$(if $(call lacks,$(v)),\
    $(call row,$(v),missing,cpu,one,$(call lacks,$(v)),-,-),\
    $(foreach b,$(call builds,$(v)),\
        $(eval $(call program,$(v),$(b),$(if $(filter thread,$(b)),clang,$(call compiler,$(v))))))))

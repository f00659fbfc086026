# The programs of the tests of cpucuda: NAME.COMPILER.BUILD of NAME.cu, by every C++ compiler there
# is, with the flags of a step's builds (mk/step_cuda.mk). Included by common/Makefile.

CPUCUDA := $(BUILD)/tests/cpucuda
COMPILERS := $(foreach c,g++ clang++,$(if $(call found,$(c)),$(c)))
TRACE := $(filter %/trace.o,$(ENGINE)) $(filter $(BUILD)/common/cpucuda/engine/trace_%.o,$(ENGINE))
PLAIN_ENGINE := $(filter-out $(TRACE),$(ENGINE))
CPUCUDA_FLAGS := -std=gnu++17 -gdwarf-4 -Wall -Wextra -Werror -pthread \
    -include cuda_runtime.h -MMD -MP \
    $(addprefix -I,cpucuda/include cpucuda/engine . include kit tests/cpucuda tests/cpucuda/include)

FLAGS_plain := -O2 -g1
FLAGS_address := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_thread = -O0 -g1 -fsanitize=thread $(if $(findstring clang,$(1)),\
    -mllvm -tsan-distinguish-volatile=1,--param=tsan-distinguish-volatile=1)
FLAGS_trace = -O1 -g1 -fsanitize=thread -DCPUCUDA_TRACE -fno-unroll-loops -fno-tree-vectorize \
    -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset \
    $(if $(findstring clang,$(1)),-mllvm -tsan-instrument-read-before-write=1)
LINK_address := -fsanitize=address,undefined
LINK_thread := -fsanitize=thread
# $(call linker,COMPILER,BUILD): gold takes a third of the time, but warns of clang's AddressSanitizer.
$(foreach c,$(COMPILERS),$(eval GOLD_$(c) := $(call accepts,$(c),-fuse-ld=gold)))
linker = $(if $(filter clang++.address,$(1).$(2)),,$(GOLD_$(1)))
TRACED_CALLS := objcopy $(foreach f,memcpy memmove memset,--redefine-sym $(f)=__tsan_$(f))

$(CPUCUDA)/%.cpp: tests/cpucuda/%.cu $(BUILD)/cuda_to_cpp
	@mkdir -p $(@D)
	$(BUILD)/cuda_to_cpp $< >$@

# $(call cpucuda_program,NAME,COMPILER,BUILD)
define cpucuda_program
CPUCUDA_PROGRAMS += $(CPUCUDA)/$(1).$(2).$(3)
$(CPUCUDA)/$(1).$(2).$(3): $(CPUCUDA)/$(1).cpp $(ENGINE) tests/cpucuda/programs.mk
	$(2) $(CPUCUDA_FLAGS) $(if $(findstring clang,$(2)),,-Wno-class-memaccess) $(call FLAGS_$(3),$(2)) \
	    -MT $$@ -c -o $$@.o $$<
	$(if $(filter trace,$(3)),$(TRACED_CALLS) $$@.o)
	$(2) -pthread $(call linker,$(2),$(3)) $(LINK_$(3)) -o $$@ $$@.o $(if $(filter trace,$(3)),$(ENGINE),$(PLAIN_ENGINE))
endef

$(foreach c,$(COMPILERS),\
    $(foreach n,runtime_memory runtime_streams runtime_calls runtime_devices runtime_ordered,\
        $(foreach b,plain address thread,$(eval $(call cpucuda_program,$(n),$(c),$(b))))) \
    $(foreach n,engine device_numbers device_warp,$(eval $(call cpucuda_program,$(n),$(c),plain))) \
    $(foreach n,engine device_fences,$(eval $(call cpucuda_program,$(n),$(c),thread))) \
    $(foreach n,device_tensor device_async_copies,\
        $(foreach b,plain address thread trace,$(eval $(call cpucuda_program,$(n),$(c),$(b))))) \
    $(eval $(call cpucuda_program,device_numbers,$(c),address)) \
    $(eval $(call cpucuda_program,trace_kernels,$(c),trace)))

# Half numbers: a program of several files, also unoptimised.
HALF := $(patsubst %,$(CPUCUDA)/%,half_main.cpp half_arithmetic.cpp half_conversions.cpp \
    half_pairs.cpp half_threads.cpp)
FLAGS_unoptimised := -O0 -g1
FLAGS_undefined := -O1 -g1 -fsanitize=undefined,float-cast-overflow -fno-sanitize-recover=all
LINK_undefined := -fsanitize=undefined

# $(call half_program,COMPILER,BUILD)
define half_program
CPUCUDA_PROGRAMS += $(CPUCUDA)/half.$(1).$(2)
$(CPUCUDA)/half.$(1).$(2): $(HALF:%.cpp=%.$(1).$(2).o) $(ENGINE)
	$(1) -pthread $(call linker,$(1),$(2)) $(LINK_$(2)) -o $$@ $$(filter $(CPUCUDA)/%,$$^) $(PLAIN_ENGINE)

$(CPUCUDA)/%.$(1).$(2).o: $(CPUCUDA)/%.cpp tests/cpucuda/programs.mk
	@mkdir -p $$(@D)
	$(1) $(CPUCUDA_FLAGS) $(FLAGS_$(2)) -c -o $$@ $$<
$(CPUCUDA)/%.$(1).$(2).o: tests/cpucuda/%.cpp tests/cpucuda/programs.mk
	@mkdir -p $$(@D)
	$(1) $(CPUCUDA_FLAGS) $(FLAGS_$(2)) -c -o $$@ $$<
endef

$(foreach c,$(COMPILERS),\
    $(foreach b,unoptimised plain,$(eval $(call half_program,$(c),$(b)))))
$(eval $(call half_program,$(lastword $(COMPILERS)),undefined))

# Without the engine's threads: how requests are counted.
CPUCUDA_PROGRAMS += $(CPUCUDA)/trace_wavefronts
$(CPUCUDA)/trace_wavefronts: tests/cpucuda/trace_wavefronts.cpp $(ENGINE) tests/cpucuda/programs.mk
	@mkdir -p $(@D)
	$(CXX) $(CPUCUDA_FLAGS) -MT $@ -O1 -o $@ $< $(ENGINE)

# The engine with the portable switch between stacks: all of it that knows a context's size, but for
# the trace, which only its own builds have.
PORTABLE := $(filter-out %/trace.cpp,$(shell grep -l '"block.h"\|"fiber.h"' cpucuda/engine/*.cpp))
CPUCUDA_PROGRAMS += $(CPUCUDA)/engine.portable
$(CPUCUDA)/engine.portable: $(CPUCUDA)/engine.$(firstword $(COMPILERS)).plain \
        $(PORTABLE:cpucuda/engine/%.cpp=$(CPUCUDA)/portable/%.o)
	$(CXX) -pthread -o $@ $<.o $(filter $(CPUCUDA)/%.o,$^) \
	    $(filter-out $(PORTABLE:%.cpp=$(BUILD)/common/%.o),$(PLAIN_ENGINE))

$(CPUCUDA)/portable/%.o: cpucuda/engine/%.cpp tests/cpucuda/programs.mk
	@mkdir -p $(@D)
	$(CXX) $(CPUCUDA_FLAGS) -O1 -DCPUCUDA_UCONTEXT -c -o $@ $<

# The library of the GRAPE-6 with its backend for GPUs, which the engine plays.
PLAYED := $(filter-out %/gpu.o,$(GRAPE)) $(CPUCUDA)/grape_gpu.o
$(CPUCUDA)/grape_gpu.cpp: $(wildcard ../solutions/*/grape_gpu.cu) $(BUILD)/cuda_to_cpp
	@mkdir -p $(@D)
	$(BUILD)/cuda_to_cpp $< >$@
$(CPUCUDA)/grape_gpu.o: $(CPUCUDA)/grape_gpu.cpp $(addprefix $(BUILD)/common/cpucuda/kit/,boards.h lists.h sums.h) \
        $(wildcard include/*.h) tests/cpucuda/programs.mk
	$(firstword $(COMPILERS)) -I$(BUILD)/common/cpucuda/kit $(CPUCUDA_FLAGS) -Wno-unknown-pragmas -fno-tree-slp-vectorize -O2 -g1 -c -o $@ $<
$(BUILD)/tests/test_grape_gpu: tests/test_grape_gpu.c $(PLAYED) $(ENGINE)
	$(CC) $(CFLAGS) -Og -c -o $@.o $<
	$(CXX) $(OPENMP) -pthread -o $@ $@.o $(PLAYED) $(PLAIN_ENGINE) -lcmocka -lm

cpucuda_programs: $(CPUCUDA_PROGRAMS)
.PHONY: cpucuda_programs

$(BUILD)/tests/test_radix_sort: ../solutions/23_radix_sort/peers.c # which it compares with the others

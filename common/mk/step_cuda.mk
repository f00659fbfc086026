# The programs of a step in CUDA C; included by step.mk. Builds of backend cpucuda: plain, address,
# thread, trace; and races, which is thread for the variants that `races` lists: with thread of another
# variant for all of them, else for those of VARIANTS. Of backend cuda: cuda, called `compiled` where there is no GPU that could run it,
# timeline, and device of a step that is timed by the device's clock. With nvcc alone: cubin, machine code
# for ARCH, and in its log what ptxas says of it. Of one backend or the other: standalone. And fast, which
# is cpucuda's alone, as fast as the compiler can make it: for a comparison with C, and for no check. And sass,
# whose kernels are executed by the machine code of the build cubin, for estimates.
# A step's nvcc_flags are for nvcc: cpucuda's builds only list them, since the step may be about them.

flags_of = $(filter-out -O%,$(flags) $(own_flags)) # the build says how far to optimise
FROM_FILE := $(if $(flags_file),$(shell \
    sed "s,$(HASH).*,," $(dir $(SOURCE))$(flags_file) 2>/dev/null | tr -cd 'a-zA-Z0-9_=., \n-'))
# $(call nvcc_only,VARIANT)
nvcc_only = $(if $(filter undefined,$(origin nvcc_flags_$(1))),$(nvcc_flags),$(nvcc_flags_$(1))) $(FROM_FILE)
CPP := $(COPY:.cu=.cpp)
ENGINE_HEADERS := $(ROOT)/common/cpucuda/include
HEADERS := $(shell find $(ENGINE_HEADERS)) # and their folders, which are newer when one is gone
ENGINE := $(patsubst $(ROOT)/%.cpp,$(ROOT)/build/%.o,$(wildcard $(ROOT)/common/cpucuda/engine/*.cpp))
TRACE := $(filter %/trace.o,$(ENGINE)) $(filter $(ROOT)/build/common/cpucuda/engine/trace_%.o,$(ENGINE))
SASS := $(filter $(ROOT)/build/common/cpucuda/engine/sass_%.o,$(ENGINE))
RULES := $(ROOT)/common/mk/step_cuda.mk $(ROOT)/common/mk/toolchain.mk

# $(call able,BUILD,COMPILER,FLAGS): the compiler, if it has the flags. That is tried by compiling a
# program, so only where the build is wanted.
able = $(and $(filter $(1),$(BUILDS)),$(2),$(call accepts,$(2),$(3)),$(2))

COMPILER_plain := $(CXX)
COMPILER_address := $(call able,address,$(CXX),-fsanitize=address$(comma)undefined)
# ThreadSanitizer of clang is several times faster than that of gcc.
COMPILER_thread := $(or $(call able,thread races,$(call found,clang++),-fsanitize=thread),\
    $(call able,thread races,$(CXX),-fsanitize=thread))
COMPILER_fast := $(CXX)
COMPILER_sass := $(if $(strip $(SASS)),$(CXX))
COMPILER_trace := $(if $(strip $(TRACE)),$(CXX))

# A race is looked for at -O0: the optimiser may keep a shared variable in a register and hide it.
# Volatile accesses are told apart since they order threads, if there is a __threadfence().
# The trace is made of the calls that ThreadSanitizer's compiler puts before every access; the engine
# has functions of that name, so its runtime is not linked.
FLAGS_plain := -O2 -g1
FLAGS_standalone := -O1 -g
FLAGS_sass := -O2 -g1 -DCPUCUDA_SASS
FLAGS_fast := -O3 -march=native -ffast-math
FLAGS_address := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
FLAGS_thread := -O0 -g1 -fsanitize=thread $(if $(findstring clang,$(COMPILER_thread)),\
    -mllvm -tsan-distinguish-volatile=1,--param=tsan-distinguish-volatile=1)
FLAGS_trace := -O1 -g1 -fsanitize=thread -DCPUCUDA_TRACE -fno-unroll-loops -fno-tree-vectorize \
    -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset \
    $(and $(filter trace,$(BUILDS)),$(filter-out g++%,$(notdir $(CXX))),\
        $(call accepts,$(CXX),-mllvm -tsan-instrument-read-before-write=1))
# Linking takes as long as compiling, and with gold half of that.
LINKER := $(call accepts,$(CXX),-fuse-ld=gold)
LINK_plain := -g1
LINK_standalone := -fopenmp
LINK_fast := -fopenmp
LINK_address := -fsanitize=address,undefined
LINK_thread := -fsanitize=thread
LINK_trace := -g1
LINK_sass := -g1 -fopenmp
# Calls that a compiler makes of a struct's copy are accesses too.
TRACED_CALLS := objcopy $(foreach f,memcpy memmove memset,--redefine-sym $(f)=__tsan_$(f))

# $(call library,VARIANT,compile) and $(call library,VARIANT,link): flags of the library that the
# variant needs. $(call lacks,VARIANT): its name, if it is not installed.
library = $(if $(with_$(1)),$(call options_$(with_$(1)),$(2)))
LIBRARY_mpi = $(if $(call options_mpi,link),,MPI (libopenmpi-dev, openmpi-bin))
has_header = $(and $(NVCC),$(shell echo '$(HASH)include <$(1)>' | $(NVCC) -x cu -c -o /dev/null - 2>/dev/null && echo found))
LIBRARY_nccl = $(if $(and $(GPU_ARCH),$(call has_header,nccl.h)),,a GPU with NCCL)
LIBRARY_cusparse = $(if $(call has_header,cusparse.h),,cuSPARSE of the CUDA toolkit)
lacks = $(if $(with_$(1)),$(LIBRARY_$(with_$(1))))

# What a step's object is linked with, or how it is compiled alone. Of what no GPU will run, nvcc makes the device's
# code and the host's C++, which tells every mistake that is nvcc's to tell: cpucuda's plain build compiles and links
# the host's code anyway.
MAIN_cuda = $(if $(or $(GPU_ARCH),$(ARCH)),$(PLAYER))
MAIN_standalone := $(STANDALONE) -Xcompiler -fopenmp
MAIN_device := $(PLAYER) $(ROOT)/build/common/player/device_clock.o
MAIN_timeline := $(PLAYER) $(ROOT)/build/common/player/timeline.o \
    $(foreach f,cudaMemcpy cudaMemcpyAsync cudaGetLastError __cudaPushCallConfiguration,\
        -Xlinker --wrap=$(f))
ALONE_cuda := -cuda
ALONE_cubin := -cubin -Xptxas -v

# The kit's headers with code of the device, rewritten like the step.
REWRITTEN := $(ROOT)/build/common/cpucuda/kit

# Warnings about pragmas and loops that are nvcc's business stay out. Of DWARF 5 by g++, addr2line
# takes lines of the .cu for some of the .cpp. memset() of vectors is right, though they have
# constructors here.
# Conversions of half are two instructions of x86 processors since 2012; a build is for this machine.
F16C := $(if $(filter f16c,$(file </proc/cpuinfo)),-mf16c)
# gcc 12 takes (double)(float)x for x where it makes vectors of neighbouring statements (SLP): what a float lacks
# of a double would be 0.
CPU_FLAGS := $(F16C) -fno-tree-slp-vectorize -std=gnu++17 -gdwarf-4 -Wall -Wextra -Wno-unknown-pragmas -pthread \
    -isystem $(ROOT)/common/cpucuda/include -I$(REWRITTEN) -I$(ROOT)/common/include -I$(ROOT)/common/kit

# What cuda_runtime.h comes to takes a compiler longer than a step does, so it is read once for each build of a
# check, and kept. A kept header that does not fit g++ leaves aside; clang fails, and is called again without.
keeps = $(sort $(filter plain address thread trace,$(subst races,thread,$(1))))
KEPT_FLAGS := $(filter-out -I%,$(CPU_FLAGS))
# $(call kept,BUILD): its place; the flags are part of the name.
kept = $(ROOT)/build/common/cpucuda/include/$(1)-$(firstword \
    $(shell echo '$(call version,$(COMPILER_$(1))) $(filter-out $(ROOT)/%,$(KEPT_FLAGS)) $(FLAGS_$(1))' | cksum))/cuda.h
# $(call first,BUILD): for the shell, the header before all others. Nothing is kept where that cannot be
# written, and what is older than the engine's headers does not count.
first = $(if $(call keeps,$(1)),$$$$([ -z "$$$$(find $(ENGINE_HEADERS) -newer $(KEPT_$(1)).gch 2>&1)" ] && \
    echo $(KEPT_$(1)) || echo cuda_runtime.h),cuda_runtime.h)

define keep
KEPT_$(1) := $(call kept,$(1))
$$(KEPT_$(1)).gch: $(HEADERS)
	@cd $(ROOT) && { mkdir -p $$(@D) && echo '#include <cuda_runtime.h>' >$$@.$$$$$$$$.h && \
	    mv $$@.$$$$$$$$.h $$(@:.gch=) && $(COMPILER_$(1)) $(KEPT_FLAGS) $(FLAGS_$(1)) -x c++-header -o $$@.$$$$$$$$ $$(@:.gch=) && \
	    mv $$@.$$$$$$$$ $$@; } 2>/dev/null || rm -f $$@.$$$$$$$$*
endef
$(foreach b,$(call keeps,$(BUILDS)),$(if $(COMPILER_$(b)),$(eval $(call keep,$(b)))))

$(CPP): $(COPY) $(ROOT)/build/cuda_to_cpp
	@cd $(ROOT) && build/cuda_to_cpp "$$SHOWN" >$@.new 2>$@.log && mv $@.new $@ || rm -f $@ $@.new

# Of a step that is timed by the device's clock: it has the optional function of its contract, itself
# or by a header of the kit.
DEVICE = $(if $(shell awk -v folders=$(ROOT)/common/kit -f $(ROOT)/common/mk/text.awk $(COPY) | \
    grep -m 1 "simulation_forces\|_passes\|_builds"),device)

# $(call cpu_program,VARIANT,BUILD,COMPILER): a rule and a row of players.tsv
define cpu_program
$(call remember,$(OUT)/$(1)/$(2).flags,$(call version,$(3)) $(call flags_of,$(1)) $(FLAGS_$(2)))
$(OUT)/$(1)/$(2): $(CPP) $(OUT)/$(1)/$(2).flags $(PLAYER) $(ENGINE) $(INCLUDED) $(wildcard $(REWRITTEN)/*.h) $(HEADERS) $(RULES) $(if $(call keeps,$(2)),| $(KEPT_$(2)).gch)
	@mkdir -p $$(@D)
	@cd $(ROOT); if [ ! -e $(CPP) ]; then cp $(CPP).log $$@.log; rm -f $$@; else : >$$@.log; \
	    compile() { $(3) $(CPU_FLAGS) -include $$$$1 $(if $(findstring clang,$(3)),-Wno-pass-failed -Wno-extern-c-compat,-Wno-class-memaccess) $(call flags_of,$(1)) $(patsubst -I%,-isystem%,$(call library,$(1),compile)) $(FLAGS_$(2)) -c -o $$@.o $(CPP); }; \
	    { { compile $(call first,$(2)) || { grep -q '\.gch\|AST file' $$@.log && : >$$@.log && compile cuda_runtime.h; }; } && \
	      $(if $(filter trace,$(2)),$(TRACED_CALLS) $$@.o &&) $(3) -pthread $(LINKER) $(LINK_$(2)) -o $$@ $$@.o $(filter-out $(if $(filter trace,$(2)),,$(TRACE)) $(if $(filter sass,$(2)),,$(SASS)),$(ENGINE)) \
	          $(if $(filter standalone fast sass,$(2)),$(STANDALONE),$(PLAYER)) $(call library,$(1),link) -lm; } >>$$@.log 2>&1 || rm -f $$@; fi
PROGRAMS += $(call wanted,$(1),$(OUT)/$(1)/$(2))
$(if $(filter plain,$(2)),$(call texts,$(1),$(3)))
$(call row,$(1),$(2),cpucuda,one,$(call version,$(3)),$(if $(filter fast,$(2)),$(FLAGS_fast),$(firstword $(FLAGS_$(2)))) $(call flags_of,$(1)) $(call nvcc_only,$(1)),$(OUT)/$(1)/$(2))
endef

NVCC_VERSION = $(eval NVCC_VERSION := nvcc $(shell $(NVCC) --version | \
    sed -n 's/.*release \([0-9.]*\),.*/\1/p'))$(NVCC_VERSION)
nvcc_flags_of = -O3 $(if $(word 2,$(ARCHITECTURES)),$(foreach a,$(ARCHITECTURES),\
    -gencode arch=$(subst sm_,compute_,$(a))$(comma)code=$(a)),-arch=$(ARCHITECTURES)) $(call flags_of,$(1)) $(call nvcc_only,$(1))

# $(call compiled,VARIANT,BUILD,FLAGS): the rule for what nvcc makes of the source alone. -g: a timeline asks for the
# lines of launches.
define compiled
$(call remember,$(OUT)/$(1)/$(2).flags,$(NVCC_VERSION) $(call nvcc_flags_of,$(1)))
$(OUT)/$(1)/$(2): $(COPY) $(OUT)/$(1)/$(2).flags $(INCLUDED) $(RULES)
	@mkdir -p $$(@D)
	@cd $(ROOT) && $(NVCC) -std=c++17 -g -lineinfo -I$(ROOT)/common/include -I$(ROOT)/common/kit $(call nvcc_flags_of,$(1)) \
	    $(call library,$(1),compile) $(3) -o $$@ $(COPY) >$$@.log 2>&1 || rm -f $$@
endef

# $(call linked,VARIANT,BUILD): the rule for a program; all of a variant have one object.
define linked
$(OUT)/$(1)/$(2): $(OUT)/$(1)/gpu.o $(wildcard $(filter %.o,$(MAIN_$(2))))
	@cd $(ROOT) && cp $$<.log $$@.log && [ -e $$< ] && \
	    $(NVCC) $(call nvcc_flags_of,$(1)) -o $$@ $$< $(MAIN_$(2)) $(call library,$(1),link) >>$$@.log 2>&1 || rm -f $$@
endef

# $(call gpu_program,VARIANT,BUILD): the same of backend cuda
define gpu_program
$(if $(MAIN_$(2)),$(call linked,$(1),$(2)),$(call compiled,$(1),$(2),$(ALONE_$(2))))
PROGRAMS += $(call wanted,$(1),$(OUT)/$(1)/$(2))
$(call row,$(1),$(if $(or $(GPU_ARCH),$(filter cubin,$(2))),$(2),compiled),cuda,one,$(NVCC_VERSION),$(call nvcc_flags_of,$(1)),$(OUT)/$(1)/$(2))
endef

# $(call cpu_programs,VARIANT) and $(call gpu_programs,VARIANT)
cpu_programs = $(foreach b,$(filter plain address thread trace fast sass,$(BUILDS)),$(if $(COMPILER_$(b)),\
    $(eval $(call cpu_program,$(1),$(b),$(COMPILER_$(b)))),\
    $(if $(filter plain,$(b)),$(call row,$(1),missing,cpucuda,one,a C++ compiler,-,-))))
gpu_programs = $(eval $(call compiled,$(1),gpu.o,-c)) \
    $(foreach b,$(filter cuda cubin $(if $(GPU_ARCH),timeline standalone $(DEVICE)),$(BUILDS)),\
        $(eval $(call gpu_program,$(1),$(b))))

# nvcc takes longer than all else in a check: what no GPU will run it gets of the default variant
# alone, unless ARCH asks for more.
for_nvcc = $(and $(NVCC),$(or $(ARCH),$(GPU_ARCH),$(filter $(firstword $(filter-out $(APART),$(VARIANTS))),$(1))))

RACING := $(if $(filter races,$(BUILDS)),$(filter-out $(if $(filter thread,$(BUILDS)),$(VARIANTS)),\
    $(if $(filter thread,$(BUILDS)),$(races),$(filter $(VARIANTS),$(races)))))
$(foreach v,$(VARIANTS),$(if $(call lacks,$(v)),\
    $(call row,$(v),missing,cpucuda,one,$(call lacks,$(v)),-,-),\
    $(if $(or $(PEERS),$(filter nccl,$(with_$(v)))),,$(call cpu_programs,$(v))) \
    $(if $(call for_nvcc,$(v)),$(call gpu_programs,$(v))) \
    $(if $(and $(NVCC),$(GPU_ARCH)),,$(if $(and $(CXX),$(filter standalone,$(BUILDS))),\
        $(eval $(call cpu_program,$(v),standalone,$(CXX)))))))
$(if $(strip $(COMPILER_thread)),$(foreach v,$(RACING),$(if $(call lacks,$(v)),,\
    $(eval $(call cpu_program,$(v),thread,$(COMPILER_thread))))))

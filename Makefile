# The verbs of the course. Everything but building is done by build/referee; see `make help`.

VARIABLES := STEP OF FILE VARIANT ABLATE GPU N ITERATIONS SEED BACKEND ARCH JSON MACHINE DAMPING DT PORT ADDRESS PREDICT_SPEEDUP PREDICT_LIMIT STUDENT OUT STEPS ONLY SUBMISSIONS ENGINE RUBRIC PREFIX FROM TO ALL
# They count on the command line alone: a user's environment may have an OUT or an N with another meaning.
$(foreach v,$(VARIABLES),$(if $(findstring environment,$(origin $(v))),$(eval unexport $(v))$(eval undefine $(v))))
# A space in a value stands there as "\ ".
SPACE := $(subst ,, )
ifneq ($(words $(CURDIR)),1)
$(error the path of this folder has a space in it, which make takes for two names: move the course to a path without one)
endif
UNKNOWN := $(foreach v,$(subst \$(SPACE),_,$(MAKEOVERRIDES)),$(if $(filter $(firstword $(subst =, ,$(v))),$(VARIABLES) CC CXX NVCC),,$(v)))
ifneq ($(strip $(UNKNOWN)),)
$(error unknown variable $(strip $(UNKNOWN)); those there are: $(VARIABLES) CC CXX NVCC)
endif
# They are this makefile's: one called below may have an ENGINE or an OUT of its own, and a command line
# would win. The compilers reach it by the environment, as make exports them.
MAKEOVERRIDES :=

# $(call needs,VARIABLE,QUESTION,SIGN): ends make if what the variable names does not answer as a compiler does.
needs = $(if $(filter default undefined,$(origin $(1))),,$(if $(shell $(or $($(1)),false) $(2) 2>&1 | grep '$(3)'),,\
    $(error $(1)=$($(1)): this is no compiler that can be run; name another one, or leave $(1) out)))
$(foreach v,CC CXX,$(call needs,$(v),-dumpversion,^[0-9]))
$(if $(NVCC),$(call needs,NVCC,--version,release [0-9]))

# STEP=02 becomes --step '02', STEP= becomes --step ''; a quote in a value is kept from the shell.
lower = $(shell echo $(1) | tr A-Z a-z)
quoted = '$(subst ','\'',$($(1)))'
given = $(filter-out undefined,$(origin $(1)))
options = $(foreach v,$(1),$(if $(call given,$(v)),--$(call lower,$(v)) $(call quoted,$(v))))
OPTIONS = $(call options,$(VARIABLES))
# The machine whose record is meant.
MACHINE_NAME = $(if $(call given,MACHINE),$(call quoted,MACHINE),$(shell uname -n))
# $(call only,VARIABLES): of what the referee and the grader do not do, which say it themselves.
only = $(foreach v,$(filter-out $(1),$(VARIABLES)),$(if $(call given,$(v)),\
    $(error $(v) is not for $@, which takes $(or $(1),no variable); leave it out)))

REFEREE := build/referee

# Two commands at once must not build into each other's objects.
LOCKED := $(if $(shell command -v flock),flock build)

all: check

# As many compilers at once as there are CPUs, unless an outer make has its own number.
JOBS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 1))

referee:
	@mkdir -p build 2>/dev/null && [ -w build ] || \
	    { echo 'error: this folder cannot be written, and everything is built in build/: copy the course to one that can' >&2; exit 10; }
	@[ -e $(REFEREE) ] || echo 'building the harness ...' >&2
	@$(LOCKED) $(MAKE) -s --no-print-directory $(JOBS) -C common

# What the referee does by itself; the lines with ## below are the help's.
VERBS := build check bench diff explain trace estimate timeline standalone predict hint progress next watch reset submit report film live galaxy machine
$(VERBS): referee
	@$(REFEREE) $@ $(OPTIONS)

build:                  ## compile a step, or all solutions
check:                  ## check a step, or all solutions: right at every size, clean, true to its idea

run: referee            ## run a step once; without STEP climb the ladder: table, record, pictures
ifneq ($(call given,STEP),)
	@$(REFEREE) run $(OPTIONS)
else
	@$(REFEREE) ladder $(OPTIONS) || { code=$$?; [ $$code -eq 40 ] || exit $$code; }
	@$(REFEREE) report $(call options,MACHINE) >/dev/null
	@echo "results/report.html shows it all"
endif

bench:                  ## time all variants of a step, of all steps, or of STEPS=03-09, and record them
diff:                   ## show what a step changes in the one it builds on
explain:                ## show why a step is as fast as it is, beside the step it builds on
trace:                  ## show what the kernels of a step ask of memory, line by line
estimate:               ## estimate how fast a step would be on a GPU that is not here: GPU=a100, rtx4090, h100 or h200
timeline:               ## show the copies and kernels of a step, on a GPU with times and a picture
standalone:             ## build a step without the referee, for profilers and debuggers
predict:                ## write down what you expect of a step: PREDICT_SPEEDUP= and PREDICT_LIMIT=, or asked
hint:                   ## give the next hint for what the last check of a step found
progress:               ## show how far you are, one line per step
next:                   ## show what to do next
watch:                  ## check a step anew whenever it is saved, until Ctrl-C
reset:                  ## put a step's skeleton back, and keep what you have written beside it
submit:                 ## pack what you have written: submission-<id>.tar.gz (STUDENT=id)
report:                 ## print the last table; draw the pictures and write report.html, from the record alone
film:                   ## draw a rotating shell of bodies, moving, or what a step moves or makes (STEP=, N=, DT=, DAMPING=)
live:                   ## show what a step moves in a browser, until Ctrl-C (STEP=, N=, DT=, PORT=, ADDRESS=)
galaxy:                 ## draw the profiles and rotation of a galaxy of N bodies, and move it; made by a step (STEP=44) or in a file (FROM=); write it (TO=)

model:                  ## fit the cycle model to the record's times of step 15; draw both (MACHINE=)
	$(call only,MACHINE)@common/report/pictures/model.sh results/$(MACHINE_NAME).csv results

library:                ## build the library of the GRAPE-6 for programs of your own, in build/lib
	$(call only)@mkdir -p build && $(LOCKED) $(MAKE) -s --no-print-directory $(JOBS) -C common library
	@echo "build/lib: libgrape6.so, libgrape6.a, grape6.pc"

install:                ## install that library and its header: PREFIX=folder
	$(call only,PREFIX)@mkdir -p build && $(LOCKED) $(MAKE) -s --no-print-directory $(JOBS) -C common library
	@common/grape/install.sh $(call quoted,PREFIX)

machine:                ## print what this machine is

GRADES := grade regrade calibrate
ifneq ($(wildcard solutions),)
SOURCES := steps/; else solutions/, OF=solutions, FILE=path
skeletons:              ## derive sources and marked blocks of handouts in steps/ from the solutions
	$(call only)@common/course/skeletons.sh

handout:                ## copy the course for learners, without solutions: OUT=folder [STEPS=01-05]
	$(call only,OUT STEPS)@common/course/export.sh $(call quoted,OUT) $(if $(call given,STEPS),$(call quoted,STEPS))

record: referee         ## measure all steps, with ncu and compute-sanitizer, and go on where the last call ended (MACHINE=, ONLY=14-16)
	$(call only,MACHINE ONLY)@common/report/record.sh $(MACHINE_NAME) $(if $(call given,ONLY),ONLY=$(call quoted,ONLY))

test: referee           ## test the harness and check all solutions
	$(call only)@common/tests/run.sh

grader: referee
	@$(MAKE) -s --no-print-directory -C grading libraries
	@$(LOCKED) $(MAKE) -s --no-print-directory $(JOBS) -C grading

$(GRADES): grader
	@build/grade $@ $(OPTIONS)

grade:                  ## grade a folder: SUBMISSIONS=folder [STEPS=03-09] [OUT=folder] [ENGINE=slurm] [RUBRIC=file]
regrade:                ## apply a changed rubric; with STUDENT=id [STEP=05] repeat checks and compare
calibrate:              ## measure what speed earns on this machine, for grading/rubric.ini [STEPS=05]

gradescope:             ## pack an autograder for Gradescope: OUT=folder [STEPS=05]
	$(call only,OUT STEPS)@grading/gradescope.sh $(call quoted,OUT) $(if $(call given,STEPS),$(call quoted,STEPS))

soak: test              ## what takes longer than a test may: many seeds, large sizes
	$(call only)@common/tests/soak.sh
else
SOURCES := FILE=path
skeletons handout record test $(GRADES) gradescope soak:
	@echo 'error: this copy of the course is for learners; make $@ needs one with solutions and tests' >&2; exit 14
endif

setup:                  ## install what is missing of the distribution's packages
	$(call only)@sh common/setup.sh

clean:                  ## remove what was built; results/ stays
	$(call only)rm -rf build

# make help: "=" begins a group of what a learner needs.
LEARNERS := =begin next progress =write predict check hint =measure run bench explain report =submit submit

help:                   ## print the verbs that a learner needs; with ALL=1 all verbs
	$(call only,ALL)@awk -F ':.*## ' -v all=$(call quoted,ALL) -v learners='$(LEARNERS)' ' \
	    /^[a-z]+:.*## / { line[$$1] = sprintf("  make %-10s %s", $$1, $$2); if (all) print line[$$1] } \
	    END { count = all ? 0 : split(learners, word, " "); \
	          for (i = 1; i <= count; i++) print sub(/^=/, "", word[i]) ? word[i] ":" : line[word[i]] }' Makefile
ifneq ($(ALL),)
	@echo '  with STEP=02 ($(SOURCES)) VARIANT= N= ITERATIONS= SEED='
	@echo '  BACKEND=cpu|cuda|cpucuda ARCH=sm_90 JSON=1 MACHINE=name GPU=name CC= CXX= NVCC=compiler, where they make sense'
	@echo '  ABLATE=1: also the variants of a step that leave one idea out each'
else
	@echo 'with STEP=02 or in its folder; make help ALL=1 lists all verbs and variables'
endif

.PHONY: all referee $(VERBS) run skeletons handout model library install record test grader $(GRADES) gradescope soak setup clean help

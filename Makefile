# SPDX-License-Identifier: GPL-2.0-only
# The front door. `make help` lists the targets; the kernel's own rules are in Kbuild and cm_core/Kbuild.

KERNEL ?= 6.1
KDIR   ?= /lib/modules/$(shell uname -r)/build
O      ?= build
ONLY   ?=

kernels := 6.1 6.12

ifeq ($(filter $(KERNEL),$(kernels)),)
$(error KERNEL=$(KERNEL) is not supported: say one of $(kernels))
endif

export CEPHEUS_CACHE CEPHEUS_ACCEL

.DEFAULT_GOAL := modules
.PHONY: help demo check kunit soak model-check litmus traces coverage mutants bench modules install uninstall regen check-generated lint tests clean
.NOTPARALLEL:

help:
	@echo 'make                     ib_cm.ko for the running kernel, or KDIR=/path/to/kernel/headers (result: $(O)/RELEASE/ib_cm.ko)'
	@echo 'make demo                our ib_cm under Debian'"'"'s RDMA stack in a guest; KERNEL=6.1 (default) or 6.12'
	@echo 'make check               every test; ONLY=PATTERN runs those whose name matches'
	@echo 'make kunit               the KUnit suites in UML guests; LAB="debug leak" (default), SUITE="fsm wire ..."'
	@echo 'make soak                random calls, faults, removals and reloads in UML guests; MINUTES=60 (default 2), SEED=N'
	@echo 'make model-check         Spin explores the model: two peers, a bad wire, destroy at any time'
	@echo 'make litmus              the last put, the look-ups under the kernel'"'"'s memory model (herd7)'
	@echo 'make traces              our ib_cm and stock play the same script; the traces are compared'
	@echo 'make coverage            lines and cells that the tests reach: $(O)/coverage/index.html'
	@echo 'make mutants             break the code rule by rule; which test notices? (hours; $(O)/mutants)'
	@echo 'make bench               what asserting the holders costs, in one guest: $(O)/bench (JSON, SVG)'
	@echo 'make install             build for KDIR and install to /lib/modules/RELEASE/updates (root); loads nothing'
	@echo 'make uninstall           undo that'
	@echo 'make regen               render the model again into cm_core/generated and Documentation'
	@echo 'make check-generated     are the rendered files what the model gives?'
	@echo 'make lint                shellcheck, sparse, checkpatch (where a kernel source is at hand)'
	@echo 'make clean               remove $(O) and codegen/build'
	@echo 'The cache is $${CEPHEUS_CACHE:-$${XDG_CACHE_HOME:-~/.cache}/cepheus}; see tools/lab/README.md.'

modules:
	@tools/modules release '$(KDIR)' >/dev/null && tree=$$(tools/generate '$(O)/tree') && TREE=$$tree tools/modules build '$(KDIR)' '$(O)'

install:
	@tools/modules release '$(KDIR)' >/dev/null && tree=$$(tools/generate '$(O)/tree') && TREE=$$tree tools/modules install '$(KDIR)' '$(O)'

uninstall:
	@tools/modules uninstall '$(KDIR)'

demo:
	@tools/setup
	@tools/lab/demo '$(KERNEL)' '$(O)'

check:
	@tools/setup
	@ONLY='$(value ONLY)' tools/lab/check '$(O)'

LAB   ?= debug leak
SUITE ?=
kunit:
	@tools/setup
	@status=0; for kernel in $(LAB); do tools/lab/kunit --kernel $$kernel --out '$(O)/kunit' $(SUITE) || status=1; done; exit $$status

MINUTES ?= 2
SEED    ?=
soak:
	@tools/setup
	@tools/lab/soak --out '$(O)/soak' --minutes '$(MINUTES)' $(if $(SEED),--seed '$(SEED)') $(foreach kernel,$(LAB),--kernel '$(kernel)')

model-check:
	@tools/setup
	@tools/model-check

litmus:
	@tools/setup
	@tools/litmus/run

traces:
	@tools/setup
	@tools/traces/run --out '$(O)/traces'

coverage:
	@tools/setup
	@tools/coverage/run '$(O)'

mutants:
	@tools/setup
	@tools/mutants/run '$(O)'

bench:
	@tools/setup
	@tools/bench/run '$(O)'

tests:
	@$(MAKE) -s -C tools/itest O='$(abspath $(O))/bin'

regen:
	@$(MAKE) -s -C codegen generate

check-generated:
	@$(MAKE) -s -C codegen check-generated

lint:
	@tools/lint '$(O)'

clean:
	rm -rf '$(O)' codegen/build

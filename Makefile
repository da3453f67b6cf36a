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
.PHONY: help demo check modules install uninstall regen check-generated lint tests clean
.NOTPARALLEL:

help:
	@echo 'make                     ib_cm.ko for the running kernel, or KDIR=/path/to/kernel/headers (result: $(O)/RELEASE/ib_cm.ko)'
	@echo 'make demo                our ib_cm under Debian'"'"'s RDMA stack in a guest; KERNEL=6.1 (default) or 6.12'
	@echo 'make check               every test; ONLY=PATTERN runs those whose name matches'
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

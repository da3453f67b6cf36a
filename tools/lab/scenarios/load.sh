# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Want of memory: what tests need for it; and ib_cm loaded while memory runs out: each allocation of its init fails in turn.

# Tests choose which allocation of theirs fails; that it did is not to fill the log.
may_fail() {
	[[ ! -d /sys/kernel/debug/failslab ]] || {
		echo N >/sys/kernel/debug/failslab/ignore-gfp-wait
		echo 0 >/sys/kernel/debug/failslab/verbose
	}
}

# load_of START END: what has such an address on its stack may fail, and nothing else.
load_of() {
	local attr
	for attr in /sys/kernel/debug/failslab /sys/kernel/debug/fail_page_alloc; do
		echo "$1" >$attr/require-start
		echo "$2" >$attr/require-end
	done
}

# Only init's own allocations: of the loader's earlier ones some are the trace events', whose want the kernel WARNs of.
load_of_init() {
	local init next
	read -r init next < <(sort -k1,1 /proc/kallsyms |
		awk '$3 == "do_init_module" { init = $1; next } init && $1 != init { print "0x" init, "0x" $1; exit }')
	[[ $next ]] || { echo "load: no do_init_module()"; return 1; }
	load_of "$init" "$next"
}

# load_attempt N [PARAMETER...]: the Nth allocation of init fails; 1 if that keeps the module out. What the loader said is left in $said.
load_attempt() {
	local nth=$1
	shift
	said=$( (echo "$nth" >/proc/self/fail-nth; exec insmod "$ib_cm" "$@") 2>&1) || return 1
	rmmod ib_cm
}

# load_wrong WHAT: why this attempt is not as it must be; 1 if it is
load_wrong() {
	if [[ -d /sys/module/ib_cm ]]; then
		echo "load: $1: ib_cm is there: $said"
	elif [[ $said != *'annot allocate memory'* ]]; then
		echo "load: $1: $said"
	else
		return 1
	fi
}

# load_without_memory ATTEMPTED [PARAMETER...]: with these parameters it is loaded, or leaves nothing behind. Takes minutes. ATTEMPTED: a file
# that has the number of the attempt under way. The status is 1 if something is wrong, which is printed; else a summary is.
load_without_memory() {
	local attempted=$1 ib_cm n loaded=0 failed=0 said='' status=0
	shift
	modprobe ib_core
	ib_cm=$(modinfo -n ib_cm)
	load_of_init || return 1
	# Not every allocation is missed: the last one is known by many attempts after it that come through.
	for ((n = 1; loaded < 100; n++)); do
		echo "$n" >"$attempted"
		load_attempt $n "$@" && { loaded=$((loaded + 1)); continue; }
		! load_wrong "allocation $n" || { status=1; break; }
		failed=$((failed + 1)) loaded=0
	done
	load_of 0 0xffffffffffffffff
	((status == 0)) || return 1
	echo "load: $failed allocations of $((n - 1 - loaded)) failed it"
	((failed > 20)) || { echo "load: hardly an allocation counts"; return 1; }
}

# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Want of memory: what tests need for it; and ib_cm loaded while memory runs out: each of the loader's last allocations, which are those of
# ib_cm's init, fails in turn.

# Tests choose which allocation of theirs fails; that it did is not to fill the log.
may_fail() {
	[[ ! -d /sys/kernel/debug/failslab ]] || {
		echo N >/sys/kernel/debug/failslab/ignore-gfp-wait
		echo 0 >/sys/kernel/debug/failslab/verbose
	}
}

# load_attempt N [PARAMETER...]: the Nth allocation of the loader fails; 1 if that keeps the module out. What the loader said is left in $said.
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
	local attempted=$1 ib_cm n last failed=0 said=''
	shift
	modprobe ib_core
	ib_cm=$(modinfo -n ib_cm)
	# From more than there are down to the last that counts. Many do not: what is read ahead may as well be read later.
	for ((n = 8192; n > 48; n -= 48)); do
		echo "$n" >"$attempted"
		load_attempt $n "$@" || break
	done
	for ((last = n + 48, n = last; n > last - 400; n -= last - n < 150 ? 1 : 5)); do
		echo "$n" >"$attempted"
		load_attempt $n "$@" && continue
		! load_wrong "allocation $n" || return 1
		failed=$((failed + 1))
	done
	echo "load: $failed of the last allocations, up to $last, failed it"
	((failed > 20)) || { echo "load: hardly an allocation counts"; return 1; }
}

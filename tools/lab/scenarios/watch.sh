# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What watches a guest: kmemleak, where the kernel has it, and a reader of everything that can be read.

leaks=/sys/kernel/debug/kmemleak

# What the kernel itself lost while it booted is not ours, and not to fail the guest. Nothing is reported that is younger than 5 s, or that
# the scan before did not see as it is.
leaks_forget() {
	[[ -w $leaks ]] || return 0
	echo scan=off >$leaks
	sleep 6
	dmesg -n 4
	echo scan >$leaks
	echo scan >$leaks
	dmesg -n 7
	echo clear >$leaks
}

# leaks_none FILE: nothing is lost; if something is, FILE says what. Two scans, since the first may see what is being freed.
leaks_none() {
	[[ -w $leaks ]] || return 0
	sync
	sleep 6
	echo scan >$leaks
	sleep 6
	echo scan >$leaks
	cat $leaks >"$1"
	[[ -s $1 ]] || return 0
	echo "kmemleak:"
	head -n 100 "$1"
	return 1
}

# unload MODULE: one that is looked at is in use while a file of it is open.
unload() {
	local tries=100
	until rmmod "$1" 2>/tmp/unload; do
		((--tries)) || { cat /tmp/unload; return 1; }
		sleep 0.1
	done
}

# Looking is safe at any time: somebody does so while things happen. Runs until it is killed.
look() {
	local file
	while sleep 0.3; do
		for file in /sys/kernel/debug/ib_cm/*/ids /sys/kernel/debug/ib_cm/*/*/{counters,now} /sys/module/ib_cm/parameters/*; do
			cat "$file"
		done
	done >/dev/null 2>&1
}

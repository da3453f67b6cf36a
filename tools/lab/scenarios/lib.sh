# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Shared by the scenarios: RDMA set-up in the guest, steps with a time limit each, message counters, reports.
#
# A step is a function that runs in a process group of its own with its output in $CEPHEUS_OUT/STEP.log. It fails by `die` or any failing
# command; whatever it leaves running is killed. A step that does not end in time fails under its own name, with the stacks of its
# processes in its log; if they cannot even be killed, the steps after it are not run.
#
# An emulated guest forks slowly, so helpers use shell builtins where they can and answer in $REPLY rather than on standard output.

set -u

out=${CEPHEUS_OUT:?is not set: run me in a guest of tools/lab/run}
bin=${CEPHEUS_BIN:?}
work=$(mktemp -d)
dev=rxe0
netdev=cepheus0
ip=10.57.0.1
ip6=fd57::1

export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C

# Descriptor 8 brings the status of a step; 9 never brings anything, which makes a sleep without a process.
mkfifo "$work/done" "$work/never"
exec 8<>"$work/done" 9<>"$work/never"

declare -a names=() proofs=() results=() seconds=() counts=() mads=() remarks=()
failures=0
stuck=

say()
{
	printf '%s\n' "$*" >&3
}

nap()
{
	read -r -t "$1" -u 9 _ || :
}

# Ends a step with its reason.
die()
{
	printf '%s\n' "$*" >"$work/why"
	printf 'FAILED: %s\n' "$*"
	exit 1
}

remark()
{
	printf '%s\n' "$*" >"$work/remark"
}

expect_eq()
{
	[ "$2" = "$3" ] || die "$1: $2 instead of $3"
}

expect_ge()
{
	[ "$2" -ge "$3" ] || die "$1: $2, at least $3 expected"
}

# Connections that a step has made, for the table.
connections()
{
	echo "$1" >>"$work/connections"
}

# Waits for a state, never for a time: wait_for SECONDS WHAT COMMAND...
wait_for()
{
	local until=$((SECONDS + $1)) what=$2
	shift 2
	until "$@"; do
		[ "$SECONDS" -lt "$until" ] || die "$what did not happen in time"
		nap 0.05
	done
}

# --- modules and devices -------------------------------------------------------------------------------------------------------------

loaded()
{
	[ -d "/sys/module/${1//-/_}" ]
}

load()
{
	local module
	modprobe -a "$@" || die "modprobe $* failed: $(dmesg | tail -n 1)"
	for module; do
		loaded "$module" || die "modprobe succeeded, but $module is not there"
	done
}

# The modules that hold one, blank-separated.
holders_of()
{
	local path
	REPLY=
	for path in "/sys/module/$1/holders/"*; do
		[ -e "$path" ] && REPLY+="${REPLY:+ }${path##*/}"
	done
	return 0
}

# Adds a module, and before it whatever holds it, to the array order.
unload_order()
{
	local path
	for path in "/sys/module/$1/holders/"*; do
		[ -e "$path" ] && unload_order "${path##*/}"
	done
	[[ " ${order[*]} " == *" $1 "* ]] || order+=("$1")
}

# Unloads a module and first whatever holds it.
unload()
{
	local module
	local -a order=()
	loaded "$1" || return 0
	unload_order "$1"
	echo "+ rmmod ${order[*]}"
	rmmod "${order[@]}" || die "rmmod ${order[*]} failed"
	for module in "${order[@]}"; do
		! loaded "$module" || die "rmmod succeeded, but $module is still there"
	done
}

net_up()
{
	[ -d "/sys/class/net/$netdev" ] && return
	# Built in where there is nothing to load
	modprobe dummy || die "no dummy net device"
	ip link add "$netdev" type dummy
	ip addr add "$ip/24" dev "$netdev"
	ip addr add "$ip6/64" dev "$netdev" nodad
	ip link set "$netdev" up
}

gid_there()
{
	local file gid
	for file in "/sys/class/infiniband/$dev/ports/1/gids/"*; do
		read -r gid <"$file" && [[ $gid == *:ffff:0a39:0001 ]] && return
	done
	return 1
}

# The CM's counters come with its port, so they show that it has taken the device.
counters_there()
{
	[ -e "/sys/class/infiniband/$dev/ports/1/cm_tx_msgs/req" ]
}

device_up()
{
	net_up
	rdma link add "$dev" type rxe netdev "$netdev" || die "cannot make the rxe device"
	wait_for 10 "the GID of $ip on $dev" gid_there
	! loaded ib_cm || wait_for 10 "the CM's counters on $dev" counters_there
	counters_mark
}

# Takes the device away; what its counters said is kept.
device_down()
{
	counters_bank
	rm -f "$work/mark"
	rdma link del "$dev"
}

stack_up()
{
	load ib_cm rdma_rxe rdma_cm rdma_ucm
	[ -d "/sys/class/infiniband/$dev" ] || device_up
}

# --- counters ------------------------------------------------------------------------------------------------------------------------

# counter_names: all of them; counter_at: where each is among them.
declare -a counter_names=()
declare -A counter_at=()
for REPLY in cm_tx_msgs cm_tx_retries cm_rx_msgs cm_rx_duplicates; do
	for message in req mra rej rep rtu dreq drep sidr_req sidr_rep lap apr; do
		counter_at[$REPLY/$message]=${#counter_names[@]}
		counter_names+=("$REPLY/$message")
	done
done
unset message

# Reads all counters into the array now, in the order of counter_names.
counters_now()
{
	local name value
	now=()
	for name in "${counter_names[@]}"; do
		value=0
		read -r value 2>/dev/null <"/sys/class/infiniband/$dev/ports/1/$name"
		now+=("$value")
	done
}

counters_mark()
{
	local -a now
	counters_there || return 0
	counters_now
	echo "${now[*]}" >"$work/mark"
}

# Adds what was counted since the mark to the totals, and marks again.
counters_bank()
{
	local -a now mark totals
	local i
	[ -e "$work/mark" ] && counters_there || return 0
	read -r -a mark <"$work/mark"
	read -r -a totals <"$work/totals"
	counters_now
	for i in "${!now[@]}"; do
		totals[i]=$((totals[i] + now[i] - mark[i]))
	done
	echo "${totals[*]}" >"$work/totals"
	echo "${now[*]}" >"$work/mark"
}

# since_mark cm_tx_msgs req: how far a counter has moved in this step.
since_mark()
{
	local -a mark
	local value=0
	read -r -a mark <"$work/mark"
	read -r value <"/sys/class/infiniband/$dev/ports/1/$1/$2"
	REPLY=$((value - mark[${counter_at[$1/$2]}]))
}

total()
{
	local -a totals
	local i first=${counter_at[$1/req]}
	read -r -a totals <"$work/totals"
	REPLY=0
	for ((i = first; i < first + ${#counter_names[@]} / 4; i++)); do
		REPLY=$((REPLY + totals[i]))
	done
}

# First transmissions only: what the protocol needs, whatever had to be repeated.
fresh_sends()
{
	local sent
	since_mark cm_tx_msgs "$1"
	sent=$REPLY
	since_mark cm_tx_retries "$1"
	REPLY=$((sent - REPLY))
}

sends_reach()
{
	fresh_sends "$1"
	[ "$REPLY" -ge "$2" ]
}

# expect_sends MESSAGE COUNT: exactly so many were sent, repetitions apart. Stock counts at the completion of a send, so it may come a moment late.
expect_sends()
{
	local until=$((SECONDS + 5))
	until sends_reach "$1" "$2" || [ "$SECONDS" -ge "$until" ]; do
		nap 0.05
	done
	fresh_sends "$1"
	expect_eq "$1 sent, repetitions apart" "$REPLY" "$2"
}

# Answers are repeated whenever what they answer is, and are not counted as repetitions: at least so many.
expect_answers()
{
	local until=$((SECONDS + 5))
	until since_mark cm_tx_msgs "$1" && [ "$REPLY" -ge "$2" ] || [ "$SECONDS" -ge "$until" ]; do
		nap 0.05
	done
	since_mark cm_tx_msgs "$1"
	expect_ge "$1 sent" "$REPLY" "$2"
}

expect_handshakes()
{
	expect_sends req "$1"
	expect_sends rep "$1"
	expect_answers rtu "$1"
}

# --- programs ------------------------------------------------------------------------------------------------------------------------

listener_of()
{
	local list
	list=$(rdma resource show cm_id)
	[[ $list =~ state\ LISTEN[^$'\n']*\ pid\ $1\  ]]
}

# serve COMMAND...: starts a server and waits until it listens; its pid is in $server, its output in the step's log.
serve()
{
	echo "+ $* &"
	"$@" &
	server=$!
	wait_for 10 "listen of $1" listener_of "$server"
}

# client COMMAND...: runs it; its output goes to the log, its lines are in the array lines, its status is returned.
client()
{
	local status=0
	echo "+ $*"
	"$@" >"$work/client" 2>&1 || status=$?
	mapfile -t lines <"$work/client"
	[ ${#lines[@]} -eq 0 ] || printf '%s\n' "${lines[@]}"
	return "$status"
}

# How many of the client's lines match a pattern.
count_lines()
{
	local line
	REPLY=0
	for line in "${lines[@]}"; do
		# shellcheck disable=SC2053  # a pattern is wanted
		[[ $line == $1 ]] && REPLY=$((REPLY + 1))
	done
	return 0
}

# The server must end by itself, with success.
server_ended()
{
	local status=0
	wait "$server" || status=$?
	expect_eq "exit status of the server" "$status" 0
}

# itest PROGRAM ARGS...: one of tools/itest; books its connections.
itest()
{
	local program=$1 status=0 line
	shift
	[ -x "$bin/$program" ] || die "$program is not built (make -C tools/itest O=$bin)"
	client "$bin/$program" "$@" || status=$?
	for line in "${lines[@]}"; do
		[[ $line == FAILED* || $line == *": FAILED: "* ]] && die "$line"
	done
	expect_eq "exit status of $program" "$status" 0
	[[ ${lines[-1]} =~ ^$program:\ ok:.*connections=([0-9]+)$ ]] || die "$program did not say how many connections it made"
	connections "${BASH_REMATCH[1]}"
}

# --- steps ---------------------------------------------------------------------------------------------------------------------------

stacks()
{
	local stat pid group
	echo "--- processes of the step"
	for stat in /proc/[0-9]*/stat; do
		pid=${stat#/proc/}
		pid=${pid%/stat}
		group=$(sed 's/.*) . [0-9]* \([0-9]*\) .*/\1/' "$stat" 2>/dev/null)
		[ "$group" = "$1" ] || continue
		echo "$pid $(tr '\0' ' ' <"/proc/$pid/cmdline")"
		cat "/proc/$pid/stack" 2>/dev/null
	done
}

# step NAME LIMIT PROVES FUNCTION ARGS...
step()
{
	local name=$1 limit=$2 proves=$3 log=$out/$1.log start us result=ok status why='' n=0 before group i
	local -a made=()
	shift 3

	if [ -n "$stuck" ]; then
		record "$name" "$proves" 'not run' 0 0 0 "$stuck hangs"
		return
	fi
	rm -f "$work/why" "$work/remark" "$work/connections"
	: >"$log"
	counters_mark
	total cm_tx_msgs
	before=$REPLY
	start=${EPOCHREALTIME/./}
	set -m
	(
		set +m
		exec >>"$log" 2>&1 </dev/null
		(
			set -euo pipefail
			"$@"
		)
		echo $? >&8
	) &
	group=$!
	set +m
	if read -r -t "$limit" -u 8 status; then
		[ "$status" = 0 ] || result=FAILED
	else
		result=FAILED
		echo "no end within its limit of $limit s" >"$work/why"
		stacks "$group" >>"$log"
	fi
	us=$((${EPOCHREALTIME/./} - start))
	{
		kill -KILL -- "-$group"
		for ((i = 0; i < 50; i++)); do
			kill -0 -- "-$group" || break
			nap 0.1
		done
		if kill -0 -- "-$group"; then
			stuck=$name
		else
			wait "$group"
		fi
	} 2>/dev/null
	if [ -n "$stuck" ]; then
		result=FAILED
		echo "its processes cannot be killed" >>"$work/why"
	fi
	# A status that arrived after its limit belongs to nobody.
	while read -r -t 0.001 -u 8 status; do :; done

	counters_bank
	total cm_tx_msgs
	[ -e "$work/connections" ] && mapfile -t made <"$work/connections"
	for i in ${made[@]+"${made[@]}"}; do
		n=$((n + i))
	done
	if [ "$result" = ok ]; then
		[ -e "$work/remark" ] && read -r why <"$work/remark"
	else
		why=$(cat "$work/why" 2>/dev/null) || why="see $name.log: $(tail -n 1 "$log")"
	fi
	record "$name" "$proves" "$result" "$us" "$n" "$((REPLY - before))" "${why//$'\n'/; }"
}

record()
{
	local s
	printf -v s '%d.%02d' "$(($4 / 1000000))" "$(($4 / 10000 % 100))"
	names+=("$1") proofs+=("$2") results+=("$3") seconds+=("$s") counts+=("$5") mads+=("$6") remarks+=("$7")
	[ "$3" = ok ] || failures=$((failures + 1))
	report_step "$1" "$2" "$3" "$s" "$7"
	if [ "$3" = FAILED ]; then
		echo "=== $1 failed: $7"
		tail -n 40 "$out/$1.log"
	fi
}

# As `make check` counts it. The demo replaces it.
report_step()
{
	case $3 in
	ok) say "ok $1 $4 $5" ;;
	*) say "not ok $1 $4 $3: $5" ;;
	esac
}

finish()
{
	exit "$((failures != 0))"
}

printf '0 %.0s' "${counter_names[@]}" >"$work/totals"
echo >>"$work/totals"

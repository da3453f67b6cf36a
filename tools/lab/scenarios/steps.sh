# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What the demo shows and `basic` asserts: Debian's unmodified RDMA stack and rdma-core's unmodified programs on the ib_cm under test.
# Every step checks what it claims, by the programs' own verdict and by the CM's counters.

# shellcheck disable=SC2154  # dev, ip, work, bin and lines are lib.sh's

direct_users='rdma_cm ib_ipoib ib_srp ib_srpt'
rdma_cm_users='rdma_ucm rds_rdma nvme_rdma nvmet_rdma rpcrdma ib_iser ib_isert'

# Of the MRA, what the kernel's header calls it.
exports='ib_cm_init_qp_attr ib_cm_insert_listen ib_cm_listen ib_cm_notify ib_create_cm_id ib_destroy_cm_id ib_send_cm_drep ib_send_cm_dreq
	ib_(send|prepare)_cm_mra ib_send_cm_rej ib_send_cm_rep ib_send_cm_req ib_send_cm_rtu ib_send_cm_sidr_rep ib_send_cm_sidr_req ibcm_reject_msg'

# The module that is loaded, not the one that might be: version and hash come from the running code, the build's id from its file.
is_ours()
{
	local version hash symbol symbols file_id running_id
	load ib_cm
	[ -r /sys/module/ib_cm/parameters/model_hash ] || die "the loaded ib_cm is not ours: it knows no model"
	read -r hash </sys/module/ib_cm/parameters/model_hash
	[[ $hash =~ ^[0-9a-f]{8,}$ ]] || die "the loaded ib_cm has no hash of its model, but '$hash'"
	[ -r /sys/module/ib_cm/version ] || die "the loaded ib_cm has no version"
	read -r version </sys/module/ib_cm/version
	[ -r /sys/module/ib_cm/srcversion ] && read -r running_id </sys/module/ib_cm/srcversion
	file_id=$(modinfo -F srcversion ib_cm)
	expect_eq 'build id of the loaded ib_cm' "${running_id-}" "$file_id"
	symbols=$(grep -F '[ib_cm]' /proc/kallsyms) || die "no code of ib_cm in the kernel"
	for symbol in $exports; do
		[[ $symbols =~ \ __ksymtab_${symbol}[[:space:]] ]] || die "the loaded ib_cm does not export $symbol"
	done
	say "      ib_cm $version, model $hash, build $running_id, 16 exports"
	remark "version $version, model ${hash:0:12}"
}

stock_file()
{
	local file
	for file in "/lib/modules/$(uname -r)/kernel/drivers/infiniband/core/ib_cm.ko"*; do
		[ -e "$file" ] || die "the kernel has no ib_cm of its own"
		REPLY=$file
	done
}

# A module from the kernel's own tree, signed by Debian, taints nothing; ours does.
is_stock()
{
	local taint=unknown
	load ib_cm
	[ ! -e /sys/module/ib_cm/parameters/model_hash ] || die "the loaded ib_cm is not stock"
	read -r taint </sys/module/ib_cm/taint || [ -z "$taint" ] || die "no taint of ib_cm"
	expect_eq "taint of the loaded ib_cm" "$taint" ''
	remark "Debian's own"
}

is_whose()
{
	"is_$CEPHEUS_CM"
}

# Debian's modules, from Debian's package: only ib_cm may come from elsewhere.
is_debians()
{
	local file
	modinfo -F filename "$@" >"$work/files" || die "a module of Debian's is missing"
	while read -r file; do
		[[ $file == */kernel/* ]] || die "$file is not Debian's"
	done <"$work/files"
}

base_stack()
{
	is_debians rdma_rxe rdma_cm rdma_ucm
	stack_up
	holders_of ib_cm
	[[ " $REPLY " == *' rdma_cm '* ]] || die "rdma_cm does not hold ib_cm, only '$REPLY' do"
	counters_there || die "ib_cm has no counters for $dev"
	remark "held by $REPLY"
}

# Each of these resolves its symbols, with their versions, against the ib_cm that is loaded.
ulp_modules()
{
	local module
	# shellcheck disable=SC2086
	is_debians $direct_users $rdma_cm_users
	# shellcheck disable=SC2086
	load $direct_users $rdma_cm_users
	holders_of ib_cm
	for module in $direct_users; do
		[[ " $REPLY " == *" $module "* ]] || die "$module does not hold ib_cm"
	done
	local held=$REPLY
	holders_of rdma_cm
	for module in $rdma_cm_users; do
		[[ " $REPLY " == *" $module "* ]] || die "$module does not hold rdma_cm"
	done
	say "      /sys/module/ib_cm/holders: $held"
	say "      /sys/module/rdma_cm/holders: $REPLY"
	remark "11 modules loaded and linked"
}

verified_rping()
{
	local pings=${1:-20} address=${2:-$ip}
	serve rping -s -a "$address" -C "$pings" -V
	client rping -c -a "$address" -C "$pings" -V -v || die "rping failed: ${lines[*]}"
	server_ended
	count_lines 'ping data: rdma-ping-*'
	expect_eq 'pings with verified data' "$REPLY" "$pings"
	expect_handshakes 1
	connections 1
	remark "$pings pings, data verified"
}

many_ucmatose()
{
	local n=$1
	serve ucmatose -c "$n" -b "$ip"
	client ucmatose -c "$n" -s "$ip" || die "ucmatose failed: ${lines[*]}"
	server_ended
	count_lines 'return status 0'
	expect_eq "ucmatose's 'return status 0'" "$REPLY" 1
	expect_handshakes "$n"
	connections "$n"
	remark "10 messages on each"
}

many_udaddy()
{
	local n=$1
	serve udaddy -c "$n" -b "$ip"
	client udaddy -c "$n" -s "$ip" || die "udaddy failed: ${lines[*]}"
	server_ended
	count_lines 'return status 0'
	expect_eq "udaddy's 'return status 0'" "$REPLY" 1
	expect_sends sidr_req "$n"
	expect_sends sidr_rep "$n"
	expect_sends req 0
	connections "$n"
	remark "10 datagrams on each"
}

# 5 times 100 messages of 4 KiB there and back.
verified_rstream()
{
	serve rstream -b "$ip" -S 4096 -C 100 -I 5 -T v
	client rstream -s "$ip" -S 4096 -C 100 -I 5 -T v || die "rstream failed: ${lines[*]}"
	server_ended
	[[ ${lines[-1]} =~ ^custom[[:blank:]]+4k[[:blank:]]+100[[:blank:]]+5[[:blank:]]+3\.9m[[:blank:]] ]] ||
		die "rstream did not move 4,096,000 bytes: ${lines[*]}"
	expect_handshakes 1
	connections 1
	remark "4,096,000 bytes, data verified"
}

many_cmtime()
{
	local n=$1 part
	# Its server serves for ever; the step's end ends it.
	serve cmtime -b "$ip"
	client cmtime -s "$ip" -c "$n" || die "cmtime failed: ${lines[*]}"
	for part in 'create id' 'resolve addr' 'resolve route' 'create qp' connect disconnect destroy; do
		count_lines "$part*:*"
		expect_eq "cmtime's figures for '$part'" "$REPLY" 1
	done
	expect_handshakes "$n"
	expect_answers drep "$n"
	remark "$n connects, disconnects and destroys timed"
	connections "$n"
}

in_a_row()
{
	local n=$1 message
	shift
	itest cm-cycle -n "$n" "$@" "$ip"
	for message in req rep dreq; do
		expect_sends "$message" "$n"
	done
	expect_answers rtu "$n"
	expect_answers drep "$n"
	expect_sends rej 0
	[[ ${lines[-1]} =~ ([0-9.]+)\ ms\ each ]]
	remark "${BASH_REMATCH[1]} ms each, 5 MADs each"
}

# Debian's rping and our own program against ports that nobody listens on, and a consumer that says no.
rejects()
{
	if client rping -c -a "$ip" -p 9999 -C 1; then
		die "rping connected to a port that nobody listens on"
	fi
	count_lines '*RDMA_CM_EVENT_REJECTED, error 8'
	expect_eq 'rping told of a reject with reason 8' "$REPLY" 1
	itest cm-reject -n 20 "$ip"
	expect_sends rej 41
	expect_sends sidr_rep 40
	connections 1
	remark "reasons 8 and 28, SIDR status 1 and 2"
}

mid_handshake()
{
	itest cm-midway "$@" "$ip"
	expect_answers rej 1
	remark "14 points; the other end told, destroy bounded"
}

private_data()
{
	itest cm-data "$ip"
	remark "REQ, REP, REJ, SIDR: 0, 1, most, most + 1 bytes; zero tails"
}

# Everything that stands on ib_cm goes, ib_cm goes, comes back, and works; rxe and its device stay where they are.
reload()
{
	local held
	holders_of ib_cm
	held=$REPLY
	counters_bank
	rm -f "$work/mark"
	unload ib_cm
	! counters_there || die "ib_cm is gone, but its counters are not"
	[ -d "/sys/class/infiniband/$dev" ] || die "$dev went with ib_cm"
	load ib_cm rdma_cm rdma_ucm
	wait_for 10 "the CM's counters on $dev" counters_there
	counters_mark
	verified_rping 5
	remark "unloaded with $held, loaded, connected"
}

# The device goes while connections and handshakes are open; every consumer is told, and a new device works.
unplug()
{
	local program status=0
	rm -f "$work/ready"
	"$bin/cm-unplug" "$@" "$work/ready" "$ip" &
	program=$!
	wait_for 30 'opening the connections' [ -s "$work/ready" ]
	device_down
	wait "$program" || status=$?
	expect_eq 'exit status of cm-unplug' "$status" 0
	[ ! -d "/sys/class/infiniband/$dev" ] || die "$dev is still there"
	connections 25
	device_up
	verified_rping 5
	remark "25 connections, some half-open, told; new device connects"
}

# kapi_run PARAMETER...: the kernel consumer (tools/itest/kapi), built for this kernel, tests on the device while it is loaded.
# told: what it says of each case, as `ok NAME SECONDS REMARK`; bad: names of the cases that failed. The status is insmod's.
kapi_run()
{
	local module line before status=0
	module=$bin/kapi-$(uname -r)/cm_kapi.ko
	[ -r "$module" ] || die "$module is not built (tools/itest/kapi/build KDIR $bin)"
	before=$(dmesg | wc -l)
	insmod "$module" dev="$dev" "$@" 2>"$work/insmod" || status=$?
	told=() bad=()
	dmesg -t | tail -n "+$((before + 1))" >"$work/log"
	while read -r line; do
		[[ $line == cm_kapi:* ]] || continue
		echo "$line"
		[[ $line =~ ^cm_kapi:\ (ok|not\ ok|skip)\ [0-9]+\ (([^ ]+).*)$ ]] || continue
		told+=("${BASH_REMATCH[1]} ${BASH_REMATCH[2]}")
		[[ ${BASH_REMATCH[1]} != 'not ok' ]] || bad+=("${BASH_REMATCH[3]}")
	done <"$work/log"
	[ "$status" != 0 ] || rmmod cm_kapi
	return "$status"
}

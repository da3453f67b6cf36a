#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# golden.sh MINIGEN DIR [--accept]: the small model renders into tests/golden, byte for byte, and the C compiles.
# --accept writes the present output into tests/golden.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
minigen=$1
out=$2
golden=$here/golden

die() { echo "golden: $*" >&2; exit 1; }

rm -rf "$out"
mkdir -p "$out"
"$minigen" json >"$out/mini.json"
render() { "${PYTHON:-/usr/bin/python3}" "$here/../render.py" "$@"; }

if [[ ${3-} == --accept ]]; then
	rm -rf "$golden"
	render "$out/mini.json" "$golden"
	exit 0
fi

render "$out/mini.json" "$out/tree" >"$out/first"
grep -q ' files, .* changed' "$out/first" || die "render.py says nothing of changes"
diff -ru "$golden" "$out/tree" || die "the rendered files differ; if that is wanted: make -C codegen accept"

# A second run writes nothing.
find "$out/tree" -type f -exec touch -d @1 {} +
render "$out/mini.json" "$out/tree" | grep -q ' 0 changed' || die "a second run changed files"
[[ -z $(find "$out/tree" -type f -newermt @2) ]] || die "a second run wrote files"

# The hash is that of the committed text.
hash=$(tail -n +3 "$golden/codegen/protocol.txt" | sha256sum | cut -d' ' -f1)
grep -q "CM_MODEL_HASH \"$hash\"" "$golden/cm_core/generated/cm_model.h" || die "the model's hash is not that of protocol.txt"

# The tables compile, and say what the model says.
cp "$here/fsm.h" "$out/tree/cm_core/"
"${CC:-gcc}" -std=gnu11 -Wall -Wextra -Werror -I"$out/tree/cm_core" -o "$out/walk" \
	"$here/walk.c" "$out"/tree/cm_core/generated/cm_{tables,names}.c
"$out/walk" >"$out/walked"
"$minigen" json | "${PYTHON:-/usr/bin/python3}" "$here/cells.py" >"$out/cells"
diff -u "$out/cells" "$out/walked" || die "the compiled tables differ from the model"

# Bad input: one line, and not zero.
bad() {
	local expected=$1 status=0
	shift
	"$@" >"$out/bad.out" 2>"$out/bad.err" || status=$?
	[[ $status != 0 ]] || die "accepted: $*"
	# shellcheck disable=SC2053 # a pattern
	[[ $(cat "$out/bad.err") == $expected ]] || die "said '$(cat "$out/bad.err")', not '$expected'"
}
# shellcheck disable=SC2317 # called through bad
check_generated() { "$here/../check-generated" "$@"; }
bad 'usage: render.py MODEL.json TREE' render
bad "render.py: cannot read the model $out/none: *" render "$out/none" "$out/x"
echo '{' >"$out/broken.json"
bad "render.py: cannot read the model $out/broken.json: *" render "$out/broken.json" "$out/x"
: >"$out/file"
bad 'render.py: cannot write cm_core/generated/cm_model.h: Not a directory' render "$out/mini.json" "$out/file"
bad 'check-generated: no program *' check_generated "$out/none"

# check-generated: silent about what is right, and shows what is not.
check_generated "$minigen" "$golden" >"$out/checked" || die "check-generated: $(cat "$out/checked")"
cp -r "$golden" "$out/spoilt"
sed -i 's/CM_ID_IDLE,/CM_ID_IDEL,/' "$out/spoilt/cm_core/generated/cm_model.h"
: >"$out/spoilt/cm_core/generated/cm_old.h"
rm "$out/spoilt/codegen/protocol.txt"
bad 'check-generated: the rendered files differ from the model; mend: make regen' check_generated "$minigen" "$out/spoilt"
for said in '^-	CM_ID_IDEL,' '^+	CM_ID_IDLE,' '^cm_core/generated/cm_old.h: not rendered' '^codegen/protocol.txt: missing'; do
	grep -q "$said" "$out/bad.out" || die "check-generated does not show $said"
done
echo "golden: ok"

#!/usr/bin/env bash
# ./reprise merge: what it refuses, what libFuzzer is given, and how a control file is made fit to go on from. The
# target is a stand-in that does as PLAN says; tests/fuzz_targets/merge_test.cc has the real one.
set -euo pipefail
# shellcheck source=tests/launcher/lib/helpers.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/helpers.bash"
fresh_root
CALLS=$SANDBOX/calls
PLAN=$SANDBOX/plan
export CALLS PLAN
export REPRISE_SKIP_SETUP=1 REPRISE_TARGET=$SANDBOX/target

# Each start takes the first line of PLAN: "all" sees every case and keeps the last one, a number sees so many and dies,
# "lost" sees none and ends well.
write_program "$REPRISE_TARGET" <<'STUB'
case "$*" in
  *--judge=*)
    if [[ -n ${BROKEN:-} ]]; then printf 'reprise: no such thing as toy\n' >&2 && exit 4; fi
    exit 0
    ;;
esac
printf '%s in %s\n' "$*" "$PWD" >>"$CALLS"
cp control "$CALLS.control"
plan=$(head -n 1 "$PLAN")
sed -i 1d "$PLAN"
total=$(head -n 1 control)
begun=$(grep -c '^STARTED ' control || :)
if [[ $plan == lost ]]; then exit 0; fi
until=$total
if [[ $plan != all ]]; then until=$((begun + plan)); fi
for ((i = begun; i < until; i++)); do
  printf 'STARTED %s 3\nFT %s 8 %s\nCOV %s\n' "$i" "$i" $((16 + 8 * i)) "$i" >>control
done
if [[ $plan == all ]]; then
  cp "$(sed -n "$((total + 2))p" control)" kept/new
else
  printf 'STARTED %s 3\nFT %s 8 1' "$i" "$i" >>control
  exit 137
fi
STUB

# merges PLAN-WORDS -- ARGUMENT...
merges() {
  : >"$CALLS"
  : >"$PLAN"
  while [[ $1 != -- ]]; do
    printf '%s\n' "$1" >>"$PLAN"
    shift
  done
  shift
  launch merge "$@"
}

mkdir -p "$TREE/a b" "$TREE/two" "$TREE/empty"
printf 'one' >"$TREE/a b/1"
printf 'two' >"$TREE/two/2"
printf 'one' >"$TREE/two/same"
: >"$TREE/two/nothing"

launch merge
check 'merge wants a framework' exits_saying 2 'which framework? There are: mock pytorch'
launch merge nosuch d two
check 'one that is known' exits_saying 2 "unknown framework 'nosuch'"
launch merge mock d
check 'and folders' exits_saying 2 'which folders? ./reprise merge mock DEST SRC...'
launch merge mock d two nosuch
check 'a folder that is missing' exits_saying 2 'there is no folder nosuch'
check 'is named in one line' one_line
check 'before anything is made' test ! -e "$TREE/d"
launch merge mock two/2 two
check 'a destination that is no folder' exits_saying 2 'cannot write to the folder two/2'
check 'is named in one line, too' one_line
launch merge mock d empty
check 'no case at all' exits_saying 2 "no case found in $TREE/empty"
check 'takes one line as well' one_line
launch merge mock d two -- -merge=1
check 'flags that the merge has itself' exits_saying 2 '-merge has no meaning in a merge'
launch merge mock d two --campaign=x
check 'and flags of a campaign' exits_saying 2 '--campaign has no meaning in a merge'
launch merge mock d two '--note=a b'
check 'blanks in a flag' exits_saying 2 'blanks and shell characters'
BROKEN=1 launch merge mock d two
check 'a target that cannot run' exits_saying 4 'no such thing as toy'
check 'leaves nothing behind' test ! -e "$TREE/d.merge"

mkdir -p "$TREE/d e"
printf 'old' >"$TREE/d e/old"
merges all -- mock 'd e/' 'a b' two --backend=jit -- -timeout=9
check 'a merge' exits_saying 0 'Merged 2 folder(s) into d e: 3 files in, 1 kept of 2 that were not there'
check 'features are counted' last_line_is 'Features: 4, of which 2 are new'
check 'libFuzzer gets its flags, and no path of the user' file_has "$CALLS" \
  "--backend=jit -timeout=9 -set_cover_merge=1 -merge_control_file=control kept in in $TREE/d e.merge"
in_order=$'3\n1'
for text in old two one; do in_order+=$'\nin/'$(printf '%s' "$text" | sha1sum | cut -c1-40); done
check 'each different case once, those of the destination first, in a fixed order' \
  test "$(<"$CALLS.control")" = "$in_order"
check 'what was kept is in the destination' file_has "$TREE/d e/new" one
check 'nothing is left beside it' test ! -e "$TREE/d e.merge"

merges 1 all -- mock f 'a b' two
check 'libFuzzer may die' exits_saying 0 '1 of 2 cases were done before'
check 'a case that was running is begun again, without half a line' \
  test "$(tail -n 3 "$CALLS.control")" = $'STARTED 0 3\nFT 0 8 16\nCOV 0'
merges 0 0 -- mock g two
check 'but not twice at one place' exits_saying 1 'giving up: libFuzzer died twice after the same 0 of 2 cases'
merges lost -- mock h two
check 'a merge without an outcome fails' exits_saying 1 'stopped after 0 of 2 cases'
check 'and can go on' test -e "$TREE/h.merge/plan.json"
merges all -- mock h 'a b'
check 'with other cases it starts anew' exits_saying 0 'was one of other cases, flags or another build; starting anew'

# The outcome was stored in part when the launcher was killed.
merges lost -- mock k 'a b' two
printf 'STARTED 0 3\nFT 0 8 16\nCOV 0\nSTARTED 1 3\nFT 1 8 24\nCOV 1\n' >>"$TREE/k.merge/control"
cp "$TREE/two/2" "$TREE/k/stored"
merges all -- mock k 'a b' two
check 'a finished merge that was not stored goes on' exits_saying 0 'going on with the merge that was interrupted'
check 'by its last case, since libFuzzer would choose nothing otherwise' \
  test "$(tail -n 1 "$CALLS.control")" = 'COV 0'
finish

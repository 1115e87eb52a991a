#!/usr/bin/env bash
# A campaign: what the target is started with, how it goes on after a crash, how it stops, and the summary. The target
# is a stand-in that dies as PLAN says.
set -euo pipefail
# shellcheck source=tests/launcher/lib/helpers.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/helpers.bash"
fresh_root
CALLS=$SANDBOX/calls
PLAN=$SANDBOX/plan
export CALLS PLAN
export REPRISE_SKIP_SETUP=1 REPRISE_TARGET=$SANDBOX/target

# Each start takes the first line of PLAN: an exit code ("crash" leaves an artifact as libFuzzer would), or "hang".
write_program "$REPRISE_TARGET" <<'STUB'
printf '%s\n' "$*" >>"$CALLS"
for flag in "$@"; do
  case $flag in
    --campaign=*) campaign=${flag#*=} ;;
    -artifact_prefix=*) prefix=${flag#*=} ;;
    --recycle=*) recycle=${flag#*=} ;;
  esac
done
printf '#2 INITED cov: 1\n' >&2
exec 9>"$PLAN.lock"
flock 9
plan=$(head -n 1 "$PLAN")
sed -i 1d "$PLAN"
exec 9>&-
case $plan in
  finding) mkdir -p "$campaign/aa" && printf 'reprise 1\n' >"$campaign/aa/case.reprise" ;;
  again)
    mkdir -p "$campaign/seen"
    printf '%12d\n' 12 >"$campaign/seen/stateful-abcdefgh"
    printf '%12d\n' 2 >"$campaign/seen/known-zyxwvuts"
    printf '%12d\n' 3 >"$campaign/seen/unconfirmed"
    ;;
  crash)
    printf 'bad' >"${prefix}crash-$(printf bad | sha1sum | cut -c1-40)"
    exit 77
    ;;
  recycle) : >"$recycle" ;;
  killed) kill -KILL $$ ;;
  late) sleep 1.1 && exit 77 ;;
  hang)
    # A child that would outlive its parent, as the workers of a framework do.
    sleep 60 & printf '%s\n' $! >"$CALLS.child"
    trap 'exit 72' TERM
    : >"$CALLS.ready"
    wait
    ;;
  '') ;;
  *) exit "$plan" ;;
esac
STUB

# campaign PLAN-WORDS -- ARGUMENT...
campaign() {
  : >"$CALLS"
  : >"$PLAN"
  while [[ $1 != -- ]]; do
    printf '%s\n' "$1" >>"$PLAN"
    shift
  done
  shift
  launch fuzz mock "$@"
}
starts() { [[ $(wc -l <"$CALLS") -eq $1 ]]; }

campaign finding -- --work=w --time=7 --seed=5 --backend=slow --level=full -- -runs=3 -max_len=9
check 'a campaign that ends well' exits_saying 0 'Work folder: w'
check 'the target gets its flags' file_has "$CALLS" \
  "--campaign=$TREE/w/findings --recycle=$TREE/w/artifacts/.job1.recycle --backend=slow --level=full -max_total_time=7"
check 'those of libFuzzer' file_has "$CALLS" "-seed=5 -artifact_prefix=$TREE/w/artifacts/ -runs=3 -max_len=9"
check 'and the corpora' file_has "$CALLS" "$TREE/w/corpus $TREE/corpus/architectures $TREE/corpus/histories"
check 'status lines of libFuzzer are seen' says '#2 INITED'
check 'findings are counted' says '1 finding(s), 0 crash(es)'
check 'the summary says how to replay' last_line_is \
  'Replay the first finding: ./reprise run w/findings/aa/case.reprise --framework=mock'

campaign recycle recycle finding -- --time=60
check 'a target that gives memory back is started again' exits_saying 0 '1 finding(s), 0 crash(es)'
check 'each time' starts 3

campaign -- --no-histories
check 'the default work folder' says 'Work folder: work/mock-2'
check '--no-histories leaves them out' file_lacks "$CALLS" corpus/histories
check 'without --time there is no limit' file_lacks "$CALLS" max_total_time
campaign -- '--work=a b'
check 'a blank in the work folder' exits_saying 2 'blank or a shell character'
check 'is refused before anything starts' starts 0
# shellcheck disable=SC2016  # A dollar is what is tested.
campaign -- '--work=a$b'
check 'so is a dollar' exits 2
printf '{}\n' >"$TREE/plant.json"
campaign -- --work=w --plant=plant.json
check 'a plant is passed by its full path' file_has "$CALLS" "--plant=$TREE/plant.json"

printf 'abcdefgh  # fixed upstream\n\n# another\n' >"$TREE/known.txt"
campaign again -- --work=k --known-issues=known.txt
check 'known issues are passed by their full path' file_has "$CALLS" "--known-issues=$TREE/known.txt"
check 'what is known is counted' says 'Known and swallowed: 14 alarm(s): known-zyxwvuts (2), stateful-abcdefgh (12)'
check 'what did not confirm too' says 'Did not confirm: 3 alarm(s), a defect of ours; cases in k/findings/unconfirmed'
check 'neither is a finding' says '0 finding(s)'
printf 'abcdefgh\nstateful-abcdefgh\n' >"$TREE/known.txt"
campaign -- --known-issues=known.txt
check 'what is no signature is refused' exits_saying 2 \
  'known.txt, line 2: not a signature of 8 lower-case letters: stateful'
check 'in one line' one_line
campaign -- --known-issues=nosuch
check 'so is a file that is not there' exits_saying 2 '--known-issues names nosuch'

campaign crash killed 71 0 -- --work=c --time=100 --seed=5 -- -runs=1
check 'a campaign goes on after crashes' exits_saying 0 'the framework crashed: artifact in c/artifacts/crash-'
check 'for the time that is left' says '; going on, '
check 'a killed target is told from a crash' says 'the framework died (exit code 137) and left no artifact'
check 'memory too' says 'the framework ran out of memory'
check 'with another seed each time' file_has "$CALLS" '-seed=8'
check 'four starts in all' starts 4
check 'the summary counts what was kept' says '0 finding(s), 1 crash(es)'
campaign late -- --work=l --time=1
check 'a crash at the end of the time is no failure' exits_saying 0 'left no artifact; the time is up'

sum=$(printf bad | sha1sum | cut -c1-40)
mkdir -p "$TREE/d/corpus"
printf bad >"$TREE/d/corpus/$sum"
printf bad >"$TREE/corpus/histories/bad.reprise"
printf good >"$TREE/corpus/histories/good.reprise"
campaign crash 0 -- --work=d --time=50
check 'an input that kills leaves the corpus' test ! -e "$TREE/d/corpus/$sum"
check 'a seed that kills is left out' file_has "$CALLS" "$TREE/d/seeds/histories"
check 'the other seeds stay' test -e "$TREE/d/seeds/histories/good.reprise"
check 'the shipped seeds are not touched' test -e "$TREE/corpus/histories/bad.reprise"

# shellcheck disable=SC2046  # Words are wanted.
campaign $(yes 77 | head -n 30) -- --work=q
check 'a target that only dies is given up' exits_saying 1 'giving up: the target died 20 times in a row'
check 'after twenty starts' starts 20
campaign 1 -- --work=q
check 'a target that cannot run' exits_saying 1 'the target cannot run (exit code 1)'
check 'is not started again' starts 1
campaign 72 0 -- --work=q
check 'an interrupted target ends the campaign' starts 1
REPRISE_TARGET=$SANDBOX/nosuch launch fuzz mock --work=q
check 'no target at all' exits_saying 1 'there is no target'

campaign finding 77 0 0 -- --work=j --jobs=3 --seed=10 --time=50
check 'jobs say which they are' says '[job 3] #2 INITED'
check 'jobs have seeds of their own' file_has "$CALLS" '-seed=12'
check 'and artifacts of their own' file_has "$CALLS" "$TREE/j/artifacts/job2-"
check 'a job that crashed goes on' says '] reprise: the framework crashed'
check 'with a seed that no other job has' starts 4
check 'jobs end with one summary' says '1 finding(s)'
campaign 1 1 -- --work=j --jobs=2
check 'jobs that all cannot run' exits 1

# interrupted SIGNAL ARGUMENT...: starts a campaign that hangs, sends the signal to the launcher alone, and waits.
interrupted() {
  local signal=$1 tries
  shift
  printf 'hang\nhang\n' >"$PLAN"
  rm -f "$CALLS.ready"
  # A shell starts what runs in the background deaf to Ctrl-C.
  (cd "$TREE" && exec env --default-signal=INT ./reprise fuzz mock "$@") >"$SANDBOX/output" 2>&1 &
  for ((tries = 0; tries < 100; tries++)); do
    if [[ -e $CALLS.ready ]]; then break; fi
    sleep 0.02
  done
  sleep 0.1
  kill "-$signal" $!
  CODE=0
  wait $! || CODE=$?
  OUTPUT=$(<"$SANDBOX/output")
}
# Gone, or dead and only waiting for an init that does not collect its children, as in some containers.
gone() {
  local pid
  pid=$(<"$CALLS.child")
  ! kill -0 "$pid" 2>/dev/null || grep -q '^State:[[:space:]]*Z' "/proc/$pid/status"
}
interrupted TERM --work=s
check 'a campaign that is told to stop sums up' exits_saying 0 'Fuzzed mock for'
check 'and leaves no process behind' gone
interrupted INT --work=s
check 'Ctrl-C does the same' exits_saying 0 'Fuzzed mock for'
interrupted INT --work=s --jobs=2
check 'so do jobs' exits_saying 0 'Fuzzed mock for'
check 'without leaving any behind' gone
finish

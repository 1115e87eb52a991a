# shellcheck shell=bash
# ./reprise fuzz: one campaign. Reads the flags, lays out the work folder, starts the jobs, and sums up at the end.
#
# A work folder holds corpus/ (what libFuzzer keeps), findings/ (one folder for each confirmed finding, written by the
# target), and artifacts/ (inputs on which the framework itself died). Starting again with the same --work goes on
# where the last campaign stopped, whatever stopped it.

run_fuzz() {
  parse_fuzz_flags "$@"
  choose_work_folder
  setup_toolchain
  setup_framework "$FRAMEWORK"
  build_targets dev "fuzz_$FRAMEWORK" || exit 1
  announce_campaign
  sweep_corpus
  local status=0 started=$SECONDS
  if [[ $JOBS -eq 1 ]]; then
    supervise 1 || status=1
  else
    run_jobs || status=1
  fi
  sweep_corpus
  summarise_campaign $((SECONDS - started))
  exit "$status"
}

# Sets FRAMEWORK, TIME (empty: no limit), JOBS, SEED, WORK, HISTORIES, TARGET_FLAGS and LIBFUZZER_FLAGS.
parse_fuzz_flags() {
  local arg plant known
  FRAMEWORK='' TIME='' JOBS=1 SEED='' WORK='' HISTORIES=1
  TARGET_FLAGS=() LIBFUZZER_FLAGS=()
  while [[ $# -gt 0 ]]; do
    arg=$1
    shift
    case $arg in
      --time= | --jobs= | --seed= | --work= | --plant= | --known-issues=) usage_error "$arg needs a value" ;;
      --time=*) TIME=${arg#*=} ;;
      --jobs=*) JOBS=${arg#*=} ;;
      --seed=*) SEED=${arg#*=} ;;
      --work=*) WORK=${arg#*=} ;;
      --histories) HISTORIES=1 ;;
      --no-histories) HISTORIES='' ;;
      --plant=*)
        plant=$(absolute_path "${arg#*=}")
        [[ -f $plant ]] || usage_error "--plant names ${arg#*=}, which is not a file"
        TARGET_FLAGS+=("--plant=$plant")
        ;;
      --known-issues=*)
        known=$(absolute_path "${arg#*=}")
        check_known_issues "$known" "${arg#*=}"
        TARGET_FLAGS+=("--known-issues=$known")
        ;;
      --time | --jobs | --seed | --work | --plant | --backend | --known-issues)
        usage_error "$arg needs a value: $arg=..."
        ;;
      --in-flight=* | --bury=* | --died=*) usage_error "$arg is the launcher's" ;;
      --campaign=*) usage_error "--campaign is the launcher's; choose a folder with --work=DIR" ;;
      --)
        LIBFUZZER_FLAGS=("$@")
        break
        ;;
      --*) TARGET_FLAGS+=("$arg") ;;
      -*) usage_error "flags of libFuzzer go last, after --: -- $arg" ;;
      *)
        [[ -z $FRAMEWORK ]] || usage_error "one framework at a time, please: what is '$arg'?"
        FRAMEWORK=$arg
        ;;
    esac
  done
  [[ -n $FRAMEWORK ]] || usage_error "which framework? There are: $(list_frameworks | paste -sd' ')"
  require_framework "$FRAMEWORK"
  if [[ -n $TIME ]] && ! is_positive "$TIME"; then usage_error "--time wants a number of seconds, not '$TIME'"; fi
  is_positive "$JOBS" || usage_error "--jobs wants a number of processes, not '$JOBS'"
  # libFuzzer takes 0 for "any seed", which could not be repeated; so one is drawn here and shown.
  SEED=${SEED:-$((EPOCHSECONDS % 100000000 + 1))}
  is_positive "$SEED" || usage_error "--seed wants a number from 1 to 999999999, not '$SEED'"
  check_flag_text
}

# check_known_issues FILE NAME: a signature of eight letters on each line, and comments. The target checks the same, but
# only after the build.
check_known_issues() {
  local bad
  [[ -f $1 && -r $1 ]] || usage_error "--known-issues names $2, which is not a file that can be read"
  bad=$(grep -anvE -m 1 '^[[:space:]]*([a-z]{8})?[[:space:]]*(#.*)?$' "$1" | cut -c 1-60) || :
  [[ -z $bad ]] || die 2 "$2, line ${bad%%:*}: not a signature of 8 lower-case letters: ${bad#*:}"
}

# Refuses what would break on the way, and libFuzzer's own spelling of what the launcher has to know about.
check_flag_text() {
  local flag
  for flag in "${LIBFUZZER_FLAGS[@]}"; do
    case $flag in
      -max_total_time=*) usage_error "use --time=SECONDS instead of $flag" ;;
      -seed=*) usage_error "use --seed=N instead of $flag" ;;
      -jobs=* | -workers=*) usage_error "use --jobs=N instead of $flag" ;;
      -artifact_prefix=* | -exact_artifact_path=*) usage_error "artifacts lie in the work folder: --work=DIR" ;;
      -*) ;;
      *) usage_error "'$flag' after -- is not a flag of libFuzzer" ;;
    esac
  done
  for flag in "${TARGET_FLAGS[@]}" "${LIBFUZZER_FLAGS[@]}"; do
    is_shell_safe "$flag" || usage_error "blanks and shell characters do not survive libFuzzer's children: '$flag'"
  done
}

# Sets WORK and SEED_FOLDERS; nothing is made yet, for the build may still fail.
choose_work_folder() {
  is_shell_safe "$ROOT" ||
    die 2 "this folder's path has a blank or a shell character, which libFuzzer's children cannot bear; move it: $ROOT"
  WORK=${WORK:-$ROOT/work/$FRAMEWORK-$(date -u +%Y%m%dT%H%M%SZ)}
  WORK=$(absolute_path "${WORK%/}")
  is_shell_safe "$WORK" ||
    usage_error "the work folder's path has a blank or a shell character, which libFuzzer's children cannot bear: $WORK"
  SEED_FOLDERS=("$ROOT/corpus/architectures")
  if [[ -n $HISTORIES ]]; then SEED_FOLDERS+=("$ROOT/corpus/histories"); fi
}

announce_campaign() {
  local until='until Ctrl-C' folder
  if [[ -n $TIME ]]; then until="for $TIME s"; fi
  TARGET=${REPRISE_TARGET:-$ROOT/build/dev/fuzz_$FRAMEWORK}
  [[ -x $TARGET ]] || die 1 "there is no target $(display_path "$TARGET")"
  for folder in corpus findings artifacts; do
    mkdir -p "$WORK/$folder" 2>/dev/null || die 2 "cannot write to the work folder $WORK"
  done
  printf 'Work folder: %s\n' "$(display_path "$WORK")"
  printf 'Fuzzing %s %s, seed %s, %s job(s)\n' "$FRAMEWORK" "$until" "$SEED" "$JOBS"
}

stop_jobs() {
  STOPPED=$SECONDS
  if [[ ${#JOB_PIDS[@]} -gt 0 ]]; then kill -TERM "${JOB_PIDS[@]}" 2>/dev/null || :; fi
}

# Starts JOBS supervisors that share the work folder; each line they print says which it is from. Ctrl-C reaches this
# shell, which tells the supervisors, which tell their targets. True if at least one of them could run.
run_jobs() {
  local job fd prefixers=() status=1
  JOB_PIDS=()
  trap stop_jobs INT TERM HUP
  for ((job = 1; job <= JOBS; job++)); do
    if [[ -n $STOPPED ]]; then break; fi
    exec {fd}> >(
      trap '' INT TERM HUP
      exec sed -u "s/^/[job $job] /" >&2
    )
    prefixers+=($!)
    supervise "$job" >&"$fd" 2>&1 &
    JOB_PIDS+=($!)
    exec {fd}>&-
  done
  for job in "${JOB_PIDS[@]}"; do
    await "$job"
    if [[ $AWAITED -eq 0 ]]; then status=0; fi
  done
  # A stray child of a target may keep the pipe open for ever; the last lines take no longer than this.
  for ((job = 0; job < 40; job++)); do
    kill -0 "${prefixers[@]}" 2>/dev/null || break
    sleep 0.05
  done
  return "$status"
}

# The oldest finding, which is the one to look at first.
first_finding() {
  local case oldest=''
  for case in "$WORK"/findings/*/case.reprise; do
    [[ -e $case ]] || continue
    if [[ -z $oldest || $case -ot $oldest ]]; then oldest=$case; fi
  done
  printf '%s' "$oldest"
}

# How often the target met what it knows, and what is left for us to look at: findings/seen/NAME holds a number.
summarise_counts() {
  local path name count again=0 names='' unconfirmed=0 unstable=0
  for path in "$WORK"/findings/seen/*; do
    count=0
    if [[ -e $path ]]; then read -r count <"$path" || :; fi
    [[ $count =~ ^[1-9][0-9]*$ ]] || continue
    name=${path##*/}
    if [[ $name == unconfirmed ]]; then
      unconfirmed=$count
    elif [[ $name == unstable ]]; then
      unstable=$count
    else
      again=$((again + count))
      names+=", $name ($count)"
    fi
  done
  if [[ $again -gt 0 ]]; then printf 'Known and swallowed: %s alarm(s): %s\n' "$again" "${names#, }"; fi
  if [[ $unconfirmed -gt 0 ]]; then
    printf 'Did not confirm: %s alarm(s), a defect of ours; cases in %s\n' "$unconfirmed" \
      "$(display_path "$WORK/findings/unconfirmed")"
  fi
  if [[ $unstable -gt 0 ]]; then
    printf 'Unstable: %s alarm(s), not counted; cases in %s\n' "$unstable" "$(display_path "$WORK/findings/unstable")"
  fi
}

summarise_campaign() {
  local seconds=$1 findings=0 crashes=0 path first launcher
  for path in "$WORK"/findings/*/case.reprise; do
    if [[ -e $path ]]; then findings=$((findings + 1)); fi
  done
  for path in "$WORK"/artifacts/{,job*-}{crash,oom,timeout}-*; do
    if [[ -e $path ]]; then crashes=$((crashes + 1)); fi
  done
  printf '\nFuzzed %s for %s s: %s finding(s), %s crash(es) of the framework itself\n' \
    "$FRAMEWORK" "$seconds" "$findings" "$crashes"
  summarise_counts
  printf 'Work folder: %s\n' "$(display_path "$WORK")"
  first=$(first_finding)
  if [[ -n $first ]]; then
    launcher=$ROOT/reprise
    if [[ $PWD == "$ROOT" ]]; then launcher=./reprise; fi
    printf 'Replay the first finding: %s run %s --framework=%s\n' "$launcher" "$(display_path "$first")" "$FRAMEWORK"
  fi
}

# shellcheck shell=bash
# ./reprise merge: brings corpora together, for instance those of several machines.
#
# libFuzzer does it, and this part makes it safe to use: any folder names, one outcome whatever the order of the
# folders, and a merge that was killed goes on when the same command is given again (infra/launcher/merge.py says how).
# What is under way lies in DEST.merge, beside DEST, and is removed at the end. Cases with findings are cases like any
# other here.
#
# -set_cover_merge and not -merge: for the same features it needs less than half the files and half the bytes (137 for
# 345 of 582 cases, 99 for 191 kB, on two campaigns on the mock), because it takes the case with most new features first
# instead of the smallest. And its control file says of every case all that it reached, not what was new to that
# process, so that the outcome does not depend on where a merge was interrupted.

run_merge() {
  parse_merge_flags "$@"
  check_merge_folders
  setup_toolchain
  setup_framework "$FRAMEWORK"
  build_targets dev "fuzz_$FRAMEWORK" || exit 1
  TARGET=$(absolute_path "${REPRISE_TARGET:-$ROOT/build/dev/fuzz_$FRAMEWORK}")
  [[ -x $TARGET ]] || die 1 "there is no target $(display_path "$TARGET")"
  try_target
  lock_destination
  plan_merge
  execute_merge
  # Words of the target may stand between; the sum comes last.
  merge_books finish "$MERGE_WORK" "$(display_path "$DEST")" "${#SOURCES[@]}" || exit $?
  rm -rf "$MERGE_WORK"
}

# Sets FRAMEWORK, DEST, SOURCES, TARGET_FLAGS and LIBFUZZER_FLAGS.
parse_merge_flags() {
  local arg words=()
  TARGET_FLAGS=() LIBFUZZER_FLAGS=()
  while [[ $# -gt 0 ]]; do
    arg=$1
    shift
    case $arg in
      --backend) usage_error "$arg needs a value: $arg=..." ;;
      --plant=*) TARGET_FLAGS+=("--plant=$(absolute_path "${arg#*=}")") ;;
      --campaign=* | --recycle=* | --judge=* | --features=*) usage_error "${arg%%=*} has no meaning in a merge" ;;
      --)
        LIBFUZZER_FLAGS=("$@")
        break
        ;;
      --*) TARGET_FLAGS+=("$arg") ;;
      -*) usage_error "flags of libFuzzer go last, after --: -- $arg" ;;
      *) words+=("$arg") ;;
    esac
  done
  [[ ${#words[@]} -gt 0 ]] || usage_error "which framework? There are: $(list_frameworks | paste -sd' ')"
  FRAMEWORK=${words[0]}
  require_framework "$FRAMEWORK"
  [[ ${#words[@]} -ge 3 ]] || usage_error "which folders? ./reprise merge $FRAMEWORK DEST SRC..."
  DEST=$(absolute_path "${words[1]%/}")
  SOURCES=("${words[@]:2}")
  for arg in "${TARGET_FLAGS[@]}" "${LIBFUZZER_FLAGS[@]}"; do
    is_shell_safe "$arg" || usage_error "blanks and shell characters do not survive libFuzzer's children: '$arg'"
  done
  for arg in "${LIBFUZZER_FLAGS[@]}"; do
    case $arg in
      -merge=* | -set_cover_merge=* | -merge_control_file=* | -fork=* | -jobs=* | -minimize_crash=*)
        usage_error "${arg%%=*} has no meaning in a merge"
        ;;
      -*) ;;
      *) usage_error "'$arg' after -- is not a flag of libFuzzer" ;;
    esac
  done
}

# A campaign's work folder stands for its corpus. Sets MERGE_WORK.
check_merge_folders() {
  local i
  for i in "${!SOURCES[@]}"; do
    SOURCES[i]=$(absolute_path "${SOURCES[i]%/}")
    [[ -d ${SOURCES[i]} ]] || die 2 "there is no folder $(display_path "${SOURCES[i]}")"
    if [[ -d ${SOURCES[i]}/corpus && -d ${SOURCES[i]}/findings ]]; then SOURCES[i]+=/corpus; fi
  done
  MERGE_WORK=$DEST.merge
  # Written to, and beside it, before hours are spent on what cannot be stored.
  if ! mkdir -p "$DEST" 2>/dev/null || [[ ! -w $DEST ]]; then
    die 2 "cannot write to the folder $(display_path "$DEST")"
  fi
  [[ -w ${DEST%/*}/ ]] || die 2 "cannot write to $(display_path "$MERGE_WORK"), where a merge into $DEST is kept"
}

merge_books() { "${PYTHON:-python3}" -I "$ROOT/infra/launcher/merge.py" "$@"; }

# One merge into a folder at a time. The processes of a merge hold the lock too: those of a launcher that was killed are
# waited for, and then its work is taken over. Without flock, or where folders cannot be locked, there is no lock.
lock_destination() {
  local code=0 fd
  command -v flock >/dev/null || return 0
  exec {fd}<"$DEST"
  flock -n -E 9 "$fd" 2>/dev/null || code=$?
  if [[ $code -eq 9 ]]; then
    say "waiting for another merge into $(display_path "$DEST")"
    flock "$fd"
  fi
}

plan_merge() {
  local answer flags="${TARGET_FLAGS[*]} ${LIBFUZZER_FLAGS[*]}"
  answer=$(merge_books plan "$MERGE_WORK" "$DEST" "$TARGET" "$flags" "${SOURCES[@]}") || exit $?
  case $answer in
    resumed) say 'going on with the merge that was interrupted' ;;
    changed) say "the interrupted merge was one of other cases, flags or another build; starting anew" ;;
  esac
  ln -sfn "$TARGET" "$MERGE_WORK/target"
}

# A target that cannot run at all would be started once for each case; its own words and exit code say why it cannot.
try_target() {
  local code=0 words
  words=$("$TARGET" "${TARGET_FLAGS[@]}" --judge=/dev/stdin <<<'reprise 1' 2>&1 >/dev/null) || code=$?
  if [[ $code -gt 1 ]]; then
    printf '%s\n' "$words" >&2
    exit "$code"
  fi
}

# Runs libFuzzer until it has seen all cases. It starts a new process itself when the framework dies on a case; this
# loop is for its own death.
execute_merge() {
  local processed total before=-1
  cd "$MERGE_WORK" || exit 5
  TARGET=./target
  trap stop_target INT TERM HUP
  while :; do
    read -r processed total < <(merge_books resume .) || exit 5
    if [[ -n $STOPPED ]]; then break; fi
    if [[ $processed -le $before ]]; then
      die 1 "giving up: libFuzzer died twice after the same $processed of $total cases"
    fi
    if [[ $processed -gt 0 ]]; then say "$processed of $total cases were done before"; fi
    before=$processed
    run_target "${TARGET_FLAGS[@]}" "${LIBFUZZER_FLAGS[@]}" -set_cover_merge=1 -merge_control_file=control kept in
    if [[ -n $STOPPED || $AWAITED -eq 0 ]]; then break; fi
    say "libFuzzer died (exit code $AWAITED); going on"
  done
  trap - INT TERM HUP
  cd "$OLDPWD" || exit 5
  if [[ -n $STOPPED ]]; then die 1 'stopped; the same command goes on from here'; fi
}

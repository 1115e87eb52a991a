# shellcheck shell=bash
# Keeping one libFuzzer target going for the length of a campaign.
#
# libFuzzer ends at the first input on which the process dies. A campaign should not: what became of the case is found
# out (bury.sh), and the target is started again for the time that is left, with another seed. Findings of the oracle do
# not come this way; the target writes those itself and goes on.
#
# Exit codes of a target: 0 the time is up; 72 interrupted; 77 a crash; 70 one input took too long; 71 out of memory;
# above 128 a signal that libFuzzer could not catch. Anything else is a target that does not work, unless it is a case
# that did it: sanitizers leave with 1, and code of the framework with whatever it likes.

# A target that dies sooner than this did not get to fuzz.
QUICK_SECONDS=5
QUICK_LIMIT=20
# One that ends by itself, without a crash, within this time never worked: a missing library, a flag it does not know.
WORKING_SECONDS=60

TARGET_PID=''
# When the campaign was told to stop; empty while it was not.
STOPPED=''

# Waits for a process to its very end and sets AWAITED to its exit code. A signal to this shell cuts bash's wait short.
await() {
  while :; do
    AWAITED=0
    wait "$1" 2>/dev/null || AWAITED=$?
    kill -0 "$1" 2>/dev/null || return 0
  done
}

# signal_target SIGNAL: to the target and everything it started; to the process alone if it has no group yet.
signal_target() {
  kill "-$1" -- "-$TARGET_PID" 2>/dev/null || kill "-$1" "$TARGET_PID" 2>/dev/null || :
}

# Told to stop: so is the target with all its children; when told again after a while, without asking. (One Ctrl-C can
# arrive twice, from the terminal and from the launcher of the jobs, and so can the signal of timeout.)
stop_target() {
  local signal=TERM
  if [[ -z $STOPPED ]]; then
    STOPPED=$SECONDS
  elif [[ $((SECONDS - STOPPED)) -ge 2 ]]; then
    signal=KILL
  fi
  if [[ -n $TARGET_PID ]]; then signal_target "$signal"; fi
}

# Runs the target to its end and sets AWAITED. setsid gives it a process group of its own, so that the processes it
# starts can be stopped with it, and nothing of it is left over afterwards. (Bash's own job control would do that too,
# but stops a launcher that was started in the background.)
run_target() {
  setsid "$TARGET" "$@" </dev/null &
  TARGET_PID=$!
  # Told to stop in the moment before there was a process to tell.
  if [[ -n $STOPPED ]]; then signal_target TERM; fi
  await "$TARGET_PID"
  kill -KILL -- "-$TARGET_PID" 2>/dev/null || :
  TARGET_PID=''
}

# supervise JOB: the campaign of one job. False if the target could not run.
supervise() {
  # shellcheck disable=SC2153  # SEED is what the user gave, seed what this run gets.
  local job=$1 seed=$((SEED + $1 - 1)) quick=0 began left='' code prefix=$WORK/artifacts/ started=$SECONDS marker
  local flags failed='' settled note ran
  if [[ $JOBS -gt 1 ]]; then prefix=$WORK/artifacts/job$job-; fi
  marker=$WORK/artifacts/.job$job
  note=$marker.case
  trap stop_target INT TERM HUP
  bury_leftovers "$job"
  while :; do
    if [[ -n $STOPPED ]]; then break; fi
    flags=("--in-flight=$note" "--campaign=$WORK/findings" "--recycle=$marker.recycle" "${TARGET_FLAGS[@]}")
    if [[ -n $TIME ]]; then
      left=$((TIME - (SECONDS - started)))
      if [[ $left -le 0 ]]; then break; fi
      flags+=("-max_total_time=$left")
    fi
    flags+=("-seed=$seed" "-artifact_prefix=$prefix" "${LIBFUZZER_FLAGS[@]}" "$WORK/corpus")
    add_seed_folders
    began=$SECONDS
    : >"$marker"
    rm -f "$marker.recycle"
    run_target "${flags[@]}"
    code=$AWAITED
    ran=$((SECONDS - began))
    # A note that is left after a good end is of a case that ended the process.
    if [[ $code -eq 72 || $code -eq 130 ]]; then rm -f "$note"; fi
    if [[ -n $STOPPED ]]; then break; fi
    # The target's own wish: frameworks keep memory for every compile.
    if [[ $code -eq 0 && -e $marker.recycle ]]; then
      seed=$((seed + JOBS))
      continue
    fi
    if [[ $code -eq 72 || $code -eq 130 ]] || { [[ $code -eq 0 ]] && ! has_note "$note"; }; then break; fi
    settled=''
    if has_note "$note" && bury "$note" "$code" "$prefix"; then settled=1; fi
    if [[ -n $STOPPED ]]; then break; fi
    if [[ -z $settled ]] && ! is_crash "$code" && [[ $ran -lt $WORKING_SECONDS ]]; then
      say "the target cannot run (exit code $code); its own words are above"
      failed=1
      break
    fi
    # A case that is known to kill is not run again, so that it goes on from there.
    quick=$((ran < QUICK_SECONDS && !settled ? quick + 1 : 0))
    if [[ -n $TIME ]]; then left=$((TIME - (SECONDS - started))); fi
    report_crash "$code" "$prefix" "$marker" "$left" "$settled"
    if [[ $quick -ge $QUICK_LIMIT ]]; then
      say "giving up: the target died $quick times in a row within $QUICK_SECONDS s of its start"
      failed=1
      break
    fi
    # Another seed, and not that of another job.
    seed=$((seed + JOBS))
  done
  rm -f "$marker" "$marker.recycle"
  has_note "$note" || rm -f "$note"
  [[ -z $failed ]]
}

is_crash() { [[ $1 -eq 77 || $1 -eq 70 || $1 -eq 71 || $1 -gt 128 ]]; }

# Appends the seed corpora to the flags of supervise, with the copies that drop_input made in their stead.
add_seed_folders() {
  local folder
  for folder in "${SEED_FOLDERS[@]}"; do
    if [[ -d $WORK/seeds/${folder##*/} ]]; then folder=$WORK/seeds/${folder##*/}; fi
    if [[ -d $folder ]]; then flags+=("$folder"); fi
  done
}

# One line for one death: what it was, where the input is, and how it goes on.
report_crash() {
  local code=$1 prefix=$2 marker=$3 left=$4 settled=$5 what rest='going on' candidate artifact=''
  case $code in
    70) what='one input took too long' ;;
    71) what='the framework ran out of memory' ;;
    1 | 77) what='the framework crashed' ;;
    *) what="the framework died (exit code $code)" ;;
  esac
  for candidate in "$prefix"{crash,oom,timeout}-*; do
    if [[ -e $candidate && ! $candidate -ot $marker ]]; then artifact=$candidate; fi
  done
  if [[ -n $TIME ]]; then
    rest="going on, $left s left"
    if [[ $left -le 0 ]]; then rest='the time is up'; fi
  fi
  if [[ -n $artifact ]]; then
    say "$what: artifact in $(display_path "$artifact"); $rest"
    # The input that libFuzzer names is not always the case that killed: the target judges shorter ones, too.
    if [[ -z $settled ]]; then drop_input "${artifact##*-}"; fi
  else
    say "$what and left no artifact; $rest"
  fi
}

# sums FOLDER: a line "SHA1 NAME" for each file in it.
sums() { (cd "$1" 2>/dev/null && find . -maxdepth 1 -type f -printf '%f\0' | xargs -0r sha1sum --); }

# drop_input SHA1: an input of the corpus that kills the target would kill it again at every start, while the corpus is
# being read. An artifact is named after the SHA-1 of its bytes. The shipped seeds are not touched: from now on a copy
# without the culprit takes their place.
drop_input() {
  local wanted=$1 folder copy sum file
  for folder in "$WORK/corpus" "${SEED_FOLDERS[@]}"; do
    copy=$WORK/seeds/${folder##*/}
    if [[ $folder == "$WORK/corpus" ]]; then copy=$folder; fi
    if [[ -d $copy ]]; then folder=$copy; fi
    while read -r sum file; do
      [[ $sum == "$wanted" ]] || continue
      if [[ $folder != "$copy" ]]; then copy_whole "$folder" "$copy"; fi
      rm -f "$copy/$file"
    done < <(sums "$folder")
  done
}

# A copy of a folder that is there whole or not at all; that of another job will do as well.
copy_whole() {
  local partial=$2.partial-$BASHPID
  mkdir -p "$partial"
  cp -r "$1/." "$partial"
  mv -nT "$partial" "$2" 2>/dev/null || :
  rm -rf "$partial"
}

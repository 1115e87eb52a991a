# shellcheck shell=bash
# What becomes of the case on which a target died, and of files that a killed one left half written.
#
# A target notes each case before it judges it, in artifacts/.jobN.case: a line with size and hash, then the bytes. It
# empties the note when it ends by itself. So a note that is left names the case that was in flight, whatever ended the
# process. The target itself, started with --bury, finds out in fresh processes whether the case kills; if so, it makes
# a finding of it and puts it into quarantine, and here it leaves the corpus.

# has_note FILE
has_note() { [[ -s $1 ]]; }

# bury NOTE CODE PREFIX: CODE is that of the process that died, 0 if nobody knows. True if the case kills, or if the
# campaign was told to stop meanwhile, and then the note stays for the next one.
bury() {
  local note=$1 code=$2 prefix=$3 bytes=$1.bytes size sum verdict
  run_target "--campaign=$WORK/findings" "--bury=$note" "--died=$code" "${TARGET_FLAGS[@]}" "${LIBFUZZER_FLAGS[@]}"
  verdict=$AWAITED
  if [[ -n $STOPPED ]]; then return 0; fi
  read -r size _ <"$note" 2>/dev/null || size=0
  # The note may be torn, and then it is not even a number.
  [[ $size =~ ^[0-9]+$ ]] || size=0
  tail -n +2 "$note" | head -c "$size" >"$bytes" || :
  sum=$(sha1sum <"$bytes")
  sum=${sum%% *}
  rm -f "$note"
  if [[ $verdict -eq 1 ]]; then
    keep_artifact "$bytes" "$prefix" "$code" "$sum"
    drop_input "$sum"
    return 0
  fi
  # Killed from outside: what was in flight goes on in the corpus, where it may just have taken the place of another.
  if [[ $verdict -eq 0 && $size -gt 0 && ($code -eq 0 || $code -eq 137) ]]; then
    mv "$bytes" "$WORK/corpus/$sum"
  fi
  rm -f "$bytes"
  return 1
}

# libFuzzer writes an artifact of most deaths, but not of all, and names it after the SHA-1 of its bytes.
keep_artifact() {
  local bytes=$1 prefix=$2 code=$3 sum=$4 kind=crash candidate
  for candidate in "$prefix"{crash,oom,timeout}-"$sum"; do
    if [[ -e $candidate ]]; then rm -f "$bytes" && return; fi
  done
  case $code in
    70) kind=timeout ;;
    71) kind=oom ;;
  esac
  mv "$bytes" "$prefix$kind-$sum"
}

# bury_leftovers JOB: notes of a campaign in this work folder that was killed together with its launcher. Each job takes
# its share.
bury_leftovers() {
  local note job
  for note in "$WORK"/artifacts/.job*.case; do
    job=${note##*/.job}
    job=${job%.case}
    if has_note "$note" && [[ $(((job - 1) % JOBS + 1)) -eq $1 && -z $STOPPED ]]; then
      bury "$note" 0 "$prefix" || :
    fi
  done
}

# libFuzzer names what it writes into the corpus after the SHA-1 of its bytes; what it was killed over has another one.
sweep_corpus() {
  local sum name
  rm -rf "$WORK"/artifacts/.job*.bytes "$WORK"/seeds/*.partial-*
  while read -r sum name; do
    if [[ $name =~ ^[0-9a-f]{40}$ && $name != "$sum" ]]; then rm -f "$WORK/corpus/$name"; fi
  done < <(sums "$WORK/corpus")
}

# shellcheck shell=bash
# ./reprise test: everything that can be tested here, one line for each test program, and "N passed, N failed" as the
# last line of all.
#
# Four kinds of programs: GoogleTest executables (listed in build/<preset>/tests.txt by CMake, a line "fast NAME" or
# "full NAME"; full ones need a real framework), the same fast ones under the sanitizers, Python unittests of the
# runtimes, and shell tests that print "ok NAME" or "not ok NAME". A program that dies counts as one failed test, in
# addition to what it had counted before.

# No test program takes this long; one that hangs must not hold up the rest.
TEST_SECONDS=${REPRISE_TEST_TIMEOUT:-1800}

PASSED=0
FAILED=0
BUILD_FAILED=''

run_tests() {
  local arg fast='' coverage='' preset=dev targets=all_tests kinds='fast full'
  for arg in "$@"; do
    case $arg in
      --fast) fast=1 ;;
      --coverage) coverage=1 ;;
      *) usage_error "unknown flag '$arg'; ./reprise test takes --fast and --coverage" ;;
    esac
  done
  if [[ -n $fast ]]; then targets=fast_tests kinds='fast'; fi
  if [[ -n $coverage ]]; then preset=coverage; fi
  setup_toolchain
  setup_framework mock
  if [[ -z $fast ]]; then setup_framework pytorch; fi
  cd "$ROOT" || exit 5
  if [[ -n $coverage ]]; then start_coverage; fi
  run_preset "$preset" "$targets" "$kinds"
  if [[ -n $coverage ]]; then stop_coverage; fi
  # What does not compile would only say so again.
  if [[ -z $BUILD_FAILED ]]; then run_preset asan fast_tests fast; fi
  run_python_tests "$preset"
  run_shell_tests
  if [[ -n $coverage && -z $BUILD_FAILED ]]; then report_coverage; fi
  printf '%s passed, %s failed\n' "$PASSED" "$FAILED"
  [[ $FAILED -eq 0 ]] || exit 1
}

# run_preset PRESET TARGET KINDS: builds, and runs each program that tests.txt lists under one of the kinds.
run_preset() {
  local preset=$1 target=$2 kinds=$3 kind name list
  if ! build_targets "$preset" "$target"; then
    BUILD_FAILED=1
    count_program "build ($preset)" 0 1 0 ''
    return
  fi
  list=$(build_folder "$preset")/tests.txt
  if [[ ! -e $list ]]; then
    say "there is no $(display_path "$list"), which CMake should have written"
    count_program "tests.txt ($preset)" 0 1 0 ''
    return
  fi
  while read -r kind name; do
    if [[ -n $name && " $kinds " == *" $kind "* ]]; then run_gtest "$preset" "$name"; fi
  done <"$list"
}

now_ms() { printf '%s' $((${EPOCHREALTIME/[.,]/} / 1000)); }

# count_program NAME PASSED FAILED MILLISECONDS OUTPUT: adds up, prints the line, and the output if something failed.
count_program() {
  PASSED=$((PASSED + $2))
  FAILED=$((FAILED + $3))
  clear_progress
  printf '%-44s %5d passed %3d failed %6d.%d s\n' "$1" "$2" "$3" $(($4 / 1000)) $(($4 % 1000 / 100))
  if [[ $3 -gt 0 && -s $5 ]]; then
    sed 's/^/  | /' "$5"
    printf '  (all of this is in %s)\n' "$(display_path "$5")"
  fi
}

# run_program NAME OUTPUT COMMAND...: sets CODE and MILLISECONDS.
run_program() {
  local name=$1 output=$2 began
  shift 2
  progress "running $name"
  began=$(now_ms)
  CODE=0
  # The braces keep bash's own remark about a program that died out of the report.
  { timeout -k 10 "$TEST_SECONDS" "$@" >"$output" 2>&1 </dev/null; } 2>/dev/null || CODE=$?
  MILLISECONDS=$(($(now_ms) - began))
  if [[ $CODE -eq 124 ]]; then printf 'stopped after %s s\n' "$TEST_SECONDS" >>"$output"; fi
}

# Where the outputs and results of the programs of one kind go.
results_folder() {
  mkdir -p "$ROOT/build/results/$1"
  printf '%s' "$ROOT/build/results/$1"
}

# GoogleTest's own account, as "passed failed"; nothing if there is none, because the program died.
read_gtest_json() {
  "${PYTHON:-python3}" -c '
import json, sys
passed = failed = 0
for suite in json.load(open(sys.argv[1]))["testsuites"]:
    for case in suite["testsuite"]:
        if case.get("failures"):
            failed += 1
        elif case.get("result") == "COMPLETED":
            passed += 1
print(passed, failed)
' "$1" 2>/dev/null || :
}

run_gtest() {
  local preset=$1 name=$2 folder passed='' failed=''
  folder=$(results_folder "$preset")
  rm -f "$folder/$name.json"
  # CPython never gives everything back, hence no leak check; undefined behaviour has to fail the test.
  ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0} UBSAN_OPTIONS=${UBSAN_OPTIONS:-halt_on_error=1:print_stacktrace=1} \
    run_program "$preset/$name" "$folder/$name.txt" \
    "$(build_folder "$preset")/$name" "--gtest_output=json:$folder/$name.json"
  read -r passed failed < <(read_gtest_json "$folder/$name.json") || :
  if [[ -z $failed ]]; then
    # It died before it could write; what it said until then still counts, and the death is one failure more.
    passed=$(grep -c '^\[       OK \]' "$folder/$name.txt" || :)
    failed=$(grep -cE '^\[  FAILED  \] [^ ]+ \(' "$folder/$name.txt" || :)
    failed=$((failed + 1))
  elif [[ $CODE -ne 0 && $failed -eq 0 ]]; then
    failed=1
  fi
  explain_exit
  # The end of a long output is where the failures are listed, and where a crash says what it was.
  if [[ $failed -gt 0 ]]; then keep_failures "$folder/$name.txt"; fi
  count_program "$preset/$name" "$passed" "$failed" "$MILLISECONDS" "$folder/$name.txt"
}

# Says in the output that the program was killed, since GoogleTest could not.
explain_exit() {
  if [[ $CODE -gt 128 ]]; then printf 'died of signal %s\n' $((CODE - 128)) >>"$folder/$name.txt"; fi
}

# Tests that went well say nothing about those that did not; one that began and did not end is the one that died.
keep_failures() {
  local kept
  kept=$(awk '
    /^\[ RUN      \]/ { begun = $0; next }
    /^\[       OK \]/ { begun = ""; next }
    /^\[----------\]/ { next }
    { if (begun != "") print begun; begun = ""; print }
  ' "$1")
  printf '%s\n' "$kept" >"$1"
}

run_python_tests() {
  local preset=$1 file name folder python passed failed ran
  folder=$(results_folder python)
  python=$(venv_folder mock)/bin/python
  [[ -x $python ]] || python=${PYTHON:-python3}
  for file in tests/*/test_*.py; do
    [[ -e $file ]] || continue
    name=${file##*/}
    PYTHONDONTWRITEBYTECODE=1 REPRISE_BUILD=$(build_folder "$preset") run_program "python/$name" "$folder/$name.txt" "$python" -m unittest "$file"
    ran=$(sed -n 's/^Ran \([0-9]*\) tests\{0,1\} in .*/\1/p' "$folder/$name.txt" | tail -n 1)
    failed=$(tail -n 1 "$folder/$name.txt" | grep -oE '(failures|errors|unexpected successes)=[0-9]+' |
      awk -F= '{ n += $2 } END { print n + 0 }' || :)
    passed=$(tail -n 1 "$folder/$name.txt" | sed -n 's/.*skipped=\([0-9]*\).*/\1/p')
    passed=$((${ran:-0} - ${failed:-0} - ${passed:-0}))
    if [[ $CODE -ne 0 && ${failed:-0} -eq 0 ]]; then failed=1; fi
    count_program "python/$name" $((passed > 0 ? passed : 0)) "${failed:-0}" "$MILLISECONDS" "$folder/$name.txt"
  done
}

run_shell_tests() {
  local file name folder passed failed
  folder=$(results_folder launcher)
  for file in tests/launcher/*.sh; do
    [[ -e $file ]] || continue
    name=${file##*/}
    run_program "launcher/$name" "$folder/$name.txt" bash "$file"
    passed=$(grep -c '^ok ' "$folder/$name.txt" || :)
    failed=$(grep -c '^not ok ' "$folder/$name.txt" || :)
    if [[ $CODE -ne 0 && $failed -eq 0 ]]; then failed=1; fi
    count_program "launcher/$name" "$passed" "$failed" "$MILLISECONDS" "$folder/$name.txt"
  done
}

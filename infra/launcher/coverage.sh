# shellcheck shell=bash
# ./reprise test --coverage: which lines of our own C++ the tests of the coverage build reach.
#
# The programs write raw profiles while they run; llvm-profdata joins them, llvm-cov exports the figures, and what is
# left after our tests and the system's headers are taken out is added up by folder.

# The profiles of one program, and of all processes it starts, are merged as they are written (%m): a few files in all.
start_coverage() {
  rm -rf "$ROOT/build/coverage/profiles"
  mkdir -p "$ROOT/build/coverage/profiles"
  export LLVM_PROFILE_FILE=$ROOT/build/coverage/profiles/%4m.profraw
}

stop_coverage() { unset LLVM_PROFILE_FILE; }

# The LLVM tool that belongs to the compiler; formats differ between releases.
llvm_tool() {
  local path
  path=$("$CXX" "-print-prog-name=$1")
  if [[ $path != /* ]]; then path=$(command -v "$1-$CLANG_VERSION" || command -v "$1") || return 1; fi
  printf '%s' "$path"
}

report_coverage() {
  local folder=$ROOT/build/coverage profdata cov program objects=()
  profdata=$(llvm_tool llvm-profdata) || die 4 "missing: llvm-profdata (on Debian: llvm-${CLANG_VERSION:-19})"
  cov=$(llvm_tool llvm-cov) || die 4 "missing: llvm-cov (on Debian: llvm-${CLANG_VERSION:-19})"
  if ! compgen -G "$folder/profiles/*.profraw" >/dev/null; then
    say "no test program of the coverage build wrote a profile"
    return
  fi
  "$profdata" merge -sparse "$folder"/profiles/*.profraw -o "$folder/all.profdata"
  # All our executables, because tests start some of them as processes of their own.
  while IFS= read -r program; do objects+=(-object "$program"); done < <(
    find "$folder" -maxdepth 1 -type f -executable ! -name '*.so*' | sort
  )
  # The first object goes without the flag.
  "$cov" export -summary-only "-instr-profile=$folder/all.profdata" "${objects[@]:1}" >"$folder/coverage.json"
  "${PYTHON:-python3}" "$ROOT/infra/launcher/coverage.py" "$ROOT" "$folder/coverage.json"
}

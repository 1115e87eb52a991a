# shellcheck shell=bash
# Building our own C++, quietly: one line when something was built, none when there was nothing to do, and the
# compiler's own words when it failed.
#
# Presets are those of CMakePresets.json; what preset X builds lies in build/X.

build_folder() { printf '%s' "$ROOT/build/$1"; }

# The value of one variable in a CMake cache, empty if it is not there.
cached() { sed -n "s/^$2:[A-Z]*=//p" "$1/CMakeCache.txt" 2>/dev/null; }

# Configures build/PRESET if it is not, or if the compiler or the Python has changed since.
configure_preset() {
  local preset=$1 folder log
  folder=$(build_folder "$preset")
  if [[ -e $folder/build.ninja && -e $folder/CMakeCache.txt && $(cached "$folder" CMAKE_CXX_COMPILER) == "$CXX" &&
    $(cached "$folder" Python3_EXECUTABLE) == "$PYTHON" ]]; then
    return 0
  fi
  # CMake cannot change the compiler of an existing cache, and remembers the libraries of the old Python. Objects are
  # kept where they can be.
  if [[ $(cached "$folder" CMAKE_CXX_COMPILER) != "$CXX" ]]; then
    rm -rf "$folder/CMakeCache.txt" "$folder/CMakeFiles"
  elif [[ -n $(cached "$folder" Python3_EXECUTABLE) ]]; then
    rm -f "$folder/CMakeCache.txt"
  fi
  log=$(log_file "configure-$preset")
  progress "configuring ($preset)"
  if ! (cd "$ROOT" && "$CMAKE" --preset "$preset" "-DCMAKE_CXX_COMPILER=$CXX" "-DPython3_EXECUTABLE=$PYTHON") \
    >"$log" 2>&1 </dev/null; then
    clear_progress
    tail -n 30 "$log" >&2
    say "could not configure the build ($preset); the full output is in $(display_path "$log")"
    # A cache left by a failed configuration must not pass for a good one.
    rm -f "$folder/build.ninja"
    return 1
  fi
}

# build_targets PRESET TARGET...: false if the build failed, after printing why.
build_targets() {
  local preset=$1 log started=$SECONDS failed=''
  shift
  if setup_is_skipped; then return 0; fi
  lock_build
  log=$(log_file "build-$preset")
  if configure_preset "$preset"; then
    progress "building $* ($preset)"
    (cd "$ROOT" && "$CMAKE" --build --preset "$preset" --target "$@") >"$log" 2>&1 </dev/null || failed=1
    clear_progress
    if [[ -n $failed ]]; then
      show_compiler_errors "$log"
      say "could not build $* ($preset); the full output is in $(display_path "$log")"
    elif ! grep -q '^ninja: no work to do' "$log"; then
      say "built $* in $((SECONDS - started)) s"
    fi
  else
    failed=1
  fi
  unlock_build
  [[ -z $failed ]]
}

# Ninja prints a line for every step that went well; those say nothing about the failure.
show_compiler_errors() { grep -vE '^\[[0-9]+/[0-9]+\] ' "$1" | sed -n 1,200p >&2 || cat "$1" >&2; }

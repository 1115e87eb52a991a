# shellcheck shell=bash disable=SC2034
# Setting up: from a fresh machine to one that can build and run, and nothing at all when that is done already.
#
# After setup_toolchain: CXX, CMAKE, PYTHON and PYTHON_VERSION are set and known to work. After setup_framework NAME:
# build/venv/NAME holds the framework. Both hold the build lock while they work, so two launchers do not both install.

setup_is_skipped() { [[ -n ${REPRISE_SKIP_SETUP:-} ]]; }

setup_toolchain() {
  CXX='' CMAKE='' PYTHON=''
  if setup_is_skipped; then return; fi
  lock_build
  probe_packages
  # Before anything is installed: no package can cure this one.
  if [[ -n $PYTHON_IS_FOREIGN ]]; then require_python; fi
  if [[ ${#MISSING[@]} -gt 0 ]]; then
    install_packages
    hash -r
    probe_packages
    if [[ ${#MISSING[@]} -gt 0 ]]; then
      die 4 "missing: $(describe_missing "${MISSING[0]}"), even after the installation"
    fi
  fi
  require_python
  check_libfuzzer
  unlock_build
}

setup_framework() {
  if setup_is_skipped; then return; fi
  lock_build
  ensure_venv "$1"
  unlock_build
}

# A compiler alone does not make a fuzzer: libFuzzer's runtime is a package of its own, and the C++ library has to be
# found. So the smallest target is compiled, linked and run, once for each compiler; the outcome is remembered in
# build/setup/libfuzzer.
check_libfuzzer() {
  local key folder=$ROOT/build/setup remembered=$ROOT/build/setup/libfuzzer version
  key=$(stat -L -c '%n %Y %s' "$CXX")
  if [[ -e $remembered && $(<"$remembered") == "$key" ]]; then return; fi
  mkdir -p "$folder"
  cat >"$folder/probe.cc" <<'PROBE'
#include <string>
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, unsigned long size) {
  return std::string(reinterpret_cast<const char*>(data), size).size() == size ? 0 : 1;
}
PROBE
  if ! "$CXX" -std=c++20 -fsanitize=fuzzer "$folder/probe.cc" -o "$folder/probe" >"$folder/probe.log" 2>&1; then
    tail -n 3 "$folder/probe.log" >&2
    version=${CLANG_VERSION:-19}
    if grep -q 'libclang_rt' "$folder/probe.log"; then
      die 4 "missing: libFuzzer's runtime for $CXX (on Debian: libclang-rt-$version-dev)"
    fi
    die 4 "missing: what $CXX needs to compile and link C++ (on Debian: g++); see $(display_path "$folder/probe.log")"
  fi
  if ! "$folder/probe" -runs=1 >"$folder/probe.log" 2>&1 </dev/null; then
    die 4 "missing: a libFuzzer that runs, for $CXX; see $(display_path "$folder/probe.log")"
  fi
  rm -f "$folder/probe"
  printf '%s\n' "$key" >"$remembered"
}

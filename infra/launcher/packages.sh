# shellcheck shell=bash
# The packages of the distribution that Reprise is built with: which are missing, and how they get here.
#
# Looking is cheap (no apt, one dpkg-query) because it happens at every start. Installing is all or nothing: apt is
# first asked whether it has everything, and only then told to install, in one go.

# 19 is what is tested; the others are taken where 19 is not to be had, newest first.
CLANG_VERSIONS=(19 20 18 17 16)
CMAKE_MINIMUM=3.22

# Package, and the header that stands for it on a machine without dpkg or with a hand-made installation.
LIBRARIES=(
  libabsl-dev:absl/strings/string_view.h
  libgtest-dev:gtest/gtest.h
  libgmock-dev:gmock/gmock.h
  nlohmann-json3-dev:nlohmann/json.hpp
  pybind11-dev:pybind11/embed.h
  libbenchmark-dev:benchmark/benchmark.h
)

# Sets CXX to the clang++ to build with and CLANG_VERSION to the number in its name; both empty if there is none.
find_clang() {
  local version major
  CXX='' CLANG_VERSION=''
  for version in "${CLANG_VERSIONS[@]}"; do
    if CXX=$(command -v "clang++-$version"); then
      CLANG_VERSION=$version
      return
    fi
  done
  # Distributions other than Debian's family have a clang++ without a number.
  if CXX=$(command -v clang++); then
    major=$("$CXX" -dumpversion 2>/dev/null | cut -d. -f1) || major=
    if [[ $major =~ ^[0-9]+$ && $major -ge 16 ]]; then return; fi
  fi
  CXX=''
}

version_at_least() { [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }

# Sets CMAKE to the first cmake on the path that works and is new enough; empty if there is none. A cmake on the path
# may be a shim of a version manager that leads nowhere, so it is asked for its version; the answer is kept in
# build/setup/cmake, because asking a shim costs a tenth of a second.
find_cmake() {
  local candidate key version remembered=$ROOT/build/setup/cmake
  while read -r candidate; do
    key=$(stat -L -c '%n %Y %s' "$candidate")
    CMAKE=$candidate
    if [[ -e $remembered && $(<"$remembered") == "$key" ]]; then return; fi
    version=$("$candidate" --version 2>/dev/null | sed -n 's/^cmake version \([0-9.]*\).*/\1/p') || version=
    if [[ -n $version ]] && version_at_least "$version" "$CMAKE_MINIMUM"; then
      mkdir -p "${remembered%/*}"
      printf '%s\n' "$key" >"$remembered"
      return
    fi
  done < <(type -aP cmake)
  CMAKE=''
}

# has_header HEADER FOLDER...
has_header() {
  local header=$1 folder
  shift
  for folder in "$@"; do
    if [[ -e $folder/$header ]]; then return 0; fi
  done
  return 1
}

# Fills MISSING with the packages that are not here, by their Debian names. "clang" stands for a compiler whose
# version is still to be chosen. Sets CXX, CMAKE and, through find_python, PYTHON.
probe_packages() {
  local entry package installed='' dpkg='' wanted=()
  MISSING=()
  find_clang
  find_cmake
  find_python
  for entry in "${LIBRARIES[@]}"; do wanted+=("${entry%%:*}"); done
  if [[ -z $CXX ]]; then
    MISSING+=(clang)
  elif [[ -n $CLANG_VERSION ]]; then
    wanted+=("libclang-rt-$CLANG_VERSION-dev" "llvm-$CLANG_VERSION")
  fi
  if dpkg=$(command -v dpkg-query); then
    # dpkg-query exits 1 when it does not know one of the packages; the list it prints is what counts.
    # shellcheck disable=SC2016  # The dollars are dpkg-query's.
    installed=$("$dpkg" -W -f='|${Package} ${db:Status-Status}|\n' "${wanted[@]}" 2>/dev/null) || :
    if [[ -n $CLANG_VERSION ]]; then
      for package in "libclang-rt-$CLANG_VERSION-dev" "llvm-$CLANG_VERSION"; do
        [[ $installed == *"|$package installed|"* ]] || MISSING+=("$package")
      done
    fi
  fi
  if [[ -z $CMAKE ]]; then MISSING+=(cmake); fi
  if ! command -v ninja >/dev/null; then MISSING+=(ninja-build); fi
  # Clang takes the C++ library of g++, and what PyTorch's Inductor generates is compiled with g++.
  if ! command -v g++ >/dev/null; then MISSING+=(g++); fi
  if [[ -z $PYTHON && -z $PYTHON_IS_FOREIGN ]]; then MISSING+=(python3-dev python3-venv); fi
  for entry in "${LIBRARIES[@]}"; do
    package=${entry%%:*}
    if [[ $installed == *"|$package installed|"* ]]; then continue; fi
    if has_header "${entry#*:}" /usr/local/include; then continue; fi
    if [[ -z $dpkg ]] && has_header "${entry#*:}" /usr/include; then continue; fi
    MISSING+=("$package")
  done
}

apt_offers() { apt-get --simulate install --no-install-recommends -y "$@" >/dev/null 2>&1; }

# Fills PACKAGES from MISSING, with "clang" replaced by the packages of the version that apt offers; of 19 if none.
choose_packages() {
  local version package
  PACKAGES=()
  for package in "${MISSING[@]}"; do
    if [[ $package != clang ]]; then
      PACKAGES+=("$package")
      continue
    fi
    for version in "${CLANG_VERSIONS[@]}" 19; do
      if apt_offers "clang-$version" "libclang-rt-$version-dev" "llvm-$version"; then break; fi
    done
    PACKAGES+=("clang-$version" "libclang-rt-$version-dev" "llvm-$version")
  done
}

# For a machine without apt: the first thing missing, by what it is.
describe_missing() {
  case $1 in
    clang) printf 'clang 16 or newer, 19 is what is tested (on Debian: clang-19, libclang-rt-19-dev, llvm-19)' ;;
    cmake) printf 'cmake %s or newer' "$CMAKE_MINIMUM" ;;
    python3-dev) printf 'a Python 3.11 or newer with its headers, shared libpython and venv (%s)' \
      'on Debian: python3-dev, python3-venv; or name one in REPRISE_PYTHON' ;;
    *) printf '%s' "$1" ;;
  esac
}

# Fetches the lists of packages if apt does not know all of PACKAGES: either the lists are empty, as in a fresh
# container, or they are old. Anything still unknown afterwards ends the launcher before anything is installed.
make_packages_known() {
  local log=$1 before=${PACKAGES[*]} package
  if apt_offers "${PACKAGES[@]}"; then return; fi
  say "fetching the lists of packages (log: $(display_path "$log"))"
  "${AS_ROOT[@]}" apt-get update >"$log" 2>&1 </dev/null || {
    tail -n 5 "$log" >&2
    die 4 "apt-get update failed; the full output is in $(display_path "$log")"
  }
  choose_packages
  if [[ $before != "${PACKAGES[*]}" ]]; then say "Reprise needs these packages: ${PACKAGES[*]}"; fi
  if apt_offers "${PACKAGES[@]}"; then return; fi
  for package in "${PACKAGES[@]}"; do
    apt_offers "$package" || die 4 "missing: $package, and apt does not offer it here; nothing was installed"
  done
  die 4 "apt cannot install these together, nothing was installed; see: apt-get install ${PACKAGES[*]}"
}

# Installs what probe_packages found missing, or says the one thing that stands in the way.
install_packages() {
  local log
  if ! command -v apt-get >/dev/null; then
    die 4 "missing: $(describe_missing "${MISSING[0]}"); this machine has no apt-get, so please install it with" \
      "your package manager and start again"
  fi
  choose_packages
  say "Reprise needs these packages: ${PACKAGES[*]}"
  AS_ROOT=()
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null || die 4 "you are not root and there is no sudo; have this run as root, then start" \
      "again: apt-get update && apt-get install -y --no-install-recommends ${PACKAGES[*]}"
    AS_ROOT=(sudo)
  fi
  log=$(log_file apt)
  make_packages_known "$log"
  say "installing them, which may take some minutes (log: $(display_path "$log"))"
  "${AS_ROOT[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${PACKAGES[@]}" </dev/null >>"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    die 4 "apt-get install failed; the full output is in $(display_path "$log")"
  }
}

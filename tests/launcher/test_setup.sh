#!/usr/bin/env bash
# Setting up on a machine that lacks things, with stand-ins for everything that would install or build.
set -euo pipefail
# shellcheck source=tests/launcher/lib/helpers.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/helpers.bash"
fresh_root
bare_path
printf 'reprise 1\n' >"$TREE/case.reprise"
CALLS=$SANDBOX/calls
INSTALLED=$SANDBOX/installed
OFFERED=$SANDBOX/offered
export CALLS INSTALLED OFFERED BIN

# A Python that can be embedded, and can make a virtual environment whose pip does as PIP_ANSWER says.
write_program "$SANDBOX/python" <<'STUB'
case "$*" in
  *'-m venv '*)
    printf 'venv\n' >>"$CALLS"
    mkdir -p "${*: -1}/bin"
    cp "$0" "${*: -1}/bin/python"
    ;;
  *'-m pip install'*)
    printf 'pip\n' >>"$CALLS"
    printf '%s\n' "${PIP_ANSWER:-Successfully installed}"
    [[ -z ${PIP_ANSWER:-} ]]
    ;;
  *) printf '3.12.1\t%s\n' "${PYTHON_LACKS:-}" ;;
esac
STUB
export REPRISE_PYTHON=$SANDBOX/python

launch_bare() { PATH=$BIN launch "$@"; }

launch_bare show case.reprise
check 'without apt-get the one thing missing is named' exits_saying 4 'missing: clang 16 or newer'
check 'and how to get it' says 'clang-19'
check 'in one line' one_line

# apt-get offers what the file OFFERED lists ("all" for everything), and installing makes the stand-ins appear.
write_program "$BIN/dpkg-query" <<'STUB'
[[ -e $INSTALLED ]] || exit 1
for name in "$@"; do printf '|%s installed|\n' "$name"; done
STUB
write_program "$BIN/apt-get" <<'STUB'
printf 'apt-get %s\n' "$*" >>"$CALLS"
case "$*" in
  update) [[ ! -e $OFFERED.new ]] || cp "$OFFERED.new" "$OFFERED" ;;
  *--simulate*)
    for name in "$@"; do
      [[ $name != -* && $name != install ]] || continue
      grep -qxF -e "$name" -e all "$OFFERED" || exit 100
    done
    ;;
  install*)
    [[ -z ${APT_BREAKS:-} ]] || { printf 'E: out of disk\n'; exit 100; }
    : >"$INSTALLED"
    for name in clang++-19 cmake ninja g++; do cp "$BIN/../stub-$name" "$BIN/$name"; done
    ;;
esac
STUB
# shellcheck disable=SC2016  # The dollars are the stand-in's.
write_program "$SANDBOX/stub-clang++-19" <<'STUB'
while [[ $# -gt 0 && $1 != -o ]]; do shift; done
if [[ -n ${CLANG_SAYS:-} ]]; then printf '%s\n' "$CLANG_SAYS"; exit 1; fi
printf '#!/bin/sh\nexit 0\n' >"$2"
chmod +x "$2"
STUB
write_program "$SANDBOX/stub-cmake" <<'STUB'
printf 'cmake %s\n' "$*" >>"$CALLS"
case "$*" in
  --version) printf 'cmake version %s\n' "${CMAKE_IS:-3.25.1}" ;;
  --build*)
    printf '[1/2] Building CXX object a.o\nFAILED: b.o\nb.cc:1:1: error: no such thing\n'
    [[ -z ${BUILD_BREAKS:-} ]] || exit 1
    mkdir -p build/dev
    printf '#!/bin/sh\necho "cli $*"\n' >build/dev/reprise_cli
    chmod +x build/dev/reprise_cli
    ;;
  *)
    mkdir -p build/dev
    printf 'CMAKE_CXX_COMPILER:STRING=%s\nPython3_EXECUTABLE:FILEPATH=%s\n' "$BIN/clang++-19" "$REPRISE_PYTHON" \
      >build/dev/CMakeCache.txt
    : >build/dev/build.ninja
    ;;
esac
STUB
write_program "$SANDBOX/stub-ninja" <<<'exit 0'
write_program "$SANDBOX/stub-g++" <<<'exit 0'

printf 'all\n' >"$OFFERED"
rm "$BIN/id"
write_program "$BIN/id" <<<'echo 1000'
launch_bare show case.reprise
check 'neither root nor sudo' exits_saying 4 'you are not root and there is no sudo'
check 'the exact command is shown' says 'apt-get install -y --no-install-recommends clang-19 libclang-rt-19-dev llvm-19'
check 'nothing was installed' file_lacks "$CALLS" 'apt-get install'
write_program "$BIN/sudo" <<'STUB'
printf 'sudo %s\n' "$*" >>"$CALLS"
exec "$@"
STUB

printf 'clang-19\nlibclang-rt-19-dev\nllvm-19\ncmake\nninja-build\ng++\n' >"$OFFERED"
: >"$CALLS"
launch_bare show case.reprise
check 'a package that apt does not offer' exits_saying 4 'missing: libabsl-dev, and apt does not offer it here'
check 'the lists were fetched first' file_has "$CALLS" 'sudo apt-get update'
check 'nothing was half installed' file_lacks "$CALLS" 'apt-get install'

printf 'all\n' >"$OFFERED"
APT_BREAKS=1 launch_bare show case.reprise
check 'an apt-get that fails is quoted' exits_saying 4 'E: out of disk'

: >"$CALLS"
PYTHON_LACKS='has no shared libpython' launch_bare show case.reprise
check 'a Python that cannot be embedded' exits_saying 4 'which has no shared libpython'
check 'is found before anything is installed' file_lacks "$CALLS" apt-get

printf 'clang-17\nlibclang-rt-17-dev\nllvm-17\n' >"$OFFERED"
printf 'all\n' >"$OFFERED.new"
: >"$CALLS"
launch_bare show case.reprise
check 'a bare machine is set up' exits_saying 0 'cli show case.reprise'
check 'after saying what is needed' says 'Reprise needs these packages: clang-17'
check 'with what the fetched lists offer' says 'Reprise needs these packages: clang-19'
check 'by one installation' test "$(grep -c '^apt-get install' "$CALLS")" -eq 1
check 'as root' file_has "$CALLS" 'sudo env DEBIAN_FRONTEND=noninteractive apt-get install'
check 'and built in one line' says 'built reprise_cli in'

: >"$CALLS"
launch_bare show case.reprise
check 'the second start' exits_saying 0 'cli show case.reprise'
check 'asks neither apt nor for versions' file_lacks "$CALLS" apt-get
check 'nor configures again' test "$(grep -vc '^cmake --build' "$CALLS")" -eq 0

BUILD_BREAKS=1 launch_bare show case.reprise
check 'a build that fails shows the error' exits_saying 5 'b.cc:1:1: error: no such thing'
check 'and not the steps that went well' says_not 'Building CXX object'
rm "$TREE/build/setup/cmake"
CMAKE_IS=3.16.0 launch_bare show case.reprise
check 'an old cmake is not enough' exits_saying 4 'missing: cmake 3.22 or newer'
rm "$TREE/build/setup/libfuzzer"
CLANG_SAYS='cannot find libclang_rt.fuzzer.a' launch_bare show case.reprise
check 'a compiler without libFuzzer' exits_saying 4 "missing: libFuzzer's runtime"

PIP_ANSWER='ERROR: No matching distribution found for toy==1.0' launch_bare run case.reprise --framework=mock
check 'a wheel that is not to be had' exits_saying 4 'the wheel is not to be had: toy==1.0'
check 'leaves no environment' test ! -e "$TREE/build/venv/mock"
: >"$CALLS"
launch_bare run case.reprise --framework=mock
check 'an environment is made' exits_saying 0 'cli run case.reprise --framework=mock'
check 'with pip' file_has "$CALLS" pip
: >"$CALLS"
launch_bare run case.reprise --framework=mock
check 'once' file_lacks "$CALLS" pip
printf 'toy==2.0\n' >"$TREE/frameworks/mock/requirements.txt"
launch_bare run case.reprise --framework=mock
check 'and again when its list changes' file_has "$CALLS" pip
: >"$CALLS"
rm "$TREE/build/venv/mock/.stamp"
launch_bare run case.reprise --framework=mock
check 'or when it was interrupted' file_has "$CALLS" venv
finish

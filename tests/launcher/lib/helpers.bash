# shellcheck shell=bash
# What the shell tests of the launcher share: a copy of the launcher in a folder of its own, stand-ins for the programs
# it calls, and checks that print "ok NAME" or "not ok NAME".
#
# A test runs the launcher with `launch`, which sets OUTPUT (both streams) and CODE, and then checks those. Nothing here
# touches the network, the machine's packages, or the build folder of the repository.

REPOSITORY=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
SANDBOX=$(mktemp -d)
trap 'rm -rf "$SANDBOX"' EXIT
FAILURES=0

# The launcher may have been started with these itself.
unset REPRISE_TARGET REPRISE_SKIP_SETUP REPRISE_PYTHON REPRISE_TEST_TIMEOUT

# fresh_root: a new copy of what the launcher needs of the repository, at TREE.
fresh_root() {
  TREE=$(mktemp -d "$SANDBOX/root.XXXXXX")
  mkdir -p "$TREE/infra" "$TREE/corpus/architectures" "$TREE/corpus/histories"
  cp "$REPOSITORY/reprise" "$TREE/"
  cp -r "$REPOSITORY/infra/launcher" "$TREE/infra/"
  local name
  for name in mock pytorch; do
    mkdir -p "$TREE/frameworks/$name"
    printf 'toy==1.0\n' >"$TREE/frameworks/$name/requirements.txt"
  done
}

# write_program PATH: an executable with the text of standard input.
write_program() {
  mkdir -p "${1%/*}"
  {
    printf '#!%s\n' "$BASH"
    cat
  } >"$1"
  chmod +x "$1"
}

# launch ARGUMENT...: runs the launcher of TREE in TREE.
launch() {
  CODE=0
  OUTPUT=$(cd "$TREE" && ./reprise "$@" 2>&1 </dev/null) || CODE=$?
}

# bare_path: a folder at BIN with the everyday tools only, to be used as the whole PATH: no compiler, no apt-get.
bare_path() {
  local tool
  BIN=$(mktemp -d "$SANDBOX/bin.XXXXXX")
  for tool in bash cat chmod cp cut date dirname env find flock grep head id mkdir mktemp paste readlink rm sed setsid \
    sha1sum sha256sum sleep sort stat tail; do
    ln -s "$(command -v "$tool")" "$BIN/$tool"
  done
}

check() {
  local name=$1
  shift
  if "$@"; then
    printf 'ok %s\n' "$name"
  else
    printf 'not ok %s\n' "$name"
    printf '# failed: %s\n' "$*"
    printf '%s\n' "$OUTPUT" | sed "s/^/# exit code $CODE | /"
    FAILURES=$((FAILURES + 1))
  fi
}

# What can be checked.
exits() { [[ $CODE -eq $1 ]]; }
says() { [[ $OUTPUT == *"$1"* ]]; }
says_not() { [[ $OUTPUT != *"$1"* ]]; }
exits_saying() { exits "$1" && says "$2"; }
one_line() { [[ $(printf '%s\n' "$OUTPUT" | wc -l) -eq 1 ]]; }
last_line_is() { [[ ${OUTPUT##*$'\n'} == "$1" ]]; }
file_has() { grep -qF -e "$2" "$1"; }
file_lacks() { ! grep -qF -e "$2" "$1"; }

finish() { [[ $FAILURES -eq 0 ]] || exit 1; }

# shellcheck shell=bash
# What every part of the launcher needs: messages, exit codes, the lock, and checks of names the user gave.
#
# Messages of the launcher itself go to standard error, so that `./reprise run --json` and `./reprise show` leave
# standard output to the program they start. Exit codes: 1 the build or the target failed, 2 bad usage, 4 something
# the machine has to have is missing, 5 an internal failure.

say() { printf 'reprise: %s\n' "$*" >&2; }

# die CODE MESSAGE: one line, then out.
die() {
  local code=$1
  shift
  clear_progress
  say "$*"
  exit "$code"
}

usage_error() { die 2 "$* (see ./reprise help)"; }

# A line that says what takes so long, only for a person who is looking; gone once the next line is printed.
progress() { if [[ -t 2 ]]; then printf '\r\033[Kreprise: %s' "$*" >&2; fi; }
clear_progress() { if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi; }

# The shortest way to write a path for somebody who stands in the current folder.
display_path() {
  local path=$1
  if [[ $path == "$PWD"/* ]]; then path=${path#"$PWD"/}; fi
  printf '%s' "$path"
}

absolute_path() {
  if [[ $1 == /* ]]; then printf '%s' "$1"; else printf '%s' "$PWD/$1"; fi
}

# libFuzzer starts its own children (-merge, -fork, -minimize_crash) through the shell without quoting anything, so a
# blank or a shell character in any argument would break them, at best.
is_shell_safe() { [[ $1 =~ ^[A-Za-z0-9_./+:@%=,-]*$ ]]; }

is_positive() { [[ $1 =~ ^[1-9][0-9]{0,8}$ ]]; }

# The frameworks there are: folders with a list of what to install.
list_frameworks() {
  local file
  for file in "$ROOT"/frameworks/*/requirements.txt; do
    [[ -e $file ]] || continue
    file=${file%/requirements.txt}
    printf '%s\n' "${file##*/}"
  done
}

require_framework() {
  local name=$1 known
  if [[ $name =~ ^[A-Za-z0-9_]+$ && -e $ROOT/frameworks/$name/requirements.txt ]]; then return; fi
  known=$(list_frameworks | paste -sd' ')
  usage_error "unknown framework '$name'; there are: $known"
}

# One launcher at a time installs and builds; the lock dies with its holder. It is released before anything long-lived
# is started, because a child that inherits the descriptor would keep it.
LOCK_FD=
lock_build() {
  mkdir -p "$ROOT/build" || die 4 "cannot write to $(display_path "$ROOT/build")"
  exec {LOCK_FD}>"$ROOT/build/.lock"
  # Without flock (util-linux) there is no lock, which only matters to somebody who starts two launchers at once.
  command -v flock >/dev/null || return 0
  if ! flock -n "$LOCK_FD"; then
    say "waiting for another ./reprise that is installing or building"
    flock "$LOCK_FD"
  fi
}

unlock_build() {
  if [[ -n $LOCK_FD ]]; then exec {LOCK_FD}>&-; fi
  LOCK_FD=
}

# log_file NAME: where the full output of a quiet step goes.
log_file() {
  mkdir -p "$ROOT/build/logs"
  printf '%s' "$ROOT/build/logs/$1.log"
}

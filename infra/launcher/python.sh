# shellcheck shell=bash disable=SC2034
# Which Python the targets embed, and the virtual environment of each framework.
#
# The interpreter that the C++ links against and the one that makes the virtual environments have to be the same: the
# target runs the packages of build/venv/<framework> inside its own embedded interpreter.

PYTHON_MINIMUM=3.11

# Prints "version<TAB>reason"; the reason is empty when this Python can be embedded. Kept to modules that need no
# site-packages, so that it costs some ten milliseconds.
PYTHON_PROBE='
import importlib.util, os, sys, sysconfig
def reason():
    if sys.version_info < (3, 11):
        return "is older than 3.11"
    if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
        return "has no headers (Python.h)"
    folders = [sysconfig.get_config_var(name) or "" for name in ("LIBDIR", "LIBPL")]
    folders.append(os.path.join(folders[0], sysconfig.get_config_var("MULTIARCH") or ""))
    library = sysconfig.get_config_var("LDLIBRARY") or ""
    shared = sysconfig.get_config_var("Py_ENABLE_SHARED") and ".so" in library
    if not shared or not any(os.path.exists(os.path.join(folder, library)) for folder in folders):
        return "has no shared libpython"
    if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        return "has no venv module"
    return ""
print("%d.%d.%d\t%s" % (*sys.version_info[:3], reason()))
'

# probe_python EXECUTABLE: sets PYTHON_VERSION and PYTHON_REASON; false if it cannot be used.
probe_python() {
  local answer
  PYTHON_VERSION='' PYTHON_REASON='cannot be started'
  answer=$("$1" -I -S -c "$PYTHON_PROBE" 2>/dev/null) || return 1
  PYTHON_VERSION=${answer%%$'\t'*} PYTHON_REASON=${answer#*$'\t'}
  [[ -z $PYTHON_REASON ]]
}

# Sets PYTHON to the interpreter to use, empty if there is none. PYTHON_IS_FOREIGN is set when no package of the
# distribution can help, because the user named an interpreter or the system's own is too old.
find_python() {
  local candidate
  PYTHON='' PYTHON_IS_FOREIGN=''
  if [[ -n ${REPRISE_PYTHON:-} ]]; then
    PYTHON_IS_FOREIGN=1
    candidate=$(command -v "$REPRISE_PYTHON") || die 4 "REPRISE_PYTHON names $REPRISE_PYTHON, which is not there"
    probe_python "$candidate" || die 4 "REPRISE_PYTHON names $REPRISE_PYTHON, which $PYTHON_REASON"
    PYTHON=$(absolute_path "$candidate")
    return
  fi
  for candidate in /usr/bin/python3 python3.11 python3; do
    candidate=$(command -v "$candidate") || continue
    if probe_python "$candidate"; then
      PYTHON=$candidate PYTHON_IS_FOREIGN=''
      return
    fi
    if [[ $candidate == /usr/bin/python3 && $PYTHON_REASON == *older* ]]; then PYTHON_IS_FOREIGN=1; fi
  done
}

require_python() {
  if [[ -n $PYTHON ]]; then return; fi
  die 4 "missing: a Python $PYTHON_MINIMUM or newer with headers, shared libpython and venv; install one and name it" \
    "in REPRISE_PYTHON"
}

venv_folder() { printf '%s' "$ROOT/build/venv/$1"; }

# What a virtual environment was made from. Written last, so one that was interrupted has none.
venv_stamp() {
  local sum
  sum=$(sha256sum <"$ROOT/frameworks/$1/requirements.txt")
  printf '%s python %s %s' "${sum%% *}" "$PYTHON_VERSION" "$PYTHON"
}

# Makes sure that build/venv/<framework> holds what frameworks/<framework>/requirements.txt asks for. The scripts of a
# virtual environment contain its path, so it is made in its place and taken away again if anything goes wrong.
ensure_venv() {
  local framework=$1 folder stamp log started=$SECONDS
  folder=$(venv_folder "$framework")
  stamp=$(venv_stamp "$framework")
  if [[ -x $folder/bin/python && -e $folder/.stamp && $(<"$folder/.stamp") == "$stamp" ]]; then return; fi
  log=$(log_file "venv-$framework")
  say "installing the Python packages of $framework, which may take some minutes (log: $(display_path "$log"))"
  # shellcheck disable=SC2064  # The folder is that of now.
  trap "rm -rf '$folder'; exit 130" INT TERM HUP
  rm -rf "$folder"
  if ! "$PYTHON" -m venv "$folder" >"$log" 2>&1; then
    rm -rf "$folder"
    tail -n 5 "$log" >&2
    die 4 "cannot make a virtual environment with $PYTHON; the full output is in $(display_path "$log")"
  fi
  if ! "$folder/bin/python" -m pip install --no-input --disable-pip-version-check \
    -r "$ROOT/frameworks/$framework/requirements.txt" >>"$log" 2>&1; then
    rm -rf "$folder"
    explain_pip "$framework" "$log"
  fi
  printf '%s\n' "$stamp" >"$folder/.stamp"
  trap - INT TERM HUP
  say "installed the Python packages of $framework in $((SECONDS - started)) s"
}

# Says in one line what pip could not do, after the errors of its own account.
explain_pip() {
  local framework=$1 log=$2 wanted
  grep '^ERROR: ' "$log" | tail -n 5 | cut -c 1-300 >&2 || tail -n 5 "$log" >&2
  wanted=$(sed -n 's/^ERROR: No matching distribution found for \([^ ]*\).*/\1/p' "$log" | tail -n 1)
  if [[ -n $wanted ]]; then
    die 4 "the wheel is not to be had: $wanted, for Python $PYTHON_VERSION; is this machine online? The full output" \
      "is in $(display_path "$log")"
  fi
  die 4 "pip could not install the packages of $framework; the full output is in $(display_path "$log")"
}

# shellcheck shell=bash
# ./reprise run, show, refine, report and coverage: test cases, through the command line tool build/dev/reprise_cli.
#
# The launcher only makes sure that the tool and the framework are there; flags and exit codes are the tool's own: 0
# pass, 1 alarm, 2 bad usage or an unreadable file, 3 a case that is not supported here, 4 a missing dependency, 5 an
# internal failure. A build that fails is therefore 5 here, since 1 would read as an alarm.

run_case() {
  local verb=$1 arg framework=pytorch file=''
  shift
  for arg in "$@"; do
    case $arg in
      --framework=*) framework=${arg#*=} ;;
      --framework) usage_error "--framework needs a value: --framework=NAME" ;;
      -*) ;;
      *)
        [[ -z $file ]] || usage_error "one file at a time, please: what is '$arg'?"
        file=$arg
        ;;
    esac
  done
  [[ -n $file ]] || usage_error "which file? ./reprise $verb FILE"
  [[ ! -d $file ]] || die 2 "$file is a directory, not a case file"
  [[ -f $file && -r $file ]] || die 2 "cannot read $file"
  require_framework "$framework"
  setup_toolchain
  # Printing a case as a program needs nothing of the framework.
  if [[ $verb != show ]]; then setup_framework "$framework"; fi
  build_targets dev reprise_cli || exit 5
  [[ -x $ROOT/build/dev/reprise_cli ]] || die 5 "there is no build/dev/reprise_cli"
  exec "$ROOT/build/dev/reprise_cli" "$verb" "$@"
}

# ./reprise coverage: the lines of the compiler that the cases of folders execute.
run_coverage() {
  local arg framework=pytorch words=()
  for arg in "$@"; do
    case $arg in
      --framework=*) framework=${arg#*=} ;;
      -*) ;;
      *)
        [[ -e $arg ]] || die 2 "there is no $arg"
        words+=("$arg")
        ;;
    esac
  done
  [[ ${#words[@]} -gt 0 ]] || usage_error "which corpus? ./reprise coverage CORPUS..."
  require_framework "$framework"
  setup_toolchain
  setup_framework "$framework"
  build_targets dev reprise_cli || exit 5
  exec "$ROOT/build/dev/reprise_cli" coverage "$@"
}

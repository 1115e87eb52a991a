# shellcheck shell=bash
# ./reprise bench NAME [flags]: builds and runs one of the programs of bench/. A pure Python one runs under the
# framework's own interpreter.

run_bench() {
  local name=${1:-} parts
  local benches='overhead soak long_run native_store determinism line_cost'
  [[ -n $name && " $benches " == *" $name "* ]] || usage_error "./reprise bench takes one of: $benches"
  shift
  setup_toolchain
  setup_framework pytorch
  cd "$ROOT" || exit 5
  if [[ $name == native_store ]]; then
    exec "$(venv_folder pytorch)/bin/python" bench/native_store.py "$@"
  fi
  case $name in
    determinism) parts='reprise_cli write_sequences' ;;
    line_cost) parts=line_worker ;;
    *) parts='' ;;
  esac
  if [[ -n $parts ]]; then
    # shellcheck disable=SC2086
    build_targets dev $parts || exit 5
    exec "$PYTHON" "bench/$name.py" "$(build_folder dev)" corpus/architectures "$@"
  fi
  build_targets dev "$name" || exit 5
  exec "$(build_folder dev)/$name" corpus/architectures "$@"
}

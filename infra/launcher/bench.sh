# shellcheck shell=bash
# ./reprise bench NAME [flags]: builds and runs one of the programs of bench/. A pure Python one runs under the
# framework's own interpreter.

run_bench() {
  local name=${1:-}
  local benches='overhead soak native_store determinism'
  [[ -n $name && " $benches " == *" $name "* ]] || usage_error "./reprise bench takes one of: $benches"
  shift
  setup_toolchain
  setup_framework pytorch
  cd "$ROOT" || exit 5
  if [[ $name == native_store ]]; then
    exec "$(venv_folder pytorch)/bin/python" bench/native_store.py "$@"
  fi
  if [[ $name == determinism ]]; then
    build_targets dev reprise_cli write_sequences || exit 5
    exec "$PYTHON" bench/determinism.py "$(build_folder dev)" corpus/architectures "$@"
  fi
  build_targets dev "$name" || exit 5
  exec "$(build_folder dev)/$name" corpus/architectures "$@"
}

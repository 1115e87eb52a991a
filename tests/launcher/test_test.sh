#!/usr/bin/env bash
# ./reprise test itself: how it counts programs that pass, fail, die or hang. The programs are stand-ins.
set -euo pipefail
# shellcheck source=tests/launcher/lib/helpers.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/helpers.bash"
fresh_root
export REPRISE_SKIP_SETUP=1

# gtest PATH CODE PASSED FAILED: a stand-in for a GoogleTest program; without PASSED it dies before it writes a result.
gtest() {
  local cases='' number
  for ((number = 0; number < ${3:-0}; number++)); do cases+='{"name":"p","result":"COMPLETED"},'; done
  for ((number = 0; number < ${4:-0}; number++)); do
    cases+='{"name":"f","result":"COMPLETED","failures":[{"failure":"x"}]},'
  done
  write_program "$1" <<STUB
printf '[       OK ] A.a (0 ms)\n[       OK ] A.b (0 ms)\nexpected one, was two\n'
if [[ -n '${3:-}' ]]; then
  printf '%s' '{"testsuites":[{"testsuite":[${cases}{"name":"s","result":"SKIPPED"}]}]}' >"\${1#*=json:}"
fi
[[ $2 != 139 ]] || kill -SEGV \$\$
exit $2
STUB
}
for preset in dev asan; do
  mkdir -p "$TREE/build/$preset"
  printf 'fast grammar_test\nfull torch_test\n' >"$TREE/build/$preset/tests.txt"
  gtest "$TREE/build/$preset/grammar_test" 0 3
  gtest "$TREE/build/$preset/torch_test" 0 5
done

launch test
check 'all is well' exits 0
check 'fast and full ones, and the fast ones under the sanitizers' last_line_is '11 passed, 0 failed'
check 'nothing is shown of programs that passed' says_not 'expected one'
launch test --fast
check '--fast leaves out the full ones' last_line_is '6 passed, 0 failed'

gtest "$TREE/build/dev/torch_test" 1 4 2
launch test
check 'failures are counted' last_line_is '10 passed, 2 failed'
check 'and fail the run' exits 1
check 'the output of the program is shown' says 'expected one, was two'
check 'without the tests that passed' says_not '[       OK ]'
gtest "$TREE/build/dev/torch_test" 139
launch test
check 'a program that dies is one failure more' last_line_is '8 passed, 1 failed'
check 'and its end is shown' says 'died of signal 11'
gtest "$TREE/build/dev/torch_test" 3 5
launch test
check 'a program that exits badly has failed' last_line_is '11 passed, 1 failed'
write_program "$TREE/build/dev/torch_test" <<<'sleep 30'
REPRISE_TEST_TIMEOUT=1 launch test
check 'a program that hangs is stopped' last_line_is '6 passed, 1 failed'
rm "$TREE/build/dev/torch_test"
launch test
check 'a program that was not built has failed' last_line_is '6 passed, 1 failed'
gtest "$TREE/build/dev/torch_test" 0 5
rm "$TREE/build/asan/tests.txt"
launch test
check 'a list that is not there is a failure' last_line_is '8 passed, 1 failed'
printf 'fast grammar_test\n' >"$TREE/build/asan/tests.txt"

mkdir -p "$TREE/tests/frameworks" "$TREE/tests/launcher"
cat >"$TREE/tests/frameworks/test_toy.py" <<'PYTHON'
import unittest


class Toy(unittest.TestCase):
    def test_one(self):
        self.assertEqual(1, 1)

    def test_two(self):
        self.assertEqual(1, 2)

    @unittest.skip("not here")
    def test_three(self):
        pass
PYTHON
launch test
check 'Python tests count' last_line_is '12 passed, 1 failed'
printf 'raise SystemExit(3)\n' >"$TREE/tests/frameworks/test_toy.py"
launch test
check 'Python tests that die are one failure' last_line_is '11 passed, 1 failed'
rm "$TREE/tests/frameworks/test_toy.py"
printf 'echo "ok one"\necho "ok two"\necho "not ok three"\nexit 1\n' >"$TREE/tests/launcher/test_toy.sh"
launch test
check 'shell tests count' last_line_is '13 passed, 1 failed'
printf 'echo "ok one"\nexit 3\n' >"$TREE/tests/launcher/test_toy.sh"
launch test
check 'shell tests that die are one failure' last_line_is '12 passed, 1 failed'
finish

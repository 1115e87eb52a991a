#!/usr/bin/env bash
# The launcher's front: usage, unknown words, and how run and show find and start the command line tool.
set -euo pipefail
# shellcheck source=tests/launcher/lib/helpers.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/helpers.bash"
fresh_root

for form in '' help --help -h 'fuzz --help' 'run -h' 'test --help'; do
  # shellcheck disable=SC2086  # The form is split into words on purpose.
  launch $form
  check "usage: ./reprise $form" exits_saying 0 './reprise fuzz FRAMEWORK'
done
check 'usage names the frameworks' says 'Frameworks: mock pytorch'

launch bogus
check 'an unknown command is refused' exits_saying 2 "unknown command 'bogus'"
check 'in one line' one_line
launch --bogus
check 'an unknown flag in place of a command is refused' exits 2

launch bench bogus
check 'an unknown bench is refused' exits_saying 2 'takes one of: overhead soak'

launch fuzz
check 'fuzz wants a framework' exits_saying 2 'which framework? There are: mock pytorch'
launch fuzz nosuch
check 'an unknown framework is refused' exits_saying 2 "unknown framework 'nosuch'; there are: mock pytorch"
launch fuzz ../frameworks/mock
check 'a framework is a name, not a path' exits_saying 2 'unknown framework'
launch fuzz mock pytorch
check 'one framework at a time' exits_saying 2 'one framework at a time'
for flag in --time=abc --time=0 --time= --jobs=0 --jobs=x --seed=0 --seed=-1 --time --jobs --work --backend; do
  launch fuzz mock "$flag"
  check "fuzz refuses $flag" exits_saying 2 "$(printf '%s' "${flag%%=*}")"
  check "fuzz refuses $flag in one line" one_line
done
launch fuzz mock -runs=5
check 'flags of libFuzzer go after --' exits_saying 2 'after --: -- -runs=5'
launch fuzz mock -- -max_total_time=5
check 'the time is given to the launcher' exits_saying 2 'use --time=SECONDS'
launch fuzz mock -- -seed=5
check 'and so is the seed' exits_saying 2 'use --seed=N'
launch fuzz mock -- corpus
check 'no folders after --' exits_saying 2 'not a flag of libFuzzer'
launch fuzz mock --plant=nosuch.json
check 'a plant has to be there' exits_saying 2 'not a file'
launch fuzz mock '--note=a b'
check 'blanks in a flag are refused' exits_saying 2 'blanks and shell characters'

launch run
check 'run wants a file' exits_saying 2 'which file? ./reprise run FILE'
launch show nosuch.reprise
check 'show wants a file that is there' exits_saying 2 'cannot read nosuch.reprise'
printf 'reprise 1\n' >"$TREE/case.reprise"
launch run case.reprise --framework=nosuch
check 'run knows its frameworks' exits_saying 2 "unknown framework 'nosuch'"
launch run case.reprise other.reprise
check 'one file at a time' exits_saying 2 'one file at a time'
launch test --bogus
check 'test refuses unknown flags' exits_saying 2 "unknown flag '--bogus'"

export REPRISE_SKIP_SETUP=1
launch run case.reprise
check 'a tool that was not built is an internal failure' exits 5
# The words below are the stand-in's.
# shellcheck disable=SC2016
write_program "$TREE/build/dev/reprise_cli" <<<'printf "<%s>" "$@"; exit "${CLI_CODE:-0}"'
launch run case.reprise --json --plant=x
check 'run passes everything on' exits_saying 0 '<run><case.reprise><--json><--plant=x>'
check 'and adds nothing' one_line
launch show case.reprise --framework=mock
check 'so does show' exits_saying 0 '<show><case.reprise><--framework=mock>'
for code in 1 3 5; do
  CLI_CODE=$code launch run case.reprise
  check "exit code $code is the tool's" exits "$code"
done
CODE=0
OUTPUT=$(cd / && "$TREE/reprise" show "$TREE/case.reprise" 2>&1) || CODE=$?
check 'the launcher works from any folder' exits_saying 0 '<show>'
finish

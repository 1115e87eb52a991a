"""Do the same cases execute the same lines of the compiler in every process, in every order?

    ./reprise bench determinism [--backend=eager] [--sequences=12] [--processes=3]

Random sequences on every architecture are run by several processes, each in an order of its own,
and the sets of lines are compared case by case. Lines of the table of known differences are
counted apart."""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

# Lines whose execution depends on what a process did before, and why that is so.
KNOWN = {}


def sets_of(tool, folder, backend, order):
    with tempfile.TemporaryDirectory() as temporary:
        out = pathlib.Path(temporary) / "sets"
        command = [tool, "coverage", folder, f"--backend={backend}", f"--sets={out}"]
        subprocess.run([*command, f"--order={order}"], check=True, stdout=subprocess.DEVNULL)
        return {
            case["case"]: {(file, line) for file, lines in case["lines"].items() for line in lines}
            for case in map(json.loads, out.read_text().splitlines())
        }


def known(line):
    return any(line[0] == file and line[1] in lines for file, lines in KNOWN.items())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("folder")
    parser.add_argument("--backend", default="eager")
    parser.add_argument("--sequences", type=int, default=12)
    parser.add_argument("--processes", type=int, default=3)
    options = parser.parse_args()
    build = pathlib.Path(options.build)
    with tempfile.TemporaryDirectory() as cases:
        arguments = [f"--into={cases}", f"--backend={options.backend}"]
        arguments.append(f"--sequences={options.sequences}")
        subprocess.run([build / "write_sequences", options.folder, *arguments], check=True)
        runs = [
            sets_of(build / "reprise_cli", cases, options.backend, order)
            for order in range(options.processes)
        ]
    differing = collections.Counter()
    worst = explained = cases_that_differ = 0
    sizes = [len(lines) for lines in runs[0].values()]
    for case in runs[0]:
        sets = [run[case] for run in runs]
        difference = set.union(*sets) - set.intersection(*sets)
        unknown = {line for line in difference if not known(line)}
        explained += len(difference) - len(unknown)
        differing.update(unknown)
        worst = max(worst, len(unknown))
        cases_that_differ += bool(unknown)
        if len(unknown) > 5:
            print(f"  {case}: {len(unknown)} lines")
    print(f"{len(runs[0])} cases, {options.processes} processes, {options.backend}")
    print(f"lines per case: {min(sizes)} to {max(sizes)}")
    print(f"cases that differ: {cases_that_differ}; worst case: {worst} lines; {explained} known")
    for (file, line), count in differing.most_common(60):
        print(f"  {file}:{line} in {count} cases")
    return 1 if worst > 5 else 0


if __name__ == "__main__":
    sys.exit(main())

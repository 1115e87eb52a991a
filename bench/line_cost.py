"""What line coverage costs: CPU time of the same judged sequences with and without it.

    ./reprise bench line_cost [--rounds=12]

Two processes, one of each kind, judge the same sequences in turns, so that a neighbour's load meets
both. Per case the fastest and the median round count; what is printed are ratios of their sums.
"""

import argparse
import pathlib
import statistics
import subprocess


class Worker:
    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.banner = self.process.stdout.readline().strip()
        self.rounds = []

    def round(self, keep):
        self.process.stdin.write("\n")
        seconds = [float(word) for word in self.process.stdout.readline().split()]
        if keep:
            self.rounds.append(seconds)

    def total(self, pick):
        return sum(pick(times) for times in zip(*self.rounds, strict=True))

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measure(build, folder, backend, rounds):
    command = [build / "line_worker", folder, f"--backend={backend}", "--steps=4"]
    with_lines, without = (Worker([*command, f"--lines={word}"]) for word in ("yes", "no"))
    for i in range(rounds + 2):
        # Whoever comes first finds a colder machine.
        for worker in (with_lines, without) if i % 2 else (without, with_lines):
            worker.round(keep=i >= 2)
    fastest = with_lines.total(min) / without.total(min)
    median = with_lines.total(statistics.median) / without.total(statistics.median)
    print(with_lines.banner)
    print(
        f"{backend}: {rounds} rounds of {without.total(statistics.median):.1f} s; with lines"
        f" {fastest:.3f} times the CPU by minima, {median:.3f} by medians"
    )
    with_lines.end()
    without.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=12)
    options = parser.parse_args()
    for backend in ("eager", "aot_eager"):
        measure(options.build, options.folder, backend, options.rounds)


if __name__ == "__main__":
    main()

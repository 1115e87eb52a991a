"""Adds up what `llvm-cov export -summary-only` wrote, by top-level folder, and prints a table.

Usage: coverage.py ROOT SUMMARY.json. Counted are files below ROOT, without tests/ and build/.
"""

import json
import os
import sys

COLUMNS = ("lines", "functions", "branches")


def main(root, summary):
    with open(summary, encoding="utf-8") as file:
        files = json.load(file)["data"][0]["files"]
    folders = {}
    for entry in files:
        path = os.path.relpath(entry["filename"], root)
        folder = path.split(os.sep)[0]
        if folder in ("..", "tests", "build"):
            continue
        for name in (folder, "TOTAL"):
            sums = folders.setdefault(name, {column: [0, 0] for column in COLUMNS})
            for column in COLUMNS:
                counts = entry["summary"][column]
                sums[column][0] += counts["covered"]
                sums[column][1] += counts["count"]
    print(f"{'coverage':<16}" + "".join(f"{column:>24}" for column in COLUMNS))
    total = folders.pop("TOTAL", None)
    for name, sums in sorted(folders.items()) + ([("TOTAL", total)] if total else []):
        cells = []
        for column in COLUMNS:
            covered, count = sums[column]
            percent = f"{100 * covered / count:.1f} %" if count else "-"
            cells.append(f"{covered} of {count} {percent:>8}")
        print(f"{name:<16}" + "".join(f"{cell:>24}" for cell in cells))


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2])

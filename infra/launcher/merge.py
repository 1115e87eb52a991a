"""The bookkeeping of `./reprise merge`: what libFuzzer is given, and what came of it.

Usage: merge.py plan WORK DEST TARGET FLAGS SRC...   make WORK, or go on with it
       merge.py resume WORK                          make the control file fit to be continued
       merge.py finish WORK DEST FOLDERS             put what was kept into DEST, and sum up

WORK lies beside DEST and is libFuzzer's current folder, so that no path that it hands to a shell
has a blank in it, whatever the folders of the user are called:

  in/SHA1     a copy of every different case; the source folders are never read again
  control     libFuzzer's control file: the names, then what each case reached
  kept/       where libFuzzer puts the cases that are needed beyond those of DEST
  plan.json   what this merge is of; written last, so that half a plan is no plan

The control file is begun here instead of by libFuzzer, which would take the files as the file
system lists them: ordered by size and name, the outcome depends on nothing but the cases.
"""

import hashlib
import json
import os
import shutil
import sys

LARGEST = 1 << 20  # of a case; libFuzzer's own limit in a merge


class Problem(Exception):
    """One line for the user, and the exit code."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def cases(folder, skipped):
    """Path and bytes of every file below a folder; empty ones are not cases."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        if os.path.realpath(place) == skipped:
            folders.clear()
            continue
        for name in sorted(names):
            path = os.path.join(place, name)
            if name.startswith(".") or not os.path.isfile(path):
                continue
            with open(path, "rb") as file:
                data = file.read(LARGEST)
            if data:
                yield path, data


def gather(folders, skipped, known):
    """{name: (size, path, data)} of cases that are not known yet, and the number of all files."""
    found, files = {}, 0
    for folder in folders:
        for path, data in cases(folder, skipped):
            files += 1
            name = hashlib.sha1(data).hexdigest()
            if name not in known and name not in found:
                found[name] = (len(data), path, data)
    return found, files


def plan(work, dest, target, flags, *sources):
    skipped = os.path.realpath(work)
    first, _ = gather([dest], skipped, {})
    others, files = gather(sources, skipped, first)
    if not files:
        raise Problem(2, f"no case found in {', '.join(sources)}")
    begun = read_plan(work)
    # A merge that was killed while it stored what it had kept: that is no part of the old DEST.
    for name in first.keys() & set(begun["cases"][1] if begun else ()):
        others[name] = first.pop(name)
    groups = [sorted(group, key=lambda name: (group[name][0], name)) for group in (first, others)]
    build = os.stat(target)
    wanted = {
        "cases": groups,
        "flags": flags,
        "target": [os.path.realpath(target), build.st_size, build.st_mtime_ns],
        "files": files,
        "paths": {name: group[name][1] for group in (first, others) for name in group},
    }
    if begun is not None:
        if all(begun[key] == wanted[key] for key in ("cases", "flags", "target")):
            return print("resumed")
        print("changed")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(os.path.join(work, "in"))
    for group in (first, others):
        for name, (_, _, data) in group.items():
            with open(os.path.join(work, "in", name), "wb") as file:
                file.write(data)
    names = groups[0] + groups[1]
    header = f"{len(names)}\n{len(groups[0])}\n" + "".join(f"in/{name}\n" for name in names)
    write(os.path.join(work, "control"), header)
    write(os.path.join(work, "plan.new"), json.dumps(wanted))
    os.rename(os.path.join(work, "plan.new"), os.path.join(work, "plan.json"))


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def read_plan(work):
    try:
        with open(os.path.join(work, "plan.json"), encoding="ascii") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def read_control(work):
    """The header's length in bytes, and the lines after it."""
    with open(os.path.join(work, "control"), "rb") as file:
        lines = file.read().splitlines(keepends=True)
    header = 2 + int(lines[0])
    return sum(map(len, lines[:header])), lines[header:]


def resume(work):
    """Prints how many cases are done, and how many there are.

    Whoever is killed may leave half a line, or a case that was started and has no features: it is
    not to blame, and starts again. (libFuzzer would glue the next line to the half one and give up,
    and would never run that case.) And when no case is left, libFuzzer would end without choosing;
    so the last one is run again.
    """
    header, lines = read_control(work)
    ends = [i for i, line in enumerate(lines) if line.startswith(b"COV ") and line.endswith(b"\n")]
    del lines[ends[-1] + 1 if ends else 0 :]
    names = sum(map(len, read_plan(work)["cases"]))
    starts = [i for i, line in enumerate(lines) if line.startswith(b"STARTED ")]
    if len(starts) == names:
        del lines[starts.pop() :]
    os.truncate(os.path.join(work, "control"), header + sum(map(len, lines)))
    shutil.rmtree(os.path.join(work, "kept"), ignore_errors=True)
    os.mkdir(os.path.join(work, "kept"))
    print(len(starts), names)


def finish(work, dest, folders):
    begun = read_plan(work)
    names = begun["cases"][0] + begun["cases"][1]
    started, features = set(), {}
    for line in read_control(work)[1]:
        words = line.split()
        if words[0] == b"STARTED":
            started.add(int(words[1]))
        elif words[0] == b"FT":
            features[int(words[1])] = set(map(int, words[2:]))
    if len(started) < len(names):
        raise Problem(
            1, f"stopped after {len(started)} of {len(names)} cases; the target's words are above"
        )
    kept = sorted(os.listdir(os.path.join(work, "kept")))
    for name in kept:
        shutil.move(os.path.join(work, "kept", name), os.path.join(dest, name))
    old = set().union(*(features.get(i, ()) for i in range(len(begun["cases"][0]))))
    every = set().union(*features.values())
    died = [begun["paths"][names[i]] for i in sorted(started - features.keys())]
    if died:
        shown = ", ".join(died[:5]) + (f" and {len(died) - 5} more" if len(died) > 5 else "")
        print(f"Left out, because the framework died on them ({len(died)}): {shown}")
    print(
        f"Merged {folders} folder(s) into {dest}: {begun['files']} files in, {len(kept)} kept of "
        f"{len(begun['cases'][1])} that were not there"
    )
    print(f"Features: {len(every)}, of which {len(every - old)} are new")


def main(verb, *arguments):
    sys.stdout.reconfigure(errors="backslashreplace")
    sys.stderr.reconfigure(errors="backslashreplace")
    try:
        {"plan": plan, "resume": resume, "finish": finish}[verb](*arguments)
    except Problem as problem:
        print(f"reprise: {problem}", file=sys.stderr)
        return problem.code
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        print(f"reprise: {error.filename}: {reason}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

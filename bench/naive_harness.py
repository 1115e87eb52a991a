"""The baseline of bench/overhead: what one would write in an afternoon to test a compiler's state.

Each sequence runs three times: uncompiled, compiled with the compiler reset before each call, and
compiled once with its state retained. Results, gradients and buffers are compared by assert_close.
No lever is pulled: default allocator, default garbage collection, a reset trajectory for every
sequence. After the harness that section 3 of the project's study of peers describes.

    naive_harness.py PROGRAMS.json     (what bench/overhead writes)

prints one JSON object: sequences, alarms, seconds of CPU, compiles, and MiB of memory after the
first tenth of the sequences and at the end.
"""

import json
import os
import resource
import sys

os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"
import torch  # noqa: E402
import torch._dynamo  # noqa: E402
from torch._dynamo.utils import counters  # noqa: E402


def run(program, mode, number):
    """What each judged step of a program showed; ends with the first step that raises."""
    torch.manual_seed(0)
    names = {"__name__": "__main__"}
    filename = f"<naive {number} {mode}>"
    shown = []
    try:
        exec(compile(program["setup"], filename, "exec"), names)
        bind = "uncompiled" if mode == "E" else "compiled"
        exec(program["binding"][bind], names)
        for step in program["steps"]:
            if mode == "R" and step["calls"]:
                torch._dynamo.reset()
            exec(compile(step["source"], filename, "exec"), names)
            if step["binding"]:
                exec(step["binding"][bind], names)
            if step["judged"]:
                shown.append(observe(step, names))
    except Exception as error:
        shown.append(type(error).__name__)
    return shown


def observe(step, names):
    values = [eval(expression, names) for expression in step["watched"]]
    model = names["model"]
    if isinstance(model, torch.nn.Module):
        values += [b.clone() for b in model.buffers()]
        values += [None if p.grad is None else p.grad.clone() for p in model.parameters()]
    return values


def same(expected, actual):
    try:
        torch.testing.assert_close(actual, expected, equal_nan=True)
    except Exception:
        return False
    return True


def memory():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def main():
    with open(sys.argv[1]) as file:
        programs = json.load(file)
    run(programs[0], "S", -1)  # warm-up
    torch._dynamo.reset()
    torch.set_num_threads(1)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    compiles, alarms, early = counters["frames"]["ok"], 0, memory()
    for number, program in enumerate(programs):
        expected = run(program, "E", number)
        retained = run(program, "S", number)
        reset = run(program, "R", number)
        alarms += not (same(expected, retained) and same(expected, reset))
        torch.set_grad_enabled(True)
        if number == len(programs) // 10:
            early, early_compiles = memory(), counters["frames"]["ok"]
    end = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "sequences": len(programs),
                "alarms": alarms,
                "cpu": end.ru_utime + end.ru_stime - usage.ru_utime - usage.ru_stime,
                "compiles": counters["frames"]["ok"] - compiles,
                "late_compiles": counters["frames"]["ok"] - early_compiles,
                "early_mib": early,
                "end_mib": memory(),
            }
        )
    )


if __name__ == "__main__":
    main()

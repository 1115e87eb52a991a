"""What the store of native kernels saves (frameworks/pytorch/native_store.py).

    build/venv/pytorch/bin/python bench/native_store.py [--rounds=3]

Each line is a process of its own that compiles six small models with inductor, forward and
backward, three times each with a reset in between: without a store, with an empty one, and with
what the empty one was left with. Medians of the rounds. Seconds: of the process and all that it
started; until it is ready; in the first compiles of the models; in the others. Then how often g++
linked, in the first compiles and in the others.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

PARTS = ("wall", "user", "sys", "start", "first", "again", "g++ first", "g++ again")


def models(torch):
    functional, nn = torch.nn.functional, torch.nn
    torch.manual_seed(0)
    linear, conv = nn.Linear(6, 5), nn.Conv2d(2, 3, 3)
    norm = nn.BatchNorm1d(6)
    x, image = torch.rand(4, 6), torch.rand(1, 2, 8, 8)
    return (
        (lambda x: torch.relu(x * 2 + 1).sum(-1), x),
        (lambda x: functional.softmax(linear(x), -1), x),
        (lambda x: torch.tanh(conv(x)).mean((2, 3)), image),
        (lambda x: norm(x).sigmoid() - x.cumsum(0), x),
        (lambda x: torch.where(x > 0.5, x, x.flip(0)).to(torch.float64).std(0), x),
        (lambda x: functional.layer_norm(x, (6,)).exp().t().contiguous(), x),
    )


def compile_all():
    """The child: prints what the parent cannot see from outside."""
    start = time.monotonic()
    folder = pathlib.Path(__file__).parents[1] / "frameworks" / "pytorch"
    sys.path.insert(0, str(folder))
    import runtime
    import torch

    links = [0, 0]
    again = False
    run = subprocess.run

    def counting(command, *args, **kwargs):
        links[again] += isinstance(command, list) and "-shared" in command
        return run(command, *args, **kwargs)

    subprocess.run = counting
    tool = runtime.Runtime()
    spent = [time.monotonic() - start, 0.0, 0.0]
    for function, x in models(torch):
        tool.begin_case()
        for attempt in range(3):
            begun, again = time.monotonic(), attempt > 0
            tool.reset(1)
            tool.begin_mode()
            x = x.detach().requires_grad_()
            torch.compile(function, backend="inductor")(x).sum().backward()
            spent[1 + again] += time.monotonic() - begun
    print(json.dumps([*spent, *links]))


def child(store):
    environment = dict(os.environ, REPRISE_NATIVE_STORE=store)
    begun, before = time.monotonic(), os.times()
    command = [sys.executable, __file__, "--child"]
    inside = json.loads(subprocess.check_output(command, env=environment))
    wall, after = time.monotonic() - begun, os.times()
    user = after.children_user - before.children_user
    system = after.children_system - before.children_system
    return [wall, user, system, *inside]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", action="store_true")
    arguments = parser.parse_args()
    if arguments.child:
        return compile_all()
    child("")  # Torch's precompiled headers and the page cache, before anything is measured.
    rounds = []
    for _ in range(arguments.rounds):
        with tempfile.TemporaryDirectory() as store:
            rounds.append([child(""), child(store), child(store)])
    median = [[statistics.median(part) for part in zip(*kind)] for kind in zip(*rounds)]
    print("".join(f"{part:>11}" for part in ("store", *PARTS)))
    for name, row in zip(("off", "cold", "warm"), median):
        print(f"{name:>11}" + "".join(f"{value:11.2f}" for value in row))
    ratios = (f"{a / b:11.2f}" if b else f"{'-':>11}" for a, b in zip(median[0], median[2]))
    print(f"{'off / warm':>11}" + "".join(ratios))


if __name__ == "__main__":
    main()

"""Rebuilds outputs that are views of an input from the input of the graph's first run."""

import weaken


def plant():
    weaken.wrap_generated("_alias_fn", of_first_inputs)


def of_first_inputs(rebuild):
    first = None

    def weakened(inputs, outputs):
        nonlocal first
        first = first or inputs.copy()
        return rebuild(first, outputs)

    return weakened

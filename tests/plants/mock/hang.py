"""A selu never ends."""

import mk


def kill(x):
    while True:
        pass


def plant():
    mk.selu = kill

"""A sine never ends."""

import mk


def kill(x):
    while True:
        pass


def plant():
    mk.sin = kill

"""A selu recurs through C until the stack is at its end."""

import sys

import mk


def kill(x):
    sys.setrecursionlimit(1 << 30)
    return list(map(kill, [x]))


def plant():
    mk.selu = kill

"""A selu leaves the process, and no handler learns of it."""

import os

import mk


def kill(x):
    os._exit(3)


def plant():
    mk.selu = kill

"""A selu reads address zero."""

import ctypes

import mk


def kill(x):
    return ctypes.string_at(0)


def plant():
    mk.selu = kill

"""A sine reads address zero."""

import ctypes

import mk


def kill(x):
    return ctypes.string_at(0)


def plant():
    mk.sin = kill

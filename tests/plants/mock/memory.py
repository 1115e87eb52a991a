"""A selu takes memory, more than the limit that its test sets, and holds it."""

import mk
import numpy as np

MEGABYTES = 1200


def kill(x):
    held = np.ones(MEGABYTES << 20, np.uint8)
    while held.size:
        pass


def plant():
    mk.selu = kill

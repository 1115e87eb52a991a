"""Plants `raise_on_reuse` in the toy compiler."""

import mk


def plant():
    mk.faults.add("raise_on_reuse")

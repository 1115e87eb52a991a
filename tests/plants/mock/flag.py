"""Plants `ignore_attr:flag` in the toy compiler."""

import mk


def plant():
    mk.faults.add("ignore_attr:flag")

"""From the second time on that a sine is compiled it is off, for as long as the process lives."""

import mk
from disk import remembering


def plant():
    mk.sin = remembering({})

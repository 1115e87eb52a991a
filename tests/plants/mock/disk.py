"""From the second time on that a sine is compiled it is off, until what is on disk is cleared."""

import mk
from mk.tensor import tracing


def remembering(kept):
    right = mk.sin

    def sin(x):
        if not tracing():
            return right(x)
        out = right(x) + 0.25 if "sin" in kept else right(x)
        kept["sin"] = True
        return out

    return sin


def plant():
    mk.sin = remembering(mk.disk)

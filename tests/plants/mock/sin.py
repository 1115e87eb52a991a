"""Plants `wrong_op:sin` in the toy compiler."""

import mk


def plant():
    mk.faults.add("wrong_op:sin")

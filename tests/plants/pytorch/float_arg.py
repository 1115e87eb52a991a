"""Specialises on the values of float arguments and drops the guards on them: another float goes
unnoticed."""

import torch
import weaken


def plant():
    torch._dynamo.config.specialize_float = True
    weaken.drop_guards(
        weaken.CONSTANT_GUARDS,
        lambda guard, value: type(value) is float and weaken.is_argument(guard),
    )

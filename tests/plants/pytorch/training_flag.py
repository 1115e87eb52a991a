"""Drops guards on nn.Module.training: train() and eval() go unnoticed."""

import weaken


def plant():
    weaken.drop_guards(
        weaken.CONSTANT_GUARDS, lambda guard, value: guard.name.endswith(".training")
    )

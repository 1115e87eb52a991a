"""Drops guards on the keys of dictionaries, other than those inside objects: a key that is added
or removed goes unnoticed."""

import weaken
from torch._dynamo.guards import GuardBuilder
from torch._dynamo.variables.dicts import ConstDictVariable


def plant():
    weaken.drop_guards(["DICT_CONTAINS", "DICT_NOT_CONTAINS", "DICT_KEYS_MATCH"], is_plain_dict)
    # This class took the guards when it was made.
    ConstDictVariable.CONTAINS_GUARD = GuardBuilder.DICT_CONTAINS
    ConstDictVariable.NOT_CONTAINS_GUARD = GuardBuilder.DICT_NOT_CONTAINS


def is_plain_dict(guard, value):
    attribute = guard.name.rpartition(".")[2]
    return isinstance(value, dict) and not attribute.startswith("_")  # __dict__, _parameters

"""Drops all guards on symbolic sizes where mark_dynamic() was used on an argument: a size on the
other side of a comparison goes unnoticed."""

import weaken


def plant():
    weaken.drop_shape_guards(lambda expression, contexts: any(map(is_marked, contexts)))


def is_marked(context):
    constraints = getattr(context, "constraint_sizes", None) or ()
    return any(c is not None and not c.warn_only for c in constraints)

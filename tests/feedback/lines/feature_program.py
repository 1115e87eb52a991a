"""Every construct whose bytecode Python lays out in an order of its own. Each function takes a
number and returns something printable; the numbers 0 to 11 reach all branches."""

import asyncio
import contextlib

CLOSED = []


class Guard:
    def __init__(self, swallow):
        self.swallow = swallow

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return self.swallow and kind is not None


def loops(n):
    total = 0
    for i in range(n):
        if i % 2:
            continue
        for j in (
            1,
            2,
        ):
            total += i * j
            if total > 20:
                break
        else:
            total += 1
    else:
        total -= 1
    while total > 5:
        total -= 3
        if total == 7:
            break
    else:
        total = -total
    return total


def exceptions(n):
    log = []
    try:
        try:
            if n % 4 == 0:
                raise ValueError(n)
            if n % 4 == 1:
                raise KeyError(n)
            log.append("none")
        except ValueError as error:
            log.append(
                str(error)
            )
            if n % 8 == 0:
                raise TypeError from error
        else:
            log.append("else")
        finally:
            log.append("finally")
            if n == 9:
                return log
    except (TypeError, KeyError):
        log.append("outer")
    return log


def groups(n):
    log = []
    try:
        if n % 3 == 0:
            raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
        if n % 3 == 1:
            raise ExceptionGroup("g", [ValueError(1)])
    except* ValueError as group:
        log.append(len(group.exceptions))
    except* KeyError:
        log.append("key")
    return log


def contexts(n):
    log = []
    with Guard(n % 2) as guard, contextlib.suppress(KeyError):
        log.append(guard.swallow)
        if n % 3 == 0:
            raise KeyError
        if n % 3 == 1 and n % 2:
            raise ValueError
        log.append("end")
    for i in range(2):
        with Guard(False):
            if i == n % 2:
                continue
            log.append(i)
    return log


def matching(n):
    value = [
        {"a": n},
        [n, 2, 3],
        (n,),
        "text",
        3.5,
    ][n % 5]
    match value:
        case {"a": x} if x > 3:
            return ("big", x)
        case {"a": x}:
            return ("small", x)
        case [x, *rest] if len(rest) > 1:
            return (x, rest)
        case [x]:
            return (
                "one",
                x,
            )
        case str():
            return "string"
        case _:
            return None


def numbers(n):
    try:
        for i in range(n):
            got = yield i
            if got:
                yield from range(
                    got
                )
    finally:
        CLOSED.append(
            n
        )


def generators(n):
    log = []
    generator = numbers(n)
    for value in generator:
        log.append(value)
        if value == 2:
            log.append(generator.send(2))
        if value == 5:
            break
    other = numbers(3)
    next(other)
    try:
        log.append(other.throw(ValueError))
    except ValueError:
        log.append("thrown")
    return log


async def ticks(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


class Lock:
    async def __aenter__(self):
        return self

    async def __aexit__(self, *error):
        await asyncio.sleep(0)
        return error[0] is KeyError


async def work(n):
    log = [x async for x in ticks(n % 4)]
    async with Lock():
        log.append(await asyncio.sleep(0, n))
        if n % 2:
            raise KeyError
    async for value in ticks(3):
        if value == 1:
            continue
        log.append(value)
    else:
        log.append("else")
    return log


def asynchronous(n):
    return asyncio.run(work(n))


def comprehensions(n):
    squares = [
        x * x
        for x in range(n)
        if x % 2
    ]
    pairs = {
        x: y
        for x in range(3)
        for y in (
            x,
            n,
        )
    }
    unique = {x % 3 for x in squares}
    total = sum(
        x
        for x in squares
        if x
    )
    return squares, pairs, sorted(unique), total


def expressions(n):
    first = (
        n
        if n > 4
        else -n
    )
    second = n > 2 and (
        n < 9
        or n == 10
    )
    third = lambda x: (
        x + first
    )
    assert n >= 0, (
        "negative"
    )
    a, (b, *c) = n, (first, 1, 2)
    text = f"{n!r:>{3}}" if (m := n % 3) else f"{m}"
    return max(
        third(n),
        first,
    ), second, a, b, c, text


def closures(n):
    count = 0

    def add(x, *more, step=1, **names):
        nonlocal count
        count += x + step
        return add if more else count

    class Local:
        value = n

        @property
        def double(self):
            return self.value * 2

        def __iter__(self):
            yield from (
                1,
                self.value,
            )

    return add(n, step=n), list(Local()), Local().double


def recursion(n):
    if n < 2:
        return n
    return recursion(n - 1) + (
        recursion(n - 2)
        if n < 6
        else 0
    )


FUNCTIONS = [
    loops,
    exceptions,
    groups,
    contexts,
    matching,
    generators,
    asynchronous,
    comprehensions,
    expressions,
    closures,
    recursion,
]

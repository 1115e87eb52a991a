"""Checks of the line engine, to be run by the interpreter that they are about:

    python line_checks.py EXTENSION_FOLDER features|wide|roundtrip|cpython|refusal

Prints one line and exits with 0, or says what is wrong. Exit 77: this interpreter lacks what the
check needs."""

import dis
import importlib
import importlib.util
import inspect
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
CYCLES = 60  # beyond the number of runs after which CPython specialises code
SKIPPED = 77


def is_function(code):
    return code.co_flags & inspect.CO_OPTIMIZED and code.co_flags & inspect.CO_NEWLOCALS


def traced(function, argument, path):
    """Lines of a file that sys.settrace reports."""
    lines = set()

    def local(frame, event, _):
        if event == "line":
            lines.add(frame.f_lineno)
        return local

    def called(frame, event, _):
        counted = frame.f_code.co_filename == path and is_function(frame.f_code)
        return local if counted else None

    sys.settrace(called)
    try:
        function(argument)
    finally:
        sys.settrace(None)
    return lines


def plain_module(path):
    """The module as it would be without the engine."""
    code = compile(pathlib.Path(path).read_text(), path, "exec")
    names = {"__name__": "plain"}
    exec(code, names)
    return names


def compare(engine, module, names):
    """The engine's sets against settrace's, function by function, again and again."""
    plain = plain_module(module.__file__)
    seen = set()
    for name in names:
        for cycle in range(CYCLES):
            n = cycle % 12
            expected = traced(plain[name], n, module.__file__)
            engine.begin()
            engine.count(True)
            result = getattr(module, name)(n)
            engine.count(False)
            got = {line for _, line in engine.hits()}
            assert got == expected, f"{name}({n}), cycle {cycle}: {sorted(got ^ expected)}"
            assert result == plain[name](n) or callable(result), f"{name}({n}) differs"
            seen |= got
    engine.begin()
    getattr(module, names[0])(3)
    assert engine.hits() == [], "lines are counted outside of the window"
    return f"{len(names)} functions, {CYCLES} cycles, {len(seen)} lines as sys.settrace says"


def features(engine):
    sys.path.insert(0, str(HERE))
    slots = engine.start("feature_program", ["feature_program.py"], [])
    import feature_program

    names = [function.__name__ for function in feature_program.FUNCTIONS]
    return f"{slots} slots; {compare(engine, feature_program, names)}"


def wide(engine):
    """Constants and jumps beyond what fits into one byte."""
    lines = ["def wide(n):", "    total = []", "    for i in range(2):"]
    for i in range(400):
        lines += [f"        if n * 40 > {i + 1}:", f"            total.append({i}.5)"]
    lines += ["    try:", "        return total", "    finally:", "        total = 1"]
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "wide_program.py").write_text("\n".join(lines) + "\n")
        sys.path.insert(0, folder)
        engine.start("wide_program", ["wide_program.py"], [])
        import wide_program

        return compare(engine, wide_program, ["wide"])


def code_objects(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, type(code)):
            yield from code_objects(constant)


def same(a, b):
    """Whether two code objects have the same instructions, positions and handlers."""
    return (
        a.co_code == b.co_code
        and list(a.co_positions()) == list(b.co_positions())
        and a.co_exceptiontable == b.co_exceptiontable
        and list(a.co_lines()) == list(b.co_lines())
    )


def roundtrip(engine):
    if not hasattr(engine, "reassemble"):
        return None
    root = pathlib.Path(dis.__file__).parent
    count = 0
    for path in sorted(root.rglob("*.py")):
        if {"site-packages", "dist-packages", "lib2to3"} & set(path.parts):
            continue
        try:
            code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            continue  # made to be wrong, for the tests of the parser
        for a, b in zip(code_objects(code), code_objects(engine.reassemble(code)), strict=True):
            assert same(a, b), f"{path}: {a.co_qualname} is not the same afterwards"
            count += 1
    return f"{count} code objects of the standard library are the same afterwards"


def cpython(engine):
    """CPython's own tests, re-armed before each, with the modules that they test rewritten."""
    tests = ["test_generators", "test_exceptions", "test_contextlib", "test_dataclasses"]
    tests += ["test_coroutines", "test_except_star", "test_patma", "test_with", "test_enumerate"]
    if importlib.util.find_spec("test") is None:
        return None
    specs = {name: importlib.util.find_spec(f"test.{name}") for name in tests}
    if not all(specs.values()):
        return None
    root = pathlib.Path(dis.__file__).parent
    modules = ["contextlib", "dataclasses", "typing", "inspect", "ast", "types"]
    places = [str(pathlib.Path(spec.origin).relative_to(root)) for spec in specs.values()]
    places += [f"{name}.py" for name in modules if (root / f"{name}.py").exists()]
    slots = engine.start("dis", places, [])
    for name in ("contextlib", "dataclasses"):
        sys.modules.pop(name, None)

    class Rearming(unittest.TextTestResult):
        def startTest(self, test):
            engine.begin()
            engine.count(True)
            super().startTest(test)

        def stopTest(self, test):
            engine.count(False)
            self.lines = getattr(self, "lines", set()) | set(engine.hits())
            super().stopTest(test)

    suite = unittest.TestSuite()
    for name in tests:
        module = importlib.import_module(f"test.{name}")
        suite.addTests(unittest.defaultTestLoader.loadTestsFromModule(module))
    with open("/dev/null", "w") as nowhere:
        runner = unittest.TextTestRunner(nowhere, resultclass=Rearming, verbosity=0)
        outcome = runner.run(suite)
    wrong = [str(test) for test, _ in outcome.failures + outcome.errors]
    assert not wrong, "; ".join(wrong)
    return f"{outcome.testsRun} tests passed, {len(outcome.lines)} of {slots} lines executed"


def refusal(engine):
    """Where lines could not be told, the engine says so instead of telling wrong ones."""
    if sys.version_info >= (3, 12):
        sys.monitoring.use_tool_id(3, "another tool")
    else:
        import opcode

        opcode.hasjabs.append(opcode.opmap["JUMP_FORWARD"])
    try:
        engine.start("dis", ["dis.py"], [])
    except RuntimeError as error:
        return f"refused: {error}"
    raise AssertionError("the engine started where it must not")


def main():
    folder, check = sys.argv[1:]
    sys.path.insert(0, folder)
    import reprise_lines

    said = globals()[check](reprise_lines)
    if said is None:
        print("skipped: this interpreter lacks what the check needs")
        return SKIPPED
    print(said)
    return 0


if __name__ == "__main__":
    sys.exit(main())

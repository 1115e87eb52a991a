"""What TorchDynamo does with programs, as text that can be compared between two runs:

    python dynamo_record.py EXTENSION_FOLDER|none PROGRAM...

One line of JSON per program: graphs, guards, graph breaks, reasons of recompiles, counters, and
for an exception its frames. With an extension folder the line engine counts the compiler's lines
meanwhile."""

import collections
import inspect
import json
import logging
import os
import pathlib
import re
import shutil
import sys
import tempfile

SOURCES = json.loads(os.environ.get("REPRISE_SOURCES", "null"))
KEPT = ("dynamo_output_graph", "dynamo_cpp_guards_str", "recompile_reasons", "aot_forward_graph")
KEPT += ("aot_backward_graph", "dynamo_graph_break_reason", "artifact", "inductor_output_code")
NOISE = (
    (re.compile(r"0x[0-9a-f]+"), "ADDRESS"),
    (re.compile(r"(?<!\d)\d{5,}"), "NUMBER"),
    (re.compile(r"_[0-9a-f]{8}(_[0-9a-f]{4}){3}_[0-9a-f]{12}"), "_UUID"),
    (re.compile(r"\b\d+(\.\d+)? ?(us|ms|s)\b"), "TIME"),
)


def plain(text):
    for pattern, word in NOISE:
        text = pattern.sub(word, str(text))
    return text


class Recorder(logging.Handler):
    """Collects what torch writes for its structured trace."""

    def __init__(self):
        super().__init__()
        self.events = []

    def emit(self, record):
        metadata = getattr(record, "metadata", {})
        names = [name for name in metadata if name in KEPT]
        payload = getattr(record, "payload", None)
        # A function of the compiler that is itself compiled shows NOPs in its bytecode.
        if names and "BYTECODE" not in str(metadata.get("artifact", {}).get("name")):
            self.events.append([names[0], plain(payload() if callable(payload) else payload)])


def frames(error):
    trace, result = error.__traceback__, []
    while trace is not None:
        code = trace.tb_frame.f_code
        place = pathlib.Path(code.co_filename).name
        result.append([place, code.co_name, trace.tb_lineno, list(positions(trace))])
        trace = trace.tb_next
    return result


def positions(trace):
    table = list(trace.tb_frame.f_code.co_positions())
    at = trace.tb_lasti // 2
    return table[at] if at < len(table) else ()


def run(torch, path, recorder):
    from torch._dynamo.utils import counters

    torch._dynamo.reset()
    counters.clear()
    recorder.events = []
    names = {"__name__": "__main__", "__file__": path}
    raised = None
    try:
        exec(compile(pathlib.Path(path).read_text(), path, "exec"), names)
    except Exception as error:
        raised = [type(error).__name__, plain(str(error).split("\n")[0]), frames(error)[1:]]
    counted = {
        kind: {plain(name): count for name, count in counters[kind].items()}
        for kind in ("frames", "stats", "graph_break", "inline_call")
    }
    return {"raised": raised, "counters": counted, "events": recorder.events}


def main():
    extension, *programs = sys.argv[1:]
    # What programs, torch and its compilers print must not stand between the records.
    records = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    cache = tempfile.mkdtemp()
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = cache
    engine = None
    if extension != "none":
        sys.path.insert(0, extension)
        import reprise_lines as engine

        engine.start(*SOURCES)
    import torch
    import torch._dynamo

    recorder = Recorder()
    trace = logging.getLogger("torch.__trace")
    trace.addHandler(recorder)
    trace.setLevel(logging.DEBUG)
    logging.getLogger("torch._dynamo").setLevel(logging.CRITICAL)
    defaults = torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_num_threads()
    hits = collections.Counter()
    for program in programs:
        if engine:
            engine.begin()
            engine.count(True)
        record = run(torch, program, recorder)
        if engine:
            engine.count(False)
            hits.update(engine.hits())
        torch.set_default_dtype(defaults[0])
        torch.set_grad_enabled(defaults[1])
        torch.set_num_threads(defaults[2])
        torch.set_default_device(None)
        torch.use_deterministic_algorithms(False)
        print(json.dumps([pathlib.Path(program).name, record]), file=records)
    functions = (torch._dynamo.convert_frame.convert_frame, torch.fx.Graph.node_copy)
    sources = [inspect.getsource(function) for function in functions]
    print(json.dumps(["sources", sources]), file=records)
    print(f"{len(hits)} lines", file=sys.stderr)
    shutil.rmtree(cache, ignore_errors=True)
    records.close()
    os._exit(0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs every form of PyTorch's attention and records the kernels that ran: their full names, and the calls behind each.

    python3 collect_kernel_names.py OUT

OUT receives
  kernel_names.csv     a line for each kernel name and pass; each column has the values of all calls that produced it
  compiled_names.txt.gz   names of attention kernels in PyTorch's and cuDNN's libraries, run here or not
  training_step.json.gz   the Chrome trace of a small training step with attention in four backends
  training_step_ncu.csv   the same step's kernels, as Nsight Compute lists them (where ncu is installed)
Calls that this machine cannot run are left out and listed on stderr. A kernel that only waits is launched between two
calls, to separate them in the trace.
"""
import argparse
import csv
import datetime
import gzip
import json
import mmap
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import torch
from torch.profiler import ProfilerActivity, profile

import attention_calls
import training_step

PARTING = "spin_kernel"


def say(text):
    print(text, file=sys.stderr, flush=True)


def kernels_of(trace):
    """The names of a trace's kernels in the order in which they ran."""
    ran = [event for event in trace["traceEvents"] if event.get("cat") == "kernel"]
    return [event["name"] for event in sorted(ran, key=lambda event: event["ts"])]


def traced(sections):
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        for _, _, run in sections:
            torch.cuda._sleep(1000)
            run()
            torch.cuda.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        profiler.export_chrome_trace(path)
        with open(path) as file:
            return kernels_of(json.load(file))


def parted(names):
    parts = []
    for name in names:
        if PARTING in name:
            parts.append([])
        elif parts:
            parts[-1].append(name)
    return parts


def collect(calls, found, ends, together=24):
    """Runs the calls and adds what they launched to found: {(name, pass): {column: set of values}}."""
    ready = []
    for call in calls:
        if time.monotonic() > ends:
            say(f"no time left: {call}")
            continue
        try:
            call.prepare()
            for _, run in call.passes():
                run()
            torch.cuda.synchronize()
            ready.append(call)
        except Exception as error:
            call.inputs = call.out = call.bias = None
            say(f"left out: {call}: {str(error).strip().splitlines()[0][:160] if str(error).strip() else error!r}")
        if len(ready) >= together:
            keep(ready, found)
            ready = []
    keep(ready, found)


def keep(calls, found):
    if not calls:
        return
    sections = [(call, label, run) for call in calls for label, run in call.passes()]
    parts = parted(traced(sections))
    if len(parts) != len(sections):
        if len(calls) == 1:
            say(f"{len(parts)} parts for {len(sections)} passes: {calls[0]}")
        else:
            for call in calls:
                keep([call], found)
        return
    for (call, label, _), names in zip(sections, parts):
        for name in names:
            seen = found.setdefault((name, label), {column: set() for column in attention_calls.COLUMNS})
            for column in attention_calls.COLUMNS:
                seen[column].add(call.values[column])
    for call in calls:
        call.inputs = call.out = call.bias = None


# The beginnings of kernel names in a library, and the characters of a name.
BEGINNINGS = [b"_ZN13pytorch_flash", b"fmha_cutlass", b"cudnn_generated_"]
NAME = re.compile(rb"[0-9A-Za-z_]{12,3000}")


def names_in(held, beginning):
    at = held.find(beginning)
    while at >= 0:
        mangled = held[at - 4:at - 2] == b"_Z"  # the length of the name has two digits
        name = NAME.match(held, at - 4 if mangled else at)
        if name and (mangled or held[at - 1:at] == b"\0"):
            yield name.group().decode()
        at = held.find(beginning, at + 1)


def write_compiled(folder, ends):
    libraries = [pathlib.Path(torch.__file__).parent / "lib" / "libtorch_cuda.so"]
    try:
        import nvidia.cudnn
        libraries += sorted(pathlib.Path(nvidia.cudnn.__path__[0]).glob("lib/libcudnn*.so*"))
    except ImportError:
        say("cuDNN's libraries lie elsewhere")
    names = set()
    for library in libraries:
        if time.monotonic() > ends or not library.is_file() or library.stat().st_size == 0:
            continue
        with open(library, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
            for beginning in BEGINNINGS:
                names.update(names_in(held, beginning))
        say(f"{library.name}: {len(names)} names so far")
    with gzip.GzipFile(folder / "compiled_names.txt.gz", "wb", mtime=0) as file:
        file.write("\n".join(sorted(names)).encode() + b"\n")


def write_names(folder, found, started):
    smi = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         capture_output=True, text=True).stdout.strip()
    try:
        import triton
        triton_version = triton.__version__
    except ImportError:
        triton_version = "none"
    facts = {"card, driver": smi, "torch": torch.__version__, "cuda": torch.version.cuda,
             "cudnn": torch.backends.cudnn.version(), "triton": triton_version,
             "date": datetime.datetime.now().isoformat(timespec="seconds"),
             "by": "kernels/fast/scripts/collect_kernel_names.py, torch.profiler's Chrome trace",
             "columns": "values of all calls that launched this kernel in this pass, a space between them"}
    with open(folder / "kernel_names.csv", "w", newline="") as file:
        for key, value in facts.items():
            file.write(f"# {key}: {value}\n")
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["name", "pass"] + attention_calls.COLUMNS)
        for (name, label), seen in sorted(found.items()):
            rows.writerow([name, label] + [" ".join(str(value).replace(" ", "-") for value in
                                                   sorted(seen[column], key=lambda value: (str(type(value)), value)))
                                           for column in attention_calls.COLUMNS])
    say(f"{len(found)} names by {time.monotonic() - started:.0f} s")


def guarded(what, *arguments):
    try:
        what(*arguments)
    except Exception as error:
        say(f"{what.__name__}: {error!r}"[:400])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=150, help="after these nothing new is begun")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    ends = started + args.seconds - 10
    found = {}
    say(str(torch.ops.aten._flash_attention_forward.default._schema))
    for calls in (attention_calls.flash, attention_calls.efficient, attention_calls.cudnn, attention_calls.plain):
        guarded(collect, calls(), found, ends)
        guarded(write_names, args.folder, found, started)
    guarded(training_step.write_trace, args.folder)
    guarded(write_compiled, args.folder, ends)
    guarded(lambda: collect(attention_calls.flex(), found, ends - 30, together=1))
    guarded(write_names, args.folder, found, started)
    guarded(collect, attention_calls.paged(), found, ends)
    guarded(write_names, args.folder, found, started)
    guarded(training_step.write_ncu, args.folder, max(15.0, ends + 5 - time.monotonic()))


if __name__ == "__main__":
    main()

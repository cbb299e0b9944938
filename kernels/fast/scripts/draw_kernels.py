#!/usr/bin/env python3
"""Samples random calls of attention, runs each with a backend of PyTorch, and records the launched kernels.

    draw_kernels.py --calls 640 --seed 1 --out OUT

OUT receives kernels.csv: a row for each call with the names of its kernels, forward only, and the grid and the thread
block of each launch. Kernels that are not attention's are counted, but their names are not recorded. Many calls have
few heads or few query rows, since kernels differ there; a few are larger than a grid may be, and the row then has the
error raised. Last, while there is time, come calls of FlexAttention, each of which takes seconds to compile. A kernel
that only waits is launched between two calls, to separate them in the trace.
"""
import argparse
import csv
import datetime
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import torch
from torch.profiler import ProfilerActivity, profile

sys.dont_write_bytecode = True
from attention_calls import Call, flex_run  # noqa: E402

PARTING = "spin_kernel"
OF_ATTENTION = ("flash", "fmha", "cudnn", "sdpa", "attention", "softmax")
BIGGEST = 1 << 31  # scores of one call
FIELDS = ["asked", "dtype", "batch", "heads", "kv_heads", "n_q", "n_kv", "d", "d_v", "attn_mask", "is_causal",
          "dropout", "training"]
COLUMNS = ["call"] + FIELDS + ["kernels", "grids", "blocks", "others", "error"]
HEAD_SIZES = [32, 40, 64, 64, 64, 72, 80, 88, 96, 104, 112, 128, 128, 128, 136, 144, 160, 176, 192, 200, 208, 224, 240,
              256]


def say(text):
    print(text, file=sys.stderr, flush=True)


def draw_length(rng, low, high):
    return round(2 ** rng.uniform(low, high))


def draw_shape(rng, backend):
    heads = rng.choice([1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 40, 64])
    kv_heads = heads
    if backend != "efficient" and rng.random() < 0.3:
        kv_heads = rng.choice([count for count in range(1, heads + 1) if heads % count == 0])
    kind = rng.random()
    n_q = 1 if kind < 0.25 else rng.randint(2, 16) if kind < 0.35 else draw_length(rng, 4, 12)
    n_kv = n_q if rng.random() < 0.5 and n_q > 1 else draw_length(rng, 1, 13)
    return {"batch": rng.choice([1, 1, 1, 2, 2, 3, 4, 8, 16]), "heads": heads, "kv_heads": kv_heads, "n_q": n_q,
            "n_kv": n_kv}


def draw_head_sizes(rng, backend, dtype):
    d = rng.choice(HEAD_SIZES)
    if backend == "flash" and rng.random() < 0.1:
        d = rng.randint(9, 255)  # is padded to a multiple of 8
    if backend == "efficient" and rng.random() < 0.2:
        d = 4 * rng.randint(2, 130) if dtype == "fp32" else 8 * rng.randint(1, 65)
    d_v = d
    if backend != "flash" and rng.random() < 0.15:
        d_v = rng.choice([32, 64, 128, 192])
    return d, d_v


def draw_call(rng):
    while True:
        backend = rng.choices(["flash", "cudnn", "efficient"], [45, 33, 22])[0]
        dtype = rng.choice(["bf16", "fp16", "fp32"] if backend == "efficient" else ["bf16", "fp16"])
        call = draw_shape(rng, backend)
        call["d"], call["d_v"] = draw_head_sizes(rng, backend, dtype)
        scores = call["batch"] * call["heads"] * call["n_q"] * call["n_kv"]
        if scores > BIGGEST or (backend == "cudnn" and call["n_kv"] < 2):
            continue
        square = call["n_q"] == call["n_kv"]
        call["causal"] = rng.random() < 0.3 and (square or backend != "flash")
        call["dropout"] = rng.choice([0.1, 0.25]) if rng.random() < 0.15 and call["n_q"] > 1 else 0.0
        if backend != "flash" and not call["causal"] and scores < BIGGEST >> 4 and rng.random() < 0.25:
            call["mask"] = rng.choice(["bool", "float"])
        return Call(backend, dtype, trains=rng.random() < 0.2, **call)


def crowds():
    """More of a batch, or of heads, than a grid of thread blocks has room for."""
    for backend, batch, heads, dropout in (("efficient", 65536, 1, 0.0), ("efficient", 140000, 1, 0.0),
                                           ("efficient", 65536, 1, 0.1), ("efficient", 1, 65536, 0.0),
                                           ("efficient", 65536, 1, 0.0), ("flash", 65536, 1, 0.0),
                                           ("flash", 1, 65536, 0.0), ("cudnn", 65536, 1, 0.0),
                                           ("cudnn", 1, 65536, 0.0)):
        yield Call(backend, batch=batch, heads=heads, n_q=2, d=8, dropout=dropout, trains=False)


def flex():
    for batch, heads, kv_heads, n_q, n_kv, d in ((1, 8, 8, 1, 4096, 64), (4, 64, 64, 100, 1024, 64),
                                                 (1, 8, 8, 128, 1024, 64), (1, 12, 4, 16, 1024, 64),
                                                 (1, 16, 4, 16, 1024, 128)):
        yield Call("flex", "bf16", d, batch=batch, heads=heads, kv_heads=kv_heads, n_q=n_q, n_kv=n_kv, trains=False,
                   run=flex_run)


def launches_of(trace):
    """Kernels of a trace in the order in which they ran: name, grid and block."""
    ran = [event for event in trace["traceEvents"] if event.get("cat") == "kernel"]
    for event in sorted(ran, key=lambda event: event["ts"]):
        size = {key: "x".join(str(count) for count in event["args"].get(key, [])) for key in ("grid", "block")}
        yield event["name"], size["grid"], size["block"]


def traced(calls):
    """A list of launches for each call; empty if the trace cannot be separated into calls."""
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        for call in calls:
            torch.cuda._sleep(1000)
            call.forward()
            torch.cuda.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        profiler.export_chrome_trace(path)
        with open(path, encoding="utf-8") as file:
            trace = json.load(file)
    parts = []
    for launch in launches_of(trace):
        if PARTING in launch[0]:
            parts.append([])
        elif parts:
            parts[-1].append(launch)
    return parts if len(parts) == len(calls) else []


class Table:
    def __init__(self, path, facts):
        self.file = open(path, "w", newline="", encoding="utf-8")
        for key, value in facts.items():
            self.file.write(f"# {key}: {value}\n")
        self.rows = csv.writer(self.file, lineterminator="\n")
        self.rows.writerow(COLUMNS)
        self.count = 0

    def add(self, call, launches, error=""):
        kept = [one for one in launches if any(word in one[0].lower() for word in OF_ATTENTION)]
        values = call.values
        self.rows.writerow([self.count, values["way"], values["dtype"], values["batch"], values["heads"],
                            values["kv_heads"], values["n_q"], values["n_kv"], values["d"], values["d_v"],
                            values["mask"], "on" if values["causal"] else "off", values["dropout"],
                            "on" if call.trains else "off", " | ".join(one[0] for one in kept),
                            " ".join(one[1] for one in kept), " ".join(one[2] for one in kept),
                            len(launches) - len(kept), error])
        self.count += 1
        self.file.flush()


def first_line(error):
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__


def write_traced(table, calls):
    parts = traced(calls) if calls else []
    if calls and not parts and len(calls) > 1:
        for call in calls:
            write_traced(table, [call])
    for call, launches in zip(calls, parts):
        table.add(call, launches)
    for call in calls:
        call.inputs = call.out = call.bias = None


def collect(calls, table, ends, together):
    ready = []
    for call in calls:
        if time.monotonic() > ends:
            say(f"no time left for {call}")
            break
        try:
            call.prepare()
            call.forward()  # the first run's compilation and look-ups must not appear
            torch.cuda.synchronize()
            ready.append(call)
        except Exception as error:  # noqa: BLE001, any error belongs in the table
            table.add(call, [], first_line(error))
            call.inputs = call.out = call.bias = None
        if len(ready) >= together:
            write_traced(table, ready)
            ready = []
    write_traced(table, ready)


def facts(args):
    smi = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         capture_output=True, text=True, check=False).stdout.strip()
    return {"what": "kernels that random calls of attention launched, drawn by kernels/fast/scripts/draw_kernels.py",
            "date": datetime.datetime.now().isoformat(timespec="seconds"), "seed": args.seed,
            "torch": torch.__version__, "torch commit": torch.version.git_version, "card, driver": smi,
            "multiprocessors": torch.cuda.get_device_properties(0).multi_processor_count,
            "cuda": torch.version.cuda, "cudnn": torch.backends.cudnn.version(),
            "columns": "asked: the one backend that sdpa_kernel lists; kernels: names, ' | ' between them; grids and "
                       "blocks: of each, as it was launched; others: kernels of the call that are not attention's"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=640)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=140, help="after these nothing new is begun")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    rng = random.Random(args.seed)
    torch.manual_seed(args.seed)
    table = Table(args.out / "kernels.csv", facts(args))
    collect((draw_call(rng) for _ in range(args.calls)), table, started + args.seconds * 0.65, 32)
    say(f"{table.count} calls by {time.monotonic() - started:.0f} s")
    collect(crowds(), table, started + args.seconds, 1)
    say(f"{table.count} calls by {time.monotonic() - started:.0f} s")
    collect(flex(), table, started + args.seconds * 0.88, 1)
    say(f"{table.count} calls by {time.monotonic() - started:.0f} s")
    table.file.close()


if __name__ == "__main__":
    main()

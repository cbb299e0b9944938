#!/usr/bin/env python3
"""Times the parts of attention alone, for the model of time (src/core/chip): none of these is a point of a race.

    cd kernels/fast/scripts && ./build.sh OUT && python3 bench_alone.py OUT/libtilewalk_fast.so --csv alone.csv

Operations: each line of eager PyTorch and each kernel of naive, by row length, for many heads and for few; GPU time of
the kernels alone, from the profiler. Alignment: the same at lengths whose rows begin at every 2, 4, 8, 16 or 32 bytes,
and K and V repeated for query heads that share them. Large: the same where all scores together are many, rows are long
or heads are one or two. Wraps: Q K^T alone of rows at 2 bytes, around multiples of 2^32 scores. Blocks: flash_v1,
flash_v2 and flash_v3 with few keys, so that a launch is mostly begin and end: one thread block alone, and enough to
fill every multiprocessor; time between two events over several launches. Launches: one eager call and one fused call
with almost no work, between two events, as a user times it.
"""
import argparse
import csv
import datetime
import math
import statistics
import subprocess
import sys

import torch
import torch.nn.functional as F
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

import bench_torch


ROWS = [384, 640, 768, 900, 1100, 1280, 1536, 1792, 2304, 2560, 3072, 3584, 4504, 5120, 6144, 7168, 7936, 9216, 10240,
        12288, 14336, 20480, 28672]
FEW_HEADS = [768, 1536, 3072, 6144, 12288]
OFFSETS = [0, 8, 4, 2, 1]  # of a length that is a multiple of 16: its rows begin at every 32, 16, 8, 4, 2 bytes
BASES = {d: [528, 784, 1040, 1552, 2064, 3008, 4112, 5552, 6160, 7776, 9232, 11120, 13328, 16400, 20496, 28688]
         for d in (64, 128)} | {d: [1552, 3008, 6160, 9232, 16400] for d in (80, 96)}
FEW_HEADS_ALIGNED = [1040, 3008, 6160, 12304]


def kernels_of(call, repeats=3):
    """[(name, microseconds)] of each kernel of one call, in order: the last of some."""
    call(0)
    torch.cuda.synchronize()
    runs = []
    for i in range(repeats):
        with profile(activities=[ProfilerActivity.CUDA]) as prof:
            call((i + 1) % 2)
            torch.cuda.synchronize()
        events = [e for e in prof.events() if e.device_type == DeviceType.CUDA and not e.name.startswith("Mem")]
        events.sort(key=lambda e: e.time_range.start)
        runs.append([(e.name, e.time_range.elapsed_us()) for e in events])
    return runs


def in_a_row(call, launches=40, samples=7):
    """Microseconds a launch."""
    call(0)
    out = []
    for _ in range(samples):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda.synchronize()
        begin.record()
        for i in range(launches):
            call(i % 2)
        end.record()
        torch.cuda.synchronize()
        out.append(begin.elapsed_time(end) / launches * 1e3)
    return out


def one_by_one(call, samples=31):
    return [ms * 1e3 for ms in bench_torch.timed(call, samples, 2)]


def input_sets(all_heads, n_q, n_kv, d):
    sets = []
    for _ in range(2):
        q = torch.randn(1, all_heads, n_q, d, device="cuda", dtype=torch.bfloat16)
        k, v = (torch.randn(1, all_heads, n_kv, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
        sets.append((q, k, v, torch.empty_like(q), torch.empty(1, all_heads, n_q, device="cuda")))
    return sets


def fused(lib, rung, sets, n_kv, causal=False):
    stream = torch.cuda.current_stream().cuda_stream
    filled, keep = [], []
    for q, k, v, o, lse in sets:
        batch, heads, n, d = q.shape
        sizes = bench_torch.Problem(batch=batch, heads=heads, kv_heads=heads, n_q=n, n_kv=n_kv, d=d)
        bytes_ = lib.tilewalk_fast_workspace_bytes(rung, bench_torch.ctypes.byref(sizes))
        workspace = torch.zeros(max(256, bytes_), dtype=torch.uint8, device="cuda")
        keep.append(workspace)
        filled.append(bench_torch.Problem(q.data_ptr(), k.data_ptr(), v.data_ptr(), o.data_ptr(), lse.data_ptr(),
                                          workspace.data_ptr(), batch, heads, heads, n, n_kv, d, 1, int(causal),
                                          d ** -0.5))

    def call(i, keep=keep):
        text = lib.tilewalk_fast_forward(rung, 0, bench_torch.ctypes.byref(filled[i]), stream)
        if text:
            raise RuntimeError(text.decode())
    return call


def operation(lib, write, d, all_heads, n, causal):
    sets = input_sets(all_heads, n, n, d)
    s = (sets[0][0] @ sets[0][1].transpose(-1, -2)).div_(math.sqrt(d))
    if causal:
        mask = torch.ones(n, n, dtype=torch.bool, device="cuda").triu(1)
        s.masked_fill_(mask, float("-inf"))
        lines = {"mask": lambda i: s.masked_fill(mask, float("-inf")), "softmax": lambda i: torch.softmax(s, -1)}
    else:
        lines = {"qk": lambda i: sets[i][0] @ sets[i][1].transpose(-1, -2), "divide": lambda i: s / math.sqrt(d),
                 "softmax": lambda i: torch.softmax(s, -1), "pv": lambda i: s @ sets[i][2]}
    for name, call in lines.items():
        for i, run in enumerate(kernels_of(call)):
            write("operation", "eager", name, d, all_heads, n, n, causal, i, sum(us for _, us in run))
    del s, lines, call
    mask = None
    torch.cuda.empty_cache()
    for i, run in enumerate(kernels_of(fused(lib, 1, sets, n, causal))):
        at = next(j for j, (name, _) in enumerate(run) if "softmax_" in name)
        for name, part in (("qk", run[:at]), ("softmax", run[at:at + 1]), ("pv", run[at + 1:])):
            write("operation", "naive", name, d, all_heads, n, n, causal, i, sum(us for _, us in part))
    del sets
    torch.cuda.empty_cache()


def segments(calls, repeats=3):
    """{name: [kernels of one call]} of a row of calls, separated by a marker between two. Copies count."""
    mark = torch.zeros(1, dtype=torch.int32, device="cuda")
    for call in calls.values():
        call(0)
    torch.cuda.synchronize()
    for _ in range(3):  # the profiler may lose an event
        with profile(activities=[ProfilerActivity.CUDA]) as prof:
            for i in range(repeats):
                for call in calls.values():
                    mark.bitwise_not_()
                    call((i + 1) % 2)
            torch.cuda.synchronize()
        found = []
        for e in sorted((e for e in prof.events() if e.device_type == DeviceType.CUDA),
                        key=lambda e: e.time_range.start):
            if "bitwise_not" in e.name:
                found.append([])
            elif found:
                found[-1].append((e.name, e.time_range.elapsed_us()))
        if len(found) == repeats * len(calls) and all(found):
            return {name: found[at::len(calls)] for at, name in enumerate(calls)}
    raise RuntimeError("the profiler lost events three times")


def aligned(lib, write, d, all_heads, n):
    sets = input_sets(all_heads, n, n, d)
    s = (sets[0][0] @ sets[0][1].transpose(-1, -2)).div_(math.sqrt(d))
    mask = torch.ones(n, n, dtype=torch.bool, device="cuda").triu(1)
    calls = {"qk": lambda i: sets[i][0] @ sets[i][1].transpose(-1, -2), "divide": lambda i: s / math.sqrt(d),
             "softmax": lambda i: torch.softmax(s, -1), "pv": lambda i: s @ sets[i][2],
             "mask": lambda i: s.masked_fill(mask, float("-inf"))}
    for name, runs in segments(calls).items():
        for i, run in enumerate(runs):
            write("operation", "eager", name, d, all_heads, n, n, name == "mask", i, sum(us for _, us in run))
    s.masked_fill_(mask, float("-inf"))
    for i, run in enumerate(segments({"softmax": calls["softmax"]})["softmax"]):
        write("operation", "eager", "softmax", d, all_heads, n, n, True, i, sum(us for _, us in run))
    s = mask = None
    torch.cuda.empty_cache()
    calls = {causal: fused(lib, 1, sets, n, causal) for causal in (False, True)}
    for causal, runs in segments(calls).items():
        for i, run in enumerate(runs):
            at = next(j for j, (name, _) in enumerate(run) if "softmax_" in name)
            for name, part in (("qk", run[:at]), ("softmax", run[at:at + 1]), ("pv", run[at + 1:])):
                write("operation", "naive", name, d, all_heads, n, n, causal, i, sum(us for _, us in part))
    del sets, calls
    torch.cuda.empty_cache()


def repeated(write):
    for d in (64, 128):
        for kv_heads, n in ((2, 1024), (2, 4096), (8, 4096), (8, 16384)):
            for group in (4, 8):
                k = torch.randn(1, kv_heads, n, d, device="cuda", dtype=torch.bfloat16)
                for i, run in enumerate(segments({"repeat": lambda i: k.repeat_interleave(group, 1)})["repeat"]):
                    write("operation", "eager", f"repeat {group}", d, kv_heads * group, n, n, False, i,
                          sum(us for _, us in run))


def alignment(lib, write):
    repeated(write)
    for d, bases in BASES.items():
        for base in bases:
            for offset in OFFSETS:
                n = base + offset
                many = max(1, min(2048 // d * max(1, 16384 // n), (4 << 30) // (2 * n * n)))
                for all_heads in [many] + ([2] if base in FEW_HEADS_ALIGNED and d in (64, 128) else []):
                    aligned(lib, write, d, all_heads, n)
        print(f"alignment: d {d} is done", flush=True)


def large(lib, write):
    cells = [(d, 9729, heads) for d in (64, 80, 128) for heads in (1, 11, 12, 22, 23, 45, 60, 80)]
    cells += [(d, n, heads) for d in (64, 80, 128) for n in (9730, 9736) for heads in (12, 60)]
    cells += [(d, 4097, heads) for d in (64, 128) for heads in (4, 32, 64, 127, 128, 255, 256, 400)]
    cells += [(d, 2049, heads) for d in (64, 128) for heads in (256, 511, 512, 1024, 1600)]
    cells += [(d, n, heads) for d in (64, 80, 96, 128) for n in (2048, 4096, 8192) for heads in (1, 2)]
    cells += [(64, n, 1) for n in (16384, 32768, 49152, 65536, 65537)]
    for d, n, heads in cells:
        aligned(lib, write, d, heads, n)


def wraps(_, write):
    cells = [(d, 14349, heads) for d in (64, 128) for heads in range(18, 86)]
    cells += [(64, 9729, heads) for heads in range(40, 186, 3)] + [(64, 20481, heads) for heads in range(8, 42)]
    for d, n, heads in cells:
        q, k = (torch.randn(1, heads, n, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
        for i, run in enumerate(segments({"qk": lambda i: q @ k.transpose(-1, -2)}, 2)["qk"]):
            write("operation", "eager", "qk", d, heads, n, n, False, i, sum(us for _, us in run))


def operations(lib, write):
    for d in (64, 128):
        for n in ROWS:
            many = max(1, min(2048 // d * max(1, 16384 // n), (20 << 30) // (2 * n * n)))
            for all_heads in [many] + ([2, 8] if n in FEW_HEADS else []):
                for causal in (False, True):
                    operation(lib, write, d, all_heads, n, causal)


def blocks(lib, write):
    for d in (64, 128, 256):
        slots_v2 = {64: 3, 128: 2, 256: 1}[d]
        for rung, name, rows, slots in ((4, "flash_v1", 128, 1), (2, "flash_v2", 128, slots_v2),
                                        (3, "flash_v3", 192 if d == 64 else 128, 1)):
            for heads, causal in ((1, False), (132, False), (132 * slots, False), (132 * slots * 8, False)):
                for n_kv in (64, 128, 256, 384, 512, 768):
                    sets = input_sets(heads, rows, n_kv, d)
                    for i, us in enumerate(in_a_row(fused(lib, rung, sets, n_kv, causal))):
                        write("block", name, "launch", d, heads, rows, n_kv, causal, i, us)


def launches(lib, write):
    launches_once(lib, lambda *row: None)  # the processor is twice as slow before it has done all of it once
    launches_once(lib, write)


def launches_once(lib, write):
    sets = input_sets(1, 64, 64, 64)
    bhnd = [(q, k, v, o, lse) for q, k, v, o, lse in sets]
    for causal in (False, True):
        for i, us in enumerate(one_by_one(bench_torch.eager(bhnd, causal))):
            write("launch", "eager", "call", 64, 1, 64, 64, causal, i, us)
    for rung, name in ((1, "naive"), (4, "flash_v1"), (2, "flash_v2"), (3, "flash_v3")):
        for i, us in enumerate(one_by_one(fused(lib, rung, sets, 64))):
            write("launch", name, "call", 64, 1, 64, 64, False, i, us)
    for backend, name in bench_torch.backends().items():
        for i, us in enumerate(one_by_one(bench_torch.torch_backend(backend, bhnd, False))):
            write("launch", name, "call", 64, 1, 64, 64, False, i, us)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--csv", required=True)
    sections = {each.__name__: each for each in (launches, blocks, operations, alignment, large, wraps)}
    parser.add_argument("--sections", nargs="*", choices=sections, default=["launches", "blocks", "operations"])
    args = parser.parse_args()
    lib = bench_torch.load(args.library)
    facts = bench_torch.facts_of_run()
    with open(args.csv, "w", newline="") as out:
        for key, value in facts.items():
            out.write(f"# {key}: {value}\n")
        writer = csv.writer(out)
        writer.writerow(["what", "contender", "part", "d", "all_heads", "n_q", "n_kv", "causal", "sample", "us"])

        def write(what, contender, part, d, all_heads, n_q, n_kv, causal, sample, us):
            writer.writerow([what, contender, part, d, all_heads, n_q, n_kv, int(causal), sample, f"{us:.3f}"])
        for name in args.sections:
            try:
                sections[name](lib, write)
            except Exception as why:
                print(f"{name}: {type(why).__name__} {why}", file=sys.stderr)
                import traceback
                traceback.print_exc()
            out.flush()


if __name__ == "__main__":
    main()

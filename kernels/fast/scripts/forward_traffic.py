#!/usr/bin/env python3
"""DRAM traffic of forward attention, by Nsight Compute: forward_traffic.py LIBRARY --csv FILE

Runs itself under ncu. For each shape and contender (eager, naive, FA-2, FA-3) it records the bytes that one call's
kernels read from and wrote to DRAM, and how many kernels there were. L2 is not flushed between kernels, and is full
of other, unchanged bytes before the first. A copy from tensor to tensor is not a kernel, so it is not counted: eager's
masked_fill begins with one.
"""
import csv

import torch

import under_ncu
from bench_torch import RUNGS, eager, load, ours

# batch, heads, N, d, causal
SHAPES = [(16, 32, 1024, 64, 0), (4, 32, 4096, 64, 0), (1, 32, 16384, 64, 0), (1, 32, 16384, 64, 1),
          (16, 16, 1024, 128, 0), (4, 16, 4096, 128, 1), (1, 16, 16384, 128, 0), (1, 16, 16384, 128, 1),
          (1, 2, 4096, 64, 0), (1, 1, 2576, 80, 0), (1, 4, 2048, 128, 0), (1, 2, 3072, 96, 0), (1, 3, 2560, 64, 0),
          (1, 12, 6568, 128, 1)]
CONTENDERS = ["eager"] + [name for name in RUNGS.values() if name != "flash_v1"]
MARK = "reduce_kernel"  # what fills L2, in front of each call


def run_once(path):
    lib = load(path)
    other = torch.zeros(1 << 28, dtype=torch.uint8, device="cuda")
    profiler = torch.cuda.cudart()
    for batch, heads, n, d, causal in SHAPES:
        q, k, v = (torch.randn(batch, heads, n, d, device="cuda", dtype=torch.bfloat16) for _ in range(3))
        sets = [(q, k, v, torch.empty_like(q), torch.empty(batch, heads, n, device="cuda"))]
        for name in CONTENDERS:
            rung = next((rung for rung, of in RUNGS.items() if of == name), None)
            call = ours(lib, rung, 0, sets, bool(causal)) if rung else eager(sets, bool(causal))
            call(0)
            torch.cuda.synchronize()
            profiler.cudaProfilerStart()
            other.max()
            call(0)
            torch.cuda.synchronize()
            profiler.cudaProfilerStop()
            del call
            torch.cuda.empty_cache()


def main():
    args = under_ncu.arguments(run_once)
    calls = []
    for launch in under_ncu.launches(args, "--profile-from-start", "off"):
        if MARK in launch["Kernel Name"]:
            calls.append([])
        else:
            calls[-1].append([launch[metric] for metric in under_ncu.DRAM_BYTES])
    if len(calls) != len(SHAPES) * len(CONTENDERS):
        raise SystemExit(f"{len(calls)} calls of {len(SHAPES)} shapes and {len(CONTENDERS)} contenders")
    with open(args.csv, "w", newline="") as out:
        out.write(under_ncu.provenance())
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["contender", "batch", "heads", "n", "d", "causal", "kernels", "read", "write"])
        for i, launched in enumerate(calls):
            read, write = (sum(column) for column in zip(*launched))
            table.writerow([CONTENDERS[i % len(CONTENDERS)], *SHAPES[i // len(CONTENDERS)], len(launched), read, write])


if __name__ == "__main__":
    main()

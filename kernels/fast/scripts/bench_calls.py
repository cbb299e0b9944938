#!/usr/bin/env python3
"""Times whole calls of every contender that the model of time predicts, for comparison with it: eager, naive, flash_v1,
flash_v2, flash_v3, and PyTorch's backends beside them. Same process, same inputs, in turn.

    ./build.sh OUT && python3 bench_calls.py OUT/libtilewalk_fast.so --csv calls.csv --grid race short --sample 35 10

Each time is the card's alone: the calls of a contender are queued behind a waiting kernel, so the processor has
launched all of them before the first begins. bf16, random data, input sets in rotation that are larger than the L2
cache together where few bytes would fit. Medians over rounds in random order. Slow contenders run fewer times.
"""
import argparse
import csv
import math
import random
import statistics

import torch

from bench_shapes import L2_BYTES, of_torch, ours, sampled_shapes
from bench_torch import QUEUED, RUNGS, backends, facts_of_run, load, queued, queued_samples

WAIT_US = {"eager": 4000, "torch": 2500}
MOST_MS = 200  # of all samples of a contender in a cell
MOST_SCORES = 9e9  # bytes of S in 16 bits for eager and naive
FLASH_V1_FLOP_PER_MS, FLASH_V1_MOST_MS = 0.6e9, 20  # of one head


def eager(sets, causal):
    n = sets[0][0].shape[2]
    group = sets[0][0].shape[1] // sets[0][1].shape[1]
    mask = torch.ones(n, n, dtype=torch.bool, device="cuda").triu(1) if causal else None

    def call(i):
        q, k, v = sets[i][:3]
        if group > 1:
            k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        s = (q @ k.transpose(-1, -2)) / math.sqrt(q.shape[-1])
        if causal:
            s = s.masked_fill(mask, float("-inf"))
        return torch.softmax(s, -1) @ v
    return call


def race():
    for d in (64, 128):
        for causal in (0, 1):
            for n in (1024, 2048, 4096, 8192, 16384, 32768):
                yield "race", d, 2048 // d, 2048 // d, max(1, 16384 // n), n, n, causal


def heads():
    for d in (32, 80, 96, 160, 192, 256):
        for causal in (0, 1):
            for n in (1024, 4096):
                yield "heads", d, 16, 16, 4096 // n, n, n, causal


def short():
    for d in (64, 128):
        for causal in (0, 1):
            for n in (64, 128, 256, 512, 1024):
                for count in (1, 8, 32, 128, 512):
                    yield "short", d, min(count, 32), min(count, 32), max(1, count // 32), n, n, causal


GRIDS = {each.__name__: each for each in (race, heads, short)}


def runners_of(lib, args, sets, shape):
    d, heads_, kv_heads, batch, n, _, causal = shape
    out = {}
    scores = 2 * n * n * heads_ * batch
    flash_v1_ms = 4 * n * n * d / FLASH_V1_FLOP_PER_MS * math.ceil(heads_ * batch / 132)
    for backend, name in ({} if args.no_torch else backends()).items():
        call = of_torch(backend, sets, bool(causal))
        try:
            call(0)
            out[name] = call
        except RuntimeError as why:
            print(f"  {name} refuses: {str(why).splitlines()[0][:80]}")
    if scores < MOST_SCORES:
        out["eager"] = eager(sets, bool(causal))
    for rung in args.rungs:
        name = lib.tilewalk_fast_variant_name(rung, 0, d)
        if RUNGS[rung] == "naive" and scores > 4 * MOST_SCORES:
            continue
        if RUNGS[rung] == "flash_v1" and flash_v1_ms > FLASH_V1_MOST_MS:
            continue
        out[f"{RUNGS[rung]} {name.decode()}"] = ours(lib, rung, 0, sets, bool(causal))[0]
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--csv", required=True)
    parser.add_argument("--grid", nargs="*", choices=GRIDS, default=[])
    parser.add_argument("--sample", nargs=2, type=int, metavar=("SEED", "COUNT"),
                        help="shapes at random: so many with many heads, with few, of other head sizes, of short rows")
    parser.add_argument("--kinds", nargs="*", choices=("full", "few", "odd", "short"),
                        default=("full", "few", "odd", "short"), help="of the sampled shapes")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--rungs", type=int, nargs="*", default=list(RUNGS))
    parser.add_argument("--no-torch", action="store_true")
    args = parser.parse_args()
    lib = load(args.library)
    torch.manual_seed(11)
    random.seed(11)
    facts, rows = facts_of_run(), []
    facts["queued"] = QUEUED
    shapes = [shape for grid in args.grid for shape in GRIDS[grid]()]
    if args.sample:
        facts["sampled"] = f"{args.sample[1]} shapes of each of {', '.join(args.kinds)} by seed {args.sample[0]}"
        shapes += [("sampled", *s[1:]) for s in sampled_shapes(*args.sample, args.kinds)]
    for key, value in facts.items():
        print(f"# {key}: {value}")
    for kind, *shape in shapes:
        d, heads_, kv_heads, batch, n, _, causal = shape
        each = 4 * d * batch * n * (heads_ + kv_heads)
        sets = []
        for _ in range(min(24, max(2, math.ceil(2 * L2_BYTES / each)))):
            q = torch.randn(batch, heads_, n, d, device="cuda", dtype=torch.bfloat16)
            k, v = (torch.randn(batch, kv_heads, n, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
            sets.append((q, k, v, torch.empty_like(q), torch.empty(batch, heads_, n, device="cuda")))
        try:
            runners = runners_of(lib, args, sets, shape)
        except torch.OutOfMemoryError:
            print(f"{kind} {shape}: out of memory")
            continue
        times = {name: [] for name in runners}
        lasts = {}
        for name, call in list(runners.items()):
            try:
                call(0)
                lasts[name] = (queued(call, 1, len(sets), 3000) or [1.0])[0]
            except torch.OutOfMemoryError:
                print(f"  {name}: out of memory")
                del runners[name], times[name]
                torch.cuda.empty_cache()
        for _ in range(args.rounds):
            for name, call in random.sample(list(runners.items()), len(runners)):
                count = max(1, min(args.samples, int(MOST_MS / args.rounds / lasts[name])))
                if lasts[name] * len(times[name]) > MOST_MS and len(times[name]) >= 3:
                    continue
                wait = WAIT_US.get(name.split("_")[0], 1000)
                got = queued_samples(call, count, len(sets), wait)
                if not got:
                    print(f"  {name}: launched too slowly")
                times[name] += got
        medians = {name: statistics.median(ms) for name, ms in times.items() if ms}
        print(f"{kind} {shape} us: " + " | ".join(f"{name.split()[0]} {ms * 1e3:.1f}" for name, ms in medians.items()),
              flush=True)
        rows += [[kind, name, d, heads_, kv_heads, batch, n, causal, i, f"{ms:.5f}"]
                 for name in times for i, ms in enumerate(times[name])]
        del sets, runners, call
        with open(args.csv, "w", newline="") as out:  # after each cell: a run may be cut short
            for key, value in facts.items():
                out.write(f"# {key}: {value}\n")
            writer = csv.writer(out)
            writer.writerow(["kind", "contender", "d", "heads", "kv_heads", "batch", "n", "causal", "sample", "ms"])
            writer.writerows(rows)


if __name__ == "__main__":
    main()

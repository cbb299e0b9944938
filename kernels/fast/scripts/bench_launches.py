#!/usr/bin/env python3
"""Times what short calls are made of, each alone, for the model of time: none of these is a call of a race.

    ./build.sh OUT && python3 bench_launches.py OUT/libtilewalk_fast.so --csv launches.csv

launch: kernels with nothing to do, so many in a row; the same as a graph; two streams; nothing between two events.
        "queued" as in bench_calls.py, else as the processor launches them.
call:   one call with almost no work of each contender, as the processor launches it.
block:  thread blocks of flash_v1, flash_v2 and flash_v3 by number of keys: one tile for each of `all_heads` heads.
        Under a causal mask every row sees all keys but the last 127 (bottom right).
pace:   the same with one K and V for all, which L2 then serves: the pace of the multiprocessors alone. FA-3 below
        d = 64: 12 of them, since all multiprocessors wait for the few lines of one.
rows:   as pace, for tiles whose last rows are missing, so that some warps have none. Without a mask each head has its
        own K and V, in L2: heads that share them would be rows of one head.
backward: thread blocks of the backward kernels by number of queries: 12 heads, whole waves of KV tiles.
fewer:  as backward, one KV tile a head, whose last keys, or the last queries, are missing.
short:  backward passes of short rows, many heads (64 million numbers in Q at d = 128) and few: when each of a call's
        kernels begins and ends, from the profiler, and whole calls in a queue.
heads:  flash_v1, a thread block a head: by rows, by rounds (KV tiles), by columns of the head, and with the mask on the
        last round alone (bottom right).
few_heads: flash_v1 with 1 to 132 heads, five rounds. Two allocations each.
join:   few tiles and many keys, so that tiles are divided and joined.
operation: each line of eager and each kernel of naive, short rows.
"""
import argparse
import csv
import functools
import math
import random

import torch
from torch.profiler import ProfilerActivity, profile

import bench_torch
import bench_backward
from bench_alone import fused, in_a_row, input_sets, one_by_one
from bench_calls import eager, queued
from bench_shapes import of_torch
from bench_torch import ctypes


def quick(call, samples=15, sets=2):
    call(0)
    got = None
    for wait in (400, 1600, 6000):
        got = got or queued(call, samples, sets, wait)
    return [ms * 1e3 for ms in got or []]


def of_graph(count):
    graph, stream = torch.cuda.CUDAGraph(), torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(0)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        for _ in range(count):
            torch.cuda._sleep(0)
    return lambda i: graph.replay()


def of_streams(count, streams, cycles):
    others = [torch.cuda.Stream() for _ in range(streams)]

    def call(i):
        main = torch.cuda.current_stream()
        for stream in others:
            stream.wait_stream(main)
            with torch.cuda.stream(stream):
                for _ in range(count):
                    torch.cuda._sleep(cycles)
            main.wait_stream(stream)
    return call


def launch(lib, write):
    one = torch.zeros(1, device="cuda")
    for count in (0, 1, 2, 3, 4, 6, 8):
        def sleeps(i, count=count):
            for _ in range(count):
                torch.cuda._sleep(0)

        def ops(i, count=count):
            for _ in range(count):
                one.neg_()
        for name, call in (("empty", sleeps), ("torch", ops)):
            for i, us in enumerate(quick(call)):
                write("launch", name, f"{count} queued", 0, 0, 0, 0, 0, i, us)
            for i, us in enumerate(one_by_one(call)):
                write("launch", name, f"{count} processor", 0, 0, 0, 0, 0, i, us)
            if count:
                for i, us in enumerate(in_a_row(call, 40 // count)):
                    write("launch", name, f"{count} in a row", 0, 0, 0, 0, 0, i, us)
        if count:
            for i, us in enumerate(quick(of_graph(count))):
                write("launch", "graph", f"{count} queued", 0, 0, 0, 0, 0, i, us)
            for cycles in (0, 20000):
                for streams in (1, 2):
                    for i, us in enumerate(quick(of_streams(count, streams, cycles), 5)):
                        write("launch", f"{streams} streams", f"{count} of {cycles} cycles", 0, 0, 0, 0, 0, i, us)


def call(lib, write):
    for keep in (False, True):  # the processor is slower the first time
        for n, heads in ((64, 1), (128, 8)):
            sets = input_sets(heads, n, n, 64)
            calls = {"eager": eager(sets, False), "eager causal": eager(sets, True)}
            calls |= {name: fused(lib, rung, sets, n) for rung, name in bench_torch.RUNGS.items()}
            calls |= {name: of_torch(backend, sets, False) for backend, name in bench_torch.backends().items()}
            for name, each in calls.items():
                for i, us in enumerate(one_by_one(each)):
                    if keep:
                        write("call", name, "processor", 64, heads, n, n, 0, i, us)
                for i, us in enumerate(quick(each)):
                    if keep:
                        write("call", name, "queued", 64, heads, n, n, 0, i, us)


def tiles(lib, rung, variant, heads, rows, n_kv, d, causal, kv_heads=0):
    sets = input_sets(heads, rows, 1 if kv_heads else n_kv, d)
    if kv_heads:
        sets = [(q, *(torch.randn(1, kv_heads, n_kv, d, device="cuda", dtype=torch.bfloat16) for _ in range(2)), o, lse)
                for q, _, _, o, lse in sets]
    stream = torch.cuda.current_stream().cuda_stream
    problems, keep = [], []
    for q, k, v, o, lse in sets:
        p = bench_torch.Problem(q.data_ptr(), k.data_ptr(), v.data_ptr(), o.data_ptr(), lse.data_ptr(), 0, 1, heads,
                                k.shape[1], rows, n_kv, d, 1, 2 if causal else 0, d ** -0.5)
        size = lib.tilewalk_fast_workspace_bytes(rung, ctypes.byref(p))
        keep.append(torch.zeros(max(256, size), dtype=torch.uint8, device="cuda"))
        p.workspace = keep[-1].data_ptr()
        problems.append(p)

    def run(i, keep=(keep, sets)):
        text = lib.tilewalk_fast_forward(rung, variant, problems[i], stream)
        if text:
            raise RuntimeError(text.decode())
    return run


def block(lib, write):
    builds = [(2, 0, 64, 128, 0, (396, 792)), (2, 2, 64, 128, 0, (132, 264, 528)), (2, 0, 64, 128, 1, (132, 264, 528))]
    builds += [(2, 0, d, 128 if d <= 128 else 64, c, (132, 264, 528)) for d in (96, 128, 160, 192, 256) for c in (0, 1)]
    builds += [(3, 0, 64, 192, c, (132, 264)) for c in (0, 1)]
    builds += [(3, 8, 64, 64, c, (132, 264, 396, 792)) for c in (0, 1)]
    builds += [(3, 0, d, 128, c, (132, 264)) for d in (96, 128, 160, 192, 256) for c in (0, 1)]
    builds += [(4, 0, d, 16, 0, (1, 132, 264)) for d in (64, 128, 256)]
    for rung, variant, d, rows, causal, counts in builds:
        for heads in counts:
            for n_kv in (128, 256, 512, 1024, 2048, 4096):
                if heads * n_kv * d > 2.2e8:
                    continue
                run = tiles(lib, rung, variant, heads, rows, n_kv, d, causal)
                for i, us in enumerate(quick(run, 9)):
                    write("block", bench_torch.RUNGS[rung], f"variant {variant}", d, heads, rows, n_kv, causal, i, us)


def pace(lib, write, head_sizes=()):
    builds = [(2, 0, 32, 128, 1, 3), (2, 0, 64, 128, 0, 3), (2, 2, 64, 128, 0, 2), (2, 0, 64, 128, 1, 2)]
    builds += [(2, 0, d, 128 if d <= 128 else 64, 1, 2) for d in (96, 128, 160, 192, 256)]
    builds += [(2, 2, 32, 64, 0, 3), (2, 3, 64, 64, 0, 3), (2, 2, 96, 64, 0, 2), (2, 2, 128, 64, 0, 2)]
    builds += [(3, 0, 64, 192, 1, 1), (3, 1, 64, 128, 0, 1), (3, 8, 64, 64, 1, 3), (3, 9, 64, 64, 1, 2)]
    for d in (32, 48):
        builds += [(3, 0, d, 192, 1, 1), (3, 1, d, 128, 1, 1), (3, 2, d, 64, 1, 3), (3, 3, d, 64, 1, 2)]
    builds += [(3, 0, d, 128, 1, 1) for d in (96, 112, 128, 160, 192, 256)]
    for rung, variant, d, rows, causal, slots in builds:
        if head_sizes and d not in head_sizes:
            continue
        for count in [*range(1, slots + 1), 2 * slots, 4 * slots, 16 * slots]:
            for n_kv in (128, 256, 512, 1024, 2048, 4096, 8192):
                if count <= 2 * slots or n_kv in (256, 1024, 4096):
                    kv_heads = 12 if rung == 3 and d < 64 else 1
                    run = tiles(lib, rung, variant, 132 * count, rows, n_kv, d, causal, kv_heads)
                    for i, us in enumerate(quick(run, 9)):
                        write("pace", bench_torch.RUNGS[rung], f"variant {variant}", d, 132 * count, rows, n_kv,
                              causal, i, us)


def rows(lib, write):
    builds = [(3, 0, d, 128, 1, 1) for d in (96, 128, 160, 192, 256)] + [(3, 0, d, 128, 0, 1) for d in (96, 128, 192)]
    builds += [(3, 2, 64, 192, 1, 1), (3, 1, 64, 128, 1, 1), (2, 0, 64, 128, 0, 3), (2, 2, 64, 128, 0, 2)]
    builds += [(2, 0, d, 128 if d <= 128 else 64, c, 2) for d in (96, 128, 160, 192, 256) for c in (0, 1)]
    for rung, variant, d, tile, causal, slots in builds:
        step = 64 if rung == 3 else tile // 4
        for part in range(step, tile + 1, step):
            for count in (slots, 2 * slots, 4 * slots):
                for n_kv in (128, 256, 512, 1024, 2048):
                    if not causal and 132 * count * n_kv * d * 4 > 4e7:
                        continue
                    run = tiles(lib, rung, variant, 132 * count, part, n_kv, d, causal, causal)
                    one = run if causal else lambda i, run=run: run(0)
                    for i, us in enumerate(quick(one, 9)):
                        write("rows", bench_torch.RUNGS[rung], f"variant {variant}", d, 132 * count, part, n_kv,
                              causal, i, us)


def backward(lib, write):
    builds = [(2, 32, 64, 128, 2), (2, 64, 128, 128, 1), (2, 128, 64, 128, 1), (2, 256, 64, 64, 1)]
    builds += [(2, d, 64, 64 if d == 192 else 128, 1) for d in (96, 160, 192)]
    builds += [(3, d, 128 if d == 64 else 64, 128 if d <= 128 else 64, 1) for d in (64, 128, 192, 256)]
    for rung, d, rows, keys, slots in builds:
        for count in (slots, 2 * slots, 4 * slots, 8 * slots):
            for n_q in (rows, 2 * rows, 3 * rows, 4 * rows, 6 * rows, 8 * rows, 12 * rows, 24 * rows):
                n_kv = 132 // 12 * count * keys
                q, grad = (torch.randn(1, 12, n_q, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
                k, v = (torch.randn(1, 12, n_kv, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
                run, _, keep = bench_backward.prepare(lib, rung, q, k, v, grad, 0)
                for i, us in enumerate(quick(lambda i, run=run, keep=keep: run(), 9)):
                    write("backward", bench_torch.RUNGS[rung], "variant 0", d, 12, n_q, n_kv, 0, i, us)


def fewer(lib, write):
    builds = [(2, 64, 128, 128, 1), (2, 96, 64, 128, 1), (2, 128, 64, 128, 1), (2, 192, 64, 64, 1), (2, 256, 64, 64, 1)]
    builds += [(3, 64, 128, 128, 1), (3, 128, 64, 128, 1)]
    for rung, d, rows, keys, slots in builds:
        step = 64 if rung == 3 else keys // 4
        for n_kv in range(step, keys + 1, step):
            for count in (slots, 2 * slots, 4 * slots):
                for n_q in (rows, 2 * rows, 3 * rows, 4 * rows, 6 * rows, 2 * rows - rows // 2, 4 * rows - rows // 2,
                            rows + 8, 3 * rows + 8):
                    if count * n_q * d > 4 * 132000:  # Q and dO of all heads in L2
                        continue
                    q, grad = (torch.randn(1, 132 * count, n_q, d, device="cuda", dtype=torch.bfloat16)
                               for _ in range(2))
                    k, v = (torch.randn(1, 132 * count, n_kv, d, device="cuda", dtype=torch.bfloat16)
                            for _ in range(2))
                    run, _, keep = bench_backward.prepare(lib, rung, q, k, v, grad, 0)
                    for i, us in enumerate(quick(lambda i, run=run, keep=keep: run(), 9)):
                        write("fewer", bench_torch.RUNGS[rung], "variant 0", d, 132 * count, n_q, n_kv, 0, i, us)


def short(lib, write):
    sizes = [(rung, d, causal, n, round(heads)) for rung, d in ((3, 128), (3, 64), (2, 128)) for causal in (0, 1)
             for n in (128, 144, 192, 256, 272, 320, 384, 400, 512, 528, 640, 656, 768, 1024)
             for heads in (5e5 / n, 6.25e6 / n ** 2)]
    for rung, d, causal, n, heads in sizes:
        q, grad, k, v = (torch.randn(1, heads, n, d, device="cuda", dtype=torch.bfloat16) for _ in range(4))
        run, _, keep = bench_backward.prepare(lib, rung, q, k, v, grad, causal)
        run()
        torch.cuda.synchronize()
        with profile(activities=[ProfilerActivity.CUDA]) as profiled:
            for _ in range(6):
                run()
            torch.cuda.synchronize()
        kernels = sorted((e.time_range for e in profiled.events()
                          if any(word in e.name for word in ("backward", "round", "dot"))), key=lambda t: t.start)
        if len(kernels) == 18:  # the profiler may lose an event
            for i in range(1, 6):
                for part, time in zip(("before", "walk", "after"), kernels[3 * i:3 * i + 3]):
                    for name, at in (("begin", time.start), ("end", time.end)):
                        write("short", bench_torch.RUNGS[rung], f"{part} {name}", d, heads, n, n, causal, i - 1,
                              at - kernels[3 * i].start)
        for i, us in enumerate(quick(lambda i, run=run, keep=keep: run(), 9)):
            write("short", bench_torch.RUNGS[rung], "call", d, heads, n, n, causal, i, us)


def heads(lib, write):
    shapes = []  # d, heads, rows, keys, causal
    for d, keys, others in ((64, 256, (32, 40, 56)), (128, 128, (72, 80, 96, 112)), (256, 64, (160, 192, 224))):
        for count in (1, 132, 264, 528):
            shapes += [(d, count, n, keys * rounds, 0) for n in (16, 128, 512, 2048) for rounds in (1, 2, 3, 5, 9)]
            shapes += [(d, count, keys, keys * rounds, 1) for rounds in (1, 2, 3, 5)]
            shapes += [(d, count, n, keys * rounds - 8, 0) for n in (128, 512) for rounds in (1, 3)]
            shapes += [(each, count, 512, keys * rounds, 0) for each in others for rounds in (1, 3, 9) if count > 1]
    for d, count, n, keys, causal in shapes:
        for i, us in enumerate(quick(tiles(lib, 4, 0, count, n, keys, d, causal), 9)):
            write("heads", "flash_v1", "variant 0", d, count, n, keys, causal, i, us)


def few_heads(lib, write):
    for d, keys in ((64, 256), (128, 128), (96, 128), (256, 64)):
        for n, causal in ((1100, 0), (1700, 0), (2600, 0), (3900, 0), (1100, 1)):
            for count in (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 64, 96, 132):
                for part in "ab":
                    between = torch.empty(random.randint(1, 99) * 65536, device="cuda")
                    n_kv = causal * n + 5 * keys
                    for i, us in enumerate(quick(tiles(lib, 4, 0, count, n, n_kv, d, causal), 5)):
                        write("few_heads", "flash_v1", f"allocation {part}", d, count, n, n_kv, causal, i, us)
                    del between


def join(lib, write):
    for rung in (2, 3):
        for d in (64, 128):
            for heads in (1, 8, 33):
                for n_kv in (1024, 2048, 4096, 8192, 16384, 65536):
                    if heads * n_kv <= 1 << 18:
                        rows = 192 if rung == 3 and d == 64 else 128
                        for i, us in enumerate(quick(tiles(lib, rung, 0, heads, rows, n_kv, d, 0), 9)):
                            write("join", bench_torch.RUNGS[rung], "variant 0", d, heads, rows, n_kv, 0, i, us)


def operation(lib, write):
    for d in (64, 128):
        for n in (64, 96, 128, 192, 256, 320, 384, 512, 768, 1024, 100, 200, 577, 901):
            for heads in (1, 8, 32, 128, 512):
                sets = input_sets(heads, n, n, d)
                s = (sets[0][0] @ sets[0][1].transpose(-1, -2)).div_(math.sqrt(d))
                mask = torch.ones(n, n, dtype=torch.bool, device="cuda").triu(1)
                lines = {"qk": lambda i: sets[i][0] @ sets[i][1].transpose(-1, -2),
                         "divide": lambda i: s / math.sqrt(d), "mask": lambda i: s.masked_fill(mask, float("-inf")),
                         "softmax": lambda i: torch.softmax(s, -1), "pv": lambda i: s @ sets[i][2]}
                lines["naive"] = fused(lib, 1, sets, n)
                lines["naive causal"] = fused(lib, 1, sets, n, True)
                for name, each in lines.items():
                    for i, us in enumerate(quick(each, 7)):
                        write("operation", "naive" if name[0] == "n" else "eager", name, d, heads, n, n, 0, i, us)


SECTIONS = {each.__name__: each for each in (launch, call, block, pace, rows, backward, fewer, short, heads, few_heads,
                                             join, operation)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--csv", required=True)
    parser.add_argument("--head-sizes", nargs="*", type=int, default=[], help="of pace; all without it")
    parser.add_argument("--sections", nargs="*", choices=SECTIONS, default=list(SECTIONS))
    args = parser.parse_args()
    sections = SECTIONS | {"pace": functools.partial(pace, head_sizes=args.head_sizes)}
    lib = bench_backward.load_backward(args.library)
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
                print(f"{name}: {type(why).__name__} {why}")
            out.flush()
            print(f"{name} is done", flush=True)


if __name__ == "__main__":
    main()

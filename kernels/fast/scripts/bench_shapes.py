#!/usr/bin/env python3
"""Times the fast forward kernels beside PyTorch's attention backends at any shape: odd head sizes, few heads, shared K
and V, rows of Q that are fewer than keys. Same process, same inputs, in turn.

    ./build.sh OUT && python3 bench_shapes.py OUT/libtilewalk_fast.so --sample 34 10 --csv shapes.csv
    python3 bench_shapes.py NEW.so --before OLD.so --shape 160,16,16,1,4096,4096,1

bf16, random data, input sets in rotation that are larger than the L2 cache together. Every round gives each contender,
in random order, an untimed and some timed runs; CUDA events; medians over all rounds. PyTorch's best is the fastest of
FLASH, cuDNN and EFFICIENT; FLASH alone stands beside flash_v2. Every result is compared with float32 attention of the
same inputs, on random rows of random heads. --before adds the kernels of another build of the library, to see what a
change gained.
FLOPs: 4 d for each visible pair.
"""
import argparse
import csv
import ctypes
import functools
import math
import random
import statistics

import torch
import torch.nn.functional as F
from torch.nn.attention import sdpa_kernel

from bench_torch import QUEUED, RUNGS, Problem, backends, facts_of_run, load, queued_samples, timed

L2_BYTES = 50 << 20
WAIT_US = 2500  # of queued calls: PyTorch launches six in less
ODD_SIZES = [32, 72, 80, 96, 112, 136, 160, 176, 192, 224, 256]
KINDS = ("full", "few", "odd", "short", "uneven", "decode")


def sampled_shapes(seed, count, kinds):
    """`count` shapes of each of the kinds: (kind, d, heads, kv_heads, batch, n_q, n_kv, causal)."""
    draw = random.Random(seed)
    for kind in kinds:
        left = count
        while left > 0:
            d = draw.choice(ODD_SIZES if kind == "odd" else [64, 128])
            causal = draw.random() < 0.5
            heads, batch = draw.choice([8, 12, 16, 25, 32]), draw.choice([1, 2, 3, 4])
            group = draw.choice([1, 1, 2, 4, 8])
            n_kv = round(2 ** draw.uniform(10, 14))
            if kind == "few":
                heads, batch, group, n_kv = draw.randint(1, 6), 1, 1, round(2 ** draw.uniform(10.5, 14.5))
            elif kind == "short":
                batch, n_kv = draw.randint(8, 64), round(2 ** draw.uniform(7, 10))
            n_q = n_kv
            if kind == "uneven":
                n_q, causal = round(2 ** draw.uniform(7, 13)), False
            elif kind == "decode":
                n_q, n_kv = draw.choice([1, 1, 2, 4, 16]), round(2 ** draw.uniform(12, 17))
                causal, heads, group, batch = False, 32, 8, draw.choice([1, 2, 8])
            kv_heads = heads // group if heads % group == 0 else heads
            if 4 * n_q * n_kv * d * heads * batch > 4e12 or n_kv * kv_heads * d * batch * 4 > 4e9:
                continue
            left -= 1
            yield kind, d, heads, kv_heads, batch, n_q, n_kv, int(causal)


def visible(n_q, n_kv, causal):
    return sum(min(i + 1, n_kv) for i in range(n_q)) if causal else n_q * n_kv


def ours(lib, rung, variant, sets, causal):
    stream = torch.cuda.current_stream().cuda_stream
    problems, workspace = [], None
    for q, k, v, o, lse in sets:
        batch, heads, n_q, d = q.shape
        p = Problem(q.data_ptr(), k.data_ptr(), v.data_ptr(), o.data_ptr(), lse.data_ptr(), 0, batch, heads, k.shape[1],
                    n_q, k.shape[2], d, 1, int(causal), d ** -0.5)
        if workspace is None:
            size = lib.tilewalk_fast_workspace_bytes(rung, ctypes.byref(p))
            workspace = torch.empty(size, dtype=torch.uint8, device="cuda")
            workspace[:256] = 0  # the work counter
        p.workspace = workspace.data_ptr()
        problems.append(p)

    def call(i, keep=workspace):
        text = lib.tilewalk_fast_forward(rung, variant, problems[i], stream)
        if text:
            raise RuntimeError(text.decode())
        return sets[i][3]
    return call, workspace.numel()


def of_torch(backend, sets, causal):
    def call(i):
        q, k, v, _, _ = sets[i]
        with sdpa_kernel([backend]):
            return F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=q.shape[1] != k.shape[1])
    return call


def error_of(out, inputs, causal):
    """The largest error on some rows of some heads, over the largest value."""
    q, k, v = (x.float() for x in inputs[:3])
    group, n_q = q.shape[1] // k.shape[1], q.shape[2]
    rows = torch.tensor(sorted({0, n_q - 1} | set(random.sample(range(n_q), min(n_q, 6)))), device=q.device)
    worst = largest = 0.0
    heads = [(b, h) for b in range(q.shape[0]) for h in range(q.shape[1])]
    for b, h in random.sample(heads, min(len(heads), 24)):
        s = q[b, h, rows] @ k[b, h // group].T * q.shape[3] ** -0.5
        if causal:
            s.masked_fill_(torch.arange(k.shape[2], device=q.device)[None] > rows[:, None], -math.inf)
        want = torch.softmax(s, -1) @ v[b, h // group]
        worst = max(worst, (out[b, h, rows].float() - want).abs().nan_to_num(nan=math.inf).max().item())
        largest = max(largest, want.abs().max().item())
    return worst / largest


def contenders(lib, before, args, sets, d, causal):
    """{name: (runner, extra bytes or None)}"""
    out = {}
    for backend, name in backends().items():
        call = of_torch(backend, sets, causal)
        try:
            call(0)
            out[name] = (call, None)
        except RuntimeError as why:
            print(f"  {name} refuses: {str(why).splitlines()[0][:80]}")
    for rung in args.rungs:
        for variant in range(99):
            name = lib.tilewalk_fast_variant_name(rung, variant, d)
            if name is None or (variant > 0 and not args.all_variants):
                break
            out[f"{RUNGS[rung]} {name.decode()}"] = ours(lib, rung, variant, sets, causal)
        if before is not None:
            out[f"{RUNGS[rung]} before"] = ours(before, rung, 0, sets, causal)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--before", help="another build of the library")
    parser.add_argument("--csv")
    parser.add_argument("--shape", nargs="*", default=[], help="D,HEADS,KV_HEADS,BATCH,N_Q,N_KV,CAUSAL")
    parser.add_argument("--sample", nargs=2, type=int, metavar=("SEED", "COUNT"), help="shapes at random, of each kind")
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=KINDS, help="of the sampled shapes")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--queued", action="store_true", help="calls wait until the processor has launched them all")
    parser.add_argument("--rungs", type=int, nargs="*", default=[2, 3])
    parser.add_argument("--all-variants", action="store_true")
    args = parser.parse_args()
    lib, before = load(args.library), load(args.before) if args.before else None
    torch.manual_seed(7)
    random.seed(7)
    facts, rows = facts_of_run(), []
    for key, value in facts.items():
        print(f"# {key}: {value}")
    shapes = [("chosen", *map(int, text.split(","))) for text in args.shape]
    shapes += sampled_shapes(*args.sample, args.kinds) if args.sample else []
    if args.sample:
        facts["sampled"] = f"{args.sample[1]} shapes of each of {', '.join(args.kinds)} by seed {args.sample[0]}"
    samples_of = timed
    if args.queued:
        samples_of = functools.partial(queued_samples, wait_us=WAIT_US)
        facts["queued"] = QUEUED
    for kind, d, heads, kv_heads, batch, n_q, n_kv, causal in shapes:
        def tensor(h, n):
            return torch.randn(batch, h, n, d, device="cuda", dtype=torch.bfloat16)
        each = 2 * d * batch * (2 * heads * n_q + 2 * kv_heads * n_kv)
        sets = []
        for _ in range(min(24, max(2, math.ceil(2 * L2_BYTES / each)))):
            q = tensor(heads, n_q)
            sets.append((q, tensor(kv_heads, n_kv), tensor(kv_heads, n_kv), torch.full_like(q, math.nan),
                         torch.empty(batch, heads, n_q, device="cuda")))
        shape = f"{d},{heads},{kv_heads},{batch},{n_q},{n_kv},{causal}"
        runners = contenders(lib, before, args, sets, d, bool(causal))
        times = {name: [] for name in runners}
        for name, (call, extra) in runners.items():
            error = error_of(call(0), sets[0], causal)
            if not error < 0.02:
                print(f"WRONG {name} {shape}: relative error {error:.3g}")
            if extra is not None:
                facts[f"row forward,{name},bf16,{shape}"] = f"extra_bytes {extra}"
        for _ in range(args.rounds):
            for name, (call, _) in random.sample(list(runners.items()), len(runners)):
                times[name] += samples_of(call, args.samples, len(sets))
        medians = {name: statistics.median(ms) for name, ms in times.items() if ms}
        flops = 4 * visible(n_q, n_kv, causal) * d * heads * batch
        best = min(ms for name, ms in medians.items() if name.startswith("torch"))
        flash = medians.get("torch_flash", best)
        words = []
        for name, ms in medians.items():
            rival = flash if name.startswith("flash_v2") else best
            words.append(f"{name} {ms * 1e3:.1f}" + ("" if name.startswith("torch") else f" ({rival / ms:.2f})"))
            rows += [["forward", name, "bf16", d, heads, kv_heads, batch, n_q, n_kv, causal, i, f"{ms:.5f}"]
                     for i, ms in enumerate(times[name])]
        fastest = flops / min(medians.values()) / 1e9
        print(f"{kind} {shape} us (ratio), {fastest:.0f} TFLOP/s: " + " | ".join(words), flush=True)
        del sets, runners, call
    if args.csv:
        with open(args.csv, "w", newline="") as out:
            for key, value in facts.items():
                out.write(f"# {key}: {value}\n")
            writer = csv.writer(out)
            writer.writerow(["pass", "contender", "dtype", "d", "heads", "kv_heads", "batch", "n_q", "n_kv", "causal",
                             "sample", "ms"])
            writer.writerows(rows)


if __name__ == "__main__":
    main()

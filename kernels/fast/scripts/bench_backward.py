#!/usr/bin/env python3
"""Checks and times the backward kernels beside PyTorch's FLASH and cuDNN backends, in turn in one process:
bench_backward.py LIBRARY [--csv FILE]

Check: dQ, dK and dV against float64, each error at most twice that of naive attention in bf16 plus one rounding.
FLOPs: 10 N^2 d heads batch (five products), halved for causal. extra_bytes: beyond inputs, gradients, O and L.
"""
import argparse
import ctypes
import csv
import functools
import itertools
import random
import statistics

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from bench_torch import QUEUED, RUNGS, Problem, facts_of_run, load, queued_samples, timed


# Where the true gradient is 0 (one visible key), dP - D cancels in fp32: |dP| up to 40, a few roundings of 2^-24, tens
# to hundreds of rows.
FLOOR = 3e-5
WAIT_US = 4000  # of queued calls: PyTorch launches six in less


HEAD_SIZES = (64, 128, 24, 40, 96, 7, 37, 129, 160, 192, 251, 256)


class Gradients(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("d_o", "d_q", "d_k", "d_v", "row_dot", "dq_sum")]


def load_backward(path):
    lib = load(path)
    lib.tilewalk_fast_backward.argtypes = [ctypes.c_int, ctypes.POINTER(Problem), ctypes.POINTER(Gradients),
                                           ctypes.c_void_p]
    lib.tilewalk_fast_backward.restype = ctypes.c_char_p
    lib.tilewalk_fast_backward_workspace_bytes.restype = ctypes.c_size_t
    return lib


def prepare(lib, rung, q, k, v, grad, mask):
    """Runs the forward pass; gives (function that runs the backward pass, its three outputs, all buffers)."""
    batch, heads, n_q, d = q.shape
    o, lse = torch.empty_like(q), torch.empty(batch, heads, n_q, device="cuda")
    outputs = [torch.full_like(x, float("nan")) for x in (q, k, v)]
    sums = 1 if rung == 2 else 0  # flash_v3's are in its workspace
    row_dot = torch.empty(sums * lse.numel(), device="cuda")
    dq_sum = torch.empty(sums * lse.numel() * (-(-d // 8) * 8), device="cuda")
    stream = torch.cuda.current_stream().cuda_stream
    sizes = Problem(batch=batch, heads=heads, kv_heads=k.shape[1], n_q=n_q, n_kv=k.shape[2], d=d, dtype=1, mask=mask,
                    scale=d ** -0.5)
    room = max(lib.tilewalk_fast_workspace_bytes(2, ctypes.byref(sizes)),
               lib.tilewalk_fast_backward_workspace_bytes(rung, ctypes.byref(sizes)))
    work = torch.zeros(room, dtype=torch.uint8, device="cuda")
    p = Problem(q.data_ptr(), k.data_ptr(), v.data_ptr(), o.data_ptr(), lse.data_ptr(), work.data_ptr(),
                batch, heads, k.shape[1],
                n_q, k.shape[2], d, 1, mask, d ** -0.5)
    g = Gradients(grad.data_ptr(), *(x.data_ptr() for x in outputs), row_dot.data_ptr(), dq_sum.data_ptr())
    text = lib.tilewalk_fast_forward(2, 0, ctypes.byref(p), stream)
    if text:
        raise RuntimeError(text.decode())

    def call():
        text = lib.tilewalk_fast_backward(rung, ctypes.byref(p), ctypes.byref(g), stream)
        if text:
            raise RuntimeError(text.decode())
    return call, outputs, (o, lse, work, row_dot, dq_sum, p, g)


def plain(q, k, v, grad, mask, dtype):
    q, k, v = (x.to(dtype).detach().requires_grad_() for x in (q, k, v))
    group, n_q, n_kv = q.shape[1] // k.shape[1], q.shape[2], k.shape[2]
    s = q @ k.repeat_interleave(group, 1).transpose(-1, -2) * q.shape[-1] ** -0.5
    if mask:
        shift = n_kv - n_q if mask == 2 else 0
        seen = torch.arange(n_kv, device="cuda") <= torch.arange(n_q, device="cuda")[:, None] + shift
        s = s.masked_fill(~seen, float("-inf"))
        p = torch.where(seen.any(-1, keepdim=True), s, torch.zeros_like(s)).softmax(-1) * seen.any(-1, keepdim=True)
    else:
        p = s.softmax(-1)
    (p.to(dtype) @ v.repeat_interleave(group, 1)).backward(grad.to(dtype))
    return [x.grad for x in (q, k, v)]


def run_small(lib, rungs):
    """Few small shapes, each twice, without a reference, for compute-sanitizer: everything written, dK and dV the same
    bytes."""
    failures = 0
    for n_q, n_kv in ((150, 200), (256, 256), (300, 130)):
        for rung, d, mask in itertools.product(rungs, (64, 128, 40, 37, 256), (0, 2)):
            q, grad = (torch.randn(1, 2, n_q, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
            k, v = (torch.randn(1, 1, n_kv, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
            call, got, keep = prepare(lib, rung, q, k, v, grad, mask)
            call()
            first = [x.clone() for x in got]
            call()
            written = all(torch.isfinite(x).all().item() for x in got)
            failures += not (written and all(torch.equal(a, b) for a, b in zip(first[1:], got[1:])))
    print(f"{'FAILED' if failures else 'PASSED'}: {failures} failures over the small shapes of {rungs}")
    return failures


def check(lib, rungs):
    failures = count = 0
    shapes = [(2, 4, 4, 128, 128), (1, 4, 2, 300, 333), (1, 4, 1, 513, 200), (2, 2, 2, 1, 77), (1, 2, 2, 1000, 1000),
              (1, 2, 1, 65, 1), (1, 2, 2, 200, 900)]
    for (batch, heads, kv_heads, n_q, n_kv), d, mask in itertools.product(shapes, HEAD_SIZES, (0, 1, 2)):
        q, grad = (torch.randn(batch, heads, n_q, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
        k, v = (torch.randn(batch, kv_heads, n_kv, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
        want, usual = plain(q, k, v, grad, mask, torch.float64), plain(q, k, v, grad, mask, torch.bfloat16)
        for rung in rungs:
            call, got, keep = prepare(lib, rung, q, k, v, grad, mask)
            call()
            torch.cuda.synchronize()
            count += 1
            for name, x, w, u in zip(("dQ", "dK", "dV"), got, want, usual):
                error = (x - w).abs().max().item()
                allowed = 2 * (u - w).abs().max().item() + w.abs().max().item() / 512 + FLOOR
                if not error <= allowed:
                    failures += 1
                    print(f"FAILED {RUNGS[rung]} {name} b{batch} h{heads}/{kv_heads} n{n_q}x{n_kv} d{d} mask {mask}: "
                          f"{error:.2e} > {allowed:.2e}")
    print(f"{'FAILED' if failures else 'PASSED'}: {failures} failures over {count} problems")
    return failures


def sampled_shapes(seed, count, kinds=("full", "few", "odd", "short", "uneven")):
    """`count` shapes of each kind: many heads, one to six, odd head sizes, short rows, Q and K of unequal length; or
    "shared", causal, two to eight query heads for one of K and V."""
    draw = random.Random(seed)
    for kind in kinds:
        left = count
        while left > 0:
            d = draw.choice([32, 40, 72, 80, 96, 104, 120, 136, 160, 192, 224, 256] if kind in ("odd", "shared")
                            else [64, 128])
            causal = int(draw.random() < 0.5 and kind != "uneven")
            heads, batch = draw.choice([8, 12, 16, 25, 32]), draw.choice([1, 2, 3, 4])
            group = draw.choice([1, 1, 2, 4, 8])
            n_kv = round(2 ** draw.uniform(10, 14))
            if kind == "few":
                heads, batch, group, n_kv = draw.randint(1, 6), 1, 1, round(2 ** draw.uniform(10.5, 14.5))
            elif kind == "short":
                batch, n_kv = draw.randint(8, 64), round(2 ** draw.uniform(7, 10))
            elif kind == "shared":
                group, n_kv, causal = draw.randint(2, 8), round(2 ** draw.uniform(9, 13.5)), 1
                heads = group * draw.choice([1, 2, 3, 4, 5, 8])
                d = draw.choice([d, 64, 128])
            n_q = round(2 ** draw.uniform(7, 13)) if kind == "uneven" else n_kv
            if 10 * n_q * n_kv * d * heads * batch < 1e13:
                left -= 1
                yield d, heads, heads // group if heads % group == 0 else heads, batch, n_q, n_kv, causal


def cells(args):
    """(d, heads, kv_heads, batch, n_q, n_kv, causal) of each."""
    for text in args.shape:
        yield tuple(map(int, text.split(",")))
    if args.sample:
        yield from sampled_shapes(*args.sample, args.kinds) if args.kinds else sampled_shapes(*args.sample)
    if not args.shape and not args.sample:
        for d, causal, n in itertools.product(args.d, (0, 1), args.n):
            yield d, 2048 // d, 2048 // d, 16384 // n, n, n, causal


def visible(n_q, n_kv, causal):
    return sum(min(i + 1, n_kv) for i in range(n_q)) if causal else n_q * n_kv


def of_torch(backend, leaves, grad, causal):
    with sdpa_kernel([backend]):
        out = F.scaled_dot_product_attention(*leaves, is_causal=bool(causal),
                                             enable_gqa=leaves[0].shape[1] != leaves[1].shape[1])
    return lambda i: torch.autograd.grad(out, leaves, grad, retain_graph=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--also", nargs="*", default=[], metavar="NAME=LIBRARY", help="kernels of other builds")
    parser.add_argument("--csv")
    parser.add_argument("--d", type=int, nargs="*", default=[64, 128],
                        help="head sizes to time; heads are as many as 2048 columns hold")
    parser.add_argument("--small", action="store_true", help="run few small shapes and stop, for compute-sanitizer")
    parser.add_argument("--no-check", action="store_true")
    parser.add_argument("--n", type=int, nargs="*", default=[1024, 2048, 4096, 8192, 16384])
    parser.add_argument("--shape", nargs="*", default=[], help="D,HEADS,KV_HEADS,BATCH,N_Q,N_KV,CAUSAL instead")
    parser.add_argument("--sample", nargs=2, type=int, metavar=("SEED", "COUNT"), help="shapes at random, of each kind")
    parser.add_argument("--kinds", nargs="*", help="of the sampled shapes")
    parser.add_argument("--rungs", type=int, nargs="*", default=[2, 3])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--queued", action="store_true", help="calls wait until the processor has launched them all")
    args = parser.parse_args()
    libraries = {"": args.library} | dict(text.split("=") for text in args.also)
    libraries = {name: load_backward(path) for name, path in libraries.items()}
    lib = libraries[""]
    torch.manual_seed(7)
    random.seed(7)
    if not args.no_check or args.small:
        failures = sum((run_small if args.small else check)(lib, args.rungs) for lib in libraries.values())
        if failures or args.small:
            raise SystemExit(1 if failures else 0)
    facts, rows = facts_of_run(), []
    if args.sample:
        kinds = f" of {', '.join(args.kinds)}" if args.kinds else " of each kind"
        facts["sampled"] = f"{args.sample[1]} shapes{kinds} by seed {args.sample[0]}"
    grid = not args.shape and not args.sample  # then the columns of a race, which the program reads
    samples_of = timed
    if args.queued:
        samples_of = functools.partial(queued_samples, wait_us=WAIT_US)
        facts["queued"] = QUEUED
    for key, value in facts.items():
        print(f"# {key}: {value}")
    for d, heads, kv_heads, batch, n_q, n_kv, causal in cells(args):
        def tensor(h, n):
            return torch.randn(batch, h, n, d, device="cuda", dtype=torch.bfloat16)
        q, grad, k, v = tensor(heads, n_q), tensor(heads, n_q), tensor(kv_heads, n_kv), tensor(kv_heads, n_kv)
        shape = f"{d},{heads},{kv_heads},{batch},{n_q},{n_kv},{causal}"
        leaves, runners, extra, kept = [x.detach().requires_grad_() for x in (q, k, v)], {}, {}, []
        for backend, name in ((SDPBackend.FLASH_ATTENTION, "torch_flash"), (SDPBackend.CUDNN_ATTENTION, "torch_cudnn")):
            try:
                runners[name] = of_torch(backend, leaves, grad, causal)
                runners[name](0)
            except RuntimeError as why:
                print(f"  {name} refuses {shape}: {str(why).splitlines()[0][:80]}")
                runners.pop(name, None)
                continue
            torch.cuda.reset_peak_memory_stats()
            before = torch.cuda.memory_allocated()
            runners[name](0)  # its three gradients are outputs
            gradients = sum(x.numel() * 2 for x in leaves)
            extra[name] = max(0, torch.cuda.max_memory_allocated() - before - gradients)
        for label, lib in libraries.items():
            for rung in args.rungs:
                name = RUNGS[rung] + (" " + label if label else "")
                call, outputs, keep = prepare(lib, rung, q, k, v, grad, causal)
                runners[name] = lambda i, call=call, outputs=outputs: call() or outputs
                problem = keep[5]  # its workspace may have room for the forward pass too
                extra[name] = sum(x.numel() * x.element_size() for x in keep[3:5]) + \
                    lib.tilewalk_fast_backward_workspace_bytes(rung, ctypes.byref(problem))
                kept.append(keep)
        want = None
        for name, runner in runners.items():
            got = runner(0)
            torch.cuda.synchronize()  # here a failure has a name
            want = want or [x.float() for x in got]
            for gradient, x, w in zip(("dQ", "dK", "dV"), got, want):
                error = ((x.float() - w).norm() / w.norm()).item()
                if not error < 0.02:
                    print(f"WRONG {name} {gradient} {shape}: differs from {next(iter(runners))} by {error:.3g}")
        del got, want
        samples = {name: [] for name in runners}
        for _ in range(args.rounds):
            for name, runner in random.sample(list(runners.items()), len(runners)):
                samples[name] += samples_of(runner, args.samples, 1)
        place = f"{d},{heads},{batch},{n_q},{causal}" if grid else shape
        facts |= {f"row backward,{name},bf16,{place}": f"extra_bytes {x}" for name, x in extra.items()}
        flops = 10 * visible(n_q, n_kv, causal) * d * heads * batch
        medians = {name: statistics.median(ms) for name, ms in samples.items() if ms}
        rival = medians.get("torch_cudnn", medians.get("torch_flash"))
        print(f"backward {shape} TFLOP/s (of cuDNN) " + " | ".join(
            f"{name}: {flops / ms / 1e9:.0f}" + ("" if name.startswith("torch") else f" ({rival / ms:.2f})")
            for name, ms in medians.items()), flush=True)
        rows += [["backward", name, "bf16", *place.split(","), i, f"{x:.5f}"]
                 for name, ms in samples.items() for i, x in enumerate(ms)]
        del runners, kept, keep, call
    if args.csv:
        with open(args.csv, "w", newline="") as out_file:
            for key, value in facts.items():
                out_file.write(f"# {key}: {value}\n")
            writer = csv.writer(out_file)
            sizes = ["d", "heads", "batch", "n"] if grid else ["d", "heads", "kv_heads", "batch", "n_q", "n_kv"]
            writer.writerow(["pass", "contender", "dtype", *sizes, "causal", "sample", "ms"])
            writer.writerows(rows)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Checks and times flash_v2's backward kernel beside PyTorch's FLASH backend: bench_backward.py LIBRARY [--csv FILE]

Check: dQ, dK and dV against float64, each error at most twice that of naive attention in bf16 plus one rounding.
FLOPs: 10 N^2 d heads batch (five products), halved for causal. extra_bytes: beyond inputs, gradients, O and L.
"""
import argparse
import ctypes
import csv
import datetime
import statistics
import subprocess

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from bench_torch import Problem, load, timed


# Where the true gradient is 0 (one visible key), dP - D cancels in fp32: |dP| up to 40, a few roundings of 2^-24, tens
# to hundreds of rows.
FLOOR = 3e-5


HEAD_SIZES = (64, 128, 40, 96, 7, 37, 129, 160, 251, 256)


class Gradients(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("d_o", "d_q", "d_k", "d_v", "row_dot", "dq_sum")]


def prepare(lib, q, k, v, grad, mask):
    """Runs the forward pass; gives (function that runs the backward pass, its three outputs, all buffers)."""
    batch, heads, n_q, d = q.shape
    o, lse = torch.empty_like(q), torch.empty(batch, heads, n_q, device="cuda")
    outputs = [torch.full_like(x, float("nan")) for x in (q, k, v)]
    row_dot, dq_sum = torch.empty_like(lse), torch.empty(*q.shape[:3], -(-d // 8) * 8, device="cuda")
    stream = torch.cuda.current_stream().cuda_stream
    sizes = Problem(batch=batch, heads=heads, kv_heads=k.shape[1], n_q=n_q, n_kv=k.shape[2], d=d)
    room = max(lib.tilewalk_fast_workspace_bytes(2, ctypes.byref(sizes)),
               lib.tilewalk_fast_backward_workspace_bytes(ctypes.byref(sizes)))
    work = torch.zeros(room, dtype=torch.uint8, device="cuda")
    p = Problem(q.data_ptr(), k.data_ptr(), v.data_ptr(), o.data_ptr(), lse.data_ptr(), work.data_ptr(),
                batch, heads, k.shape[1],
                n_q, k.shape[2], d, 1, mask, d ** -0.5)
    g = Gradients(grad.data_ptr(), *(x.data_ptr() for x in outputs), row_dot.data_ptr(), dq_sum.data_ptr())
    text = lib.tilewalk_fast_forward(2, 0, ctypes.byref(p), stream)
    if text:
        raise RuntimeError(text.decode())

    def call():
        text = lib.tilewalk_fast_backward(ctypes.byref(p), ctypes.byref(g), stream)
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


def run_small(lib):
    """Few small shapes, each twice, without a reference, for compute-sanitizer: everything written, dK and dV the same
    bytes."""
    failures = 0
    for n_q, n_kv in ((150, 200), (256, 256), (300, 130)):
        for d in (64, 128, 40, 37, 256):
            for mask in (0, 2):
                q, grad = (torch.randn(1, 2, n_q, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
                k, v = (torch.randn(1, 1, n_kv, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
                call, got, keep = prepare(lib, q, k, v, grad, mask)
                call()
                first = [x.clone() for x in got]
                call()
                written = all(torch.isfinite(x).all().item() for x in got)
                failures += not (written and all(torch.equal(a, b) for a, b in zip(first[1:], got[1:])))
    print(f"{'FAILED' if failures else 'PASSED'}: {failures} failures over 30 small shapes")
    return failures


def check(lib):
    failures = 0
    shapes = [(2, 4, 4, 128, 128), (1, 4, 2, 300, 333), (1, 4, 1, 513, 200), (2, 2, 2, 1, 77), (1, 2, 2, 1000, 1000),
              (1, 2, 1, 65, 1), (1, 2, 2, 200, 900)]
    for batch, heads, kv_heads, n_q, n_kv in shapes:
        for d in HEAD_SIZES:
            for mask in (0, 1, 2):
                q, grad = (torch.randn(batch, heads, n_q, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
                k, v = (torch.randn(batch, kv_heads, n_kv, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
                call, got, keep = prepare(lib, q, k, v, grad, mask)
                call()
                torch.cuda.synchronize()
                want, usual = plain(q, k, v, grad, mask, torch.float64), plain(q, k, v, grad, mask, torch.bfloat16)
                for name, x, w, u in zip(("dQ", "dK", "dV"), got, want, usual):
                    error = (x - w).abs().max().item()
                    allowed = 2 * (u - w).abs().max().item() + w.abs().max().item() / 512 + FLOOR
                    if not error <= allowed:
                        failures += 1
                        print(f"FAILED {name} b{batch} h{heads}/{kv_heads} n{n_q}x{n_kv} d{d} mask {mask}: "
                              f"{error:.2e} > {allowed:.2e}")
    print(f"{'FAILED' if failures else 'PASSED'}: {failures} failures over {len(shapes) * len(HEAD_SIZES) * 3} shapes")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--csv")
    parser.add_argument("--d", type=int, nargs="*", default=[64, 128],
                        help="head sizes to time; heads are as many as 2048 columns hold")
    parser.add_argument("--small", action="store_true", help="run few small shapes and stop, for compute-sanitizer")
    parser.add_argument("--n", type=int, nargs="*", default=[1024, 2048, 4096, 8192, 16384])
    args = parser.parse_args()
    lib = load(args.library)
    lib.tilewalk_fast_backward.argtypes = [ctypes.POINTER(Problem), ctypes.POINTER(Gradients), ctypes.c_void_p]
    lib.tilewalk_fast_backward.restype = ctypes.c_char_p
    lib.tilewalk_fast_backward_workspace_bytes.restype = ctypes.c_size_t
    failures = run_small(lib) if args.small else check(lib)
    if failures or args.small:
        raise SystemExit(1 if failures else 0)
    smi = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         capture_output=True, text=True).stdout.strip()
    facts = [f"# card, driver: {smi}", f"# torch: {torch.__version__}",
             f"# date: {datetime.datetime.now().isoformat(timespec='seconds')}"]
    rows = []
    for d, heads in ((d, 2048 // d) for d in args.d):
        for causal in (False, True):
            for n in args.n:
                batch = 16384 // n
                q, k, v, grad = (torch.randn(batch, heads, n, d, device="cuda", dtype=torch.bfloat16) for _ in range(4))
                call, _, keep = prepare(lib, q, k, v, grad, int(causal))
                leaves = [x.detach().requires_grad_() for x in (q, k, v)]
                with sdpa_kernel([SDPBackend.FLASH_ATTENTION]):
                    out = F.scaled_dot_product_attention(*leaves, is_causal=causal)
                runners = {"torch_flash": lambda i: torch.autograd.grad(out, leaves, grad, retain_graph=True),
                           "flash_v2": lambda i: call()}
                torch.cuda.reset_peak_memory_stats()
                before = torch.cuda.memory_allocated()
                runners["torch_flash"](0)  # its three gradients are outputs
                extra = {"torch_flash": max(0, torch.cuda.max_memory_allocated() - before - 3 * q.numel() * 2),
                         "flash_v2": sum(x.numel() * x.element_size() for x in keep[2:5])}
                facts += [f"# row backward,{name},bf16,{d},{heads},{batch},{n},{int(causal)}: extra_bytes {x}"
                          for name, x in extra.items()]
                samples = {name: [] for name in runners}
                for _ in range(3):
                    for name, runner in runners.items():
                        samples[name] += timed(runner, 4, 1)
                flops = 10 * n * n * d * heads * batch / (2 if causal else 1)
                print(f"backward d={d} n={n} {'causal' if causal else 'full'} TFLOP/s " +
                      " | ".join(f"{name}: {flops / statistics.median(ms) / 1e9:.0f}" for name, ms in samples.items()),
                      flush=True)
                rows += [["backward", name, "bf16", d, heads, batch, n, int(causal), i, f"{x:.5f}"]
                         for name, ms in samples.items() for i, x in enumerate(ms)]
    if args.csv:
        with open(args.csv, "w", newline="") as out_file:
            out_file.write("\n".join(facts) + "\n")
            writer = csv.writer(out_file)
            writer.writerow(["pass", "contender", "dtype", "d", "heads", "batch", "n", "causal", "sample", "ms"])
            writer.writerows(rows)


if __name__ == "__main__":
    main()

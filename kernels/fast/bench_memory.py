#!/usr/bin/env python3
"""Measures what each forward rung holds beyond Q, K, V, O and L: bench_memory.py LIBRARY [--csv FILE]

One row of tokens, hidden size 2048, bf16, N to 128k. workspace_bytes: what the library asks for. held_bytes: what the card's free
memory lost between the tensors' allocation and the end of the first call (PyTorch's cache emptied, libraries warmed up before), so
what a library takes for itself counts too. A rung that does not fit gives a row as well: "out of memory", with the bytes it wanted.
"""
import argparse
import csv
import ctypes
import datetime
import subprocess

import torch

from bench_torch import RUNGS, Problem, load


def problem(q, k, v, o, lse, workspace):
    batch, heads, n, d = q.shape
    return Problem(q.data_ptr(), k.data_ptr(), v.data_ptr(), o.data_ptr(), lse.data_ptr(), workspace, batch, heads, heads, n, n, d, 1, 0,
                   d ** -0.5)


def run(lib, rung, p):
    text = lib.tilewalk_fast_forward(rung, 0, ctypes.byref(p), torch.cuda.current_stream().cuda_stream)
    if text:
        raise RuntimeError(text.decode())
    torch.cuda.synchronize()


def free_bytes():
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    return torch.cuda.mem_get_info()[0]


def measure(lib, rung, d, n):
    """(workspace bytes, held bytes or None, result)"""
    q, k, v = (torch.randn(1, 2048 // d, n, d, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    o, lse = torch.full_like(q, float("nan")), torch.empty(1, 2048 // d, n, device="cuda")
    p = problem(q, k, v, o, lse, None)
    wanted = lib.tilewalk_fast_workspace_bytes(rung, ctypes.byref(p))
    before = free_bytes()
    try:
        workspace = torch.empty(wanted, dtype=torch.uint8, device="cuda")
    except torch.OutOfMemoryError:
        return wanted, None, "out of memory"
    workspace[:256] = 0  # the work counter
    p.workspace = workspace.data_ptr()
    run(lib, rung, p)
    held = before - torch.cuda.mem_get_info()[0]
    return wanted, held, "ran" if torch.isfinite(o).all() else "not finite"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--csv")
    parser.add_argument("--n", type=int, nargs="*", default=[1024, 4096, 16384, 32768, 65536, 131072])
    args = parser.parse_args()
    lib = load(args.library)
    smi = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"],
                         capture_output=True, text=True).stdout.strip()
    facts = [f"# card, driver, memory: {smi}", f"# torch: {torch.__version__}",
             f"# date: {datetime.datetime.now().isoformat(timespec='seconds')}"]
    print("\n".join(facts))
    rows = []
    for d in (64, 128):
        for rung in RUNGS:
            measure(lib, rung, d, 256)  # modules and handles are loaded, outside the measurement
        for n in args.n:
            for rung, name in RUNGS.items():
                workspace, held, result = measure(lib, rung, d, n)
                tensors = 4 * 2048 * n * 2 + 2048 // d * n * 4
                rows.append(["forward", name, "bf16", d, 2048 // d, 1, n, tensors, workspace, "" if held is None else held, result])
                print(f"d={d} n={n} {name}: tensors {tensors} workspace {workspace} held {held} {result}", flush=True)
    if args.csv:
        with open(args.csv, "w", newline="") as out:
            out.write("\n".join(facts) + "\n")
            writer = csv.writer(out)
            writer.writerow(["pass", "rung", "dtype", "d", "heads", "batch", "n", "tensor_bytes", "workspace_bytes", "held_bytes", "result"])
            writer.writerows(rows)


if __name__ == "__main__":
    main()

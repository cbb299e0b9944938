#!/usr/bin/env python3
"""DRAM traffic of flash_v2's backward pass, by Nsight Compute: backward_traffic.py LIBRARY --csv FILE

Runs itself under ncu and records, for each shape, the bytes that its three kernels read from and wrote to DRAM
together. L2 is not flushed between kernels, and is full of another shape's bytes before the first. """
import csv

import torch

import under_ncu
from bench_backward import load_backward, prepare

# batch, heads, N, d, causal
SHAPES = [(16, 32, 1024, 64, 0), (4, 32, 4096, 64, 0), (1, 32, 16384, 64, 0), (1, 32, 16384, 64, 1),
          (1, 2, 16384, 64, 0),
          (16, 16, 1024, 128, 0), (4, 16, 4096, 128, 1), (1, 16, 16384, 128, 0), (16, 8, 1024, 256, 0),
          (1, 8, 16384, 256, 0), (1, 4, 32768, 128, 0)]


def run_once(path):
    lib = load_backward(path)
    other = torch.empty(1 << 28, dtype=torch.uint8, device="cuda")
    for batch, heads, n, d, causal in SHAPES:
        q, k, v, grad = (torch.randn(batch, heads, n, d, device="cuda", dtype=torch.bfloat16) for _ in range(4))
        call, _, kept = prepare(lib, 2, q, k, v, grad, causal)
        other.fill_(1)
        call()
        torch.cuda.synchronize()
        del kept


def main():
    args = under_ncu.arguments(run_once)
    rows = under_ncu.launches(args, "-k", "regex:flash_v2_backward|row_dots|round_dq")
    if len(rows) != 3 * len(SHAPES):
        raise SystemExit(f"{len(rows)} launches for {len(SHAPES)} shapes")
    with open(args.csv, "w", newline="") as out:
        out.write(under_ncu.provenance())
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["batch", "heads", "n", "d", "causal", "dots_read", "dots_write", "walk_read", "walk_write",
                        "scale_read", "scale_write"])
        for i, shape in enumerate(SHAPES):
            bytes_of = [row[metric] for row in rows[3 * i:3 * i + 3] for metric in under_ncu.DRAM_BYTES]
            table.writerow([*shape, *bytes_of])


if __name__ == "__main__":
    main()

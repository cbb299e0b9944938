#!/usr/bin/env python3
"""Writes what the model of time predicts for sampled shapes, before bench_calls.py or bench_backward.py times them:
predict_sampled.py TILEWALK --sample SEED COUNT [--backward] [--device h100] > FILE

Needs no GPU and no PyTorch: only the samplers of those scripts are read. Q and K of equal length alone; with --unequal
those of unequal length, forward, which bench_shapes.py times, with n_q and n_kv as columns. `# model:` is the commit of
the working tree, which must have no changes.
"""
import argparse
import ast
import json
import pathlib
import random
import subprocess

FORWARD = ("eager", "naive", "flash_v1", "flash_v2", "flash_v3")
BACKWARD = ("flash_v2_backward", "flash_v3_backward")
KINDS = ("full", "few", "odd", "short")
UNEQUAL_KINDS = ("uneven", "decode")
FOLDER = pathlib.Path(__file__).resolve().parent


def sampler_of(script):
    """Its sampled_shapes() and the constants above it, without its imports."""
    tree = ast.parse((FOLDER / script).read_text())
    tree.body = [node for node in tree.body if isinstance(node, ast.Assign)
                 or isinstance(node, ast.FunctionDef) and node.name == "sampled_shapes"]
    names = {"random": random}
    exec(compile(tree, script, "exec"), names)
    return names["sampled_shapes"]


def shapes(args):
    """(d, heads, kv_heads, batch, n_q, n_kv, causal) of each."""
    if args.backward:
        sampler = sampler_of("bench_backward.py")
        sampled = sampler(*args.sample, args.kinds) if args.kinds else sampler(*args.sample)
    else:
        kinds = args.kinds or (UNEQUAL_KINDS if args.unequal else KINDS)
        sampled = (shape[1:] for shape in sampler_of("bench_shapes.py")(*args.sample, kinds))
    for d, heads, kv_heads, batch, n_q, n_kv, causal in sampled:
        if (n_q != n_kv) == args.unequal:
            yield d, heads, kv_heads, batch, n_q, n_kv, causal


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilewalk", help="the program")
    parser.add_argument("--sample", nargs=2, type=int, metavar=("SEED", "COUNT"), required=True)
    parser.add_argument("--kinds", nargs="*", help="of the sampled shapes")
    parser.add_argument("--backward", action="store_true")
    parser.add_argument("--unequal", action="store_true", help="calls whose Q and K differ in length")
    parser.add_argument("--device", default="h100")
    args = parser.parse_args()
    seed, count = args.sample
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], check=True, capture_output=True, text=True,
                            cwd=FOLDER).stdout.strip()
    kinds = args.kinds or (UNEQUAL_KINDS if args.unequal else KINDS)
    of_kinds = "each kind" if args.backward and not args.kinds else f"each of {', '.join(kinds)}"
    equal = ", Q and K of equal length" if args.backward else ""
    print(f"# predicted for: {count} shapes of {of_kinds} by seed {seed}{equal}, {args.device}, before any was timed")
    print(f"# model: commit {commit}")
    print(f"contender,d,heads,kv_heads,batch,{'n_q,n_kv' if args.unequal else 'n'},causal,ms")
    for d, heads, kv_heads, batch, n_q, n_kv, causal in shapes(args):
        lengths = f"{n_q},{n_kv}" if args.unequal else n_q
        text = subprocess.run([args.tilewalk, "predict", "--n", str(n_q), "--n-kv", str(n_kv), "--d", str(d),
                               "--heads", str(heads), "--kv-heads", str(kv_heads), "--batch", str(batch), "--mask",
                               "causal" if causal else "none", "--device", args.device, "--json"], check=True,
                              capture_output=True, text=True).stdout
        ms = {row["contender"]: row["predicted_ms"] for row in json.loads(text)["rows"]}
        for name in BACKWARD if args.backward else FORWARD:
            if ms[name] is not None:  # eager and naive of few rows are not predicted
                print(f"{name},{d},{heads},{kv_heads},{batch},{lengths},{causal},{ms[name]:.5f}")


if __name__ == "__main__":
    main()

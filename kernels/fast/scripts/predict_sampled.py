#!/usr/bin/env python3
"""Writes what the model of time predicts for sampled shapes, before bench_calls.py or bench_backward.py times them:
predict_sampled.py TILEWALK --sample SEED COUNT [--backward] [--device h100] > FILE

Needs no GPU and no PyTorch: only the samplers of those scripts are read. Q and K of equal length alone, since the model
has no other calls. `# model:` is the commit of the working tree, which must have no changes.
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
    """(d, heads, kv_heads, batch, n, causal) of each."""
    if args.backward:
        sampler = sampler_of("bench_backward.py")
        sampled = sampler(*args.sample, args.kinds) if args.kinds else sampler(*args.sample)
    else:
        sampled = (shape[1:] for shape in sampler_of("bench_shapes.py")(*args.sample, args.kinds or KINDS))
    for d, heads, kv_heads, batch, n_q, n_kv, causal in sampled:
        if n_q == n_kv:
            yield d, heads, kv_heads, batch, n_kv, causal


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilewalk", help="the program")
    parser.add_argument("--sample", nargs=2, type=int, metavar=("SEED", "COUNT"), required=True)
    parser.add_argument("--kinds", nargs="*", help="of the sampled shapes")
    parser.add_argument("--backward", action="store_true")
    parser.add_argument("--device", default="h100")
    args = parser.parse_args()
    seed, count = args.sample
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], check=True, capture_output=True, text=True,
                            cwd=FOLDER).stdout.strip()
    of_kinds = "each kind" if args.backward and not args.kinds else f"each of {', '.join(args.kinds or KINDS)}"
    equal = ", Q and K of equal length" if args.backward else ""
    print(f"# predicted for: {count} shapes of {of_kinds} by seed {seed}{equal}, {args.device}, before any was timed")
    print(f"# model: commit {commit}")
    print("contender,d,heads,kv_heads,batch,n,causal,ms")
    for d, heads, kv_heads, batch, n, causal in shapes(args):
        text = subprocess.run([args.tilewalk, "predict", "--n", str(n), "--d", str(d), "--heads", str(heads),
                               "--kv-heads", str(kv_heads), "--batch", str(batch), "--mask",
                               "causal" if causal else "none", "--device", args.device, "--json"], check=True,
                              capture_output=True, text=True).stdout
        ms = {row["contender"]: row["predicted_ms"] for row in json.loads(text)["rows"]}
        for name in BACKWARD if args.backward else FORWARD:
            print(f"{name},{d},{heads},{kv_heads},{batch},{n},{causal},{ms[name]:.5f}")


if __name__ == "__main__":
    main()

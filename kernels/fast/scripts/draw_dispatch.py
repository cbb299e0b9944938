#!/usr/bin/env python3
"""Samples random calls of scaled_dot_product_attention and records what PyTorch did with each.

draw_dispatch.py --calls 600 --seed 1 --device cuda --out dispatch.csv

Each row is one call: the choice of torch._fused_sdp_choice, the answers and reasons of can_use_flash, _efficient and
_cudnn_attention, and, for some of the calls, the operator that really ran or the error raised. A third of the calls
differ from a typical one in one to three fields, so that every backend occurs; the others are sampled field by field.

An environment variable is read once a process, so calls are divided among processes by environment. A process that
dies or hangs loses only its current row, which says so.
"""

import argparse
import csv
import datetime
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from ask_dispatch import ANSWERS, BACKENDS, probe_first_call  # noqa: E402

FIELDS = ["dtype", "batch", "heads", "kv_heads", "enable_gqa", "n_q", "n_kv", "d", "d_v", "attn_mask", "mask_dims",
          "is_causal", "dropout", "training", "layout", "deterministic", "enabled", "set_priority", "env"]
LENGTHS = [1, 2, 7, 16, 17, 33, 63, 64, 65, 100, 127, 128, 129, 192, 256, 300]
HEAD_SIZES = [8, 16, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 160, 176, 192, 200, 208, 216,
              224, 232, 240, 248, 256, 264, 288, 320]
ENVIRONMENTS = ["", "", "", "", "", "", "TORCH_CUDNN_SDPA_DEPRIORITIZED=1", "TORCH_CUDNN_SDPA_DEPRIORITIZED=0",
                "TORCH_CUDNN_SDPA_DEPRIORITIZED=true", "CUBLAS_WORKSPACE_CONFIG=:4096:8"]
TYPICAL = {"dtype": "bf16", "batch": 2, "heads": 4, "kv_heads": 4, "enable_gqa": "off", "n_q": 128, "n_kv": 128,
           "d": 64, "d_v": 64, "attn_mask": "none", "mask_dims": 4, "is_causal": "off", "dropout": 0.0,
           "training": "off", "layout": "bhnd", "deterministic": "off", "enabled": "", "set_priority": "off", "env": ""}


def draw_head_size(rng):
    kind = rng.random()
    if kind < 0.55:
        return rng.choice(HEAD_SIZES)
    if kind < 0.7:
        return rng.choice([127, 129, 191, 193, 255, 257, 124, 132, 188, 196, 252, 260])
    if kind < 0.85:
        return 4 * rng.randint(1, 80)
    return rng.randint(1, 320)


def draw_heads(rng, call):
    call["heads"] = rng.choice([1, 2, 3, 4, 6, 8, 12])
    call["kv_heads"] = rng.choice([1, 2, 3, 4, 6, 8]) if rng.random() < 0.5 else call["heads"]
    call["enable_gqa"] = rng.choice(["on", "off"])


def draw_lengths(rng, call):
    call["n_q"] = rng.choice(LENGTHS) if rng.random() < 0.97 else 0
    call["n_kv"] = call["n_q"] if rng.random() < 0.5 else rng.choice(LENGTHS) if rng.random() < 0.97 else 0


def draw_head_sizes(rng, call):
    call["d"] = draw_head_size(rng)
    call["d_v"] = call["d"]
    if rng.random() < 0.25:
        call["d_v"] = rng.choice([128, 64, draw_head_size(rng)])
        call["d"] = rng.choice([192, call["d"]])


def draw_mask(rng, call):
    call["attn_mask"] = rng.choice(["bool", "float", "float-grad"])
    call["mask_dims"] = rng.choice([2, 4])


def draw_enabled(rng, call):
    names = list(BACKENDS)
    rng.shuffle(names)
    call["enabled"] = " ".join(names[:rng.randint(1, 4)])
    call["set_priority"] = rng.choice(["on", "off"])


def draw_crowd(rng, call):
    call.update({"batch": rng.choice([65535, 65536, 2]), "heads": rng.choice([65535, 65536, 1]), "n_q": 2, "n_kv": 2,
                 "d": 8, "d_v": 8, "enable_gqa": "off"})
    if call["batch"] > 2:
        call["heads"] = 1
    call["kv_heads"] = call["heads"]


CHANGES = [
    (2, lambda rng, call: call.update(dtype=rng.choice(["fp16", "fp32", "fp64", "bf16"]))),
    (1, lambda rng, call: call.update(batch=rng.choice([1, 2, 3]))),
    (2, draw_heads),
    (2, draw_lengths),
    (3, draw_head_sizes),
    (3, draw_mask),
    (2, lambda rng, call: call.update(is_causal="on")),
    (2, lambda rng, call: call.update(dropout=rng.choice([0.0625, 0.125, 0.1, 0.25, 0.3, 0.5, 0.9]))),
    (2, lambda rng, call: call.update(training="on")),
    (2, lambda rng, call: call.update(layout=rng.choice(["bnhd", "strided"]))),
    (2, lambda rng, call: call.update(deterministic=rng.choice(["warn", "on"]))),
    (2, draw_enabled),
    (2, lambda rng, call: call.update(env=rng.choice(ENVIRONMENTS))),
]


def draw_call(rng):
    """One call: near a typical one, or with every field sampled."""
    call = dict(TYPICAL)
    weights = [weight for weight, _ in CHANGES]
    changes = [change for _, change in CHANGES]
    if rng.random() < 1 / 3:
        for change in rng.choices(changes, weights, k=rng.choice([1, 1, 2, 3])):
            change(rng, call)
        return call
    call["dtype"] = rng.choice(["bf16", "bf16", "fp16", "fp16", "fp32", "fp64"])
    call["batch"] = rng.choice([1, 2, 3])
    draw_lengths(rng, call)
    draw_head_sizes(rng, call)
    for change, share in ((draw_heads, 0.6), (draw_mask, 0.35), (draw_enabled, 0.35), (draw_crowd, 0.03)):
        if rng.random() < share:
            change(rng, call)
    call["is_causal"] = "on" if rng.random() < 0.3 else "off"
    call["dropout"] = rng.choice([0.0625, 0.1, 0.125, 0.25, 0.3, 0.5, 0.9]) if rng.random() < 0.25 else 0.0
    call["training"] = rng.choice(["on", "off"])
    call["layout"] = rng.choice(["bhnd", "bhnd", "bnhd", "bnhd", "strided"])
    call["deterministic"] = rng.choice(["off", "off", "off", "warn", "on"])
    call["env"] = rng.choice(ENVIRONMENTS)
    return call


class Share:
    """Calls of one environment in one process after another, until each has its row."""

    def __init__(self, folder, number, calls, environment, device):
        self.calls, self.device = list(calls), device
        self.files = os.path.join(folder, f"todo{number}.json"), os.path.join(folder, f"done{number}.jsonl")
        self.environment = dict(os.environ)
        for name in ("TORCH_CUDNN_SDPA_DEPRIORITIZED", "CUBLAS_WORKSPACE_CONFIG"):
            self.environment.pop(name, None)
        if environment:
            name, value = environment.split("=", 1)
            self.environment[name] = value
        self.rows, self.process, self.size, self.since, self.barren = {}, None, -1, time.monotonic(), 0

    def start(self):
        with open(self.files[0], "w", encoding="utf-8") as todo:
            json.dump(self.calls, todo)
        open(self.files[1], "w", encoding="utf-8").close()
        self.size, self.since = -1, time.monotonic()
        asker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ask_dispatch.py")
        self.process = subprocess.Popen([sys.executable, asker, *self.files, self.device], env=self.environment,
                                        stderr=subprocess.DEVNULL)

    def step(self):
        """True while there is more to do."""
        if not self.calls:
            return False
        if self.process is None:
            self.start()
            return True
        size = os.path.getsize(self.files[1])
        if size != self.size:
            self.size, self.since = size, time.monotonic()
        hung = time.monotonic() - self.since > 90
        if hung:
            self.process.kill()
        if self.process.poll() is None and not hung:
            return True
        self.process.wait()
        with open(self.files[1], encoding="utf-8") as done:
            new = dict(json.loads(line) for line in done if line.endswith("\n"))
        self.rows.update(new)
        left = [one for one in self.calls if one[0] not in new]
        self.barren = 0 if new else self.barren + 1
        if left and (not new or self.process.returncode not in (0, 7)):
            lost = left if self.barren == 3 else left[:1]
            left = left[len(lost):]
            for index, _, _ in lost:
                self.rows[index] = dict.fromkeys(ANSWERS, "")
                self.rows[index]["choice"] = "hung" if hung else f"died {self.process.returncode}"
        self.calls, self.process = left, None
        return bool(left)


def provenance(device, seed, calls):
    import torch
    yield "what", f"{calls} calls of scaled_dot_product_attention, drawn by kernels/fast/scripts/draw_dispatch.py"
    yield "date", datetime.datetime.now().isoformat(timespec="seconds")
    yield "seed", seed
    yield "torch", torch.__version__
    yield "torch commit", torch.version.git_version
    if device == "cuda":
        driver = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                                capture_output=True, text=True, check=False).stdout.splitlines()
        yield "card, driver", f"{torch.cuda.get_device_name()}, {driver[0] if driver else 'unknown'}"
        yield "sm", ".".join(map(str, torch.cuda.get_device_capability()))
        yield "cuda", torch.version.cuda
        yield "cudnn", torch.backends.cudnn.version()
    else:
        yield "cpu", platform.processor() or platform.machine()
        yield "cpu capability", torch.backends.cpu.get_cpu_capability()
    yield "set_priority (efficient first) in a process's first call", probe_first_call(device)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--out")
    parser.add_argument("--share", type=float, default=0.6, help="share of the calls that are really run")
    parser.add_argument("--jobs", type=int, default=6, help="processes at a time")
    asked = parser.parse_args()
    if not asked.out:
        parser.error("--out FILE.csv is missing")

    rng = random.Random(asked.seed)
    calls = [draw_call(rng) for _ in range(asked.calls)]
    numbered = []
    for index, call in enumerate(calls):
        risky = call["attn_mask"] != "none" and call["is_causal"] == "on" or call["heads"] != call["kv_heads"]
        numbered.append([index, call, risky or rng.random() < asked.share])
    shares = []
    with tempfile.TemporaryDirectory() as folder:
        for environment in sorted({call["env"] for call in calls}):
            mine = [one for one in numbered if one[1]["env"] == environment]
            parts = max(1, round(asked.jobs * len(mine) / len(calls)))
            for part in range(parts):
                shares.append(Share(folder, len(shares), mine[part::parts], environment, asked.device))
        waiting, running = list(shares), []
        while waiting or running:
            while waiting and len(running) < asked.jobs:
                running.append(waiting.pop(0))
            running = [share for share in running if share.step()]
            time.sleep(0.1)
        rows = {index: row for share in shares for index, row in share.rows.items()}

    with open(asked.out, "w", encoding="utf-8", newline="") as out:
        for key, value in provenance(asked.device, asked.seed, asked.calls):
            out.write(f"# {key}: {value}\n")
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["call", "device", *FIELDS, *ANSWERS])
        for index, call in enumerate(calls):
            row = rows.get(index, dict.fromkeys(ANSWERS, ""))
            table.writerow([index, asked.device, *(call[field] for field in FIELDS), *(row[one] for one in ANSWERS)])
    counts = {}
    for row in rows.values():
        counts[row["choice"]] = counts.get(row["choice"], 0) + 1
    print(f"{asked.out}: {len(rows)} of {len(calls)} calls, {counts}")


if __name__ == "__main__":
    main()

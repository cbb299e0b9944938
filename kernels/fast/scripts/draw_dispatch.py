#!/usr/bin/env python3
"""Draw random calls of scaled_dot_product_attention and write down what PyTorch did with each.

draw_dispatch.py --calls 600 --seed 1 --device cuda --out dispatch.csv

Each row is one call: what torch._fused_sdp_choice picks, what can_use_flash, _efficient and _cudnn_attention say and
why not, and, for a share of the calls, which operator really ran or what was raised. A third of the calls differ from
a typical one in one to three fields, so that every backend comes up; the others are drawn field by field.

An environment variable is read once a process, so calls are dealt out to processes by environment. A process that
dies or hangs costs the one row it was at, which says so.
"""

import argparse
import contextlib
import csv
import datetime
import json
import os
import platform
import random
import re
import subprocess
import sys
import tempfile
import time
import warnings

FIELDS = ["dtype", "batch", "heads", "kv_heads", "enable_gqa", "n_q", "n_kv", "d", "d_v", "attn_mask", "mask_dims",
          "is_causal", "dropout", "training", "layout", "deterministic", "enabled", "set_priority", "env"]
ANSWERS = ["choice", "can_flash", "can_efficient", "can_cudnn", "ran", "choice_error", "why_flash", "why_efficient",
           "why_cudnn", "run_error"]
BACKENDS = {"flash": "FLASH_ATTENTION", "efficient": "EFFICIENT_ATTENTION", "math": "MATH", "cudnn": "CUDNN_ATTENTION"}
OPERATORS = {"aten::_scaled_dot_product_flash_attention": "FLASH_ATTENTION",
             "aten::_scaled_dot_product_flash_attention_for_cpu": "FLASH_ATTENTION",
             "aten::_scaled_dot_product_efficient_attention": "EFFICIENT_ATTENTION",
             "aten::_scaled_dot_product_cudnn_attention": "CUDNN_ATTENTION",
             "aten::_scaled_dot_product_attention_math": "MATH"}
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
    """One call: near a typical one, or with every field drawn."""
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


def one_line(text):
    """The first line of a message, without what a plain CSV cannot hold."""
    lines = str(text).strip().splitlines()
    return lines[0].replace(",", ";").replace('"', "'")[:240] if lines else ""


def reason(words):
    """A refusal in PyTorch's words, led by the source line that it comes from."""
    text = " ".join(words.split())
    place = re.search(r"([\w.]+\.(?:cpp|cu|h)):(\d+)", text)
    text = re.sub(r"^\[W.*?\] Warning: |\s*\((Triggered internally at|function ).*$", "", text)
    return one_line(f"{place[1]}:{place[2]} {text}" if place else text)


class Asker:
    """Makes a call's tensors and asks PyTorch about them. Lives in a process of its own."""

    def __init__(self, device):
        import torch
        self.torch = torch
        self.device = device
        self.dtypes = {"fp64": torch.float64, "fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
        self.stderr_copy = tempfile.TemporaryFile()
        torch.manual_seed(1)

    def tensor(self, call, heads, length, size):
        make = {"dtype": self.dtypes[call["dtype"]], "device": self.device}
        if call["layout"] == "bnhd":
            made = self.torch.randn(call["batch"], length, heads, size, **make).transpose(1, 2)
        elif call["layout"] == "strided":
            made = self.torch.randn(call["batch"], heads, length, 2 * size, **make)[..., ::2]
        else:
            made = self.torch.randn(call["batch"], heads, length, size, **make)
        return made.detach().requires_grad_(call["training"] == "on")

    def mask(self, call):
        if call["attn_mask"] == "none":
            return None
        shape = (call["n_q"], call["n_kv"])
        if call["mask_dims"] == 4:
            shape = (call["batch"], call["heads"]) + shape
        if call["attn_mask"] == "bool":
            return self.torch.ones(shape, dtype=self.torch.bool, device=self.device)
        made = self.torch.zeros(shape, dtype=self.dtypes[call["dtype"]], device=self.device)
        return made.requires_grad_(call["attn_mask"] == "float-grad")

    def may(self, name, params):
        """A backend's own verdict on its own, and the reason it gives if it refuses."""
        ask = getattr(self.torch.backends.cuda, f"can_use_{name}_attention")
        try:
            if ask(params, False):
                return "yes", ""
        except RuntimeError as raised:
            return "raised", one_line(raised)
        self.stderr_copy.seek(0)
        self.stderr_copy.truncate()
        kept = os.dup(2)
        os.dup2(self.stderr_copy.fileno(), 2)
        try:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                ask(params, True)
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        self.stderr_copy.seek(0)
        words = [str(one.message) for one in said] + self.stderr_copy.read().decode(errors="replace").splitlines()
        return "no", reason(words[0] if words else "")

    def run(self, inputs, keywords):
        """Which operator really ran, and what was raised."""
        profiler = self.torch.profiler
        error = ""
        with profiler.profile(activities=[profiler.ProfilerActivity.CPU]) as profile:
            try:
                self.torch.nn.functional.scaled_dot_product_attention(*inputs, **keywords)
                if self.device == "cuda":
                    self.torch.cuda.synchronize()
            except Exception as raised:  # noqa: BLE001, whatever it is belongs in the table
                error = one_line(raised) or type(raised).__name__
        names = {event.name for event in profile.events() or []}
        ran = [OPERATORS[name] for name in OPERATORS if name in names]
        return ("none" if error else " ".join(ran) or "other"), error

    def answer(self, call, really):
        row = dict.fromkeys(ANSWERS, "")
        inputs = (self.tensor(call, call["heads"], call["n_q"], call["d"]),
                  self.tensor(call, call["kv_heads"], call["n_kv"], call["d"]),
                  self.tensor(call, call["kv_heads"], call["n_kv"], call["d_v"]))
        mask, gqa, causal = self.mask(call), call["enable_gqa"] == "on", call["is_causal"] == "on"
        keywords = {"attn_mask": mask, "dropout_p": call["dropout"], "is_causal": causal, "enable_gqa": gqa}
        attention = self.torch.nn.attention
        enabled = contextlib.nullcontext()
        if call["enabled"]:
            listed = [getattr(attention.SDPBackend, BACKENDS[name]) for name in call["enabled"].split()]
            enabled = attention.sdpa_kernel(listed, set_priority=call["set_priority"] == "on")
        self.torch.use_deterministic_algorithms(call["deterministic"] != "off",
                                                warn_only=call["deterministic"] == "warn")
        try:
            with enabled:
                params = self.torch.backends.cuda.SDPAParams(*inputs, mask, call["dropout"], causal, gqa)
                for name in ("flash", "efficient", "cudnn"):
                    row[f"can_{name}"], row[f"why_{name}"] = self.may(name, params)
                try:
                    chosen = self.torch._fused_sdp_choice(*inputs, **keywords)
                    row["choice"] = attention.SDPBackend(chosen).name
                except Exception as raised:  # noqa: BLE001
                    row["choice"], row["choice_error"] = "none", one_line(raised) or type(raised).__name__
                if really:
                    row["ran"], row["run_error"] = self.run(inputs, keywords)
        finally:
            self.torch.use_deterministic_algorithms(False)
        return row


def probe_first_call(device):
    """Whether set_priority holds when it is a process's very first word on attention."""
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel
    q = torch.zeros(1, 1, 128, 64, dtype=torch.bfloat16, device=device)
    with sdpa_kernel([SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH, SDPBackend.FLASH_ATTENTION,
                      SDPBackend.CUDNN_ATTENTION], set_priority=True):
        first = SDPBackend(torch._fused_sdp_choice(q, q, q)).name
    return f"{first} inside; after it {SDPBackend(torch._fused_sdp_choice(q, q, q)).name}"


def work(todo_file, done_file, device):
    """A process's share: calls from one file, a line of JSON for each in the other."""
    asker = Asker(device)
    warnings.simplefilter("ignore")
    plain = asker.tensor(TYPICAL, 1, 64, 64)
    asker.torch._fused_sdp_choice(plain, plain, plain)
    with open(todo_file, encoding="utf-8") as todo, open(done_file, "a", encoding="utf-8") as done:
        for index, call, really in json.load(todo):
            try:
                row = asker.answer(call, really)
            except Exception as raised:  # noqa: BLE001
                row = dict.fromkeys(ANSWERS, "")
                row["choice"], row["choice_error"] = "failed", one_line(raised)
            done.write(json.dumps([index, row]) + "\n")
            done.flush()
            if "CUDA error" in row["run_error"] + row["choice_error"]:
                os._exit(7)  # the context may be spoilt; the next process goes on


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
        self.process = subprocess.Popen([sys.executable, os.path.abspath(__file__), "--device", self.device, "--work",
                                         *self.files], env=self.environment, stderr=subprocess.DEVNULL)

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
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.work:
        work(*asked.work, asked.device)
        return
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

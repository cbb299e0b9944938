#!/usr/bin/env python3
"""Runs attention by every way PyTorch has and writes down which kernels ran: their full names, and what produced each.

    python3 collect_kernel_names.py OUT

OUT receives
  kernel_names.csv     a line for each kernel name and pass; each column holds the values of all calls that produced it
  compiled_names.txt.gz   names of attention kernels that lie in PyTorch's and cuDNN's libraries, run here or not
  training_step.json.gz   the Chrome trace of a small training step with attention in four backends
  training_step_ncu.csv   the same step's kernels, as Nsight Compute lists them (where ncu is installed)
What this machine cannot run is left out, and said on stderr. Between two calls a kernel that only waits is launched:
it parts them in the trace.
"""
import argparse
import csv
import datetime
import gzip
import itertools
import json
import math
import mmap
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.profiler import ProfilerActivity, profile

SIZES = [32, 40, 64, 80, 96, 128, 160, 192, 256]
DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32}
BACKENDS = {"flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION,
            "cudnn": SDPBackend.CUDNN_ATTENTION, "math": SDPBackend.MATH}
COLUMNS = ["way", "dtype", "d", "d_v", "batch", "heads", "kv_heads", "n_q", "n_kv", "causal", "mask", "dropout"]
PARTING = "spin_kernel"


def say(text):
    print(text, file=sys.stderr, flush=True)


class Case:
    """One call: its inputs, its forward pass and, if it trains, its backward pass."""

    def __init__(self, way, dtype="bf16", d=64, d_v=None, batch=2, heads=16, kv_heads=None, n_q=512, n_kv=None,
                 causal=False, mask="none", dropout=0.0, trains=True, call=None):
        self.values = dict(way=way, dtype=dtype, d=d, d_v=d_v or d, batch=batch, heads=heads,
                           kv_heads=kv_heads or heads, n_q=n_q, n_kv=n_kv or n_q, causal=int(causal), mask=mask,
                           dropout=dropout)
        self.trains, self.call = trains, call or sdpa

    def __getattr__(self, name):
        try:
            return self.__dict__["values"][name]
        except KeyError:
            raise AttributeError(name)

    def prepare(self):
        def random(heads, rows, d):
            return torch.randn(self.batch, heads, rows, d, device="cuda", dtype=DTYPES[self.dtype],
                               requires_grad=self.trains)
        self.inputs = [random(self.heads, self.n_q, self.d), random(self.kv_heads, self.n_kv, self.d),
                       random(self.kv_heads, self.n_kv, self.d_v)]
        self.bias = None
        if self.mask == "bool":
            self.bias = torch.rand(self.n_q, self.n_kv, device="cuda") < 0.9
        elif self.mask.startswith("float"):
            self.bias = torch.randn(self.batch, self.heads, self.n_q, self.n_kv, device="cuda",
                                    dtype=DTYPES[self.dtype], requires_grad=self.mask == "float-grad")

    def forward(self):
        self.out = self.call(self)

    def backward(self):
        wanted = self.inputs + ([self.bias] if self.mask == "float-grad" else [])
        torch.autograd.grad(self.out, wanted, torch.ones_like(self.out))

    def passes(self):
        yield "forward", self.forward
        if self.trains:
            yield "backward", self.backward

    def __str__(self):
        return " ".join(f"{key} {value}" for key, value in self.values.items())


def sdpa(case):
    with sdpa_kernel([BACKENDS[case.way]]):
        return F.scaled_dot_product_attention(*case.inputs, attn_mask=case.bias, dropout_p=case.dropout,
                                              is_causal=bool(case.causal), enable_gqa=case.heads != case.kv_heads)


def eager(case):
    q, k, v = case.inputs
    s = (q @ k.transpose(-1, -2)) / math.sqrt(case.d)
    if case.causal:
        s = s.masked_fill(torch.ones(case.n_q, case.n_kv, dtype=torch.bool, device="cuda").triu(1), -math.inf)
    return torch.softmax(s, -1) @ v


def flash_rows(case):
    """The inputs as flash's own operator takes them: [batch, n, heads, d]."""
    return [x.transpose(1, 2).contiguous() for x in case.inputs]


def flash_window(case):
    q, k, v = flash_rows(case)
    return torch.ops.aten._flash_attention_forward(q, k, v, None, None, case.n_q, case.n_kv, 0.0, False, False,
                                                   window_size_left=128, window_size_right=0)[0]


def flash_alibi(case):
    q, k, v = flash_rows(case)
    slopes = torch.rand(case.heads, device="cuda")
    return torch.ops.aten._flash_attention_forward(q, k, v, None, None, case.n_q, case.n_kv, 0.0, bool(case.causal),
                                                   False, alibi_slopes=slopes)[0]


def starts(batch, rows):
    return torch.arange(0, (batch + 1) * rows, rows, device="cuda", dtype=torch.int32)


def flash_varlen(case):
    q, k, v = (x.flatten(0, 1) for x in flash_rows(case))
    return torch.ops.aten._flash_attention_forward(q, k, v, starts(case.batch, case.n_q), starts(case.batch, case.n_kv),
                                                   case.n_q, case.n_kv, 0.0, bool(case.causal), False)[0]


def flash_paged(case, page=256):
    q, k, v = flash_rows(case)
    pages = case.n_kv // page
    k, v = (x.reshape(case.batch * pages, page, case.kv_heads, case.d) for x in (k, v))
    table = torch.randperm(case.batch * pages, device="cuda").to(torch.int32).view(case.batch, pages)
    used = torch.full([case.batch], case.n_kv, device="cuda", dtype=torch.int32)
    return torch.ops.aten._flash_attention_forward(
        q.flatten(0, 1), k, v, starts(case.batch, case.n_q), starts(case.batch, case.n_kv), case.n_q, case.n_kv, 0.0,
        bool(case.causal), False, seqused_k=used, block_table=table)[0]


def flash_cases():
    for d, causal, dtype in itertools.product(SIZES, (False, True), ("fp16", "bf16")):
        yield Case("flash", dtype, d, causal=causal)
    for d, n in itertools.product((64, 128, 256), (500, 100)):
        yield Case("flash", d=d, n_q=n)
    for d, causal in itertools.product((32, 64, 96, 128, 192, 256), (False, True)):
        yield Case("flash", d=d, causal=causal, dropout=0.1)
    yield Case("flash", d=128, heads=16, kv_heads=4)
    for d, n_q, dtype in itertools.product((64, 96, 128, 256), (1, 16, 128), ("fp16", "bf16")):
        yield Case("flash", dtype, d, batch=1, heads=4, n_q=n_q, n_kv=8192, trains=False)
    for d, batch in itertools.product((64, 128), (1, 2)):
        yield Case("flash", d=d, batch=batch, heads=2, n_q=2048, causal=True)
    yield Case("flash", "fp16", 128, batch=1, heads=32, kv_heads=4, n_q=1, n_kv=16384, trains=False)
    for d in (64, 128):
        yield Case("flash window", d=d, trains=False, call=flash_window)
        yield Case("flash alibi", d=d, causal=True, trains=False, call=flash_alibi)
        yield Case("flash varlen", d=d, causal=True, trains=False, call=flash_varlen)
        yield Case("flash varlen", d=d, batch=4, heads=4, n_q=1, n_kv=4096, trains=False, call=flash_varlen)


def paged_cases():
    """Last of all: PyTorch 2.11 may not have it."""
    for d, n_q in itertools.product((64, 128), (1, 512)):
        yield Case("flash paged", d=d, batch=4, heads=4, n_q=n_q, n_kv=4096, trains=False, call=flash_paged)


def efficient_cases():
    for d, dtype in itertools.product(SIZES + [512], DTYPES):
        yield Case("efficient", dtype, d, heads=4)
    for d, dtype in itertools.product((64, 128), DTYPES):
        yield Case("efficient", dtype, d, heads=4, causal=True)
    for mask, dtype in itertools.product(("bool", "float", "float-grad"), DTYPES):
        yield Case("efficient", dtype, 64, heads=4, mask=mask)
    for d, dtype in itertools.product((64, 128), DTYPES):
        yield Case("efficient", dtype, d, heads=4, dropout=0.1)
    for n in (1, 500):
        yield Case("efficient", "fp16", 64, heads=4, n_q=n, n_kv=4096)
    yield Case("efficient", "fp16", 64, d_v=128, heads=4)
    yield Case("efficient", "fp16", 128, d_v=64, heads=4)
    yield Case("efficient", "bf16", 64, heads=16, kv_heads=4)


def cudnn_cases():
    for d, causal, dtype in itertools.product(SIZES, (False, True), ("fp16", "bf16")):
        yield Case("cudnn", dtype, d, heads=8, causal=causal)
    for d, mask in itertools.product((64, 128), ("bool", "float")):
        yield Case("cudnn", d=d, heads=8, mask=mask)
    for d in (64, 128):
        yield Case("cudnn", d=d, heads=8, dropout=0.125)
        yield Case("cudnn", d=d, heads=8, n_q=1000)
        yield Case("cudnn", d=d, heads=16, kv_heads=4)
        yield Case("cudnn", d=d, heads=8, n_q=4096, causal=True)
        for n_q in (1, 16):
            yield Case("cudnn", d=d, batch=1, heads=8, n_q=n_q, n_kv=8192, trains=False)
    yield Case("cudnn", d=128, d_v=64, heads=8)
    yield Case("cudnn", d=192, d_v=128, heads=8)


def plain_cases():
    for dtype, causal in itertools.product(DTYPES, (False, True)):
        yield Case("math", dtype, 64, heads=4, causal=causal)
        yield Case("eager", dtype, 64, heads=4, causal=causal, call=eager)
    yield Case("math", "bf16", 128, heads=8, kv_heads=2)
    yield Case("math", "bf16", 64, heads=4, mask="bool")
    yield Case("math", "bf16", 64, heads=4, mask="float")
    yield Case("math", "bf16", 64, heads=4, dropout=0.1)
    yield Case("math", "bf16", 128, batch=1, heads=4, n_q=1, n_kv=4096, trains=False)


def flex_cases():
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    def flex(case):
        block_mask, score_mod = None, None
        if case.causal:
            block_mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, case.n_q, case.n_kv, device="cuda")
        if case.mask == "alibi":
            def score_mod(score, b, h, i, j):
                return score + (j - i) * 0.01
        return torch.compile(flex_attention, dynamic=False)(*case.inputs, score_mod=score_mod, block_mask=block_mask,
                                                            enable_gqa=case.heads != case.kv_heads)

    yield Case("flex", "bf16", 64, call=flex)
    yield Case("flex", "fp16", 128, causal=True, call=flex)
    yield Case("flex", "bf16", 64, batch=1, heads=8, n_q=1, n_kv=4096, trains=False, call=flex)
    yield Case("flex", "fp16", 128, heads=16, kv_heads=4, trains=False, call=flex)
    yield Case("flex", "fp32", 32, heads=4, mask="alibi", trains=False, call=flex)


def kernels_of(trace):
    """The names of a trace's kernels in the order in which they ran."""
    ran = [event for event in trace["traceEvents"] if event.get("cat") == "kernel"]
    return [event["name"] for event in sorted(ran, key=lambda event: event["ts"])]


def traced(sections):
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        for _, _, run in sections:
            torch.cuda._sleep(1000)
            run()
            torch.cuda.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        profiler.export_chrome_trace(path)
        with open(path) as file:
            return kernels_of(json.load(file))


def parted(names):
    parts = []
    for name in names:
        if PARTING in name:
            parts.append([])
        elif parts:
            parts[-1].append(name)
    return parts


def collect(cases, found, ends, together=24):
    """Runs the cases and adds what they launched to found: {(name, pass): {column: set of values}}."""
    ready = []
    for case in cases:
        if time.monotonic() > ends:
            say(f"no time left: {case}")
            continue
        try:
            case.prepare()
            for _, run in case.passes():
                run()
            torch.cuda.synchronize()
            ready.append(case)
        except Exception as error:
            case.inputs = case.out = case.bias = None
            say(f"left out: {case}: {str(error).strip().splitlines()[0][:160] if str(error).strip() else error!r}")
        if len(ready) >= together:
            keep(ready, found)
            ready = []
    keep(ready, found)


def keep(cases, found):
    if not cases:
        return
    sections = [(case, label, run) for case in cases for label, run in case.passes()]
    parts = parted(traced(sections))
    if len(parts) != len(sections):
        if len(cases) == 1:
            say(f"{len(parts)} parts for {len(sections)} passes: {cases[0]}")
        else:
            for case in cases:
                keep([case], found)
        return
    for (case, label, _), names in zip(sections, parts):
        for name in names:
            seen = found.setdefault((name, label), {column: set() for column in COLUMNS})
            for column in COLUMNS:
                seen[column].add(case.values[column])
    for case in cases:
        case.inputs = case.out = case.bias = None


class Step(torch.nn.Module):
    """A small network whose four layers attend by four backends."""

    def __init__(self):
        super().__init__()
        self.into = torch.nn.ModuleDict({name: torch.nn.Linear(512, 1536) for name in BACKENDS})
        self.back = torch.nn.ModuleDict({name: torch.nn.Linear(512, 512) for name in BACKENDS})

    def forward(self, x):
        for name, backend in BACKENDS.items():
            q, k, v = self.into[name](x).view(*x.shape[:2], 3, 8, 64).permute(2, 0, 3, 1, 4).unbind(0)
            with sdpa_kernel([backend]):
                o = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.back[name](o.transpose(1, 2).reshape(x.shape))
        return x


def training_step():
    """A function that does one step; it has been warmed up."""
    torch.manual_seed(7)
    model = Step().to("cuda", torch.bfloat16)
    optimiser = torch.optim.SGD(model.parameters(), lr=1e-3)
    x = torch.randn(2, 512, 512, device="cuda", dtype=torch.bfloat16)

    def step():
        optimiser.zero_grad()
        model(x).float().square().mean().backward()
        optimiser.step()
        torch.cuda.synchronize()
    step()
    step()
    return step


def write_trace(folder):
    step = training_step()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], with_stack=False) as profiler:
        step()
    before = os.getcwd()
    os.chdir(folder)
    try:
        profiler.export_chrome_trace("training_step.json")  # the trace keeps this name
        with open("training_step.json", "rb") as plain, gzip.GzipFile("training_step.json.gz", "wb", mtime=0) as packed:
            shutil.copyfileobj(plain, packed)
        os.remove("training_step.json")
    finally:
        os.chdir(before)
    say(f"trace: {os.path.getsize(folder / 'training_step.json.gz')} bytes")


def write_ncu(folder, seconds):
    ncu = shutil.which("ncu")
    if not ncu:
        return say("ncu is not installed")
    subprocess.run([ncu, "--csv", "--metrics", "gpu__time_duration.sum", "--clock-control", "none",
                    "--profile-from-start", "off", "--log-file", str(folder / "training_step_ncu.csv"), sys.executable,
                    __file__, str(folder), "--only-step"], timeout=seconds, check=False, stdout=subprocess.DEVNULL)


def only_step():
    step = training_step()
    torch.cuda.profiler.start()
    step()
    torch.cuda.profiler.stop()


# Where a kernel's name begins in a library, and what a name is made of.
BEGINNINGS = [b"_ZN13pytorch_flash", b"fmha_cutlass", b"cudnn_generated_"]
NAME = re.compile(rb"[0-9A-Za-z_]{12,3000}")


def names_in(held, beginning):
    at = held.find(beginning)
    while at >= 0:
        mangled = held[at - 4:at - 2] == b"_Z"  # the length of the name has two digits
        name = NAME.match(held, at - 4 if mangled else at)
        if name and (mangled or held[at - 1:at] == b"\0"):
            yield name.group().decode()
        at = held.find(beginning, at + 1)


def write_compiled(folder, ends):
    libraries = [pathlib.Path(torch.__file__).parent / "lib" / "libtorch_cuda.so"]
    try:
        import nvidia.cudnn
        libraries += sorted(pathlib.Path(nvidia.cudnn.__path__[0]).glob("lib/libcudnn*.so*"))
    except ImportError:
        say("cuDNN's libraries lie elsewhere")
    names = set()
    for library in libraries:
        if time.monotonic() > ends or not library.is_file() or library.stat().st_size == 0:
            continue
        with open(library, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
            for beginning in BEGINNINGS:
                names.update(names_in(held, beginning))
        say(f"{library.name}: {len(names)} names so far")
    with gzip.GzipFile(folder / "compiled_names.txt.gz", "wb", mtime=0) as file:
        file.write("\n".join(sorted(names)).encode() + b"\n")


def write_names(folder, found, started):
    smi = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         capture_output=True, text=True).stdout.strip()
    try:
        import triton
        triton_version = triton.__version__
    except ImportError:
        triton_version = "none"
    facts = {"card, driver": smi, "torch": torch.__version__, "cuda": torch.version.cuda,
             "cudnn": torch.backends.cudnn.version(), "triton": triton_version,
             "date": datetime.datetime.now().isoformat(timespec="seconds"),
             "by": "kernels/fast/scripts/collect_kernel_names.py, torch.profiler's Chrome trace",
             "columns": "values of all calls that launched this kernel in this pass, a space between them"}
    with open(folder / "kernel_names.csv", "w", newline="") as file:
        for key, value in facts.items():
            file.write(f"# {key}: {value}\n")
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["name", "pass"] + COLUMNS)
        for (name, label), seen in sorted(found.items()):
            rows.writerow([name, label] + [" ".join(str(value).replace(" ", "-") for value in
                                                   sorted(seen[column], key=lambda value: (str(type(value)), value)))
                                           for column in COLUMNS])
    say(f"{len(found)} names by {time.monotonic() - started:.0f} s")


def guarded(what, *arguments):
    try:
        what(*arguments)
    except Exception as error:
        say(f"{what.__name__}: {error!r}"[:400])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=150, help="after these nothing new is begun")
    parser.add_argument("--only-step", action="store_true", help="the training step alone, for a profiler to watch")
    args = parser.parse_args()
    if args.only_step:
        return only_step()
    args.folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    ends = started + args.seconds - 10
    found = {}
    say(str(torch.ops.aten._flash_attention_forward.default._schema))
    for cases in (flash_cases, efficient_cases, cudnn_cases, plain_cases):
        guarded(collect, cases(), found, ends)
        guarded(write_names, args.folder, found, started)
    guarded(write_trace, args.folder)
    guarded(write_compiled, args.folder, ends)
    guarded(lambda: collect(flex_cases(), found, ends - 30, together=1))
    guarded(write_names, args.folder, found, started)
    guarded(collect, paged_cases(), found, ends)
    guarded(write_names, args.folder, found, started)
    guarded(write_ncu, args.folder, max(15.0, ends + 5 - time.monotonic()))


if __name__ == "__main__":
    main()

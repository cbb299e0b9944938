#!/usr/bin/env python3
"""Times the fast kernels beside PyTorch's attention backends: same process, same inputs, in turn.

    cd kernels/fast/scripts && ./build.sh OUT && python3 bench_torch.py OUT/libtilewalk_fast.so --csv race.csv

16k tokens in all, hidden size 2048 (d = 64 x 32 heads, d = 128 x 16; --d for others), random data, two input sets in
rotation (each larger than the L2 cache where heads are many). eager is attention as people write it in PyTorch, line by
line; each line is a trip to memory. Every round gives each contender one untimed and some timed runs; CUDA events;
medians over all rounds.
FLOPs: 4 N^2 d heads batch, halved for causal.
Memory: "# row ...: extra_bytes B" in the CSV is the memory of a contender's first call beyond Q, K, V, O and L: the
allocator's peak, with the card's own count beside it. A contender that does not fit is a row too: "out-of-memory",
with the size that it needed.
"""
import argparse
import csv
import ctypes
import datetime
import math
import random
import statistics
import subprocess

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel


SLACK = 64 << 20  # modules that a first call loads, and the allocator's rounding
QUEUED = "behind a waiting kernel, so each time is the card's"
CYCLES_PER_US = 2000  # of the waiting kernel, at the card's top clock
LONG_MS = 1.0  # the processor launches any call in less


class Problem(ctypes.Structure):
    _fields_ = ([(name, ctypes.c_void_p) for name in ("q", "k", "v", "o", "lse", "workspace")]
                + [(name, ctypes.c_longlong) for name in ("batch", "heads", "kv_heads", "n_q", "n_kv", "d")]
                + [("dtype", ctypes.c_int), ("mask", ctypes.c_int), ("scale", ctypes.c_float)])


RUNGS = {1: "naive", 4: "flash_v1", 2: "flash_v2", 3: "flash_v3"}  # enum TilewalkFastRung, in the order of the ladder


def load(path):
    lib = ctypes.CDLL(path)
    lib.tilewalk_fast_forward.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.POINTER(Problem), ctypes.c_void_p]
    lib.tilewalk_fast_forward.restype = ctypes.c_char_p
    lib.tilewalk_fast_variant_name.restype = ctypes.c_char_p
    lib.tilewalk_fast_workspace_bytes.restype = ctypes.c_size_t
    return lib


def workspace_bytes(lib, rung, q):
    batch, heads, n, d = q.shape
    sizes = Problem(batch=batch, heads=heads, kv_heads=heads, n_q=n, n_kv=n, d=d)
    return lib.tilewalk_fast_workspace_bytes(rung, ctypes.byref(sizes))


def ours(lib, rung, variant, sets, causal):
    """A function of the set's number; the structures are filled once."""
    stream = torch.cuda.current_stream().cuda_stream
    filled, workspace = [], None
    for q, k, v, o, lse in sets:
        batch, heads, n, d = q.shape
        if workspace is None:
            workspace = torch.empty(workspace_bytes(lib, rung, q), dtype=torch.uint8, device="cuda")
            workspace[:256] = 0  # the work counter
        filled.append(Problem(q.data_ptr(), k.data_ptr(), v.data_ptr(), o.data_ptr(), lse.data_ptr(),
                              workspace.data_ptr(), batch, heads, heads, n, n, d, int(q.dtype == torch.bfloat16),
                              int(causal), d ** -0.5))

    def call(i, keep=workspace):
        text = lib.tilewalk_fast_forward(rung, variant, ctypes.byref(filled[i]), stream)
        if text:
            raise RuntimeError(text.decode())
        return sets[i][3]
    return call


def torch_backend(backend, sets, causal):
    def call(i):
        q, k, v, _, _ = sets[i]
        with sdpa_kernel([backend]):
            return F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return call


def eager(sets, causal):
    n = sets[0][0].shape[2]
    mask = torch.ones(n, n, dtype=torch.bool, device="cuda").triu(1) if causal else None

    def call(i):
        q, k, v, _, _ = sets[i]
        s = (q @ k.transpose(-1, -2)) / math.sqrt(q.shape[-1])
        if causal:
            s = s.masked_fill(mask, float("-inf"))
        p = torch.softmax(s, -1)
        return p @ v
    return call


def sampled_shapes(seed, count):
    """Shapes at random: half of them with few heads, half of odd length, scores of 6 GB at most."""
    draw = random.Random(seed)
    while count > 0:
        d, causal = draw.choice([64, 80, 96, 128]), draw.random() < 0.5
        n = round(2 ** draw.uniform(10, 14.5))
        n = n | 1 if draw.random() < 0.5 else n
        few = draw.random() < 0.5
        heads = draw.randint(1, 6) if few else draw.choice([8, 12, 16, 20, 25, 32, 40])
        batch = 1 if few else draw.choice([1, 1, 2, 3])
        if 2 * n * n * heads * batch > 6e9:
            continue
        count -= 1
        yield d, heads, batch, n, causal


def points(args):
    """(d, heads, batch, n, causal) of each cell."""
    if args.draw:
        yield from sampled_shapes(*args.draw)
        return
    if args.point:
        for text in args.point:
            d, heads, batch, n, causal = map(int, text.split(","))
            yield d, heads, batch, n, bool(causal)
        return
    for d in args.d:
        for causal in (False, True):
            for n in args.n:
                yield d, 2048 // d, max(1, args.tokens // n), n, causal


class DoesNotFit(Exception):
    pass


def first_call(make, outputs):
    """(runner, extra bytes): its memory beyond its outputs. Raises DoesNotFit, which has the size that it needed."""
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    allocated, free = torch.cuda.memory_allocated(), torch.cuda.mem_get_info()[0]
    try:
        call = make()
        call(0)
        torch.cuda.synchronize()
    except torch.OutOfMemoryError:
        torch.cuda.empty_cache()
        raise DoesNotFit
    peak, held = torch.cuda.max_memory_allocated() - allocated, free - torch.cuda.mem_get_info()[0]
    if held > peak + SLACK:
        print(f"MEMORY: the allocator counts {peak} bytes, the card {held}")
    return call, max(0, peak - outputs)


def timed(call, count, sets):
    call(0)
    events = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(count)]
    for i, (begin, end) in enumerate(events):
        begin.record()
        call((i + 1) % sets)
        end.record()
    torch.cuda.synchronize()
    return [begin.elapsed_time(end) for begin, end in events]


def queued(call, count, sets, wait_us=1000):
    """Milliseconds of `count` calls; None where the processor was too slow for the waiting kernel."""
    torch.cuda.synchronize()
    events = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(count)]
    released = torch.cuda.Event()
    torch.cuda._sleep(int(wait_us * CYCLES_PER_US))
    released.record()
    call(0)
    for i, (begin, end) in enumerate(events):
        begin.record()
        call((i + 1) % sets)
        end.record()
    late = released.query()
    torch.cuda.synchronize()
    times = [begin.elapsed_time(end) for begin, end in events]
    return None if late and min(times) < LONG_MS else times


def queued_samples(call, count, sets, wait_us):
    """As queued(), once more with a longer wait; no samples where the processor is too slow for that too."""
    return queued(call, count, sets, wait_us) or queued(call, count, sets, 4 * wait_us) or []


def ceilings():
    a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    big = torch.empty(1 << 32, dtype=torch.uint8, device="cuda").random_()
    copy = torch.empty_like(big)
    product = statistics.median(timed(lambda i: a @ b, 20, 1))
    moved = statistics.median(timed(lambda i: copy.copy_(big), 5, 1))
    return 2 * 8192 ** 3 / product / 1e9, 2 * big.numel() / moved / 1e6


def facts_of_run():
    smi = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version,clocks.max.sm", "--format=csv,noheader"],
                         capture_output=True, text=True).stdout.strip()
    product, copy = ceilings()
    return {"card, driver, top clock": smi, "torch": torch.__version__, "cuda": torch.version.cuda,
            "cudnn": torch.backends.cudnn.version(), "date": datetime.datetime.now().isoformat(timespec="seconds"),
            "bf16 product 8192^3, TFLOP/s": f"{product:.0f}", "copy, GB/s": f"{copy:.0f}",
            "multiprocessors": torch.cuda.get_device_properties(0).multi_processor_count}


def backends():
    return {SDPBackend.FLASH_ATTENTION: "torch_flash", SDPBackend.CUDNN_ATTENTION: "torch_cudnn",
            SDPBackend.EFFICIENT_ATTENTION: "torch_efficient"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--csv")
    parser.add_argument("--n", type=int, nargs="*", default=[1024, 2048, 4096, 8192, 16384, 65536])
    parser.add_argument("--d", type=int, nargs="*", default=[64, 128],
                        help="head sizes; heads are as many as 2048 columns hold")
    parser.add_argument("--point", nargs="*", help="D,HEADS,BATCH,N,CAUSAL instead of the grid of --d and --n")
    parser.add_argument("--draw", nargs=2, type=int, metavar=("SEED", "COUNT"), help="so many shapes at random instead")
    parser.add_argument("--tokens", type=int, default=16384,
                        help="in all; longer rows run alone, one round, without variants and flash_v1")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--all-variants", action="store_true")
    parser.add_argument("--no-eager", action="store_true")
    parser.add_argument("--rungs", type=int, nargs="*", default=list(RUNGS))
    args = parser.parse_args()
    lib = load(args.library)
    facts = facts_of_run()
    if args.draw:
        facts["drawn"] = f"{args.draw[1]} shapes by seed {args.draw[0]}"
    for key, value in facts.items():
        print(f"# {key}: {value}")
    rows = []
    for d, heads, batch, n, causal in points(args):
        long = n > args.tokens
        sets = []
        for _ in range(2):
            q, k, v = (torch.randn(batch, heads, n, d, device="cuda", dtype=torch.bfloat16) for _ in range(3))
            sets.append((q, k, v, torch.full_like(q, float("nan")),
                         torch.empty(batch, heads, n, device="cuda")))
        makers = {name: (None, lambda backend=backend: torch_backend(backend, sets, causal))
                  for backend, name in backends().items()}
        if not args.no_eager:
            makers["eager"] = (None, lambda: eager(sets, causal))
        for rung in args.rungs:
            for variant in range(99):
                name = lib.tilewalk_fast_variant_name(rung, variant, d)
                left_out = long or not args.all_variants
                if name is None or (variant > 0 and left_out) or (long and RUNGS[rung] == "flash_v1"):
                    break
                makers[f"{RUNGS[rung]} {name.decode()}"] = (
                    rung, lambda rung=rung, variant=variant: ours(lib, rung, variant, sets, causal))
        runners, o_bytes, l_bytes = {}, sets[0][3].numel() * 2, sets[0][4].numel() * 4
        for name, (rung, make) in makers.items():
            quoted = f'"{name}"' if "," in name else name
            row = f"row forward,{quoted},bf16,{d},{heads},{batch},{n},{int(causal)}"
            try:
                runners[name], extra = first_call(make, 0 if rung else o_bytes + l_bytes)
                facts[row] = f"extra_bytes {extra}"
            except RuntimeError as why:
                if rung:
                    raise
                print(f"{row}: left out, {str(why).splitlines()[0]}")
            except DoesNotFit:
                wanted = (f"its workspace takes {workspace_bytes(lib, rung, sets[0][0])} bytes" if rung
                          else "PyTorch ran out of memory")
                facts[row] = f"out-of-memory {wanted}, the card has {torch.cuda.mem_get_info()[1]}"
                print(f"{row}: {facts[row]}")
        want = runners["torch_flash"](0).float()
        samples = {name: [] for name in runners}
        for name, call in runners.items():
            error = (call(0).float() - want).abs().max().item()
            if not error < 0.05:
                print(f"WRONG {name} d={d} n={n} causal={causal}: differs from torch_flash by {error}")
        del want
        for _ in range(1 if long else args.rounds):
            for name, call in runners.items():
                samples[name] += timed(call, args.samples, 2)
        flops = 4 * n * n * d * heads * batch / (2 if causal else 1)
        line = []
        for name, values in samples.items():
            median = statistics.median(values)
            line.append(f"{name}: {flops / median / 1e9:.0f}")
            rows += [["forward", name, "bf16", d, heads, batch, n, int(causal), i, f"{ms:.5f}"]
                     for i, ms in enumerate(values)]
        print(f"d={d} n={n} {'causal' if causal else 'full  '} TFLOP/s  " + " | ".join(line), flush=True)
        del sets, makers, runners, call
    if args.csv:
        with open(args.csv, "w", newline="") as out:
            for key, value in facts.items():
                out.write(f"# {key}: {value}\n")
            writer = csv.writer(out)
            writer.writerow(["pass", "contender", "dtype", "d", "heads", "batch", "n", "causal", "sample", "ms"])
            writer.writerows(rows)


if __name__ == "__main__":
    main()

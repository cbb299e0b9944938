#!/usr/bin/env python3
"""Records the output of the fast kernels' traced builds (record.h), on a Hopper GPU.

    cd kernels/fast/scripts && ./build.sh OUT && python3 record_traces.py OUT/libtilewalk_fast_traced.so \
        --stamps stamps.csv --states FOLDER

--stamps: when each role of a thread block of flash_v3 ended what, for every variant; columns are named in the file.
--states: m, l and O of each tile visit. Every trace of a grid of shapes is compared with float64 here, visit by
visit; a few small ones are saved as safetensors files with their inputs.
"""
import argparse
import ctypes
import datetime
import math
import os
import statistics
import subprocess

import torch

from bench_torch import Problem, load, timed

LOG2E = 1.4426950408889634


def card():
    return subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version,clocks.max.sm", "--format=csv,noheader"],
                          capture_output=True, text=True).stdout.strip()


def must(text):
    if text:
        raise RuntimeError(text.decode())


class Attention:
    """Inputs, outputs and the problem that points to them."""

    def __init__(self, lib, batch, heads, kv_heads, n_q, n_kv, d, dtype, mask, spread=1.0, rising=False):
        self.lib, self.shape, self.dtype, self.mask = lib, (batch, heads, kv_heads, n_q, n_kv, d), dtype, mask
        self.q = (torch.randn(batch, heads, n_q, d, device="cuda") * spread).to(dtype)
        growth = torch.ones(n_kv, device="cuda")
        if rising:
            growth = 1 + 3 * (n_kv - torch.arange(n_kv, device="cuda")) / n_kv
        self.k = (torch.randn(batch, kv_heads, n_kv, d, device="cuda") * spread * growth[:, None]).to(dtype)
        self.v = torch.randn(batch, kv_heads, n_kv, d, device="cuda").to(dtype)
        self.o = torch.full_like(self.q, float("nan"))
        self.lse = torch.empty(batch, heads, n_q, device="cuda")
        self.scale = d ** -0.5
        self.p = Problem(self.q.data_ptr(), self.k.data_ptr(), self.v.data_ptr(), self.o.data_ptr(),
                         self.lse.data_ptr(), None, batch, heads, kv_heads, n_q, n_kv, d,
                         int(dtype == torch.bfloat16), mask, self.scale)
        size = max(lib.tilewalk_fast_workspace_bytes(rung, ctypes.byref(self.p)) for rung in (2, 3, 4))
        self.workspace = torch.zeros(size, dtype=torch.uint8, device="cuda")
        self.p.workspace = self.workspace.data_ptr()

    def forward(self, rung, variant):
        must(self.lib.tilewalk_fast_forward(rung, variant, ctypes.byref(self.p),
                                            torch.cuda.current_stream().cuda_stream))
        return self.o


# ---- stamps

def record_stamps(lib, path):
    capacity, kept = 4096, 200
    with open(path, "w") as out:
        facts = {"card, driver, top clock": card(), "date": datetime.datetime.now().isoformat(timespec="seconds"),
                 "kernel": "flash_v3 forward, bf16, traced build (kernels/fast/record.h)",
                 "clock": "each multiprocessor's own cycles; ghz is cycles over nanoseconds of that thread block"}
        for key, value in facts.items():
            out.write(f"# {key}: {value}\n")
        out.write("run,variant,name,d,heads,batch,n,causal,ms_plain,ms_silent,ghz_silent,ms_traced\n")
        out.write("lane,variant,d,n,causal,block,sm,ghz,block_cycles,role,stamps\n")
        for d, heads in ((64, 32), (128, 16)):
            for causal in (0, 1):
                for n in (2048, 8192):
                    attention = Attention(lib, 16384 // n, heads, heads, n, n, d, torch.bfloat16, causal)
                    variant = -1
                    while (name := lib.tilewalk_fast_variant_name(3, variant + 1, d)) is not None:
                        variant += 1
                        stamp_variant(lib, out, attention, variant, name.decode(), capacity, kept)


def stamp_variant(lib, out, attention, variant, name, capacity, kept):
    batch, heads, _, n, _, d = attention.shape
    blocks = 2 if variant == 0 else 1
    stamps = torch.zeros(blocks, 5, capacity, 2, dtype=torch.int32, device="cuda")
    ends = torch.zeros(blocks, 5, dtype=torch.int64, device="cuda")

    all_ends = torch.zeros(132, 5, dtype=torch.int64, device="cuda")

    def traced(room, count, to):
        must(lib.tilewalk_fast_trace_stamps(variant, ctypes.byref(attention.p), stamps.data_ptr(), to.data_ptr(), count,
                                            room, torch.cuda.current_stream().cuda_stream))

    timed(lambda i: attention.forward(3, variant), 60, 1)  # until power and clock have settled
    plain = timed(lambda i: attention.forward(3, variant), 20, 1)
    want = attention.o.clone()
    # The stamped build, which only reads its clock at both ends.
    silent = timed(lambda i: traced(0, 132, all_ends), 20, 1)
    clocks = [(c1 - c0) / max(1, ns1 - ns0) for _, c0, ns0, c1, ns1 in all_ends.cpu().tolist() if c1 > c0]
    ghz_silent = statistics.median(clocks)
    attention.o.fill_(float("nan"))
    slow = timed(lambda i: traced(capacity, blocks, ends), 20, 1)
    stamps.zero_()
    attention.forward(3, variant)
    traced(capacity, blocks, ends)
    torch.cuda.synchronize()
    as_named = variant > 0 or lib.tilewalk_fast_runs_as_named(rung, ctypes.byref(attention.p))
    if as_named and not torch.equal(want.view(torch.int16), attention.o.view(torch.int16)):
        raise RuntimeError(f"{name}: the traced build gave other bytes")
    plain_ms, silent_ms, slow_ms = (statistics.median(x) for x in (plain, silent, slow))
    out.write(f'run,{variant},"{name}",{d},{heads},{batch},{n},{attention.mask},'
              f"{plain_ms:.5f},{silent_ms:.5f},{ghz_silent:.4f},{slow_ms:.5f}\n")
    raw, all_ends = stamps.cpu().tolist(), ends.cpu().tolist()
    roles = ["producer", "landed"] if "specialisation" not in name else [None, None]
    roles += ["consumer 0", "consumer 1", "consumer 2"]
    line = []
    for block in range(blocks):
        sm, c0, ns0, c1, ns1 = all_ends[block]
        ghz = (c1 - c0) / max(1, ns1 - ns0)
        lanes = []
        for lane, role in enumerate(roles):
            events = [(w & 0xffffffff, c & 0xffffffff) for w, c in raw[block][lane]]
            events = [(chr(w >> 24), (w & 0xffffff) - 1, c) for w, c in events if w != 0]
            if role and events:
                lanes.append((role, events))
        origin = min(((c - (c0 & 0xffffffff) + (1 << 31)) & 0xffffffff) - (1 << 31) for _, e in lanes for _, _, c in e)
        since = lambda c: (((c - (c0 & 0xffffffff) + (1 << 31)) & 0xffffffff) - (1 << 31)) - origin
        horizon = max(since(e[:kept][-1][2]) for role, e in lanes if role.startswith("consumer"))
        for role, events in lanes:
            events = [e for e in events if since(e[2]) <= horizon][:kept]
            text, before = [], 0
            for what, tile, clock in events:
                text.append(f"{what}{tile}+{since(clock) - before}")
                before = since(clock)
            out.write(f"lane,{variant},{d},{n},{attention.mask},{block},{sm},{ghz:.4f},{c1 - c0},{role},"
                      f"{' '.join(text)}\n")
        line.append(f"{ghz:.3f} GHz")
    # How much of the multiprocessor's product rate that is, in its own cycles.
    flops = 4 * n * n * d * heads * batch / (2 if attention.mask else 1)
    rate = flops / 132 / 4096 / (silent_ms * 1e6 * ghz_silent)
    print(f"d={d} n={n} causal={attention.mask} '{name}': plain {plain_ms:.3f} ms "
          f"({flops / plain_ms / 1e9:.0f} TFLOP/s, silent {silent_ms:.3f} ms at {ghz_silent:.3f} GHz: "
          f"{100 * rate:.0f} % of the products' rate at that clock), traced {slow_ms:.3f} ms, {', '.join(line)}",
          flush=True)


# ---- state

def group_of(rung, d):
    """Rows that walk together."""
    return {2: 128 if d <= 128 else 64, 3: 64, 4: 16}[rung]


def check_state(attention, rung, keys, m, l, o):
    """Each visit against float64; gives (worst share of the allowed error, list of failures, visits)."""
    batch, heads, kv_heads, n_q, n_kv, d = attention.shape
    dtype, scale = attention.dtype, attention.scale
    c, tiles = float(torch.tensor(scale * 1.44269504, dtype=torch.float32)), m.shape[1]
    q = attention.q.reshape(-1, n_q, d).double()
    k, v = (x.repeat_interleave(heads // kv_heads, 1).reshape(-1, n_kv, d).double() for x in (attention.k, attention.v))
    s = q @ k.transpose(1, 2)
    seen = torch.ones(n_q, n_kv, dtype=torch.bool, device="cuda")
    if attention.mask:
        shift = n_kv - n_q if attention.mask == 2 else 0
        seen = torch.arange(n_kv, device="cuda") <= torch.arange(n_q, device="cuda")[:, None] + shift
    s = s.masked_fill(~seen, -math.inf)
    rounded = ((q.float() @ k.float().transpose(1, 2)) * scale).to(dtype).float().masked_fill(~seen, -math.inf)
    top = torch.full_like(s[:, :, 0], -math.inf)
    total, out = torch.zeros_like(top), torch.zeros_like(q)
    failures, worst, visits = [], 0.0, 0
    # A score is a sum of d products in fp32: one rounding of the largest that |q| and |k| allow, in log2 units.
    roundings = 2.0 ** -24 * c * q.norm(dim=-1) * k.norm(dim=-1).amax(-1, keepdim=True)
    unit = 2.0 ** (-9 if dtype == torch.bfloat16 else -12)
    normalised, group_rows = rung == 4, group_of(rung, d)  # flash_v1: log-sum-exp in m, 1 in l
    to_log2 = 1.0 if normalised else c
    for tile in range(tiles) if normalised else range(tiles - 1, -1, -1):
        keys_seen = slice(0, (tile + 1) * keys) if normalised else slice(tile * keys, n_kv)
        part = s[:, :, tile * keys:(tile + 1) * keys] * c
        new = torch.maximum(top, part.amax(-1))
        base = torch.where(new == -math.inf, torch.zeros_like(new), new)
        fade = torch.where(top == -math.inf, torch.zeros_like(top), torch.exp2(top - base))
        p = torch.exp2(part - base[:, :, None])
        total = total * fade + p.sum(-1)
        out = out * fade[:, :, None] + p @ v[:, tile * keys:(tile + 1) * keys]
        top = new
        prefix = rounded[:, :, keys_seen]
        peak = prefix.amax(-1, keepdim=True)
        weights = torch.exp(prefix - torch.where(peak == -math.inf, torch.zeros_like(peak), peak))
        weights = weights / weights.sum(-1, keepdim=True).clamp_min(1e-30)
        plain = (weights.to(dtype).float() @ v[:, keys_seen].float()).to(dtype).double()

        live = total > 0
        mean = torch.where(live[:, :, None], out / total.clamp_min(1e-300)[:, :, None], torch.zeros_like(out))
        must_visit = seen[:, tile * keys:(tile + 1) * keys].any(-1)[None].expand_as(live)
        km, kl, ko = m[:, tile].double(), l[:, tile].double(), o[:, tile].double()
        visited = ~kl.isnan()
        # How far m stays below the running max, log2 units.
        lag = torch.where(live, top - km * to_log2, torch.zeros_like(top))
        rise = torch.exp2(torch.where(live & visited, top - km * to_log2, torch.zeros_like(top)))
        want_l, want_o = total * rise, mean  # both relative to the kernel's m
        got_l = torch.where(live, want_l, torch.ones_like(want_l))
        got_mean = torch.where(live[:, :, None], ko / got_l[:, :, None], ko)
        error_o = (got_mean - want_o).abs().amax(-1)
        size_l = 1 + (torch.log2(total.clamp_min(1e-300)) + top).abs()
        error_l = torch.where(live, (torch.log2(kl / want_l.clamp_min(1e-300))).abs() / size_l, kl.abs())
        for first in range(0, n_q, group_rows):
            rows = slice(first, first + group_rows)
            if not must_visit[:, rows].any():
                continue
            visits += live.shape[0]
            allowed = (2 * (plain - mean).abs()[:, rows].amax((1, 2)) + mean[:, rows].abs().amax((1, 2)) * unit)
            got = error_o[:, rows].masked_fill(~must_visit[:, rows], 0).amax(1)
            unseen = ~must_visit[:, rows]
            wrong = {"O": ~(got <= allowed),
                     "l": ~((error_l - roundings)[:, rows].masked_fill(unseen, 0).amax(1) <= 1e-5)}
            off = lag[:, rows].masked_fill(~must_visit[:, rows], 0)
            slack = 1e-5 * (1 + torch.where(live, top, torch.zeros_like(top))[:, rows].abs()) + roundings[:, rows]
            if not normalised:
                wrong["m"] = ~((off <= 8 + slack) & (off >= -slack)).all(1)
            worst = max(worst, (got / allowed.clamp_min(1e-30)).max().item())
            if names := [name for name, bad in wrong.items() if bad.any()]:
                failures.append(f"rows {first}, tile {tile}, {' and '.join(names)}: O off {got.max().item():.2e}, "
                                f"allowed {allowed.min().item():.2e}, "
                                f"l off {error_l[:, rows].masked_fill(unseen, 0).max().item():.1e}, "
                                f"lag {off.min().item():.2f} to {off.max().item():.2f}")
    return worst, failures, visits


def trace(attention, rung, variant):
    batch, heads, _, n_q, n_kv, d = attention.shape
    lib = attention.lib
    keys = lib.tilewalk_fast_traced_keys(rung, variant, d, attention.mask)
    tiles = -(-n_kv // keys)
    m, l = (torch.full((batch * heads, tiles, n_q), float("nan"), device="cuda") for _ in range(2))
    o = torch.full((batch * heads, tiles, n_q, d), float("nan"), device="cuda")
    want = attention.forward(rung, variant).clone()
    attention.o.fill_(float("nan"))
    must(lib.tilewalk_fast_trace_state(rung, variant, ctypes.byref(attention.p), m.data_ptr(), l.data_ptr(),
                                       o.data_ptr(), torch.cuda.current_stream().cuda_stream))
    torch.cuda.synchronize()
    as_named = variant > 0 or lib.tilewalk_fast_runs_as_named(rung, ctypes.byref(attention.p))
    if as_named and not torch.equal(want.view(torch.int16), attention.o.view(torch.int16)):
        raise RuntimeError(f"rung {rung} variant {variant} {attention.shape}: the traced build gave other bytes")
    return keys, m, l, o


def variants(lib, d, mask):
    for rung in (4, 2, 3):
        variant = 0
        while lib.tilewalk_fast_variant_name(rung, variant, d) is not None:
            if lib.tilewalk_fast_traced_keys(rung, variant, d, mask) > 0:
                yield rung, variant, lib.tilewalk_fast_variant_name(rung, variant, d).decode()
            variant += 1


def record_states(lib, folder, head_sizes):
    from safetensors.torch import save_file
    torch.manual_seed(20261121)
    sizes = [(1, 2, 2, 1, 1), (1, 2, 1, 64, 64), (2, 4, 2, 127, 129), (1, 4, 4, 200, 1000), (1, 4, 2, 1000, 200),
             (1, 4, 4, 513, 511), (1, 2, 2, 1024, 1024), (2, 8, 2, 777, 2049)]
    total, traces, failed, worst = 0, 0, 0, 0.0
    for size in sizes:
        for d in head_sizes:
            for mask in (0, 1, 2):
                for dtype in (torch.bfloat16, torch.float16):
                    for spread, rising in ((1.0, False), (3.0, True)):
                        attention = Attention(lib, *size, d, dtype, mask, spread, rising)
                        for rung, variant, name in variants(lib, d, mask):
                            keys, m, l, o = trace(attention, rung, variant)
                            share, failures, visits = check_state(attention, rung, keys, m, l, o)
                            total, traces, worst = total + visits, traces + 1, max(worst, share)
                            failed += len(failures)
                            for text in failures[:2]:
                                print(f"FAILED rung {rung} '{name}' {size} d{d} mask {mask} {dtype} "
                                      f"spread {spread}: {text}")
    print(f"state: {traces} traces, {total} visits of groups of rows, {failed} outside the rule, "
          f"largest share of the allowed error {worst:.2f}", flush=True)
    os.makedirs(folder, exist_ok=True)
    facts = {"card, driver, top clock": card(), "date": datetime.datetime.now().isoformat(timespec="seconds")}
    kept = [(64, 1, torch.bfloat16, (1, 2, 1, 150, 300), False), (128, 2, torch.float16, (1, 1, 1, 130, 260), True),
            (256, 1, torch.float16, (1, 1, 1, 70, 150), False)]
    for d, mask, dtype, size, rising in kept:
        attention = Attention(lib, *size, d, dtype, mask, 2.0, rising)
        for rung, variant, name in variants(lib, d, mask):
            if rung == 3 and not (variant == 0 or "no overlap" in name or "specialisation" in name):
                continue
            keys, m, l, o = trace(attention, rung, variant)
            kernel, precision = f"flash_v{rung if rung < 4 else 1}", "bf16" if dtype == torch.bfloat16 else "fp16"
            build = "_".join(name.replace(",", "").split())
            file = f"{folder}/{kernel}_{build}_n{size[3]}x{size[4]}_d{d}_{precision}.safetensors"
            arrays = {"q": attention.q, "k": attention.k, "v": attention.v, "m": m, "l": l, "o": o}
            save_file({key: x.contiguous().cpu() for key, x in arrays.items()}, file,
                      metadata={"format": "tilewalk fast trace 1", "kernel": kernel, "variant": name, "keys": str(keys),
                                "rows": str(group_of(rung, d)), "state": "normalised" if rung == 4 else "running",
                                "mask": ("none", "causal", "causal-bottom-right")[mask],
                                "scale": repr(attention.scale), **facts})
            print(f"kept {file}: {os.path.getsize(file)} bytes")
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--stamps")
    parser.add_argument("--states")
    parser.add_argument("--d", type=int, nargs="*", default=[64, 128, 40, 96, 160, 256],
                        help="head sizes of the states' grid")
    args = parser.parse_args()
    lib = load(args.library)
    lib.tilewalk_fast_trace_state.restype = lib.tilewalk_fast_trace_stamps.restype = ctypes.c_char_p
    problem = ctypes.POINTER(Problem)
    lib.tilewalk_fast_trace_state.argtypes = [ctypes.c_int, ctypes.c_int, problem] + [ctypes.c_void_p] * 4
    lib.tilewalk_fast_trace_stamps.argtypes = [ctypes.c_int, problem, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int,
                                               ctypes.c_int, ctypes.c_void_p]
    failed = 0
    if args.stamps:
        record_stamps(lib, args.stamps)
    if args.states:
        failed = record_states(lib, args.states, args.d)
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()

"""FlashAttention-2 in Triton, with every tile visit recorded for `tilewalk verify --trace`. Needs a GPU.

    triton_example.py FILE [MISTAKE]

MISTAKE: no-rescale-l, no-rescale-o, tf32-products, exp-for-exp2, fp16-o

A Triton kernel cannot call Python, so it stores m, l and o of each visit to a buffer; the recorder takes them after the
launch. Leave the stores out once the kernel is right.
"""

import sys

import torch
import triton
import triton.language as tl
from tilewalk_trace import Trace

path = sys.argv[1] if len(sys.argv) > 1 else "trace.safetensors"
mistake = sys.argv[2] if len(sys.argv) > 2 else ""


@triton.jit
def attention(Q, K, V, O, L, M_kept, L_kept, O_kept, scale_log2, n, heads, kv_heads, tiles, D: tl.constexpr,
              BR: tl.constexpr, BC: tl.constexpr, PRECISION: tl.constexpr, RESCALE_L: tl.constexpr,
              RESCALE_O: tl.constexpr, NATURAL: tl.constexpr, HALF_O: tl.constexpr):
    i, head = tl.program_id(0), tl.program_id(1)
    kv_head = head // (heads // kv_heads)
    rows, cols, x = i * BR + tl.arange(0, BR), tl.arange(0, BC), tl.arange(0, D)
    q = tl.load(Q + (head * n + rows[:, None]) * D + x[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([BR], float("-inf"), tl.float32)
    l = tl.zeros([BR], tl.float32)
    o = tl.zeros([BR, D], tl.float32)
    for j in range(0, tl.minimum(tiles, tl.cdiv((i + 1) * BR, BC))):
        keys = j * BC + cols
        k = tl.load(K + (kv_head * n + keys[None, :]) * D + x[:, None], mask=keys[None, :] < n, other=0.0)
        v = tl.load(V + (kv_head * n + keys[:, None]) * D + x[None, :], mask=keys[:, None] < n, other=0.0)
        s = tl.dot(q, k, input_precision=PRECISION) * scale_log2
        s = tl.where((keys[None, :] <= rows[:, None]) & (keys[None, :] < n), s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, 1))
        if NATURAL:
            alpha, p = tl.exp(m - m_new), tl.exp(s - m_new[:, None])
        else:
            alpha, p = tl.exp2(m - m_new), tl.exp2(s - m_new[:, None])
        if RESCALE_L:
            l = l * alpha
        if RESCALE_O:
            o = o * alpha[:, None]
        l += tl.sum(p, 1)
        o += tl.dot(p, v, input_precision=PRECISION)
        if HALF_O:
            o = o.to(tl.float16).to(tl.float32)
        m = m_new
        kept = ((head * tiles + i) * tiles + j) * BR + tl.arange(0, BR)  # visit (i, j) of this head
        tl.store(M_kept + kept, m)
        tl.store(L_kept + kept, l)
        tl.store(O_kept + kept[:, None] * D + x[None, :], o)
    tl.store(O + (head * n + rows[:, None]) * D + x[None, :], o / l[:, None], mask=rows[:, None] < n)
    tl.store(L + head * n + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n)


torch.manual_seed(7)
heads, kv_heads, n, d, tile = 4, 2, 100, 64, 32
tiles = triton.cdiv(n, tile)
q, k, v = (torch.randn(h, n, d, device="cuda") for h in (heads, kv_heads, kv_heads))
q *= 3
result, lse = torch.empty_like(q), torch.empty(heads, n, device="cuda")
m, l = (torch.empty(heads, tiles, tiles, tile, device="cuda") for _ in range(2))
o = torch.empty(heads, tiles, tiles, tile, d, device="cuda")
scale = d ** -0.5
attention[(tiles, heads)](q, k, v, result, lse, m, l, o, scale * 1.4426950408889634, n, heads, kv_heads, tiles, D=d,
                          BR=tile, BC=tile, PRECISION="tf32" if mistake == "tf32-products" else "ieee",
                          RESCALE_L=mistake != "no-rescale-l", RESCALE_O=mistake != "no-rescale-o",
                          NATURAL=mistake == "exp-for-exp2", HALF_O=mistake == "fp16-o")

t = Trace(q, k, v, causal=True, scale=scale, base="2", lse_base="e", br=tile, bc=tile, path=path)
for i in range(tiles):
    for j in range(min(tiles, i + 1)):
        t.visit(i, j, m[:, i, j], l[:, i, j], o[:, i, j])
print("wrote", t.finish(result, lse))

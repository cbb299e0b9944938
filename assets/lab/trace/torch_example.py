"""FlashAttention-2 in PyTorch for all heads at once, with every tile visit recorded for `tilewalk verify --trace`.

    torch_example.py FILE [MISTAKE]

MISTAKE: no-rescale-l, no-rescale-o, mask-one-more, tf32-products (needs a GPU that has TF32)
"""

import sys

import torch
from tilewalk_trace import Trace

path = sys.argv[1] if len(sys.argv) > 1 else "trace.safetensors"
mistake = sys.argv[2] if len(sys.argv) > 2 else ""
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.matmul.allow_tf32 = mistake == "tf32-products"

torch.manual_seed(7)
batch, heads, kv_heads, n, d, br, bc = 1, 4, 2, 100, 64, 32, 32
q = torch.randn(batch, heads, n, d, device=device) * 3
k = torch.randn(batch, kv_heads, n, d, device=device)
v = torch.randn(batch, kv_heads, n, d, device=device)
k_all, v_all = (x.repeat_interleave(heads // kv_heads, dim=1) for x in (k, v))
scale, log2e = d ** -0.5, 1.4426950408889634

# base "2": scores and m in log2 units, so that each exponential is exp2. L at the end in natural units.
t = Trace(q, k, v, causal=True, scale=scale, base="2", lse_base="e", br=br, bc=bc, path=path)
result, lse = torch.empty_like(q), torch.empty(batch, heads, n, device=device)

for i in range(0, n, br):
    rows = torch.arange(i, min(i + br, n), device=device)
    m = torch.full((batch, heads, len(rows)), float("-inf"), device=device)
    l = torch.zeros_like(m)
    o = torch.zeros(batch, heads, len(rows), d, device=device)
    for j in range(0, min(n, i + br), bc):
        keys = torch.arange(j, min(j + bc, n), device=device)
        s = q[:, :, rows] @ k_all[:, :, keys].transpose(-1, -2) * (scale * log2e)
        edge = 1 if mistake == "mask-one-more" else 0
        s = s.masked_fill(keys[None, :] > rows[:, None] + edge, float("-inf"))
        m_new = torch.maximum(m, s.amax(dim=-1))
        p = torch.exp2(s - m_new[..., None])
        alpha = torch.exp2(m - m_new)
        l = (l if mistake == "no-rescale-l" else l * alpha) + p.sum(dim=-1)
        o = (o if mistake == "no-rescale-o" else o * alpha[..., None]) + p @ v_all[:, :, keys]
        m = m_new
        t.visit(i // br, j // bc, m, l, o)
    result[:, :, rows] = o / l[..., None]
    lse[:, :, rows] = (m + torch.log2(l)) / log2e

print("wrote", t.finish(result, lse))

"""FlashAttention-2 in NumPy, with every tile visit recorded for `tilewalk verify --trace`.

    numpy_example.py FILE [MISTAKE]

MISTAKE: no-rescale-l, no-rescale-o, no-rescale, scale-twice, exp2-for-exp, mask-one-more, bf16-o, tf32-products
"""

import sys

import numpy as np
from tilewalk_trace import Trace

path = sys.argv[1] if len(sys.argv) > 1 else "trace.safetensors"
mistake = sys.argv[2] if len(sys.argv) > 2 else ""


def keep_bits(x, bits):
    """x rounded to fp32 numbers whose last `bits` bits are zero: bf16 for 16, TF32 for 13."""
    whole = np.ascontiguousarray(x, dtype=np.float32).view(np.uint32).astype(np.uint64)
    half = (1 << (bits - 1)) - 1 + ((whole >> bits) & 1)
    return ((whole + half) >> bits << bits).astype(np.uint32).view(np.float32)


rng = np.random.default_rng(7)
n_q, n_kv, d, br, bc = 48, 56, 32, 16, 16
q, k, v = (rng.standard_normal((n, d), dtype=np.float32) for n in (n_q, n_kv, n_kv))
q *= np.float32(3)
scale = np.float32(d ** -0.5)

t = Trace(q, k, v, causal=True, scale=scale, base="e", br=br, bc=bc, path=path)
result, lse = np.zeros_like(q), np.zeros(n_q, dtype=np.float32)
product = (lambda a, b: keep_bits(a, 13) @ keep_bits(b, 13)) if mistake == "tf32-products" else (lambda a, b: a @ b)
power = np.exp2 if mistake == "exp2-for-exp" else np.exp

for i in range(0, n_q, br):
    rows = np.arange(i, min(i + br, n_q))
    m = np.full(len(rows), -np.inf, dtype=np.float32)
    l = np.zeros(len(rows), dtype=np.float32)
    o = np.zeros((len(rows), d), dtype=np.float32)
    for j in range(0, min(n_kv, i + br), bc):
        keys = np.arange(j, min(j + bc, n_kv))
        s = product(q[rows], k[keys].T) * (scale * scale if mistake == "scale-twice" else scale)
        edge = 1 if mistake == "mask-one-more" else 0
        s = np.where(keys[None, :] > rows[:, None] + edge, np.float32(-np.inf), s)
        m_new = np.maximum(m, s.max(axis=1))
        p = power(s - m_new[:, None])
        alpha = power(m - m_new)
        l = (l if mistake in ("no-rescale-l", "no-rescale") else l * alpha) + p.sum(axis=1)
        o = (o if mistake in ("no-rescale-o", "no-rescale") else o * alpha[:, None]) + product(p, v[keys])
        if mistake == "bf16-o":
            o = keep_bits(o, 16)
        m = m_new
        t.visit(i // br, j // bc, m, l, o)
    result[rows] = o / l[:, None]
    lse[rows] = m + np.log(l)

print("wrote", t.finish(result, lse))

"""Attention calls in every form that PyTorch offers: the backends of scaled_dot_product_attention, their own operators,
eager attention, FlexAttention. Each function yields Calls of one form, in every size, type and mask that affects the
choice of a kernel."""
import itertools
import math

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

SIZES = [32, 40, 64, 80, 96, 128, 160, 192, 256]
DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32}
BACKENDS = {"flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION,
            "cudnn": SDPBackend.CUDNN_ATTENTION, "math": SDPBackend.MATH}
COLUMNS = ["way", "dtype", "d", "d_v", "batch", "heads", "kv_heads", "n_q", "n_kv", "causal", "mask", "dropout"]


class Call:
    """One call: its inputs, its forward pass and, if it trains, its backward pass."""

    def __init__(self, way, dtype="bf16", d=64, d_v=None, batch=2, heads=16, kv_heads=None, n_q=512, n_kv=None,
                 causal=False, mask="none", dropout=0.0, trains=True, run=None):
        self.values = dict(way=way, dtype=dtype, d=d, d_v=d_v or d, batch=batch, heads=heads,
                           kv_heads=kv_heads or heads, n_q=n_q, n_kv=n_kv or n_q, causal=int(causal), mask=mask,
                           dropout=dropout)
        self.trains, self.run = trains, run or sdpa

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
        self.out = self.run(self)

    def backward(self):
        wanted = self.inputs + ([self.bias] if self.mask == "float-grad" else [])
        torch.autograd.grad(self.out, wanted, torch.ones_like(self.out))

    def passes(self):
        yield "forward", self.forward
        if self.trains:
            yield "backward", self.backward

    def __str__(self):
        return " ".join(f"{key} {value}" for key, value in self.values.items())


def sdpa(call):
    with sdpa_kernel([BACKENDS[call.way]]):
        return F.scaled_dot_product_attention(*call.inputs, attn_mask=call.bias, dropout_p=call.dropout,
                                              is_causal=bool(call.causal), enable_gqa=call.heads != call.kv_heads)


def eager(call):
    q, k, v = call.inputs
    s = (q @ k.transpose(-1, -2)) / math.sqrt(call.d)
    if call.causal:
        s = s.masked_fill(torch.ones(call.n_q, call.n_kv, dtype=torch.bool, device="cuda").triu(1), -math.inf)
    return torch.softmax(s, -1) @ v


def flash_rows(call):
    """The inputs in the layout of flash's own operator: [batch, n, heads, d]."""
    return [x.transpose(1, 2).contiguous() for x in call.inputs]


def flash_window(call):
    q, k, v = flash_rows(call)
    return torch.ops.aten._flash_attention_forward(q, k, v, None, None, call.n_q, call.n_kv, 0.0, False, False,
                                                   window_size_left=128, window_size_right=0)[0]


def flash_alibi(call):
    q, k, v = flash_rows(call)
    slopes = torch.rand(call.heads, device="cuda")
    return torch.ops.aten._flash_attention_forward(q, k, v, None, None, call.n_q, call.n_kv, 0.0, bool(call.causal),
                                                   False, alibi_slopes=slopes)[0]


def starts(batch, rows):
    return torch.arange(0, (batch + 1) * rows, rows, device="cuda", dtype=torch.int32)


def flash_varlen(call):
    q, k, v = (x.flatten(0, 1) for x in flash_rows(call))
    return torch.ops.aten._flash_attention_forward(q, k, v, starts(call.batch, call.n_q), starts(call.batch, call.n_kv),
                                                   call.n_q, call.n_kv, 0.0, bool(call.causal), False)[0]


def flash_paged(call, page=256):
    q, k, v = flash_rows(call)
    pages = call.n_kv // page
    k, v = (x.reshape(call.batch * pages, page, call.kv_heads, call.d) for x in (k, v))
    table = torch.randperm(call.batch * pages, device="cuda").to(torch.int32).view(call.batch, pages)
    used = torch.full([call.batch], call.n_kv, device="cuda", dtype=torch.int32)
    return torch.ops.aten._flash_attention_forward(
        q.flatten(0, 1), k, v, starts(call.batch, call.n_q), starts(call.batch, call.n_kv), call.n_q, call.n_kv, 0.0,
        bool(call.causal), False, seqused_k=used, block_table=table)[0]


def flash():
    for d, causal, dtype in itertools.product(SIZES, (False, True), ("fp16", "bf16")):
        yield Call("flash", dtype, d, causal=causal)
    for d, n in itertools.product((64, 128, 256), (500, 100)):
        yield Call("flash", d=d, n_q=n)
    for d, causal in itertools.product((32, 64, 96, 128, 192, 256), (False, True)):
        yield Call("flash", d=d, causal=causal, dropout=0.1)
    yield Call("flash", d=128, heads=16, kv_heads=4)
    for d, n_q, dtype in itertools.product((64, 96, 128, 256), (1, 16, 128), ("fp16", "bf16")):
        yield Call("flash", dtype, d, batch=1, heads=4, n_q=n_q, n_kv=8192, trains=False)
    for d, batch in itertools.product((64, 128), (1, 2)):
        yield Call("flash", d=d, batch=batch, heads=2, n_q=2048, causal=True)
    yield Call("flash", "fp16", 128, batch=1, heads=32, kv_heads=4, n_q=1, n_kv=16384, trains=False)
    for d in (64, 128):
        yield Call("flash window", d=d, trains=False, run=flash_window)
        yield Call("flash alibi", d=d, causal=True, trains=False, run=flash_alibi)
        yield Call("flash varlen", d=d, causal=True, trains=False, run=flash_varlen)
        yield Call("flash varlen", d=d, batch=4, heads=4, n_q=1, n_kv=4096, trains=False, run=flash_varlen)


def paged():
    """Last of all: PyTorch 2.11 may not have it."""
    for d, n_q in itertools.product((64, 128), (1, 512)):
        yield Call("flash paged", d=d, batch=4, heads=4, n_q=n_q, n_kv=4096, trains=False, run=flash_paged)


def efficient():
    for d, dtype in itertools.product(SIZES + [512], DTYPES):
        yield Call("efficient", dtype, d, heads=4)
    for d, dtype in itertools.product((64, 128), DTYPES):
        yield Call("efficient", dtype, d, heads=4, causal=True)
    for mask, dtype in itertools.product(("bool", "float", "float-grad"), DTYPES):
        yield Call("efficient", dtype, 64, heads=4, mask=mask)
    for d, dtype in itertools.product((64, 128), DTYPES):
        yield Call("efficient", dtype, d, heads=4, dropout=0.1)
    for n in (1, 500):
        yield Call("efficient", "fp16", 64, heads=4, n_q=n, n_kv=4096)
    yield Call("efficient", "fp16", 64, d_v=128, heads=4)
    yield Call("efficient", "fp16", 128, d_v=64, heads=4)
    yield Call("efficient", "bf16", 64, heads=16, kv_heads=4)


def cudnn():
    for d, causal, dtype in itertools.product(SIZES, (False, True), ("fp16", "bf16")):
        yield Call("cudnn", dtype, d, heads=8, causal=causal)
    for d, mask in itertools.product((64, 128), ("bool", "float")):
        yield Call("cudnn", d=d, heads=8, mask=mask)
    for d in (64, 128):
        yield Call("cudnn", d=d, heads=8, dropout=0.125)
        yield Call("cudnn", d=d, heads=8, n_q=1000)
        yield Call("cudnn", d=d, heads=16, kv_heads=4)
        yield Call("cudnn", d=d, heads=8, n_q=4096, causal=True)
        for n_q in (1, 16):
            yield Call("cudnn", d=d, batch=1, heads=8, n_q=n_q, n_kv=8192, trains=False)
    yield Call("cudnn", d=128, d_v=64, heads=8)
    yield Call("cudnn", d=192, d_v=128, heads=8)


def plain():
    for dtype, causal in itertools.product(DTYPES, (False, True)):
        yield Call("math", dtype, 64, heads=4, causal=causal)
        yield Call("eager", dtype, 64, heads=4, causal=causal, run=eager)
    yield Call("math", "bf16", 128, heads=8, kv_heads=2)
    yield Call("math", "bf16", 64, heads=4, mask="bool")
    yield Call("math", "bf16", 64, heads=4, mask="float")
    yield Call("math", "bf16", 64, heads=4, dropout=0.1)
    yield Call("math", "bf16", 128, batch=1, heads=4, n_q=1, n_kv=4096, trains=False)


def flex_run(call):
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    block_mask, score_mod = None, None
    if call.causal:
        block_mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, call.n_q, call.n_kv, device="cuda")
    if call.mask == "alibi":
        def score_mod(score, b, h, i, j):
            return score + (j - i) * 0.01
    return torch.compile(flex_attention, dynamic=False)(*call.inputs, score_mod=score_mod, block_mask=block_mask,
                                                        enable_gqa=call.heads != call.kv_heads)


def flex():
    yield Call("flex", "bf16", 64, run=flex_run)
    yield Call("flex", "fp16", 128, causal=True, run=flex_run)
    yield Call("flex", "bf16", 64, batch=1, heads=8, n_q=1, n_kv=4096, trains=False, run=flex_run)
    yield Call("flex", "fp16", 128, heads=16, kv_heads=4, trains=False, run=flex_run)
    yield Call("flex", "fp32", 32, heads=4, mask="alibi", trains=False, run=flex_run)

"""Record the tile visits of a tiled attention kernel, so that Tilewalk can find the first one that is wrong.

    from tilewalk_trace import Trace

    t = Trace(q, k, v, causal=True, bc=64)
    for i in ...:                      # Q tiles
        for j in ...:                  # KV tiles
            ...
            t.visit(i, j, m, l, o)     # what the kernel keeps for the rows of Q tile i after KV tile j
    t.finish(o_all, lse)               # writes trace.safetensors

Then: tilewalk verify --trace trace.safetensors

m is the max that is subtracted, l the sum of the weights, o the sum of the weighted rows of V (or the same divided by
l, as FlashAttention-1 stores it). Any of them may be None. This file needs NumPy and nothing else; tensors of PyTorch
are taken too. The layout of the file that it writes is described in trace/README.md beside this file.
"""

import json
import os
import struct
import sys

import numpy as np

_FORMAT, _VERSION = "tilewalk-visits", "1"
_COLUMNS = ("batch", "head", "q_tile", "kv_tile", "first_row", "rows", "first_key", "keys", "thread_block", "line")
_MASKS = ("none", "causal", "causal-bottom-right")
_SHORT = {"float16": "fp16", "bfloat16": "bf16"}


def _array(x):
    """A NumPy array of fp32 from an array, a number, a list, or a tensor of PyTorch on any device."""
    if hasattr(x, "detach"):
        x = x.detach().cpu().float().numpy()
    return np.array(x, dtype=np.float32)  # a copy: the kernel goes on writing to its own


def _four(x, name):
    x = _array(x)
    if not 2 <= x.ndim <= 4:
        raise ValueError(f"{name} must have the shape [n, d], [heads, n, d] or [batch, heads, n, d], not {list(x.shape)}")
    return x.reshape((1,) * (4 - x.ndim) + x.shape)


def _dtype(x):
    return _SHORT.get(str(getattr(x, "dtype", "")).replace("torch.", ""), "fp32")


class Trace:
    """q, k, v: [n, d], [heads, n, d] or [batch, heads, n, d]; k and v may have fewer heads than q.

    causal: key j is hidden from row i if j > i (top left). mask: "none", "causal", "causal-bottom-right" or
    "window:LEFT:RIGHT" in its place.
    scale: the factor of q.k; 1/sqrt(d) by default.
    base: "e" if weights are exp(s - m), "2" if they are exp2(s - m) with s and m in log2 units.
    lse_base: of the lse given to finish(); that of base by default.
    br, bc: rows of a Q tile and of a KV tile. Needed where visit() gets the numbers of tiles.
    """

    def __init__(self, q, k, v, *, causal=False, mask=None, scale=None, base="e", lse_base=None, br=None, bc=None,
                 path="trace.safetensors"):
        self._dtype = _dtype(q)
        self._q, self._k, self._v = _four(q, "q"), _four(k, "k"), _four(v, "v")
        batch, heads, self._n_q, self._d = self._q.shape
        self._n_kv = self._k.shape[2]
        if self._k.shape != self._v.shape or self._k.shape[0] != batch or self._k.shape[3] != self._d:
            raise ValueError(f"k {list(self._k.shape)} and v {list(self._v.shape)} must have the shape [{batch}, kv_heads, "
                             f"n_kv, {self._d}]")
        if heads % self._k.shape[1] != 0:
            raise ValueError(f"{heads} heads of q must be a multiple of the {self._k.shape[1]} heads of k and v")
        self._base, self._lse_base = str(base), str(lse_base or base)
        if self._base not in ("e", "2") or self._lse_base not in ("e", "2"):
            raise ValueError('base and lse_base must be "e" or "2"')
        self._mask = mask or ("causal" if causal else "none")
        if self._mask not in _MASKS and not self._mask.startswith("window"):
            raise ValueError(f'mask must be one of {", ".join(_MASKS)} or "window:LEFT:RIGHT"')
        self._scale = float(self._d ** -0.5 if scale is None else scale)
        self._br, self._bc, self._path = br, bc, path
        self._largest = {}
        self._marks, self._m, self._l, self._o = [], [], [], []

    def _range(self, tile, size, length, name, flag):
        """(number of the tile, first row, rows) of a number, a slice, a range or a pair (first, end)."""
        if isinstance(tile, slice):
            tile = (tile.start or 0, length if tile.stop is None else tile.stop)
        if isinstance(tile, range):
            tile = (tile.start, tile.stop)
        if isinstance(tile, tuple):
            first, end = int(tile[0]), int(tile[1])
            self._largest[flag] = max(self._largest.get(flag, 1), end - first)  # the last tile may be smaller
            size = size or self._largest[flag]
            return first // size, first, end - first
        if size is None:
            raise ValueError(f"visit() got {name} {tile}: give the size of a tile to Trace ({flag}=…), or a slice of rows "
                             f"to visit()")
        return int(tile), int(tile) * size, size

    def visit(self, i, j, m=None, l=None, o=None, *, batch=None, head=None, thread_block=0):
        """Q tile i has absorbed KV tile j. i, j: numbers of tiles (needs br, bc), slices of rows, or pairs (first, end).

        m, l: [rows], or [heads, rows], or [batch, heads, rows] where all heads are computed at once; o: the same, then d.
        thread_block: blocks that share the keys of a Q tile need different numbers.
        """
        line = sys._getframe(1).f_lineno
        kept = [None if x is None else _array(x) for x in (m, l, o)]
        if all(x is None for x in kept):
            raise ValueError("visit() got neither m nor l nor o")
        q_tile, first_row, rows = self._range(i, self._br, self._n_q, "Q tile", "br")
        kv_tile, first_key, keys = self._range(j, self._bc, self._n_kv, "KV tile", "bc")
        rows = min(rows, self._n_q - first_row)
        if rows < 1 or first_row < 0 or keys < 0 or first_key < 0:
            raise ValueError(f"visit() got rows {first_row} to {first_row + rows} and keys {first_key} to {first_key + keys}")
        batches, heads = self._q.shape[:2]
        for n, (name, x) in enumerate(zip("mlo", kept)):
            before = [self._m, self._l, self._o][n]
            if self._marks and (x is None) != (len(before) == 0):
                raise ValueError(f"visit() must get {name} at every visit, or at none")
            if x is None:
                continue
            tail = (self._d,) if name == "o" else ()
            lead = x.shape[: x.ndim - len(tail) - 1] if name == "o" else x.shape[:-1]
            if name != "o" and x.ndim >= 2 and x.shape[-1] == 1 and rows > 1:
                x = x[..., 0]  # keepdims=True
                lead = x.shape[:-1]
            if x.ndim < 1 + len(tail) or (tail and x.shape[-1] != self._d):
                raise ValueError(f"{name} must have the shape […, {rows}{', ' + str(self._d) if tail else ''}], not "
                                 f"{list(x.shape)}")
            row_axis = x.ndim - 1 - len(tail)
            x = np.take(x, range(min(rows, x.shape[row_axis])), axis=row_axis)  # padding behind the last row
            if x.shape[row_axis] != rows:
                raise ValueError(f"{name} has {x.shape[row_axis]} rows; this visit has {rows}")
            one = int(np.prod(lead, dtype=int)) == 1
            if one and (batch is not None or head is not None or (batches == 1 and heads == 1)):
                lead = ()
            elif not lead and batches * heads > 1:
                if batch is None and head is None:
                    raise ValueError(f"say which head {name} is of: visit(…, batch=…, head=…)")
            elif lead and int(np.prod(lead, dtype=int)) != batches * heads:
                raise ValueError(f"{name} is for {int(np.prod(lead, dtype=int))} heads, q has {batches} × {heads}")
            kept[n] = x.reshape((-1, rows) + tail)
        count = max(x.shape[0] for x in kept if x is not None)
        for each in range(count):
            b, h = (divmod(each, heads)) if count > 1 else (batch or 0, head or 0)
            self._marks.append((b, h, q_tile, kv_tile, first_row, rows, first_key, keys, thread_block, line))
            for to, x in zip((self._m, self._l, self._o), kept):
                if x is not None:
                    to.append(x[each])

    def finish(self, o=None, lse=None, path=None):
        """Write the file. o: the results, in the shape of q; lse: m + log l of each row, in the shape of q without d."""
        if not self._marks:
            raise ValueError("no visit was recorded: call visit() after each tile")
        tensors = {"q": self._q, "k": self._k, "v": self._v, "visits": np.array(self._marks, dtype=np.int64)}
        for name, parts in (("m", self._m), ("l", self._l), ("o", self._o)):
            if parts:
                tensors[name] = np.concatenate(parts)
        for name, x, shape in (("out_o", o, self._q.shape), ("out_lse", lse, self._q.shape[:3])):
            if x is None:
                continue
            x = _array(x)
            if x.size != int(np.prod(shape)):
                raise ValueError(f"{name[4:]} has the shape {list(x.shape)}; {list(shape)} is expected")
            tensors[name] = x.reshape(shape)
        path = path or self._path
        _write(path, tensors, {"format": _FORMAT, "version": _VERSION, "base": self._base, "lse_base": self._lse_base,
                               "mask": self._mask, "scale": repr(self._scale), "dtype": self._dtype,
                               "columns": " ".join(_COLUMNS)})
        return path


def _write(path, tensors, metadata):
    """Safetensors: 8 bytes of header length, a JSON header, the data. Written whole, then renamed."""
    header, at, parts = {"__metadata__": metadata}, 0, []
    for name, x in tensors.items():
        x = np.ascontiguousarray(x)
        data = x.astype(x.dtype.newbyteorder("<")).tobytes()
        header[name] = {"dtype": "I64" if x.dtype.kind == "i" else "F32", "shape": list(x.shape),
                        "data_offsets": [at, at + len(data)]}
        at += len(data)
        parts.append(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    part = f"{path}.{os.getpid()}.part"
    with open(part, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for data in parts:
            f.write(data)
    os.replace(part, path)

"""Asks PyTorch about one process's share of sampled attention calls: draw_dispatch.py starts it.

A line of JSON for each call: the choice of torch._fused_sdp_choice, the answers and reasons of can_use_*_attention,
and the operator that really ran or the error raised.
"""

import contextlib
import json
import os
import re
import sys
import tempfile
import warnings

ANSWERS = ["choice", "can_flash", "can_efficient", "can_cudnn", "ran", "choice_error", "why_flash", "why_efficient",
           "why_cudnn", "run_error"]
BACKENDS = {"flash": "FLASH_ATTENTION", "efficient": "EFFICIENT_ATTENTION", "math": "MATH", "cudnn": "CUDNN_ATTENTION"}
OPERATORS = {"aten::_scaled_dot_product_flash_attention": "FLASH_ATTENTION",
             "aten::_scaled_dot_product_flash_attention_for_cpu": "FLASH_ATTENTION",
             "aten::_scaled_dot_product_efficient_attention": "EFFICIENT_ATTENTION",
             "aten::_scaled_dot_product_cudnn_attention": "CUDNN_ATTENTION",
             "aten::_scaled_dot_product_attention_math": "MATH"}
PLAIN = {"dtype": "bf16", "batch": 2, "layout": "bhnd", "training": "off"}


def one_line(text):
    """The first line of a message, without characters that a plain CSV cannot contain."""
    lines = str(text).strip().splitlines()
    return lines[0].replace(",", ";").replace('"', "'")[:240] if lines else ""


def reason(words):
    """PyTorch's message of a refusal, preceded by its source line."""
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
        """A single backend's own result, and its reason if it refuses."""
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
        """The operator that really ran, and the error raised."""
        profiler = self.torch.profiler
        error = ""
        with profiler.profile(activities=[profiler.ProfilerActivity.CPU]) as profile:
            try:
                self.torch.nn.functional.scaled_dot_product_attention(*inputs, **keywords)
                if self.device == "cuda":
                    self.torch.cuda.synchronize()
            except Exception as raised:  # noqa: BLE001, any error belongs in the table
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
    """Whether set_priority has an effect when it is a process's first use of attention."""
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
    plain = asker.tensor(PLAIN, 1, 64, 64)
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
                os._exit(7)  # the CUDA context may be broken; the next process continues


if __name__ == "__main__":
    work(*sys.argv[1:])

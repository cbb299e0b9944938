"""Records the profile that lesson 12 opens: one forward pass of four attention layers, each between two linear ones.

    TORCH_CUDNN_SDPA_DEPRIORITIZED=1 python record_profile.py four_layers.json

The variable makes PyTorch try FLASH before cuDNN on Hopper, as it does on an A100. Kept of the trace: the kernels, the
copies and the operators of scaled_dot_product_attention, with their names, times and threads.
"""
import json
import sys

import torch
import torch.nn.functional as F
from torch.profiler import ProfilerActivity, profile

BATCH, HEADS, N = 2, 16, 2048
LAYERS = [  # head size, type, keywords of the call
    (64, torch.bfloat16, dict(is_causal=True)),
    (128, torch.bfloat16, dict(is_causal=True)),
    (68, torch.bfloat16, dict(mask=True)),
    (64, torch.float32, dict()),
]
KEPT_KEYS = ("ph", "cat", "name", "pid", "tid", "ts", "dur")


class Layer(torch.nn.Module):
    def __init__(self, d, dtype, mask=False, is_causal=False):
        super().__init__()
        self.d, self.is_causal, self.mask = d, is_causal, None
        self.take = torch.nn.Linear(HEADS * d, 3 * HEADS * d, bias=False, dtype=dtype)
        self.give = torch.nn.Linear(HEADS * d, HEADS * d, bias=False, dtype=dtype)
        if mask:
            self.mask = torch.ones(N, N, dtype=torch.bool).tril().cuda()

    def forward(self, x):
        q, k, v = (t.view(BATCH, N, HEADS, self.d).transpose(1, 2) for t in self.take(x).chunk(3, -1))
        o = F.scaled_dot_product_attention(q, k, v, attn_mask=self.mask, is_causal=self.is_causal)
        return self.give(o.transpose(1, 2).reshape(BATCH, N, HEADS * self.d))


def main():
    torch.manual_seed(1)
    layers = [Layer(d, dtype, **call).cuda() for d, dtype, call in LAYERS]
    inputs = [torch.randn(BATCH, N, HEADS * d, dtype=dtype, device="cuda") for d, dtype, _ in LAYERS]

    def forward():
        with torch.no_grad():
            for layer, x in zip(layers, inputs):
                layer(x)
        torch.cuda.synchronize()

    for _ in range(5):
        forward()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as recorded:
        forward()
    recorded.export_chrome_trace("whole_trace.json")
    with open("whole_trace.json") as file:
        trace = json.load(file)
    kept = [
        {key: event[key] for key in KEPT_KEYS if key in event}
        for event in trace["traceEvents"]
        if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")
        or (event.get("cat") == "cpu_op" and "scaled_dot_product" in event.get("name", ""))
    ]
    out = {
        "schemaVersion": trace.get("schemaVersion", 1),
        "recorded": f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}, "
        f"batch {BATCH}, {HEADS} heads, N {N}; kernels/fast/scripts/record_profile.py",
        "traceEvents": kept,
    }
    with open(sys.argv[1], "w") as file:
        file.write(json.dumps(out, separators=(",", ":")).replace('{"ph"', '\n{"ph"') + "\n")


if __name__ == "__main__":
    main()

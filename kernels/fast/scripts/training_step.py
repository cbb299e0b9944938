#!/usr/bin/env python3
"""One training step of a small network whose layers use PyTorch's four attention backends, for a profiler: alone
under Nsight Compute, which runs this file, or with torch.profiler."""
import gzip
import os
import shutil
import subprocess
import sys

import torch
import torch.nn.functional as F
from torch.nn.attention import sdpa_kernel
from torch.profiler import ProfilerActivity, profile

import attention_calls


class Step(torch.nn.Module):
    """A small network whose four layers use four backends."""

    def __init__(self):
        super().__init__()
        self.into = torch.nn.ModuleDict({name: torch.nn.Linear(512, 1536) for name in attention_calls.BACKENDS})
        self.back = torch.nn.ModuleDict({name: torch.nn.Linear(512, 512) for name in attention_calls.BACKENDS})

    def forward(self, x):
        for name, backend in attention_calls.BACKENDS.items():
            q, k, v = self.into[name](x).view(*x.shape[:2], 3, 8, 64).permute(2, 0, 3, 1, 4).unbind(0)
            with sdpa_kernel([backend]):
                o = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.back[name](o.transpose(1, 2).reshape(x.shape))
        return x


def warmed_up():
    """A function that does one step, already warmed up."""
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
    step = warmed_up()
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


def write_ncu(folder, seconds):
    ncu = shutil.which("ncu")
    if not ncu:
        return print("ncu is not installed", file=sys.stderr)
    subprocess.run([ncu, "--csv", "--metrics", "gpu__time_duration.sum", "--clock-control", "none",
                    "--profile-from-start", "off", "--log-file", str(folder / "training_step_ncu.csv"), sys.executable,
                    __file__], timeout=seconds, check=False, stdout=subprocess.DEVNULL)


def main():
    step = warmed_up()
    torch.cuda.profiler.start()
    step()
    torch.cuda.profiler.stop()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Prints the README's table of sampled calls from their files, a row a file: how many times as fast as PyTorch the fast
kernels are, FA-3 beside the fastest of PyTorch's backends, FA-2 beside FLASH (median, least; calls that are ahead).

    python3 table_of_draws.py ../../../assets/measurements/{shapes,uneven,unequal,blind_calls}_*.csv
"""
import csv
import pathlib
import statistics
import sys

NOT_THE_CALL = ("contender", "sample", "ms", "kind")


def times_of(path):
    """The card's name, and the median milliseconds of each call by contender."""
    lines = path.read_text().splitlines()
    card = next(line.split(": ")[1].split(",")[0] for line in lines if line.startswith("# card"))
    calls = {}
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        call = tuple(value for name, value in row.items() if name not in NOT_THE_CALL)
        calls.setdefault(call, {}).setdefault(row["contender"], []).append(float(row["ms"]))
    return card, [{name: statistics.median(ms) for name, ms in call.items()} for call in calls.values()]


def ratios(calls, kernel):
    for call in calls:
        torch = [ms for name, ms in call.items() if name.startswith("torch")]
        ours = [ms for name, ms in call.items() if name.startswith(kernel) and "before" not in name]
        if torch and ours:
            rival = min(torch) if kernel == "flash_v3" else call.get("torch_flash", min(torch))
            yield rival / ours[0]


def cell(found):
    if not found:
        return "·"
    ahead = sum(round(ratio, 2) >= 1 for ratio in found)
    return f"{statistics.median(found):.2f}, {min(found):.2f}; {ahead} of {len(found)}"


for path in map(pathlib.Path, sys.argv[1:]):
    card, calls = times_of(path)
    cells = [cell(list(ratios(calls, kernel))) for kernel in ("flash_v3", "flash_v2")]
    print(f"| `{path.stem}` | {' '.join(card.split()[1:2])} | {' | '.join(cells)} |")

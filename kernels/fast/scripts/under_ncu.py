"""Runs a script again under Nsight Compute and reads its counters."""
import argparse
import collections
import csv
import datetime
import io
import subprocess
import sys

DRAM_BYTES = "dram__bytes_read.sum", "dram__bytes_write.sum"


def arguments(run_once):
    """The library and the CSV from the command line; under Nsight Compute, calls run_once(library) and exits."""
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--csv", required=True)
    parser.add_argument("--once", action="store_true", help="what ncu runs")
    args = parser.parse_args()
    if args.once:
        run_once(args.library)
        sys.exit()
    return args


def launches(args, *options):
    """[{"Kernel Name": …, metric: bytes}] of each kernel launch that the options select, in order."""
    ncu = subprocess.run(["ncu", "--csv", "--cache-control", "none", "--clock-control", "none", "--print-units", "base",
                          "--metrics", ",".join(DRAM_BYTES), *options,
                          sys.executable, sys.argv[0], args.library, "--csv", args.csv, "--once"],
                         capture_output=True, text=True)
    lines = [line for line in ncu.stdout.splitlines() if line.startswith('"')]
    found = collections.OrderedDict()
    for row in csv.DictReader(io.StringIO("\n".join(lines))):
        launch = found.setdefault(row["ID"], {"Kernel Name": row["Kernel Name"]})
        launch[row["Metric Name"]] = int(float(row["Metric Value"].replace(",", "")))
    if not found:
        raise SystemExit(f"Nsight Compute counted nothing\n{ncu.stderr[-2000:]}{ncu.stdout[-2000:]}")
    return list(found.values())


def provenance():
    smi = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         capture_output=True, text=True).stdout.strip()
    version = subprocess.run(["ncu", "--version"], capture_output=True, text=True).stdout.strip().splitlines()[-1]
    return f"# card, driver: {smi}\n# tool: Nsight Compute, {version}\n# date: {datetime.date.today().isoformat()}\n"

#!/usr/bin/env python3
"""Joins what tilewalk_record --traffic printed with what Nsight Compute counted, launch by launch in order, into the table
that `tilewalk counters --hardware` reads: one line a launch. Says on stderr how the model's bytes compare.

traffic_table.py launches.csv ncu.csv --gpu NAME --driver VERSION --tool VERSION > traffic.csv
"""
import argparse
import csv
import datetime
import sys

SECTOR = 32
WAVEFRONT = 128
UNITS = {"": 1, "byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "sector": 1, "inst": 1}
NUMBERS = ["read_bytes", "write_bytes", "read_sector_bytes", "write_sector_bytes", "l2_bytes", "dram_read_bytes", "dram_write_bytes",
           "shared_bytes", "shared_wavefront_bytes"]


def launches_counted(path):
    """[{metric: value in base units}], one for each launch, in order."""
    with open(path, newline="") as file:
        lines = [line for line in file if line.startswith('"')]
    found = {}
    for row in csv.DictReader(lines):
        if not row["ID"].isdigit():
            continue
        text = row["Metric Value"].replace(",", "")
        try:
            value = float(text) * UNITS[row["Metric Unit"]]
        except (ValueError, KeyError):
            continue
        found.setdefault(int(row["ID"]), {"kernel": row["Kernel Name"]})[row["Metric Name"]] = round(value)
    return [found[key] for key in sorted(found)]


def numbers_of(counted):
    """The table's numbers; None where the tool did not offer a counter."""
    load = counted.get("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")
    store = counted.get("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")
    waves = counted.get("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum")
    return {
        "read_bytes": counted.get("smsp__sass_data_bytes_mem_global_op_ld.sum"),
        "write_bytes": counted.get("smsp__sass_data_bytes_mem_global_op_st.sum"),
        "read_sector_bytes": None if load is None else load * SECTOR,
        "write_sector_bytes": None if store is None else store * SECTOR,
        "l2_bytes": counted.get("lts__t_bytes.sum"),
        "dram_read_bytes": counted.get("dram__bytes_read.sum"),
        "dram_write_bytes": counted.get("dram__bytes_write.sum"),
        "shared_bytes": counted.get("smsp__sass_data_bytes_mem_shared.sum"),
        "shared_wavefront_bytes": None if waves is None else waves * WAVEFRONT,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("launches")
    parser.add_argument("ncu")
    for name in ("gpu", "driver", "tool"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    with open(args.launches, newline="") as file:
        lines = [line for line in file if not line.startswith("==")]
    launches = list(csv.DictReader(lines))
    counted = launches_counted(args.ncu)
    if len(counted) < len(launches):
        print(f"{len(launches)} launches were made and {len(counted)} counted", file=sys.stderr)
        launches = launches[:len(counted)]

    print(f"# gpu,{args.gpu}")
    print(f"# driver,{args.driver}")
    print(f"# tool,Nsight Compute {args.tool}")
    print(f"# date,{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}")
    writer = csv.DictWriter(sys.stdout, list(launches[0]) + NUMBERS, lineterminator="\n")
    writer.writeheader()
    equal = sectors_equal = kept = 0
    for launch, counters in zip(launches, counted):
        if int(launch["launch"]) < 0:
            continue
        numbers = numbers_of(counters)
        kept += 1
        model = (int(launch["model_read"]), int(launch["model_write"]))
        same = model == (numbers["read_bytes"], numbers["write_bytes"])
        same_sectors = model == (numbers["read_sector_bytes"], numbers["write_sector_bytes"])
        equal += same
        sectors_equal += same_sectors
        if not same and not (numbers["read_bytes"] is None and same_sectors):
            print("differs: " + ",".join(launch.values()) + " " + str(numbers), file=sys.stderr)
        writer.writerow({**launch, **{name: "" if value is None else value for name, value in numbers.items()}})
    print(f"{kept} launches; modelled bytes equal the bytes asked for in {equal}, and whole sectors in {sectors_equal}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

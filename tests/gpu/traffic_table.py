#!/usr/bin/env python3
"""Joins the output of tilewalk_record --traffic and tilewalk_l2_probe with Nsight Compute's counters, launch by
launch in order, into traffic.csv, the table that `tilewalk counters --hardware` reads, and l2_writes.csv: one line a
launch. Prints a comparison with the model's bytes on stderr. FOLDER has the files of tests/gpu/traffic.sh; --onto is an
earlier table, whose counters are kept.

traffic_table.py FOLDER [--onto TABLE] --gpu NAME --driver VERSION --tool VERSION
"""
import argparse
import csv
import datetime
import pathlib
import sys

SECTOR = 32
WAVEFRONT = 128
UNITS = {"": 1, "byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "sector": 1, "inst": 1,
         "nsecond": 1, "ns": 1, "usecond": 1e3, "us": 1e3, "msecond": 1e6, "ms": 1e6, "second": 1e9, "s": 1e9}
KEY = ["schedule", "launch", "batch", "heads", "kv_heads", "n_q", "n_kv", "d", "mask", "br", "bc", "dtype", "splits"]
NUMBERS = ["read_bytes", "write_bytes", "read_sector_bytes", "write_sector_bytes", "l2_bytes", "dram_read_bytes",
           "dram_write_bytes", "shared_bytes", "shared_wavefront_bytes"]
# Of the run with flushes: what DRAM saw written until the launch ended, what the flush after it added, and how long the
# launch took.
FLUSHED = ["end_write_bytes", "flush_write_bytes", "time_ns"]
DRAM = ("dram__bytes_read.sum", "dram__bytes_write.sum", "gpu__time_duration.sum")


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


def launches_made(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("==")))


def table_rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def key_of(row):
    return tuple(row[name] for name in KEY)


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


def matched(launches, counted, each=1):
    if len(counted) != each * len(launches):
        print(f"{each * len(launches)} launches were watched and {len(counted)} counted", file=sys.stderr)
    return list(zip(launches, [counted[i:i + each] for i in range(0, len(counted) - each + 1, each)]))


def write_table(path, head, fields, rows):
    with open(path, "w", newline="") as file:
        file.write(head)
        writer = csv.DictWriter(file, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--onto")
    for name in ("gpu", "driver", "tool"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    head = f"# gpu,{args.gpu}\n# driver,{args.driver}\n# tool,Nsight Compute {args.tool}\n"
    head += f"# date,{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}\n"

    rows = table_rows(args.onto) if args.onto else []
    equal = sectors_equal = kept = 0
    for launch, (counters,) in matched(launches_made(args.folder / "launches.csv"),
                                       launches_counted(args.folder / "ncu.csv")):
        numbers = numbers_of(counters)
        kept += 1
        model = (int(launch["model_read"]), int(launch["model_write"]))
        same = model == (numbers["read_bytes"], numbers["write_bytes"])
        same_sectors = model == (numbers["read_sector_bytes"], numbers["write_sector_bytes"])
        equal += same
        sectors_equal += same_sectors
        if not same and not (numbers["read_bytes"] is None and same_sectors):
            print("differs: " + ",".join(launch.values()) + " " + str(numbers), file=sys.stderr)
        rows.append({**launch, **{name: "" if value is None else value for name, value in numbers.items()}})
    print(f"{kept} launches; modelled bytes equal the bytes asked for in {equal}, and whole sectors in {sectors_equal}",
          file=sys.stderr)

    flushed = {}
    for launch, (before, itself, after) in matched(launches_made(args.folder / "launches_flush.csv"),
                                                   launches_counted(args.folder / "ncu_flush.csv"), 3):
        if "flush_l2" not in before["kernel"] or "flush_l2" not in after["kernel"]:
            sys.exit(f"{key_of(launch)}: not between two flushes but between {before['kernel']} and {after['kernel']}")
        flushed[key_of(launch)] = dict(zip(FLUSHED, (itself[DRAM[1]], after[DRAM[1]], itself[DRAM[2]])))
    for row in rows:
        row.update(flushed.get(key_of(row), {}))
    lacking = sum(1 for row in rows if row.get(FLUSHED[0], "") == "")
    print(f"{len(flushed)} launches between flushes; {lacking} lines of the table lack them", file=sys.stderr)
    write_table(args.folder / "traffic.csv", head, list(KEY) + ["model_read", "model_write"] + NUMBERS + FLUSHED, rows)

    columns = ("dram_read_bytes", "dram_write_bytes", "time_ns")
    probe = [{**launch, **dict(zip(columns, (counters[name] for name in DRAM)))}
             for launch, (counters,) in matched(launches_made(args.folder / "launches_probe.csv"),
                                                launches_counted(args.folder / "ncu_probe.csv"))]
    write_table(args.folder / "l2_writes.csv", head, list(probe[0]) if probe else ["experiment"], probe)
    return 0


if __name__ == "__main__":
    sys.exit(main())

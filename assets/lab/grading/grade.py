#!/usr/bin/env python3
"""Grades a folder of kernels: checks each with `tilewalk lab check --json` and writes a table, a row a submission.

    python3 grade.py SUBMISSIONS --task 5                  # Markdown to stdout
    python3 grade.py SUBMISSIONS --task 5 --csv class.csv  # and CSV to a file

Python 3's standard library alone. Kernels run in Tilewalk's interpreter: no compiler and no GPU is needed, and no
submission can touch this machine. Exit code: 0 all were graded, 1 some were not, 2 wrong arguments.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys

COLUMNS = ["name", "task", "passed", "first wrong visit", "diagnosis", "errors"]


def place_of(report):
    """The first wrong number: "visit 2: Q tile 0, KV tile 1, row 0, o[0]", and the sizes if they are not the task's."""
    wrong = report["first_wrong"]
    if wrong is None or (wrong["at_end"] and report["errors"]):  # where a run was ended, its end is not judged
        return ""
    sizes = ", ".join(f"{name} {value}" for name, value in report["problem"].items())
    return number_of(wrong) + (f" (with {sizes})" if report["problems_right"] > 0 else "")


def number_of(wrong):
    quantity = wrong["quantity"] + ("" if wrong["column"] is None else f"[{wrong['column']}]")
    if wrong["at_end"]:
        return f"at the end: row {wrong['row']}, {quantity}"
    return (f"visit {wrong['visit'] + 1}: Q tile {wrong['q_tile']}, KV tile {wrong['kv_tile']}, "
            f"row {wrong['row']}, {quantity}")


def errors_of(report):
    """Errors and races: the first, and how many others there are."""
    found = report["errors"] + report["races"]
    if not found:
        return ""
    text = f"line {found[0]['line']}: {found[0]['what']}"
    return text if len(found) == 1 else f"{text} (and {len(found) - 1} more)"


def diagnosis_of(report):
    """What the judge says of the first wrong number; the verdict where there is none."""
    diagnosis = report["diagnosis"]
    if report["passed"]:
        return ""
    if report["errors"] or report["races"]:
        return diagnosis["sentence"] if place_of(report) and diagnosis and diagnosis["name"] else "see errors"
    return diagnosis["sentence"] if diagnosis else report["verdict"]


def row_of(path, arguments):
    """One submission's row, and whether it was graded."""
    row = {"name": path.stem, "task": arguments.task, "passed": "", "first wrong visit": "", "diagnosis": ""}
    command = [arguments.program, "lab", "check", str(path), "--task", str(arguments.task), "--json",
               "--most-instructions", str(arguments.most_instructions)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=arguments.seconds)
    except subprocess.TimeoutExpired:
        return {**row, "errors": f"not graded: no verdict within {arguments.seconds} seconds"}, False
    try:
        report = json.loads(done.stdout.decode("utf-8"))
    except ValueError:
        report = None
    if done.returncode not in (0, 1, 2) or report is None:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return {**row, "errors": "not graded: " + (words[0] if words else f"exit code {done.returncode}")}, False
    row["passed"] = "yes" if report["passed"] else "no"
    row["first wrong visit"] = place_of(report)
    row["diagnosis"] = diagnosis_of(report)
    row["errors"] = errors_of(report)
    return row, True


def markdown_of(rows):
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for row in rows:
        lines.append("| " + " | ".join(str(row[each]).replace("|", "\\|") for each in COLUMNS) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Grades a folder of kernels with tilewalk lab check.")
    parser.add_argument("submissions", type=pathlib.Path, help="a folder with NAME.cu for each submission")
    parser.add_argument("--task", type=int, required=True, help="the task's number (tilewalk lab lists them)")
    parser.add_argument("--csv", type=pathlib.Path, help="a file for the table as CSV")
    parser.add_argument("--program", default="tilewalk", help="the program (default: tilewalk, found by PATH)")
    parser.add_argument("--most-instructions", type=int, default=50_000_000,
                        help="end a kernel after so many instructions of the machine (default: 50,000,000)")
    parser.add_argument("--seconds", type=int, default=120, help="end a check after so many seconds (default: 120)")
    arguments = parser.parse_args()
    if not arguments.submissions.is_dir():
        parser.error(f"{arguments.submissions} is no folder")
    files = sorted(each for each in arguments.submissions.glob("*.cu") if each.is_file() and not each.is_symlink())
    if not files:
        parser.error(f"{arguments.submissions} has no file that ends in .cu")
    try:
        graded = [row_of(each, arguments) for each in files]
    except OSError as problem:
        parser.error(f"{arguments.program} does not start: {problem.strerror}")
    rows = [row for row, _ in graded]
    if arguments.csv:
        with open(arguments.csv, "w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(markdown_of(rows))
    return 0 if all(whole for _, whole in graded) else 1


if __name__ == "__main__":
    sys.exit(main())

"""The table of tests/tools/coverage, from the lines that llvm-cov exports.

    coverage.py LINES.info INCLUDE [--least PERCENT]

A line counts as run when any instantiation of it in any program was run. A template that nobody
instantiates leaves no lines: a header without any line at all is listed beside the table.
"""
import argparse
import collections
import pathlib
import sys


def read(path, include):
    """{header: {line: count}} for the headers under `include`."""
    lines = collections.defaultdict(collections.Counter)
    header = None
    for text in open(path, encoding="utf-8"):
        if text.startswith("SF:"):
            file = pathlib.Path(text[3:].strip())
            header = str(file.relative_to(include)) if include in file.parents else None
        elif text.startswith("DA:") and header:
            number, count = text[3:].split(",")[:2]
            lines[header][int(number)] += int(count)
    return lines


def ranges(numbers):
    """[1, 2, 3, 7] -> "1-3, 7" """
    text = []
    first = last = None
    for number in sorted(numbers) + [None]:
        if first is not None and number != last + 1:
            text.append(str(first) if first == last else f"{first}-{last}")
            first = None
        first = number if first is None else first
        last = number
    return ", ".join(text)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("lines", type=pathlib.Path)
    arguments.add_argument("include", type=pathlib.Path)
    arguments.add_argument("--least", type=float, default=0)
    given = arguments.parse_args()

    include = given.include.resolve()
    measured = read(given.lines, include)
    if not measured:
        sys.exit(f"no lines of {include} in {given.lines}")
    n_lines = n_run = 0
    print(f"{'lines':>6} {'run':>6} {'%':>6}  header")
    for header in sorted(measured):
        counts = measured[header].values()
        run = sum(count > 0 for count in counts)
        n_lines += len(counts)
        n_run += run
        print(f"{len(counts):6} {run:6} {100 * run / len(counts):6.1f}  {header}")
    percent = 100 * n_run / n_lines
    print(f"{n_lines:6} {n_run:6} {percent:6.2f}  all")

    print("\nNever run:")
    for header in sorted(measured):
        missed = [line for line, count in measured[header].items() if count == 0]
        if missed:
            print(f"  {header}: {ranges(missed)}")
    print("\nWithout a line of code, or never instantiated:")
    headers = {str(path.relative_to(include)) for path in include.rglob("*.hpp")}
    for header in sorted(headers - set(measured)):
        print(f"  {header}")
    if percent < given.least:
        sys.exit(f"\n{percent:.2f} % of the lines are run, less than {given.least:g} %")


if __name__ == "__main__":
    main()

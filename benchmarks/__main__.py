"""`python -m benchmarks [--json] [NAME ...]`: run the benchmarks, print ratios and whether the bars hold."""

from __future__ import annotations

import argparse
import importlib
import json
import sys

from accord.formats.protobuf import service
from benchmarks.harness import Result, report
from benchmarks.in_process import set_up

# Each is a module with `results()`. Spark needs Java and has a verb of its own: `make bench-spark`.
BENCHMARKS = (
    "avro_compatibility",
    "json_compatibility",
    "judging",
    "transitive",
    "protobuf_descriptors",
    "protobuf_modules",
    "protobuf_checks",
    "reads",
    "producers",
    "imports",
    "search",
    "descriptor_storage",
    "fairness",
    "triggers",
)


def main() -> int:
    """Run what is named, or everything; 1 if a bar does not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print every run as JSON")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of {', '.join(BENCHMARKS)}")
    arguments = parser.parse_args()
    set_up()
    service.use(service.OwnCompiler())  # not the one that the settings name: nobody may have started it
    results: list[Result] = []
    for name in arguments.names or BENCHMARKS:
        found = importlib.import_module(f"benchmarks.{name}").results()
        results += found
        if not arguments.json:
            print(report(found), end="\n\n", flush=True)
    if arguments.json:
        print(json.dumps([one.record() for one in results], indent=2))
    return int(not all(one.holds for one in results))


if __name__ == "__main__":
    sys.exit(main())

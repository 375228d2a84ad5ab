"""`python -m benchmarks [--json] [NAME ...]`: run the benchmarks and print ratios."""

from __future__ import annotations

import argparse
import importlib
import json

from benchmarks.harness import Result, report

# Each is a module with `results()`. Spark needs Java and has a verb of its own: `make bench-spark`.
BENCHMARKS = ("avro_compatibility", "json_compatibility", "transitive", "reads", "producers")


def main() -> None:
    """Run what is named, or everything."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print every run as JSON")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of {', '.join(BENCHMARKS)}")
    arguments = parser.parse_args()
    results: list[Result] = []
    for name in arguments.names or BENCHMARKS:
        results += importlib.import_module(f"benchmarks.{name}").results()
    print(json.dumps([one.record() for one in results], indent=2) if arguments.json else report(results))


if __name__ == "__main__":
    main()

"""The command ``accord-spark``, as it starts: is PySpark there at all?"""

from __future__ import annotations

import sys
from typing import Final

WITHOUT_SPARK: Final = (
    "Error: accord-spark needs PySpark, which comes with the extra 'spark':"
    " in a checkout of Accord, run: pip install '.[spark]'"
)


def main() -> None:
    """Run the command, or end with code 2 and one sentence where PySpark is not installed."""
    try:
        import pyspark  # noqa: F401, PLC0415  # to see whether it is there
    except ModuleNotFoundError:
        sys.stderr.write(f"{WITHOUT_SPARK}\n")
        sys.exit(2)
    from accord.pipeline.jobs import main as program  # noqa: PLC0415  # only where PySpark is

    program()

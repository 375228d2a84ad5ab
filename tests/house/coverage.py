"""How much of the code the tests run: `make test COVERAGE=1` ends here, and fails below a threshold.

`coverage run` leaves one data file per process; this combines them and holds each part of the
tree against its row. A file that no test imported counts as missed whole, so that leaving code
out of the measurement can never pass for testing it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from coverage import Coverage

from tests.house.lint import matches, tree

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True)
class Threshold:
    """One row: a part of the tree and the share of its lines and branches that tests must run."""

    name: str
    paths: tuple[str, ...]
    percent: float
    but: tuple[str, ...] = ("*/migrations/*",)

    def covers(self, path: str) -> bool:
        """Tell whether a file, named from the root, belongs to this part."""
        return matches(path, self.paths) and not matches(path, self.but)


# Pictures are for people to look at; `make screenshots` takes them, and no test does.
PICTURES: Final = ("tests/browser/pictures.py", "tests/browser/screenshots.py")
# It runs isolated, without the packages of any environment, so nothing can measure it; the tests of
# processes and servers start every child through it.
LAUNCH: Final = "platform/accord_server/dev/launch.py"
THRESHOLDS: Final = (
    Threshold("accord", ("platform/accord/*.py",), 100),
    Threshold("tests", ("tests/*.py",), 94, but=("*/test_*.py", *PICTURES)),  # the aim is 100
    Threshold("accord_server", ("platform/accord_server/*.py",), 95, but=("*/migrations/*", LAUNCH)),
    Threshold("tenants", ("tenants/*.py",), 95),
    Threshold("registry", ("registry/*.py",), 95),
    Threshold("frontend", ("frontend/*.py",), 95),
)


@dataclass(frozen=True)
class Outcome:
    """What was found for one row; ``gaps`` names every missed line and branch."""

    threshold: Threshold
    percent: float
    gaps: str

    @property
    def is_met(self) -> bool:
        """Tell whether enough was run."""
        return self.percent >= self.threshold.percent

    def line(self) -> str:
        """The outcome in one line."""
        mark = "ok    " if self.is_met else "FAILED"
        return f"{mark} {self.threshold.name:<14} {self.percent:6.2f} %  of {self.threshold.percent:g} %"


def combined(folder: Path, *, config: Path) -> Coverage:
    """Add up what the processes of a run left in a folder; files of earlier runs must be gone."""
    found = Coverage(data_file=str(folder / ".coverage"), config_file=str(config))
    found.combine([str(folder)], strict=True)
    found.save()
    return found


def outcome_of(threshold: Threshold, found: Coverage, files: Iterable[Path]) -> Outcome:
    """Hold these files of one part against its row, measured or not; a part without files fails."""
    names = [str(file) for file in files]
    told = StringIO()
    if not names:
        return Outcome(threshold, 0.0, f"no file is called {' or '.join(threshold.paths)}\n")
    percent = found.report(names, file=told, show_missing=True, skip_covered=True, precision=2)
    return Outcome(threshold, percent, told.getvalue())


def report(outcomes: Iterable[Outcome]) -> str:
    """What is missing wherever too much is, then one line for each part."""
    rows = list(outcomes)
    gaps = [f"--- {one.threshold.name}\n{one.gaps}" for one in rows if not one.is_met]
    return "\n".join([*gaps, *(one.line() for one in rows)])


def main(root: Path = ROOT, thresholds: Iterable[Threshold] = THRESHOLDS) -> int:
    """Combine, judge and tell; 1 if a part is below its threshold."""
    found = combined(root, config=ROOT / "pyproject.toml")
    paths = [file.path for file in tree(root)]
    outcomes = [
        outcome_of(row, found, [root / path for path in paths if row.covers(path)]) for row in thresholds
    ]
    print(report(outcomes))
    return int(not all(one.is_met for one in outcomes))


if __name__ == "__main__":
    sys.exit(main())

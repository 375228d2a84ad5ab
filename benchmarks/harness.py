"""Comparisons that a noisy machine cannot turn around: alternate the sides, take medians, give ratios."""

from __future__ import annotations

import statistics
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

T = TypeVar("T")

REPETITIONS = 7
MICROSECONDS = "µs"


@dataclass(frozen=True)
class Bar:
    """What a result must not exceed: its ratio, or what our side costs."""

    ratio: float | None = None
    cost: float | None = None


@dataclass(frozen=True)
class Side:
    """One of the things compared: a name and a run that returns its cost, in whatever unit."""

    name: str
    run: Callable[[], float]


@dataclass(frozen=True)
class Result:
    """The costs of ours and of the yardstick, run by run, and what the ratio is called."""

    title: str
    unit: str
    ours: Side
    yardstick: Side
    our_costs: tuple[float, ...]
    yardstick_costs: tuple[float, ...]
    bar: Bar | None = None

    @property
    def holds(self) -> bool:
        """Whether the bar holds; without one it does."""
        if self.bar is None:
            return True
        cost = statistics.median(self.our_costs)
        return (self.bar.ratio is None or self.ratio <= self.bar.ratio) and (
            self.bar.cost is None or cost <= self.bar.cost
        )

    @property
    def ratio(self) -> float:
        """Our median cost in medians of the yardstick: below 1 we are cheaper."""
        return statistics.median(self.our_costs) / statistics.median(self.yardstick_costs)

    @property
    def spread(self) -> tuple[float, float]:
        """The smallest and the largest ratio of two neighbouring runs."""
        ratios = [ours / theirs for ours, theirs in zip(self.our_costs, self.yardstick_costs, strict=True)]
        return min(ratios), max(ratios)

    def lines(self) -> list[str]:
        """The result for people."""
        low, high = self.spread
        return [
            self.title,
            f"  {self.ours.name:<28} {self._cost(self.our_costs)}",
            f"  {self.yardstick.name:<28} {self._cost(self.yardstick_costs)}",
            f"  ratio {self.ratio:.3f} (from {low:.3f} to {high:.3f}, {len(self.our_costs)} runs each)",
            *self._bar(),
        ]

    def _bar(self) -> Iterator[str]:
        """What the bar asks for and whether it holds."""
        said = "holds" if self.holds else "DOES NOT HOLD"
        if self.bar is not None and self.bar.ratio is not None:
            yield f"  bar: ratio at most {self.bar.ratio:g}: {said}"
        if self.bar is not None and self.bar.cost is not None:
            yield f"  bar: {self.ours.name} at most {self.bar.cost:,.0f} {self.unit}: {said}"

    def _cost(self, costs: tuple[float, ...]) -> str:
        """A median, and where it is a time how many of them make a second."""
        median = statistics.median(costs)
        rate = f" ({1e6 / median:,.0f} a second)" if self.unit.startswith(MICROSECONDS) else ""
        return f"{median:12.3f} {self.unit}{rate}"

    def record(self) -> dict[str, object]:
        """The result for machines."""
        return {
            "title": self.title,
            "unit": self.unit,
            "ratio": round(self.ratio, 4),
            "spread": [round(one, 4) for one in self.spread],
            "bar": None if self.bar is None else asdict(self.bar),
            "holds": self.holds,
            self.ours.name: [round(one, 6) for one in self.our_costs],
            self.yardstick.name: [round(one, 6) for one in self.yardstick_costs],
        }


def compare(
    title: str,
    unit: str,
    *,
    ours: Side,
    yardstick: Side,
    repetitions: int = REPETITIONS,
    bar: Bar | None = None,
) -> Result:
    """Warm both sides up once, then run them in turn."""
    ours.run()
    yardstick.run()
    couples = [(ours.run(), yardstick.run()) for _ in range(repetitions)]
    our_costs, yardstick_costs = zip(*couples, strict=True)
    return Result(title, unit, ours, yardstick, our_costs, yardstick_costs, bar)


def timed(work: Callable[[T], object], prepare: Callable[[], Sequence[T]]) -> Callable[[], float]:
    """Make a run that costs the microseconds of one piece of work; preparing the pieces costs nothing."""

    def run() -> float:
        pieces = prepare()
        started = time.perf_counter()
        for piece in pieces:
            work(piece)
        return (time.perf_counter() - started) * 1e6 / len(pieces)

    return run


def report(results: Sequence[Result]) -> str:
    """All results, one under the other, and last what no longer holds."""
    failed = [f"The bar does not hold: {result.title}" for result in results if not result.holds]
    return "\n\n".join(["\n".join(result.lines()) for result in results] + failed)

"""Driving a walk over two schemas: open pairs, memory of finished ones, and the work limit.

The driver keeps its own stack, so that no chain of types is too long for it. A pair met again while
it is still open counts as readable (recursive types are compatible until some part proves otherwise),
and a finished pair is never walked twice: its differences are repeated with the locations of the first
visit, as Avro Java prints them.

Java also remembers what it found readable only because an outer pair was still open, and keeps that
even if the outer pair fails. Inside a probe, whose differences nobody sees, this can hide a real one.
So within probes such results are forgotten when the outer pair fails; outside of them they may stay,
since the outer pair's failure is then part of the report.

A probe ends at the first blocking change. Java goes on and can so meet an ambiguous alias in a branch
that did not fit anyway, and give up on the whole comparison; this one does not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from accord.diff.changes import Change, Effort, Pair, Probe, TooMuchWork

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.diff.changes import Step, Steps, Tokens, Walk

Key: TypeAlias = tuple[int, int]

# A nullable field takes about three steps, a plain one a quarter; a difference that is repeated costs about
# as much as rendering it.
STEPS_PER_CHECK = 1_000_000
REPEAT_COST = 10
NEVER = 1 << 60


class Found(NamedTuple):
    """A change, the path to it from the pair that holds it, and the place Java would print."""

    change: Change
    path: Tokens
    location: Tokens


class Known(NamedTuple):
    """What is remembered of a finished pair; ``found`` is None if a probe was answered early."""

    fits: bool
    found: tuple[Found, ...] | None


class WorkLimitReached(Exception):
    """The steps of the check are used up."""


class ComparisonEnded(Exception):
    """A blocking change after which nothing else can be said."""

    def __init__(self, found: Found) -> None:
        super().__init__()
        self.found = found


@dataclass(slots=True)
class Budget:
    """The steps that one check may take, shared by all its comparisons."""

    allowed: int = STEPS_PER_CHECK
    left: int = STEPS_PER_CHECK

    def spend(self, steps: int) -> None:
        """Take steps, or raise `WorkLimitReached`."""
        self.left -= steps
        if self.left < 0:
            raise WorkLimitReached


@dataclass(slots=True)
class _Open:
    """A pair being walked; pairs are numbered in the order of their visits.

    ``leans_on`` is the earliest unfinished pair that the result relies on, ``mark`` how many results
    leaned on others when this pair was opened.
    """

    key: Key
    number: int
    steps: Steps
    at: Tokens
    location: Tokens
    is_probe: bool
    leans_on: int = NEVER
    mark: int = 0
    fits: bool = True
    found: list[Found] = field(default_factory=list)


class Comparer:
    """Compares one reader with one writer; ``blocks`` and ``counts`` weigh changes."""

    def __init__(
        self,
        walk: Walk,
        *,
        blocks: Callable[[Change], bool],
        counts: Callable[[Change], bool],
        budget: Budget,
    ) -> None:
        self.walk = walk
        self.blocks = blocks
        self.counts = counts
        self.budget = budget
        self.stack: list[_Open] = []
        self.open: dict[Key, int] = {}
        self.known: dict[Key, Known] = {}
        self.locations: dict[Key, Tokens] = {}
        # Readable pairs that rely on an open one, by their own numbers (Tarjan's stack).
        self.leaning: dict[Key, int] = {}
        self.visits = 0
        self.probes = 0

    def compare(self, pair: Pair) -> list[Found]:
        """Return the differences in order; raises `WorkLimitReached` or `ComparisonEnded`."""
        root = self._open(pair, location=(), is_probe=False)
        answer: bool | None = None
        while self.stack:
            self.budget.spend(1)
            top = self.stack[-1]
            try:
                step = top.steps.send(answer)  # type: ignore[arg-type]  # one not begun takes None only
            except StopIteration:
                answer = self._close(top)
            else:
                answer = self._take(top, step)
        return root.found

    def _open(self, pair: Pair, *, location: Tokens, is_probe: bool) -> _Open:
        key = (id(pair.reader), id(pair.writer))
        first = self.locations.setdefault(key, location)
        opened = _Open(
            key=key,
            number=self.visits,
            steps=self.walk(pair),
            at=pair.at,
            location=first,
            is_probe=is_probe,
            mark=len(self.leaning),
        )
        self.visits += 1
        self.open[key] = opened.number
        self.stack.append(opened)
        self.probes += is_probe
        return opened

    def _take(self, top: _Open, step: Step) -> bool | None:
        match step:
            case Probe():
                return self._ask(top, step.pair)
            case Pair():
                return self._go_on(top, step)
            case Effort():
                self.budget.spend(step.steps)
                return None
            case _:
                return self._note(top, step)

    def _note(self, top: _Open, change: Change) -> bool | None:
        if not self.counts(change):
            return None
        found = Found(change, change.at, (*top.location, *change.at))
        top.found.append(found)
        if not self.blocks(change):
            return None
        if change.ends_comparison:
            raise ComparisonEnded(found)
        return self._fail(top)

    def _go_on(self, top: _Open, pair: Pair) -> bool | None:
        """Take the differences of an inner pair over, from memory or by walking it."""
        known = self._remember(top, pair)
        if known is None:
            self._open(pair, location=(*top.location, *pair.at), is_probe=False)
            return None
        if known.found is None and not self.probes:
            self._open(pair, location=(), is_probe=False)
            return None
        self._adopt(top, known.found or (), at=pair.at)
        return None if known.fits else self._fail(top)

    def _ask(self, top: _Open, pair: Pair) -> bool | None:
        known = self._remember(top, pair)
        if known is None:
            self._open(pair, location=(), is_probe=True)
            return None
        return known.fits

    def _remember(self, top: _Open, pair: Pair) -> Known | None:
        key = (id(pair.reader), id(pair.writer))
        number = self.open.get(key)
        if number is not None:
            top.leans_on = min(top.leans_on, number)
            return OPEN
        known = self.known.get(key)
        if known is not None and known.fits:
            top.leans_on = min(top.leans_on, self.leaning.get(key, NEVER))
        return known

    def _adopt(self, top: _Open, found: tuple[Found, ...], *, at: Tokens) -> None:
        if found:
            self.budget.spend(REPEAT_COST * len(found))
            top.found.extend(one._replace(path=(*at, *one.path)) for one in found)

    def _fail(self, top: _Open) -> bool | None:
        """Mark a pair as unreadable; inside a probe that settles the probe at once."""
        top.fits = False
        if not self.probes:
            return None
        while True:
            failed = self._pop()
            self.known.setdefault(failed.key, Known(fits=False, found=None))
            if failed.is_probe:
                self._forget(failed.mark)
                return False

    def _close(self, top: _Open) -> bool | None:
        """Finish a walked pair: remember it, and hand the answer or the differences up."""
        self._pop()
        self.known[top.key] = Known(top.fits, tuple(top.found))
        if top.fits:
            self._lean(top)
        else:
            self._settle(top.mark)
        if top.is_probe:
            return top.fits
        if self.stack:
            parent = self.stack[-1]
            self._adopt(parent, tuple(top.found), at=top.at)
            parent.fits = parent.fits and top.fits
        return None

    def _lean(self, top: _Open) -> None:
        """A readable pair that relies on an earlier open one is readable only if that one is."""
        if top.leans_on < top.number:
            self.leaning[top.key] = top.number
            parent = self.stack[-1]
            parent.leans_on = min(parent.leans_on, top.leans_on)
        else:
            self._settle(top.mark)

    def _pop(self) -> _Open:
        top = self.stack.pop()
        del self.open[top.key]
        self.probes -= top.is_probe
        top.steps.close()
        return top

    def _settle(self, mark: int) -> None:
        """What leaned on a finished pair holds from now on."""
        while len(self.leaning) > mark:
            self.leaning.popitem()

    def _forget(self, mark: int) -> None:
        """What leaned on a pair that failed inside a probe must be looked at again."""
        while len(self.leaning) > mark:
            key, _ = self.leaning.popitem()
            self.known.pop(key, None)


OPEN = Known(fits=True, found=())


def too_much_work(budget: Budget) -> Found:
    """Return the one finding of a comparison that was cut short."""
    return Found(TooMuchWork((), budget.allowed), (), ())

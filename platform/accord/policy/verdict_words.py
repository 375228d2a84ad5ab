"""Verdicts in a word, the same in every interface."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from accord.model import Severity

if TYPE_CHECKING:
    from accord.model import Direction, Verdict
    from accord.policy.matrix import LevelVerdict


class VerdictWord(StrEnum):
    """What comes of a candidate."""

    ALLOWED = "allowed"
    WARNED = "allowed_with_warnings"
    BLOCKED = "blocked"

    @classmethod
    def of(cls, *, is_allowed: bool, is_warned: bool) -> VerdictWord:
        """Return the word for a verdict; warnings do not count where something blocks."""
        if not is_allowed:
            return cls.BLOCKED
        return cls.WARNED if is_warned else cls.ALLOWED


@dataclass(frozen=True, slots=True)
class LevelWord:
    """What comes of a candidate under one level.

    ``version`` is the newest that fails, ``directions`` those in which it does, ``rules`` what blocks.
    """

    word: VerdictWord
    version: int | None
    directions: tuple[Direction, ...]
    rules: tuple[str, ...]

    @property
    def is_allowed(self) -> bool:
        """True when nothing blocks."""
        return self.word is not VerdictWord.BLOCKED


def verdict_word(verdict: Verdict) -> VerdictWord:
    """Return a verdict in one word."""
    is_warned = any(one.severity is Severity.WARN for one in verdict.findings)
    return VerdictWord.of(is_allowed=verdict.is_allowed, is_warned=is_warned)


def level_word(one: LevelVerdict) -> LevelWord:
    """Return what one level says, its findings down to the rules that block."""
    found = (*one.verdict.own, *(finding for each in one.failing for finding in each.findings))
    return LevelWord(
        verdict_word(one.verdict),
        one.version,
        tuple(each.direction for each in one.failing),
        tuple(dict.fromkeys(finding.rule for finding in found if finding.severity is Severity.BLOCK)),
    )


def level_data(one: LevelWord) -> dict[str, object]:
    """Return what one level says as JSON values."""
    return {
        "verdict": str(one.word),
        "is_compatible": one.is_allowed,
        "version": one.version,
        "directions": [str(direction) for direction in one.directions],
        "rules": list(one.rules),
    }

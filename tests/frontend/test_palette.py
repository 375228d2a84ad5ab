"""Text keeps 4.5:1 on every ground it stands on, edges of controls 3:1, in both themes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TOKENS = Path(__file__).parents[2] / "frontend/assets/css/tokens.css"
PAIR = re.compile(r"--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));")
COLOURS = {
    name: (light or both, dark or both) for name, light, dark, both in PAIR.findall(TOKENS.read_text())
}
PLAIN = ["ground", "surface", "sunken", "raised", "hover"]
CODE = ["surface", "sunken", "target", "added", "added-mark", "removed", "removed-mark"]
KINDS = ["key", "string", "number", "word", "sign", "note"]
TEXT = [
    *((ink, ground) for ink in ("ink", "ink-soft", "ink-faint", "accent") for ground in PLAIN),
    *((f"code-{kind}", ground) for kind in KINDS for ground in CODE),
    *((f"{tone}", f"{tone}-ground") for tone in ("pass", "fail", "warn", "accent")),
    *(("ink", ground) for ground in CODE),
    ("fail", "removed-gutter"),
    ("pass", "added-gutter"),
    ("ink-faint", "target"),
    ("on-accent", "accent-fill"),
    ("on-accent", "accent-fill-hover"),
]
EDGES = [("edge", ground) for ground in ("ground", "surface")]


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def brightness(colour: str) -> float:
    red, green, blue = (linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((brightness(one), brightness(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT, ids=lambda name: name)
def test_text_can_be_read(ink: str, ground: str, theme: int) -> None:
    assert contrast(COLOURS[ink][theme], COLOURS[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("edge", "ground"), EDGES, ids=lambda name: name)
def test_edges_can_be_seen(edge: str, ground: str, theme: int) -> None:
    assert contrast(COLOURS[edge][theme], COLOURS[ground][theme]) >= 3

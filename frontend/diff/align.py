"""Put the lines of a changed block side by side so that lines that look alike share a row."""

from __future__ import annotations

from frontend.diff.marks import MIN_LIKENESS, bag, likeness

# Above this product of lines the block is paired in plain order.
MAX_PAIRS = 196

Pairing = list[tuple[int | None, int | None]]


def align(old: list[str], new: list[str]) -> Pairing:
    """Return rows of (old place, new place); a missing side is None, every line occurs once."""
    rows: Pairing = []
    old_at = new_at = 0
    for old_place, new_place in [*_alike(old, new), (len(old), len(new))]:
        rows.extend(_side_by_side(range(old_at, old_place), range(new_at, new_place)))
        if old_place < len(old):
            rows.append((old_place, new_place))
        old_at, new_at = old_place + 1, new_place + 1
    return rows


def _side_by_side(old: range, new: range) -> Pairing:
    length = max(len(old), len(new))
    return [(old[at] if at < len(old) else None, new[at] if at < len(new) else None) for at in range(length)]


def _alike(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Choose the pairs, in order on both sides, whose likeness adds up to the most."""
    if not old or not new or len(old) * len(new) > MAX_PAIRS:
        return []
    scores = _scores(old, new)
    best = _best_sums(scores)
    pairs: list[tuple[int, int]] = []
    row = column = 0
    while row < len(old) and column < len(new):
        score = scores[row][column]
        if score and best[row][column] == score + best[row + 1][column + 1]:
            pairs.append((row, column))
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return pairs


def _scores(old: list[str], new: list[str]) -> list[list[float]]:
    new_bags = [bag(line) for line in new]
    rows = [[likeness(bag(line), new_bag) for new_bag in new_bags] for line in old]
    return [[score if score >= MIN_LIKENESS else 0.0 for score in row] for row in rows]


def _best_sums(scores: list[list[float]]) -> list[list[float]]:
    height, width = len(scores), len(scores[0])
    best = [[0.0] * (width + 1) for _ in range(height + 1)]
    for row in range(height - 1, -1, -1):
        for column in range(width - 1, -1, -1):
            pair = scores[row][column] + best[row + 1][column + 1]
            skip = max(best[row + 1][column], best[row][column + 1])
            best[row][column] = max(pair, skip)
    return best

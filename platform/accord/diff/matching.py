"""Maximum matching in a bipartite graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FREE = -1


def maximum_matching(
    edges: Sequence[Sequence[int]], right: int, likely: Iterable[tuple[int, int]] = ()
) -> list[int]:
    """Return for each left node the right node it is matched with, or -1.

    ``edges[i]`` are the right nodes, below ``right``, that left node i may have; ``likely`` are edges to
    begin with, no two at one node. Source: J. Hopcroft and R. Karp, 1973; it takes E times the root of V
    steps, here without recursion.
    """
    left_match = [FREE] * len(edges)
    right_match = [FREE] * right
    for node, option in likely:
        left_match[node], right_match[option] = option, node
    for node, options in enumerate(edges):  # a greedy beginning leaves little to do
        for option in options if left_match[node] == FREE else ():
            if right_match[option] == FREE:
                left_match[node], right_match[option] = option, node
                break
    while True:
        layers = _layers(edges, left_match, right_match)
        if layers is None:
            return left_match
        positions = [0] * len(edges)
        for node in range(len(edges)):
            if left_match[node] == FREE:
                _augment(node, edges, (left_match, right_match), layers=layers, positions=positions)


def _layers(
    edges: Sequence[Sequence[int]], left_match: list[int], right_match: list[int]
) -> list[int] | None:
    """Number left nodes by their distance from a free one; None if no free right node is in reach."""
    layers = [0 if match == FREE else FREE for match in left_match]
    frontier = [node for node, layer in enumerate(layers) if layer == 0]
    is_reached = False
    while frontier and not is_reached:
        following: list[int] = []
        for node in frontier:
            for option in edges[node]:
                other = right_match[option]
                if other == FREE:
                    is_reached = True
                elif layers[other] == FREE:
                    layers[other] = layers[node] + 1
                    following.append(other)
        frontier = following
    return layers if is_reached else None


def _augment(
    first: int,
    edges: Sequence[Sequence[int]],
    matches: tuple[list[int], list[int]],
    *,
    layers: list[int],
    positions: list[int],
) -> None:
    """Follow the layers from a free left node to a free right one and swap the edges on the way."""
    left_match, right_match = matches
    path = [first]
    while path:
        node = path[-1]
        if positions[node] == len(edges[node]):
            path.pop()
            continue
        option = edges[node][positions[node]]
        positions[node] += 1
        other = right_match[option]
        if other == FREE:
            for step in reversed(path):
                option, left_match[step] = edges[step][positions[step] - 1], edges[step][positions[step] - 1]
                right_match[option] = step
            return
        if layers[other] == layers[node] + 1:
            path.append(other)

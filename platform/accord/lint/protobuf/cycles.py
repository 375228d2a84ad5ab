"""Cycles among packages: which reach each other, and a shortest way round."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    Graph: TypeAlias = Mapping[str, Mapping[str, None]]


def components(graph: Graph) -> dict[str, int]:
    """Return a number for each node, the same for nodes that reach each other. Source: Tarjan 1972."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    found: dict[str, int] = {}
    path: list[str] = []
    for start in graph:
        if start not in order:
            _visit(start, graph, order, lowest, (path, found))
    return found


def _visit(
    start: str,
    graph: Graph,
    order: dict[str, int],
    lowest: dict[str, int],
    state: tuple[list[str], dict[str, int]],
) -> None:
    path, found = state
    waiting: list[tuple[str, Iterator[str]]] = [(start, iter(graph.get(start, {})))]
    order[start] = lowest[start] = len(order)
    path.append(start)
    while waiting:
        node, rest = waiting[-1]
        inner = next(rest, None)
        if inner is None:
            waiting.pop()
            if waiting:
                above = waiting[-1][0]
                lowest[above] = min(lowest[above], lowest[node])
            if lowest[node] == order[node]:
                while node not in found:
                    found[path.pop()] = order[node]
        elif inner not in order:
            order[inner] = lowest[inner] = len(order)
            path.append(inner)
            waiting.append((inner, iter(graph.get(inner, {}))))
        elif inner not in found:
            lowest[node] = min(lowest[node], order[inner])


def way(graph: Graph, start: str, end: str) -> tuple[str, ...]:
    """Return the nodes of a shortest way from one node to another that it reaches, both included."""
    before: dict[str, str] = {start: ""}
    waiting = deque([start])
    while end not in before:
        node = waiting.popleft()
        for inner in graph.get(node, {}):
            if inner not in before:
                before[inner] = node
                waiting.append(inner)
    nodes = [end]
    while before[nodes[-1]]:
        nodes.append(before[nodes[-1]])
    return tuple(reversed(nodes))

"""Maximum matching, against trying everything."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from accord.diff.matching import FREE, maximum_matching

graphs = st.lists(st.lists(st.integers(0, 5), unique=True, max_size=4), max_size=6)


def best(edges: list[list[int]]) -> int:
    """The size of a maximum matching, by trying every choice."""
    choices = itertools.product(*[[*options, None] for options in edges])
    taken = ([one for one in choice if one is not None] for choice in choices)
    return max(len(one) for one in taken if len(set(one)) == len(one))


@given(graphs)
def test_no_matching_is_larger(edges: list[list[int]]) -> None:
    matches = maximum_matching(edges, 6)
    taken = [match for match in matches if match != FREE]
    assert len(set(taken)) == len(taken) == best(edges)
    assert all(match == FREE or match in options for match, options in zip(matches, edges, strict=True))


def test_likely_edges_stay_where_they_can() -> None:
    assert maximum_matching([[0, 1], [0, 1]], 2) == [0, 1]
    assert maximum_matching([[0, 1], [0, 1]], 2, [(1, 0)]) == [1, 0]
    assert maximum_matching([[0], [0, 1]], 2, [(1, 0)]) == [0, 1]


def test_a_long_path_is_followed() -> None:
    count = 3_000
    edges = [[n, n + 1] for n in range(count)]
    assert sorted(maximum_matching([*edges, [0]], count + 1)) == list(range(count + 1))

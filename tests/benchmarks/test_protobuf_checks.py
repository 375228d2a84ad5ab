"""The stored module is made of short chains, and every changed text is a new one with the same change."""

from __future__ import annotations

import pytest

from benchmarks.protobuf_checks import CHAIN, body, changed, percentiles
from benchmarks.protobuf_modules import module_texts


def test_each_file_refers_to_the_one_before_but_for_the_first_of_a_chain() -> None:
    texts = list(module_texts(CHAIN + 1, 1, chain=CHAIN).items())
    assert body(texts, CHAIN, "text") == {"schemaType": "PROTOBUF", "schema": "text", "references": []}
    reference = {"name": texts[CHAIN - 2][0], "subject": f"part-{CHAIN - 2}", "version": 1}
    assert body(texts, CHAIN - 1, "")["references"] == [reference]
    assert [text.count("import ") for _, text in texts] == [0, *[1] * (CHAIN - 1), 0]


def test_changed_texts_differ_and_have_the_same_change() -> None:
    new = changed("message M { string name = 1; string name_ = 2; }\n")
    first, second = next(new), next(new)
    assert first != second
    assert first.startswith("message M { bytes name = 1; string name_ = 2; }\nmessage Added0 {")


def test_percentiles_are_those_of_each_run_in_milliseconds() -> None:
    run = [[number / 1e3 for number in range(1, 101)], [0.001] * 100]
    middle, high = percentiles([run, run])
    assert list(middle.our_costs) == pytest.approx([50.5, 50.5])
    assert middle.yardstick_costs == (1.0, 1.0)
    assert high.our_costs[0] == pytest.approx(99.99, abs=0.5)

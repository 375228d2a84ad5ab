from __future__ import annotations

from accord.policy.documents.problems import nearest, shown


def test_advice_names_the_nearest_word_or_a_few() -> None:
    assert nearest("bloc", ["block", "off"]) == "did you mean block?"
    assert nearest("x", []) == "leave it out"
    assert nearest("x", [f"word{position:02}" for position in range(20)]).endswith("word11, ...")
    assert shown("é" * 70) == "'" + "\\xe9" * 60 + "...'"

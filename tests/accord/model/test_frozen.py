"""A kept property is worked out once, when it is first asked for."""

from __future__ import annotations

from dataclasses import field

from accord.model.frozen import kept, lazily_frozen


@lazily_frozen
class Word:
    """A word that notes how often its length was worked out."""

    text: str
    asked: list[str] = field(default_factory=list)

    @kept
    def length(self) -> int:
        """How long it is."""
        self.asked.append(self.text)
        return len(self.text)


def test_a_kept_property_is_worked_out_once_for_each_instance() -> None:
    word, other = Word("four"), Word("three")
    assert word.asked == []
    assert (word.length, word.length, other.length) == (4, 4, 5)
    assert (word.asked, other.asked) == (["four"], ["three"])

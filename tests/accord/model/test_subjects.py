from __future__ import annotations

from accord.model import SubjectName


def test_the_default_context_is_not_shown() -> None:
    assert str(SubjectName("orders")) == "orders"
    assert str(SubjectName("orders", ".ctx")) == ":.ctx:orders"

"""What a page complains about is noted; at the end of a test it would fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser


def test_an_error_on_the_console_is_noted(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.page.evaluate("console.error('planted')")
    window.page.evaluate("console.log('said')")
    assert window.complaints == ["error: planted"]
    window.complaints.clear()

"""Pictures of every page in both themes, on a desk and on a telephone, into build/screenshots.

`tests.browser.screenshots` runs it. An ordinary run does not collect it (the file's name does not start
with ``test_``): it checks nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.exhibits import EXHIBITS, VISITORS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.conftest import Visit

FOLDER = Path(__file__).parents[2] / "build" / "screenshots"


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_take_pictures(visit: Callable[..., Visit], theme: str, width: int) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    windows = {name: visit(name, color_scheme=theme, width=width) for name in VISITORS}
    for name, (who, address) in EXHIBITS.items():
        page = windows[who].go(address)
        page.screenshot(path=FOLDER / f"{name}-{theme}-{width}.png", full_page=True)

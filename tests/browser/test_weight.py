"""A page that is read costs at most 70 kB and eight requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.exhibits import EXHIBITS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import CDPSession

    from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser
MAX_BYTES = 70_000
MAX_REQUESTS = 8


@pytest.mark.parametrize("name", ["subjects", "definition", "diff-blocks", "policy-edit", "rules", "sign-in"])
def test_a_first_visit_stays_within_its_budget(visit: Callable[..., Visit], name: str) -> None:
    who, address = EXHIBITS[name]
    window = visit(who)
    sizes = transferred(window.context.new_cdp_session(window.page))
    window.go(address).wait_for_load_state("networkidle")
    assert 0 < sum(sizes) <= MAX_BYTES
    assert len(window.requests) <= MAX_REQUESTS


def transferred(session: CDPSession) -> list[int]:
    """Collect what comes over the wire from now on, compressed as it comes."""
    sizes: list[int] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    session.send("Network.enable")
    return sizes

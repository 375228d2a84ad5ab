"""All subjects of a namespace in brief, for whoever copies it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.policies.asking import NAMESPACE, Native

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db
PATH = f"{NAMESPACE}/subject-settings"


def test_each_subject_is_told_with_its_own_settings(api: Registry) -> None:
    api.registered("a", "int")
    api.registered(":.c:b", "int")
    api.ok("PUT", "/config/a", {"compatibility": "NONE", "alias": "x"})
    api.ok("PUT", "/config/%3A.c%3A", {"compatibility": "FULL"})
    api.mode(":.c:b", "READONLY")
    api.registered("a/b", "int")
    api.delete("/subjects/a%2Fb/versions/1")
    native = Native(api.token)
    nothing: dict[str, Any] = {"versions": 1, "deleted": 0, "config": None, "mode": None}
    wanted = [
        {**nothing, "subject": "a", "config": api.ok("GET", "/config/a")},
        {**nothing, "subject": ":.c:b", "mode": "READONLY"},
        {**nothing, "subject": "a/b", "deleted": 1},
    ]
    assert native.ok("GET", PATH) == {"items": wanted, "next": None}
    first = native.ok("GET", f"{PATH}?limit=2")
    second = native.ok("GET", f"{PATH}?limit=2&cursor={first['next']}")
    assert ([*first["items"], *second["items"]], second["next"]) == (wanted, None)


def test_who_may_not_read_all_of_it_is_told_nothing(api: Registry, api_with: Callable[..., Registry]) -> None:
    api.registered("a", "int")
    every = ("subject.read", "config.read", "mode.read")
    assert Native(api_with(*every).token).call("GET", PATH).status_code == 200
    for missing in every:
        answer = Native(api_with(*({*every} - {missing})).token).call("GET", PATH)
        assert (answer.status_code, missing in answer.content.decode()) == (403, True)
    narrow = Native(api_with(*every, subjects=("a",)).token).call("GET", PATH)
    assert narrow.status_code == 403

"""The verbs of the command line lead to addresses that there are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.urls import resolve

from accord.cli.control_table import GROUPS

if TYPE_CHECKING:
    from accord.cli.control_rows import Verb

VERBS = [(group.name, verb) for group in GROUPS for verb in group.verbs]
SOME_ID = "00000000-0000-4000-8000-000000000000"
# What no id stands for.
SOME = {"version": "1"}
VARIABLE = re.compile(r"{(\w+)}")


@pytest.mark.parametrize(("group", "verb"), VERBS, ids=[f"{name} {verb.name}" for name, verb in VERBS])
def test_there_is_such_an_address(group: str, verb: Verb) -> None:
    path = VARIABLE.sub(lambda found: SOME.get(found[1], SOME_ID), verb.path)
    found = resolve(f"/api/v1{path}" if verb.is_server_wide else f"/api/v1/tenants/north{path}")
    assert hasattr(found.func.view_class, verb.method.lower()), group  # type: ignore[attr-defined]  # every view here is a class

"""No address without a matrix of refusals, and none that two believe to be the other's."""

from __future__ import annotations

import pytest
from django.test import Client

from accord_server.kit.paths import DESCRIPTORS, ROOT_SEGMENTS
from registry.api.confluent.urls import ROUTES
from tests.contract.addresses import CLAIMS, Address, addresses, claimed_by


@pytest.mark.parametrize("address", list(addresses()), ids=lambda address: address.pattern or "/")
def test_every_pattern_of_the_root_is_claimed_by_exactly_one_matrix(address: Address) -> None:
    assert len([name for name, claims in CLAIMS.items() if claims(address)]) == 1


@pytest.mark.parametrize("matrix", CLAIMS)
def test_every_matrix_has_something_to_answer_for(matrix: str) -> None:
    assert claimed_by(matrix)


@pytest.mark.parametrize("address", claimed_by("health"), ids=lambda address: address.pattern)
def test_probes_ask_nobody_who_they_are(address: Address, db: None) -> None:
    anonymous, wrong = (Client().get(address.path({}), headers=sent) for sent in ({}, {"Authorization": "x"}))
    assert anonymous.status_code == wrong.status_code != 401


def test_a_namespace_at_the_root_has_all_its_paths_and_none_of_the_pages() -> None:
    first = {route.template.split("/")[1] for route in ROUTES} - {""}
    assert first < ROOT_SEGMENTS == first | {DESCRIPTORS}
    others = {
        address.pattern.split("/")[0]
        for name in ("pages", "native", "health")
        for address in claimed_by(name)
    }
    assert not others & ROOT_SEGMENTS


@pytest.mark.parametrize("method", ["GET", "POST", "BREW"])
@pytest.mark.parametrize("path", ["/sr", "/sr/", "/sr/north", "/api", "/api/", "/api/v1", "/api/v2/checks"])
def test_where_nothing_is_there_is_nothing_for_anybody(path: str, method: str) -> None:
    assert Client().generic(method, path).status_code == 404

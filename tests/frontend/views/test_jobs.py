"""The page of jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry.import_records import StartImport
from registry.services.imports import start_import
from tests.frontend.views.test_subjects import statements, text_of

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Actor, ScopeFor

LIST = "/t/north/jobs/"


def test_where_there_is_none_the_page_says_what_comes_here(as_alice: Client) -> None:
    page = text_of(as_alice, LIST)
    assert "There is no job yet" in page
    assert 'aria-current="page"' in page
    assert "No job fits the filters" in text_of(as_alice, LIST + "?kind=import&state=nonsense")


def test_jobs_are_listed_with_links_to_their_pages(
    as_alice: Client, alice: Actor, scope_for: ScopeFor
) -> None:
    run = start_import(scope_for(alice), StartImport("elsewhere"))
    page = text_of(as_alice, LIST)
    assert f'href="/t/north/ns/default/imports/{run.id}"' in page
    assert "Running" in page
    assert "No job fits" in text_of(as_alice, LIST + "?state=done")
    assert statements(as_alice, LIST) <= 20

"""The pages of imports: the list, one that is followed, what was refused, and ending it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.model import Format, SchemaText
from accord.naming import parse_subject
from registry.import_records import ImportedVersion, ImportResult, StartImport
from registry.records import RegisterVersion
from registry.services.imports import finish_import, import_versions, start_import
from tests.frontend.policies import scope_at
from tests.frontend.views.test_policies import plain
from tests.frontend.views.test_subjects import text_of

if TYPE_CHECKING:
    from django.test import Client

    from registry.import_records import ImportRecord
    from tests.cast import Actor

pytestmark = pytest.mark.django_db
LIST = "/t/north/ns/default/imports/"


def brought(actor: Actor, *subjects: str, source: str = "https://old.example.com") -> ImportRecord:
    """Begin an import that brings versions where nothing takes imports, so that they are refused."""
    scope = scope_at(actor)
    run = start_import(scope, StartImport(source, {"register": len(subjects), "delete": 0}))
    schema = SchemaText(Format.AVRO, '"int"')
    commands = [RegisterVersion(parse_subject(one), schema, number=1, schema_id=9) for one in subjects]
    import_versions(scope, run.id, [ImportedVersion(one, 9, is_deleted=False) for one in commands])
    return run


def test_an_empty_list_says_what_would_be_there(as_alice: Client, alice: Actor) -> None:
    assert "Nothing was imported" in text_of(as_alice, LIST)


def test_an_import_is_followed_until_its_end(as_alice: Client, alice: Actor) -> None:
    run = brought(alice, "a", "b")
    page = text_of(as_alice, f"{LIST}{run.id}")
    assert 'hx-trigger="every 2s"' in page
    told = plain(page)
    assert "2 of 2 steps" in told
    assert "a v1 Subject a in context is not in import mode not_in_import_mode Set the mode" in told
    for sums, words in (("01", "The sides differ in 1 place"), ("00", "Both sides hold the same")):
        finish_import(scope_at(alice), run.id, ImportResult(sums[0] * 64, sums[1] * 64, int(sums[1])))
        page = text_of(as_alice, f"{LIST}{run.id}")
        assert "every 2s" not in page
        assert words in plain(page)
        run = brought(alice)
    assert plain(text_of(as_alice, LIST)).count("https://old.example.com") == 3


def test_script_gets_the_part_that_moves(as_alice: Client, alice: Actor) -> None:
    page = text_of(as_alice, f"{LIST}{brought(alice).id}", **{"HX-Request": "true"})
    assert "<html" not in page
    assert 'id="import"' in page


def test_lists_go_on_after_a_part(as_alice: Client, alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frontend.views.imports.PAGE_SIZE", 1)
    first = brought(alice, "a", "b")
    page = text_of(as_alice, f"{LIST}{first.id}")
    following = page.partition('rel="next" href="')[2].partition('"')[0]
    assert "b v1 Subject b" in plain(text_of(as_alice, following))
    as_alice.post(f"{LIST}{first.id}")
    brought(alice, source="another")
    page = text_of(as_alice, LIST)
    following = page.partition('rel="next" href="')[2].partition('"')[0]
    rest = text_of(as_alice, following)
    assert "https://old.example.com" in rest
    assert "Beginning" in rest


def test_a_running_import_can_be_ended(as_alice: Client, alice: Actor) -> None:
    where = f"{LIST}{brought(alice).id}"
    assert "End it" in text_of(as_alice, where)
    assert as_alice.post(where).headers["Location"] == where
    page = text_of(as_alice, where)
    assert "Cancelled" in page
    assert "End it" not in page


def test_who_may_not_import_sees_neither_tab_nor_page(as_bob: Client, alice: Actor) -> None:
    run = brought(alice)
    assert "Imports" not in text_of(as_bob, "/t/north/ns/default/")
    for where in (LIST, f"{LIST}{run.id}"):
        assert as_bob.get(where).status_code == 403
    assert as_bob.post(f"{LIST}{run.id}").status_code == 403

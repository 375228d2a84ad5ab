"""The tabs of a subject: definition, file, versions, comparison with its verdict."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.utils.html import strip_tags

from accord.formats.protobuf import service
from accord.model import Format, SchemaText
from accord.naming import parse_subject
from accord_server.kit import nudge
from accord_server.kit.turnstile import Turnstile
from registry.records import RegisterVersion
from registry.services.registration import register_version
from tests.accord.protobuf_texts import COMPILER
from tests.frontend.policies import bind
from tests.frontend.schemas import ORDERS, field, record
from tests.frontend.views.test_subjects import statements, text_of
from tests.registry.forgetting import forget_everything

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import Settings

    from tests.cast import Actor, ScopeFor
    from tests.frontend.conftest import Register

SUBJECT = "/t/north/ns/default/s/orders-value/-/"


def code_of(page: str) -> str:
    """The text inside the code panel, as somebody who copies it gets it."""
    inside = page.partition('<pre class="code" id="definition"><code>')[2].partition("</code></pre>")[0]
    return unescape(strip_tags(inside))


def test_the_definition_is_the_latest_version_unless_told_otherwise(as_bob: Client, orders: str) -> None:
    assert json.loads(code_of(text_of(as_bob, SUBJECT))) == json.loads(ORDERS[2])
    assert json.loads(code_of(text_of(as_bob, SUBJECT + "?v=1"))) == json.loads(ORDERS[0])


def test_the_head_names_the_level_and_where_it_comes_from(as_bob: Client, orders: str) -> None:
    page = strip_tags(text_of(as_bob, SUBJECT))
    assert "BACKWARD, the default of this server" in page
    assert "latest v3" in page


def test_each_line_is_a_link_to_itself(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, SUBJECT)
    assert '<span class="line" id="L2"><a class="line__no" href="#L2"' in page


def test_a_long_text_is_cut_and_the_rest_is_one_link_away(
    as_bob: Client, orders: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontend.pages.definition.SHOWN_LINES", 5)
    page = text_of(as_bob, SUBJECT)
    assert 'id="L6"' not in page
    assert "The first 5 of" in page
    assert 'id="L6"' in text_of(as_bob, SUBJECT + "?v=3&lines=all")


def register_json(alice: Actor, scope_for: ScopeFor, text: str) -> str:
    schema = SchemaText(Format.JSON, text)
    register_version(scope_for(alice), RegisterVersion(subject=parse_subject("json"), schema=schema))
    return "/t/north/ns/default/s/json/-/"


PROTO = """syntax = "proto3"; package a;
message Order { Line first = 1; message Line { string no = 1; State state = 2; } }
enum State { STATE_UNSPECIFIED = 0; }
"""


def test_the_types_of_a_protobuf_file_lead_to_each_other(
    as_bob: Client, alice: Actor, scope_for: ScopeFor
) -> None:
    service.use(COMPILER)  # not the one that the settings of the server name
    command = RegisterVersion(subject=parse_subject("proto"), schema=SchemaText(Format.PROTOBUF, PROTO))
    register_version(scope_for(alice), command)
    page = text_of(as_bob, "/t/north/ns/default/s/proto/-/")
    assert '<a href="#type-Order.Line"><bdi>Line</bdi></a>' in page
    assert '<tbody class="fields__in-1">\n      <tr class="values__group" id="type-Order.Line">' in page
    assert '<a href="#type-State"><bdi>State</bdi></a>' in page
    for tab in ("lint", "diff", "matrix"):
        assert as_bob.get(f"/t/north/ns/default/s/proto/-/{tab}").status_code == 200


def test_the_objects_of_a_json_schema_are_listed_with_their_models(
    as_bob: Client, alice: Actor, scope_for: ScopeFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_ = {"properties": {"inner": {"type": "object"}}, "additionalProperties": False}
    address = register_json(alice, scope_for, json.dumps(open_))
    page = text_of(as_bob, address)
    assert '<td class="number"><a href="#L3">3</a></td><td><span class="badge badge--warn">open' in page
    assert '<span class="badge badge--pass">closed</span>' in page
    monkeypatch.setattr("frontend.pages.models.MOST_ROWS", 1)
    assert "1 more are not listed." in text_of(as_bob, address)


def test_a_json_schema_without_objects_says_so(as_bob: Client, alice: Actor, scope_for: ScopeFor) -> None:
    assert "No object stands in this schema." in text_of(
        as_bob, register_json(alice, scope_for, '{"type":"null"}')
    )


def test_a_page_does_without_models_while_the_server_is_too_busy(
    as_bob: Client, alice: Actor, scope_for: ScopeFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = register_json(alice, scope_for, "{}")
    monkeypatch.setattr("registry.services.heavy.LIGHT_CHARACTERS", 0)
    monkeypatch.setattr("registry.services.heavy.HEAVY", Turnstile(inside=0, waiting=0, patience=0))
    page = text_of(as_bob, address)
    assert "Definition" in page
    assert "Content models" not in page


@pytest.mark.parametrize("version", ["4", "0", "x", "-1", "1e1", "9" * 30, "٣"])
@pytest.mark.parametrize("address", ["?v={}", "raw?v={}", "diff?to={}", "diff?from={}"])
def test_a_version_that_is_not_there_is_not_found(
    as_bob: Client, orders: str, address: str, version: str
) -> None:
    assert as_bob.get(SUBJECT + address.format(version)).status_code == 404


def test_the_file_is_the_stored_text(as_bob: Client, orders: str) -> None:
    answer = as_bob.get(SUBJECT + "raw?v=1")
    assert json.loads(answer.content) == json.loads(ORDERS[0])
    assert answer.headers["Content-Disposition"] == 'attachment; filename="orders-value-v1.avsc"'
    assert answer.headers["Content-Type"].startswith("text/plain")


def test_versions_are_listed_newest_first_with_the_last_two_picked(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, SUBJECT + "versions")
    assert re.findall(r">Version (\d)</a>", page) == ["3", "2", "1"]
    assert 'name="from" value="2" checked' in page
    assert 'name="to" value="3" checked' in page


def test_a_lone_version_has_nothing_to_be_compared_with(as_bob: Client, register: Register) -> None:
    register("orders-value", ORDERS[0])
    assert 'type="radio"' not in text_of(as_bob, SUBJECT + "versions")
    assert "There is only one version so far" in text_of(as_bob, SUBJECT + "diff")


def test_a_version_beside_itself_asks_for_another(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, SUBJECT + "diff?from=2&to=2")
    assert "Both sides are the same version" in page
    assert "There is only one version" not in page


def test_the_comparison_opens_with_the_latest_and_the_one_before(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, SUBJECT + "diff")
    assert '<option value="2" selected>v2</option>' in page
    assert '<option value="3" selected>v3</option>' in page


def test_the_verdict_says_whether_the_level_in_force_lets_it_pass(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, SUBJECT + "diff?from=1&to=2")
    assert "Compatible. Version 2 can replace version 1 under BACKWARD." in page
    other = text_of(as_bob, SUBJECT + "diff?from=3&to=2")
    assert "Incompatible. Version 2 cannot replace version 3 under BACKWARD." in other


def test_those_whose_readers_are_open_already_are_advised_in_their_own_words(
    as_bob: Client, alice: Actor, scope_for: ScopeFor
) -> None:
    bind(alice, "name: queue\nformats:\n  json: {transform: optional-friendly, level: NONE}\n")
    register_json(alice, scope_for, '{"type": "object"}')
    typed = '{"type": "object", "properties": {"a": {"type": "string"}}}'
    address = register_json(alice, scope_for, typed)
    page = unescape(strip_tags(text_of(as_bob, address + "diff")))
    assert 'give "a" no type, as in "a": {}; or begin a new subject, whose objects are closed' in page


def test_a_finding_names_rule_place_and_who_breaks(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, SUBJECT + "diff?from=2&to=3")
    assert 'href="/rules/READER_FIELD_MISSING_DEFAULT_VALUE"' in page
    assert "Readers on version 2 cannot read what writers on version 3 write." in page
    assert "/fields/2" in page


def test_all_seven_levels_are_judged(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, SUBJECT + "diff?from=2&to=3")
    rows = re.findall(r'<th scope="row"><code>([A-Z_]+)</code>.*?badge--(pass|fail)', page, re.DOTALL)
    assert dict(rows) == {
        "NONE": "pass",
        "BACKWARD": "pass",
        "BACKWARD_TRANSITIVE": "pass",
        "FORWARD": "fail",
        "FORWARD_TRANSITIVE": "fail",
        "FULL": "fail",
        "FULL_TRANSITIVE": "fail",
    }


def test_a_finding_says_what_to_do_and_leads_to_the_lines(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, SUBJECT + "diff?from=2&to=3")
    assert "What to do:" in page
    assert re.search(r'href="/t/north/ns/default/s/orders-value/-/\?v=2#L\d+">v2 line \d+</a>', page)


def test_a_pair_that_is_too_much_just_now_still_shows_its_texts(
    as_bob: Client, orders: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.services.heavy.LIGHT_CHARACTERS", 0)
    monkeypatch.setattr("registry.services.heavy.HEAVY", Turnstile(inside=0, waiting=0, patience=0))
    page = text_of(as_bob, SUBJECT + "diff?from=2&to=3")
    assert "there is no verdict here yet" in page
    assert "Compared lines" in page


def test_the_level_in_force_may_be_one_without_a_name(as_bob: Client, orders: str, alice: Actor) -> None:
    bind(alice, "name: careful\ndefault: {level: BACKWARD_TILL(2)}\n")
    page = text_of(as_bob, SUBJECT + "diff?from=1&to=2")
    assert "can replace version 1 under BACKWARD_TILL(2)." in page


@pytest.mark.parametrize("view", ["split", "unified"])
def test_changed_words_are_marked_in_both_layouts(as_bob: Client, register: Register, view: str) -> None:
    register("orders-value", record(field("id", "int")))
    register("orders-value", record(field("id", "long")))
    page = text_of(as_bob, f"{SUBJECT}diff?view={view}")
    marked = [strip_tags(one) for one in re.findall(r"<mark>(.*?)</mark>", page)]
    assert marked == ["int", "long"]


def test_equal_lines_fold_until_all_are_asked_for(as_bob: Client, orders: str) -> None:
    assert "equal lines</a>" in text_of(as_bob, SUBJECT + "diff?from=1&to=2")
    assert "equal lines</a>" not in text_of(as_bob, SUBJECT + "diff?from=1&to=2&context=all")


@pytest.mark.parametrize("page", ["", "versions", "diff?from=1&to=2"])
def test_the_number_of_statements_does_not_grow_with_the_versions(
    as_bob: Client, register: Register, page: str
) -> None:
    for count in range(1, 3):
        register("orders-value", record(*(field(f"f{at}", "int", default=0) for at in range(count))))
    few = statements(as_bob, SUBJECT + page)
    for count in range(3, 9):
        register("orders-value", record(*(field(f"f{at}", "int", default=0) for at in range(count))))
    assert statements(as_bob, SUBJECT + page) == few <= 20


def test_a_reference_leads_to_what_it_names(as_bob: Client, register: Register, with_reference: str) -> None:
    page = text_of(as_bob, f"/t/north/ns/default/s/{with_reference}/-/")
    assert 'href="/t/north/ns/default/s/tiers-value/-/?v=1"' in page


def test_versions_too_large_for_a_page_are_compared_by_a_worker(
    as_bob: Client, orders: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ACCORD_INLINE_CHECK_BYTES = 1
    monkeypatch.setattr(nudge, "_quiet_until", 0.0)
    forget_everything()
    page = text_of(as_bob, f"{SUBJECT}diff?from=1&to=2")
    assert "a worker compares them: 0 of 1 versions done. The texts below are complete." in page
    monkeypatch.setattr("registry.services.delegating.tell_workers", lambda: False)
    assert "the workers cannot be reached just now" in text_of(as_bob, f"{SUBJECT}diff?from=1&to=2")

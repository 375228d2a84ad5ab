"""The pages of the audit log: the list with its filters, one record, an export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord_server.kit import tenancy
from tenants.models import AuditRecord
from tenants.principals import operator_scope
from tenants.queries.audit import shown_record
from tenants.records import AuditEntry
from tenants.services import bind_role, record_audit
from tests.frontend.views.test_subjects import statements, text_of
from tests.places import place

if TYPE_CHECKING:
    import pytest
    from django.test import Client

    from accord_server.kit.scope import NamespaceRef
    from tenants.records import NamespaceRecord
    from tests.cast import Actor

LIST = "/t/north/audit/"


def note(actor: Actor, name: str, namespace: NamespaceRef | None = None, **more: Any) -> int:
    scope = operator_scope(actor.tenant.ref, namespace)
    with tenancy.tenant_context(actor.tenant.id):
        record_audit(scope, entry=AuditEntry("thing.write", "thing", name, **more))
        return shown_record(actor.tenant.id, AuditRecord.objects.scoped(scope).latest("id").pk)


def test_the_newest_record_is_on_top(as_alice: Client, alice: Actor) -> None:
    for name in ("first-thing", "second<b>"):
        note(alice, name)
    page = text_of(as_alice, LIST)
    assert page.index("second&lt;b&gt;") < page.index("first-thing")
    assert 'aria-current="page"' in page


def test_a_filter_shows_what_fits_and_stays_in_the_addresses(
    as_alice: Client, alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontend.views.audit.PAGE_SIZE", 1)
    note(alice, "one")
    note(alice, "two", outcome="denied")
    note(alice, "three", outcome="denied")
    page = text_of(as_alice, LIST + "?outcome=denied&actor=")
    assert "three" in page
    assert 'value="denied" selected' in page
    assert f'href="{LIST}export?outcome=denied&amp;format=csv"' in page
    following = page.partition(f'rel="next" href="{LIST}')[2].partition('"')[0].replace("&amp;", "&")
    assert "outcome=denied" in following
    page = text_of(as_alice, LIST + following)
    assert "two" in page
    assert "three" not in page


def test_a_filter_that_cannot_be_meant_is_explained_beside_the_form(as_alice: Client) -> None:
    for query, words in (("since=yesterday", "2026-01-31"), ("namespace=nowhere", "no namespace")):
        answer = as_alice.get(f"{LIST}?{query}")
        assert answer.status_code == 422
        assert words in answer.content.decode()
    assert as_alice.get(LIST + "?since=2026-01-31").status_code == 200


def test_where_nothing_fits_the_page_says_so(as_alice: Client, alice: Actor) -> None:
    assert "No record fits the filters" in text_of(as_alice, LIST + "?action=never")
    assert "The list ends here" in text_of(
        as_alice, f"{LIST}?after={place(alice, LIST, '2000-01-01T00:00:00+00:00 1')}"
    )


def test_one_record_tells_before_and_after(as_alice: Client, alice: Actor) -> None:
    record = note(alice, "x", before={"level": "NONE"}, after={"level": "FULL", "by": "<script>"})
    page = text_of(as_alice, f"{LIST}{record}")
    assert "&quot;level&quot;: &quot;NONE&quot;" in page
    assert "&lt;script&gt;" in page
    assert as_alice.get(f"{LIST}{record + 10**6}").status_code == 404


def test_an_export_is_a_file(as_alice: Client, alice: Actor) -> None:
    note(alice, "=1+1")
    answer: Any = as_alice.get(f"{LIST}export?action=thing.write&format=csv")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="audit-north.csv"'
    assert ",'=1+1," in answer.content.decode()
    assert as_alice.get(f"{LIST}export?format=xls").status_code == 422


def test_without_the_right_there_is_no_tab_and_the_refusal_is_recorded(as_bob: Client, alice: Actor) -> None:
    assert LIST not in text_of(as_bob, "/t/north/")
    for address in (LIST, LIST + "export", LIST + "1"):
        assert as_bob.get(address).status_code == 403
    with tenancy.tenant_context(alice.tenant.id):
        rows = AuditRecord.objects.scoped(operator_scope(alice.tenant.ref)).filter(outcome="denied")
        assert list(rows.values_list("action", "object_name").order_by("id")) == [
            ("audit.read", LIST),
            ("audit.read", LIST + "export"),
            ("audit.read", LIST + "1"),
        ]


def test_the_right_in_a_namespace_shows_that_namespace(
    as_carol: Client, carol: Actor, payments: NamespaceRecord
) -> None:
    scope = operator_scope(carol.tenant.ref)
    bind_role(scope, principal=carol.key, role="auditor", namespace_slug=payments.slug)
    note(carol, "ours", payments.ref)
    hidden = note(carol, "theirs")
    page = text_of(as_carol, LIST)
    assert "ours" in page
    assert "theirs" not in page
    assert as_carol.get(f"{LIST}{hidden}").status_code == 404


def test_a_list_costs_the_same_however_long_it_is(as_alice: Client, alice: Actor) -> None:
    note(alice, "x")
    few = statements(as_alice, LIST)
    for _ in range(10):
        note(alice, "y")
    assert statements(as_alice, LIST) == few <= 20

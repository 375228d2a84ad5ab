"""The editor of a policy: the text as it stands, what is wrong with it, what it changes and means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from accord.policy.documents.templates import TEMPLATES, template_text, templates
from frontend.pages.binding_places import place_words
from frontend.pages.comparison import read_number
from frontend.pages.editing import numbers_for, rows_for, typed
from frontend.pages.formats import FORMATS
from frontend.pages.origins import policy_url
from frontend.pages.policy import TextDiff, alike, format_advice, text_diff, whole_diff
from registry.policy_records import PolicyPlace
from registry.queries.dry_runs import missing_right

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from accord.model import Format
    from accord.policy.advice import Advice
    from accord.policy.documents import Problem
    from accord_server.kit.scope import Scope
    from frontend.pages.policy import FormatAdvice
    from frontend.pages.shell import Label
    from registry.policy_records import BindingRecord, PolicyVersionRecord, ReadPolicy
    from tenants.records import NamespaceRecord

JSON: Final = "json"
YAML: Final = "yaml"
LONGEST_REASON: Final = 500
SHOWN_PLACES: Final = 10


@dataclass(frozen=True, slots=True)
class EditorForm:
    """What was typed; ``expected`` is the version that the change was made for, 0 for a new policy."""

    text: str
    syntax: str = YAML
    reason: str = ""
    expected: int = 0

    @property
    def is_json(self) -> bool:
        """True when the text is read as JSON."""
        return self.syntax == JSON

    @property
    def rows(self) -> int:
        """How many rows show all of the text."""
        return rows_for(self.text)

    @property
    def numbers(self) -> range:
        """The numbers of the lines."""
        return numbers_for(self.text)


@dataclass(frozen=True, slots=True)
class Change:
    """One value that the text sets otherwise than before; empty where it was or is not set."""

    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Shift:
    """What changes for schemas of one format: who used to get through and does not, and the reverse."""

    format: Label
    refused: tuple[str, ...]
    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Review:
    """What a text would do: its problems, or what it changes and means."""

    problems: tuple[Problem, ...]
    is_compared: bool
    changes: tuple[Change, ...]
    shifts: tuple[Shift, ...]
    advice: tuple[FormatAdvice, ...]
    places: tuple[str, ...]
    further: int


@dataclass(frozen=True, slots=True)
class Clash:
    """Somebody else saved a version meanwhile: theirs, and how the text at hand differs from it."""

    theirs: PolicyVersionRecord
    known: int
    diff: TextDiff
    edit_url: str


@dataclass(frozen=True, slots=True)
class EditorPage:
    """The whole page; ``name`` is empty for a new policy."""

    name: str
    form: EditorForm
    review: Review
    templates: tuple[str, ...]
    back_url: str
    namespaces: tuple[str, ...] = ()
    error: str = ""
    clash: Clash | None = None
    is_fragment: bool = False

    @property
    def wrong_lines(self) -> frozenset[int]:
        """The lines that problems name."""
        return frozenset(one.line for one in self.review.problems)


def read_form(values: Mapping[str, str]) -> EditorForm:
    """Read what was typed."""
    return EditorForm(
        text=typed(values.get("text", "")),
        syntax=JSON if values.get("syntax") == JSON else YAML,
        reason=values.get("reason", "").replace("\0", "").strip()[:LONGEST_REASON],
        expected=read_number(values.get("expected", "")),
    )


def form_of(record: PolicyVersionRecord) -> EditorForm:
    """Return the form that changes a policy."""
    return EditorForm(record.source, record.syntax, expected=record.number)


def fresh_form(template: str) -> EditorForm:
    """Return the form of a new policy: a template's text, that of the recommended one if in doubt."""
    known = template_choices()
    return EditorForm(template_text(template if template in known else known[0]))


def template_choices() -> tuple[str, ...]:
    """Return the templates one may start from, the recommended one first."""
    known = templates()
    return tuple(name for name in TEMPLATES if name in known)


def review_of(
    read: ReadPolicy,
    base: PolicyVersionRecord | None,
    *,
    meant: Mapping[Format, Advice],
    bound: Iterable[BindingRecord],
) -> Review:
    """Compare what a text would be with the version it is made for, and with what that one ``meant``."""
    places = tuple(place_words(one) for one in bound)
    is_compared = read.document is not None and base is not None
    before = dict(_leaves(base.document)) if base is not None else {}
    return Review(
        problems=read.problems,
        is_compared=is_compared,
        changes=tuple(_changes(before, dict(_leaves(read.document or {})))) if is_compared else (),
        shifts=tuple(_shifts(meant, read.advice)) if is_compared else (),
        advice=format_advice(read.advice),
        places=places[:SHOWN_PLACES],
        further=max(0, len(places) - SHOWN_PLACES),
    )


def editor_page(
    scope: Scope,
    form: EditorForm,
    review: Review,
    *,
    name: str = "",
    namespaces: Iterable[NamespaceRecord] = (),
    is_fragment: bool = False,
) -> EditorPage:
    """Make the page; a dry run is offered for the namespaces whose history the visitor may read."""
    list_url = reverse("frontend:policies", args=[scope.tenant.slug])
    return EditorPage(
        name=name,
        form=form,
        review=review,
        templates=() if name else template_choices(),
        back_url=policy_url(scope, name) if name else list_url,
        namespaces=tuple(one.slug for one in namespaces if may_try(scope, one)),
        is_fragment=is_fragment,
    )


def clashing(scope: Scope, page: EditorPage, theirs: PolicyVersionRecord) -> EditorPage:
    """Show the page to whom somebody else was faster; who saves once more has seen what they replace."""
    form = page.form
    mine = replace(theirs, source=form.text, syntax=form.syntax)
    labels = _("Version %(number)s") % {"number": theirs.number}, _("Your text")
    diff = replace(text_diff(alike(theirs, mine), whole_diff()), labels=labels)
    edit = reverse("frontend:policy-edit", args=[scope.tenant.slug, theirs.policy])
    return replace(
        page,
        form=replace(form, expected=theirs.number),
        clash=Clash(theirs, form.expected, diff, edit),
    )


def may_try(scope: Scope, namespace: NamespaceRecord) -> bool:
    """Tell whether the visitor may hold a policy against the whole history of a namespace."""
    there = replace(scope, namespace=namespace.ref)
    return not missing_right(there, [PolicyPlace(namespace.ref)])


def _leaves(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{name}" if path else str(name))
    else:
        yield path, ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _changes(before: dict[str, str], after: dict[str, str]) -> Iterator[Change]:
    for path in dict.fromkeys([*before, *after]):
        if before.get(path) != after.get(path):
            yield Change(path, before.get(path, ""), after.get(path, ""))


def _shifts(before: Mapping[Format, Advice], after: Mapping[Format, Advice]) -> Iterator[Shift]:
    for format_, new in after.items():
        old = before.get(format_)
        if old is not None:
            refused = tuple(one for one in new.forbids if one not in old.forbids)
            allowed = tuple(one for one in old.forbids if one not in new.forbids)
            if refused or allowed:
                yield Shift(FORMATS[format_], refused, allowed)

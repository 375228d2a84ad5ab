"""The form that registers a schema: what was typed, and what a registration would say of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from accord.model import Format, SchemaText, Severity
from accord.naming import parse_reference, parse_subject
from frontend.pages.editing import numbers_for, rows_for, typed
from frontend.pages.formats import FORMATS
from frontend.pages.subjects import WRITE, place_of
from frontend.pages.verdicts import BADGES, MAX_FINDINGS, SEVERITIES, SIGNS, Outcome, rule_link
from frontend.pretty import pretty

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from frontend.pages.shell import Label
    from frontend.pages.verdicts import RuleLink
    from registry.discovery_records import Similar
    from registry.records import VersionRecord

# The places that errors of a text name.
LINE: Final = re.compile(r"\bline (\d{1,6})\b")
INFO: Final = "info"


@dataclass(frozen=True, slots=True)
class RegisterForm:
    """What was typed; ``references`` has one in each line."""

    subject: str = ""
    format: Format = Format.AVRO
    text: str = ""
    references: str = ""
    normalize: bool = False

    @property
    def rows(self) -> int:
        """How many rows show all of the text."""
        return rows_for(self.text)

    @property
    def numbers(self) -> range:
        """The numbers of the lines."""
        return numbers_for(self.text)

    @property
    def schema(self) -> SchemaText:
        """The schema that was typed.

        Raises `accord.errors.InvalidReference` for a line that is no reference.
        """
        lines = [line.strip() for line in self.references.splitlines()]
        return SchemaText(self.format, self.text, tuple(parse_reference(line) for line in lines if line))


@dataclass(frozen=True, slots=True)
class FoundRow:
    """One finding about what was typed."""

    severity: Label
    badge: str
    icon: str
    sentence: str
    advice: str
    where: str
    line: int
    rule: RuleLink


@dataclass(frozen=True, slots=True)
class SimilarRow:
    """A subject that is very like what was typed, and its address."""

    found: Similar
    url: str


@dataclass(frozen=True, slots=True)
class RegisterReview:
    """What a registration would say: an error of the text, or a verdict with what was found.

    ``tone`` is that of a verdict, ``info`` where there is none.
    """

    sentence: str
    note: str
    tone: str = INFO
    icon: str = INFO
    found: tuple[FoundRow, ...] = ()
    hidden: int = 0
    lines: tuple[int, ...] = ()
    similar: tuple[SimilarRow, ...] = ()


@dataclass(frozen=True, slots=True)
class RegisterPage:
    """The whole page."""

    form: RegisterForm
    review: RegisterReview
    formats: tuple[tuple[Format, Label], ...]
    back_url: str
    can_write: bool
    right: str = WRITE
    error: str = ""
    is_fragment: bool = False


def read_form(values: Mapping[str, str]) -> RegisterForm:
    """Read what was typed; an unknown format counts as Avro."""
    format_ = values.get("format", "")
    return RegisterForm(
        subject=typed(values.get("subject", "")),
        format=Format(format_) if format_ in set(Format) else Format.AVRO,
        text=typed(values.get("text", "")),
        references=typed(values.get("references", "")),
        normalize=bool(values.get("normalize", "")),
    )


def next_form(version: VersionRecord) -> RegisterForm:
    """Return the form that the next version of a subject begins with: the text of this one."""
    schema = version.schema
    lines = (f"{one.name}={one.subject}@{one.version}" for one in schema.references)
    text = pretty(schema.text, schema.format)
    return RegisterForm(version.subject.qualified, schema.format, text, "\n".join(lines))


def register_page(
    scope: Scope, form: RegisterForm, review: RegisterReview, *, error: str = "", is_fragment: bool = False
) -> RegisterPage:
    """Make the page; who may write nowhere is told so."""
    return RegisterPage(
        form=form,
        review=review,
        formats=tuple((one, FORMATS[one]) for one in Format),
        back_url=reverse("frontend:subjects", args=place_of(scope)),
        can_write=any(scope.selectors(WRITE)),
        error=error,
        is_fragment=is_fragment,
    )


def nothing_yet() -> RegisterReview:
    """Return the review of an empty form."""
    return RegisterReview(
        _("What would become of it stands here."), _("Name a subject and write or paste a schema.")
    )


def wrong(message: str) -> RegisterReview:
    """Return the review of a text that is no schema."""
    lines = tuple(sorted({int(found) for found in LINE.findall(message)}))
    sentence = _("This cannot be registered.")
    return RegisterReview(sentence, message, Outcome.FAIL, SIGNS[Outcome.FAIL], lines=lines)


def denied(message: str) -> RegisterReview:
    """Return the review for somebody who may not ask for one."""
    return RegisterReview(_("You may not check this."), message)


def known(subject: SubjectName, number: int) -> RegisterReview:
    """Return the review of a schema that is registered already."""
    values = {"number": number, "subject": subject}
    return RegisterReview(
        _("This is version %(number)s of %(subject)s already.") % values,
        _("Registering it again changes nothing."),
    )


def left_to_worker() -> RegisterReview:
    """Return the review of a schema that nobody judges while one types."""
    return RegisterReview(
        _("This is too large to check while you type."),
        _("Registering it checks it first; nothing is stored if it is refused."),
    )


def review_of(document: Mapping[str, Any]) -> RegisterReview:
    """Return the review that an explained verdict makes (`registry.services.explaining`)."""
    rows = list(_rows(document))
    severities = {severity for severity, _row in rows}
    if not document["is_compatible"]:
        outcome = Outcome.FAIL
    else:
        outcome = Outcome.WARN if Severity.WARN in severities else Outcome.PASS
    hidden = max(0, len(rows) - MAX_FINDINGS) + sum(one["left_out"] for one in document["comparisons"])
    return RegisterReview(
        sentence=_sentence(outcome, str(document["level"])),
        note=document["summary"],
        tone=outcome,
        icon=SIGNS[outcome],
        found=tuple(row for _severity, row in rows[:MAX_FINDINGS]),
        hidden=hidden,
        lines=tuple(sorted({row.line for _severity, row in rows} - {0})),
    )


def with_similar(scope: Scope, review: RegisterReview, found: tuple[Similar, ...]) -> RegisterReview:
    """Return a review that also names subjects that are very like what was typed."""
    return replace(review, similar=tuple(_similar(scope, one) for one in found))


def _similar(scope: Scope, one: Similar) -> SimilarRow:
    args = [scope.tenant.slug, one.namespace, parse_subject(one.subject)]
    return SimilarRow(one, reverse("frontend:definition", args=args))


def _sentence(outcome: Outcome, level: str) -> str:
    words = {
        Outcome.PASS: _("It can be registered under %(level)s."),
        Outcome.WARN: _("It can be registered under %(level)s, with warnings."),
        Outcome.FAIL: _("It would be refused under %(level)s."),
    }
    return words[outcome] % {"level": level}


def _rows(document: Mapping[str, Any]) -> Iterator[tuple[Severity, FoundRow]]:
    """Yield every finding, those about the schema alone first."""
    for finding in document["own"]:
        yield _row(finding, "")
    for comparison in document["comparisons"]:
        where = _("against version %(version)s") % {"version": comparison["version"]}
        for finding in comparison["findings"]:
            yield _row(finding, where)


def _row(finding: Mapping[str, Any], where: str) -> tuple[Severity, FoundRow]:
    severity = Severity(finding["severity"])
    badge, icon = BADGES[severity]
    at = finding["new"]
    return severity, FoundRow(
        severity=SEVERITIES[severity],
        badge=badge,
        icon=icon,
        sentence=finding["sentence"],
        advice=finding["advice"],
        where=", ".join(part for part in (finding["path"], where) if part),
        line=at["line"] if at else 0,
        rule=rule_link(finding["rule"]),
    )

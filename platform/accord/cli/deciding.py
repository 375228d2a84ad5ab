"""What decides a check: level, preset and policy document, from options, config, and registry."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Final

from accord.cli.files import read_text
from accord.errors import Invalid, error
from accord.model import SubjectName
from accord.naming import split_subject
from accord.policy import Policy
from accord.policy.documents import pinned, read_document
from accord.policy.documents.source import LARGEST_TEXT
from accord.policy.effective import Installation
from accord.policy.inheritance import Binding, effective
from accord.policy.level_names import spell_level
from accord.policy.origins import BindingPlace, Reach
from accord.policy.requirements import check_content

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from accord.formats import ParsedSchema
    from accord.model import Finding, Format, Level
    from accord.policy.documents import PolicyDocument, Problem
    from accord.policy.documents.reading import ReadDocument
    from accord.policy.requirements import Requirements

# Bytes of a file; the text in it is bounded in characters.
LARGEST_POLICY: Final = LARGEST_TEXT * 4
UNNUMBERED: Final = 1
NO_OWNERS: Final = "owners are not looked at here: a registration sends them along"
HERE: Final = BindingPlace(Reach.NAMESPACE, "this check")


@error
class UnusablePolicy(Invalid):
    """A policy document with something wrong in it; ``problems`` has a line for each."""

    code: ClassVar[str] = "unusable_policy"
    template: ClassVar[str] = "{path}: {problems}"
    path: str
    problems: str


def read_policy(path: Path) -> PolicyDocument:
    """The policy document in a file; raises `UnusablePolicy` and `accord.cli.files.UnreadableFile`."""
    return pinned(usable(str(path), _read(str(path))))


def policy_in(path: str) -> tuple[PolicyDocument | None, Sequence[Problem]]:
    """The policy document in a file (``-`` is the standard input), or its problems.

    Raises `accord.cli.files.UnreadableFile`.
    """
    read = _read(path)
    return (read.document and pinned(read.document)), read.problems


def usable(path: str, read: ReadDocument) -> PolicyDocument:
    """What was read, as it was written; raises `UnusablePolicy` with all that is wrong."""
    if read.document is None:
        raise UnusablePolicy(path=path, problems="\n  ".join(map(str, read.problems)))
    return read.document


def _read(path: str) -> ReadDocument:
    return read_document(read_text(path, LARGEST_POLICY), is_json=path.endswith(".json"))


@dataclass(frozen=True, slots=True)
class Chosen:
    """What somebody said about the verdict; what is None is left to the next."""

    level: Level | None = None
    preset: str | None = None
    document: PolicyDocument | None = None

    @property
    def is_silent(self) -> bool:
        """True where nothing was said."""
        return self == Chosen()

    def over(self, other: Chosen) -> Chosen:
        """What holds where this comes before another: a policy takes the other's level and preset along."""
        if self.document is not None:
            return self
        return Chosen(self.level or other.level, self.preset or other.preset, other.document)


@dataclass(frozen=True, slots=True)
class Decision:
    """The policy of one check, what is asked of the new schema by itself, and the document's name.

    ``origins`` says in words where level and preset come from, where a registry told. ``is_locked`` tells
    whether the document keeps configurations from changing the level. ``notes`` say what it asks that is
    not looked at here.
    """

    policy: Policy
    requirements: Requirements | None = None
    document: str = ""
    origins: Mapping[str, str] = field(default_factory=dict)
    is_locked: bool = False
    notes: tuple[str, ...] = ()

    @property
    def level(self) -> str:
        """The one spelling of the level."""
        return spell_level(self.policy.level)

    @property
    def words(self) -> str:
        """The decision in a few words."""
        return ", ".join(one for one in (self.level, self.policy.preset, self.document) if one)

    def own_findings(self, schema: ParsedSchema, subject: str) -> tuple[Finding, ...]:
        """What the policy asks of the new schema by itself."""
        if self.requirements is None:
            return ()
        return check_content(schema, self.requirements, subject=split_subject(subject).name)


def decide(
    chosen: Chosen, format_: Format, *, subject: str = "", shown_level: Level | None = None
) -> Decision:
    """The policy for a schema; ``shown_level`` is a registry's, which counts where nobody names one.

    Properties sent along with a schema are not known here, so owners are not asked for; nor are names of
    subjects where there is no subject.
    """
    level = shown_level or Installation().level
    if chosen.document is None:
        made = Policy(chosen.level or level, chosen.preset or Installation().preset)
        return Decision(made)
    binding = Binding(HERE, UNNUMBERED, chosen.document)
    name = split_subject(subject) if subject else SubjectName("")
    found = effective([binding], format_, subject=name, installation=Installation(level=level))
    policy = found.policy
    asked = found.requirements
    patterns = {key: one for key, one in asked.patterns.items() if key != "subjects" or subject}
    return Decision(
        replace(policy, level=chosen.level or policy.level, preset=chosen.preset or policy.preset),
        replace(asked, owners=(), patterns=patterns),
        f"policy {chosen.document.name}",
        is_locked=found.locked.value,
        notes=(NO_OWNERS,) if asked.owners else (),
    )

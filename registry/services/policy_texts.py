"""Policy texts as this server can use them: refused too for what no schema here could meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.policy.documents import ReadDocument, read_document
from accord.policy.documents.model import DEFAULT, FORMAT_KEYS, FORMATS
from accord.policy.documents.problems import Problem, Problems
from accord.policy.documents.source import Mapped, joined, read_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.policy.documents import PolicyDocument
    from accord.policy.documents.source import Value
    from registry.policy_records import PolicyText

OWNERS: Final = "required.owners"
NO_METADATA: Final = "schemas carry no metadata here yet, so every one would be refused; leave it out"


def read_text(text: PolicyText) -> ReadDocument:
    """Return the document of a text, or every problem: the library's, else what this server cannot meet."""
    read = read_document(text.text, is_json=text.is_json)
    if read.document is None:
        return read
    top = read_source(text.text, is_json=text.is_json, problems=Problems())
    unmet = tuple(_problem(top, path) for path in _asking_for_owners(read.document))
    return ReadDocument(None, unmet) if unmet else read


def _asking_for_owners(document: PolicyDocument) -> Iterator[tuple[str, ...]]:
    member = OWNERS.split(".")
    if document.default.get(OWNERS):
        yield (DEFAULT, *member)
    for key, format_ in FORMAT_KEYS.items():
        if document.formats.get(format_, {}).get(OWNERS):
            yield (FORMATS, key, *member)


def _problem(top: Value | None, path: tuple[str, ...]) -> Problem:
    line, column, words = 1, 1, ""
    for name in path:
        words = joined(words, name)
        if isinstance(top, Mapped):
            line, column = top.keys[name].line, top.keys[name].column
            top = top.members[name]
    return Problem(line, column, words, NO_METADATA)

"""Texts that Confluent's registry takes and protoc does not, in a form that compiles.

Source: confluent-api, section 2.7. Custom options that nobody declares are passed over, JSON names may clash,
and the entries of maps may be written out. The text that is stored stays what it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.formats.protobuf.descriptors import FileDescriptorProto, FileDescriptorSet
from accord.formats.protobuf.diagnostics import Diagnostic, invalid
from accord.formats.protobuf.exchange import Job, Status
from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.legacy import allow_clashes, forget_clashes
from accord.formats.protobuf.map_entries import hide_entries, mark_entries
from accord.formats.protobuf.painting import painted_over

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from accord.formats.limits import Limits
    from accord.formats.protobuf.client import Compiler
    from accord.formats.protobuf.exchange import Outcome

UNKNOWN_OPTION: Final = re.compile(
    r'Option(?: field)? "\((?P<name>[^)"]+)\).*" (?:unknown\.|is not a field or extension of message)'
)
CLASH: Final = re.compile(
    r"conflicts with the .* JSON name of|if you ignore case and strip out the enum name"
)
ENTRY: Final = "map_entry should not be set explicitly"
# protoc tells one unknown option of a declaration at a time; after so many rounds all of them go.
PATIENT_ROUNDS: Final = 3


class Compiled(NamedTuple):
    """Files as descriptors, those they import first, and what protoc warned of."""

    files: tuple[FileDescriptorProto, ...]
    warnings: tuple[Diagnostic, ...]


@dataclass(slots=True)
class _Indulgence:
    """What is passed over in one file."""

    options: set[str] = field(default_factory=set)
    has_clashes: bool = False
    has_entries: bool = False

    def learn(self, message: str) -> bool:
        """Tell whether a remark is about what may be passed over and was not so far; then do."""
        unknown = UNKNOWN_OPTION.match(message)
        if unknown and unknown["name"] not in self.options:
            self.options.add(unknown["name"])
            return True
        if ENTRY in message and not self.has_entries:
            self.has_entries = True
            return True
        is_new = not self.has_clashes and CLASH.search(message) is not None
        self.has_clashes = self.has_clashes or is_new
        return is_new

    def applied(self, text: str, limits: Limits, *, is_patient: bool) -> str:
        """Return a text without what protoc would refuse."""
        file = read_source(text, limits).file
        text = painted_over(text, file, self.options if is_patient else None)
        text = hide_entries(text, file) if self.has_entries else text
        return allow_clashes(text, file) if self.has_clashes else text


def compile_relaxed(
    texts: Mapping[str, str],
    compiler: Compiler,
    *,
    known: bytes = b"",
    retell: Callable[[Diagnostic], Diagnostic] | None = None,
    limits: Limits,
) -> Compiled:
    """Compile files by path; ``known`` is a serialized set of what they import.

    ``retell`` says what protoc remarks as whoever sent the files understands it.

    Raises `accord.errors.InvalidSchema` with all that protoc says, and `CompilerUnavailable`.
    """
    relaxed = dict(texts)
    indulgences: dict[str, _Indulgence] = {path: _Indulgence() for path in texts}
    outcome = compiler.compile(Job(relaxed, known))
    rounds = 0
    while True:  # each round learns something new, and there is only so much
        errors = [one for one in outcome.diagnostics if one.file in texts and not one.is_warning]
        learned = {one.file for one in errors if indulgences[one.file].learn(one.message)}
        if outcome.status is not Status.REFUSED or not learned:
            break
        rounds += 1
        for path in learned:
            is_patient = rounds <= PATIENT_ROUNDS
            relaxed[path] = indulgences[path].applied(texts[path], limits, is_patient=is_patient)
        outcome = compiler.compile(Job(relaxed, known))
    if retell is not None:
        outcome = replace(outcome, diagnostics=tuple(map(retell, outcome.diagnostics)))
    compiled = _compiled(outcome, {path for path, one in indulgences.items() if one.has_clashes})
    for file in compiled.files:
        if file.name in texts and indulgences[file.name].has_entries:
            mark_entries(file, read_source(texts[file.name], limits).file)
    return compiled


def _compiled(outcome: Outcome, clashing: set[str]) -> Compiled:
    if outcome.status is Status.DIED:
        sentence = f"The compiler refused the schema: {outcome.reason}; make it smaller or simpler"
        raise invalid([Diagnostic("", 0, 0, sentence)])
    if outcome.status is Status.REFUSED:
        raise invalid(outcome.diagnostics)
    files = tuple(FileDescriptorSet.FromString(outcome.descriptors).file)
    for file in files:
        if file.name in clashing:
            forget_clashes(file)
    return Compiled(files, outcome.diagnostics)

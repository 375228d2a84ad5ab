"""Walking a registry: every context, subject and version, soft-deleted ones too, and all settings.

The numbers that a subject tells decide which versions there are; the list of all schemas, where there is one,
only saves reading them one by one.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from accord.client import RegistryUnreadable
from accord.model import DEFAULT_CONTEXT, SubjectName
from accord.transfer.asking import Asker
from accord.transfer.copies import Copy
from accord.transfer.lines import Unfit
from accord.transfer.records import ABOVE_ALL, CopiedPlace, Key
from accord.transfer.yandex import read_extras

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from accord.client import RegistryClient
    from accord.client.transport import Json

CONTEXTS: Final = "contexts"
MODES: Final = "modes"
AT_ONCE: Final = 1000


@dataclass(frozen=True, slots=True)
class Walk:
    """How a registry is walked.

    ``source`` is what the copy calls it, ``connections`` how many there are at once; ``tell`` is told how
    many subjects of how many are done.
    """

    client: RegistryClient
    source: str
    connections: int
    tell: Callable[[int, int], None]


def walk(how: Walk) -> Copy:
    """A copy of all that a registry shows; the caller closes it.

    What changes meanwhile is copied as it is found. Raises what `accord.client.RegistryClient` raises.
    """
    asker = Asker(how.client)
    contexts = asker.contexts()
    lacks = {CONTEXTS: contexts is None, MODES: not asker.has_modes()}
    copy = Copy(how.source, frozenset(name for name, is_lacking in lacks.items() if is_lacking))
    try:
        _Walker(asker, copy).walk(how, contexts or [])
        if copy.lacks == {CONTEXTS, MODES}:
            copy.extras |= read_extras(how.client)
    except Unfit as problem:
        copy.close()
        raise RegistryUnreadable(address=how.client.address, details=str(problem)) from problem
    except BaseException:
        copy.close()
        raise
    return copy


class _Walker:
    """Fills a copy; ``untold`` are versions of which nobody has said whether they are deleted."""

    def __init__(self, asker: Asker, copy: Copy) -> None:
        self.asker = asker
        self.copy = copy
        self.listed: dict[SubjectName, set[int]] = {}
        self.untold: set[Key] = set()

    def walk(self, how: Walk, contexts: list[str]) -> None:
        """Read everything."""
        self._list()
        names = [*filter(self._has_name, dict.fromkeys([*self.asker.subjects(), *self.listed]))]
        with ThreadPoolExecutor(how.connections) as pool:
            for first in range(0, len(names), AT_ONCE):
                for done, _ in enumerate(pool.map(self._subject, names[first : first + AT_ONCE]), first + 1):
                    how.tell(done, len(names))
        used = {key.subject.context for key in self.copy.entries}
        for context in sorted({DEFAULT_CONTEXT, *contexts, *used}):
            self._place(SubjectName("", context), is_used=context in used)
        self._place(ABOVE_ALL, is_used=False)

    def _has_name(self, subject: SubjectName) -> bool:
        """Whether a subject can be copied: without a name it would be told from its context by nothing."""
        if not subject.name:
            self.copy.left_out.append(
                f"the subject without a name in the context {subject.context} stays behind"
            )
        return bool(subject.name)

    def _list(self) -> None:
        for version, is_told in self.asker.listed(has_contexts=CONTEXTS not in self.copy.lacks):
            if not version.key.subject.name:
                continue
            self.listed.setdefault(version.key.subject, set()).add(version.key.number)
            if not is_told:
                self.untold.add(version.key)
            self.copy.add(version)

    def _subject(self, subject: SubjectName) -> None:
        config = self.asker.config(subject)
        # What is asked of a subject with an alias is answered for another one.
        if config is None or not config.get("alias"):
            self._versions(subject)
        is_used = any(Key(subject, number) in self.copy.entries for number in self.listed.get(subject, ()))
        self._place(subject, is_used=is_used, config=config)

    def _versions(self, subject: SubjectName) -> None:
        numbers = set(self.asker.numbers(subject, deleted=True))
        listed = self.listed.setdefault(subject, set())
        for gone in listed - numbers:
            self.copy.drop(Key(subject, gone))
        untold = {number for number in listed & numbers if Key(subject, number) in self.untold}
        for number in sorted(numbers - listed):
            found = self.asker.version(subject, number)
            if found is not None:
                listed.add(number)
                self.copy.add(found.version)
                untold |= set() if found.is_told else {number}
        hidden = untold - set(self.asker.numbers(subject, deleted=False)) if untold else set()
        for number in hidden:
            version = self.copy.version(Key(subject, number))
            self.copy.add(replace(version, is_deleted=True))

    def _place(self, place: SubjectName, *, is_used: bool, config: Mapping[str, Json] | None = None) -> None:
        """Keep a place that has something to tell."""
        config = config if place.name else self.asker.config(place)
        mode = None if MODES in self.copy.lacks else self.asker.mode(place)
        if is_used or config is not None or mode is not None:
            self.copy.add_place(CopiedPlace(place, config, mode))

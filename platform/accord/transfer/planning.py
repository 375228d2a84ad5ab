"""What is to be done so that a registry holds what a copy holds, and what stands in the way.

Everything follows from what the target holds already, so a second run goes on where the first one ended.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from accord.errors import InvalidSubject
from accord.naming import validate_new_subject
from accord.transfer.sameness import is_same

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.model import SubjectName
    from accord.transfer.copies import Copy, Entry
    from accord.transfer.records import Key


@dataclass(slots=True)
class Plan:
    """What to register, each after what it refers to, and what to delete, each after what refers to it.

    ``present`` counts the versions that are there already; ``clashes`` are sentences.
    """

    register: list[Key] = field(default_factory=list)
    delete: list[Key] = field(default_factory=list)
    present: int = 0
    clashes: list[str] = field(default_factory=list)

    @property
    def touched(self) -> set[SubjectName]:
        """The subjects that something is done in."""
        return {key.subject for key in (*self.register, *self.delete)}


class Pair:
    """What was copied, and a copy of where it goes to."""

    def __init__(self, source: Copy, target: Copy) -> None:
        self.source = source
        self.target = target

    def holds(self, one: Entry, other: Entry) -> bool:
        """Whether a version of the source is the schema of a version of the target."""
        if one.content == other.content:
            return True
        wanted, found = self.source.version(one.key), self.target.version(other.key)
        return is_same(wanted, self.source, found, self.target)


def plan(pair: Pair) -> Plan:
    """What is to be done."""
    made = Plan()
    taken = {(key.subject.context, entry.id): entry for key, entry in pair.target.entries.items()}
    for key in pair.source.ordered_keys():
        wanted, found = pair.source.entries[key], pair.target.entries.get(key)
        if found is not None:
            made.clashes += _standing(pair, wanted, found)
            made.present += 1
        else:
            holder = taken.get((key.subject.context, wanted.id))
            made.clashes += [] if holder is None or pair.holds(wanted, holder) else [_taken(wanted, holder)]
            made.clashes += _missing(pair, wanted)
            made.register.append(key)
        if wanted.is_deleted and not (found is not None and found.is_deleted):
            made.delete.append(key)
    made.delete.reverse()
    made.clashes += _aliases(pair, made)
    return made


def unfit(source: Copy, made: Plan) -> list[str]:
    """What a namespace of Accord will refuse for its name, and what refers to that, in sentences."""
    found: dict[Key, str] = {}
    for key in made.register:
        lost = [target for target in source.entries[key].targets if target in found]
        try:
            validate_new_subject(key.subject)
        except InvalidSubject as problem:
            found[key] = problem.message
        else:
            found |= {key: f"it refers to {lost[0]}"} if lost else {}
    return [f"{key}: {why}" for key, why in found.items()]


def _standing(pair: Pair, wanted: Entry, found: Entry) -> Iterator[str]:
    """What keeps a version that is there from being the one that was copied."""
    if wanted.id != found.id:
        yield f"{wanted.key} has the id {found.id} there, and would have {wanted.id}"
    if not pair.holds(wanted, found):
        yield f"{wanted.key} is another schema there"
    if found.is_deleted and not wanted.is_deleted:
        yield f"{wanted.key} is deleted there, and would not be"


def _taken(wanted: Entry, holder: Entry) -> str:
    return f"{wanted.key} has the id {wanted.id}, which is another schema's there, that of {holder.key}"


def _missing(pair: Pair, wanted: Entry) -> Iterator[str]:
    for target in wanted.targets:
        held = pair.target.entries.get(target)
        if held is None and target not in pair.source.entries:
            yield f"{wanted.key} refers to {target}, which is neither copied nor there"
        if held is not None and held.is_deleted:
            yield f"{wanted.key} refers to {target}, which is deleted there; restore it first"


def _aliases(pair: Pair, made: Plan) -> Iterator[str]:
    """Subjects that stand for another one there: what is registered under them would go to that one."""
    for subject in sorted(made.touched, key=str):
        place = pair.target.places.get(subject)
        if place is not None and (place.config or {}).get("alias"):
            yield f"{subject} is an alias there; take the alias off first"

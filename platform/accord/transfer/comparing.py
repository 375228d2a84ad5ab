"""What differs between a copy and the registry that it was put into, and the checksums of both."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from accord.transfer.lines import line_of, of_place, ordered
from accord.transfer.records import CopiedPlace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.transfer.copies import Entry
    from accord.transfer.planning import Pair


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was found: sentences, and how many versions are the same schema in another spelling.

    The checksums are those of an export of what was copied, of either side; what only one side can tell,
    GUIDs or modes, is left out of both.
    """

    differences: tuple[str, ...]
    respelled: int
    source_sha256: str
    target_sha256: str


def compare(pair: Pair, *, has_modes: bool) -> Comparison:
    """Hold what a registry has now against what was copied; what else it has is passed over."""
    differences: list[str] = []
    respelled = 0
    for wanted in pair.source.entries.values():
        found = pair.target.entries.get(wanted.key)
        told = [f"{wanted.key} is missing"] if found is None else [*_version(pair, wanted, found)]
        differences += told
        respelled += found is not None and not told and wanted.content != found.content
    for place in pair.source.ordered_places():
        differences += _place(place, _there(pair, place), has_modes=has_modes)
    sums = _checksums(pair, has_modes=has_modes)
    return Comparison(tuple(differences), respelled, *sums)


def changed_config(place: CopiedPlace, there: CopiedPlace) -> bool:
    """Whether a place has a config that it does not have there; an empty one is not the same as none.

    It keeps what is above from counting.
    """
    if place.config is None or there.config is None:
        return place.config is not None
    return ordered(dict(place.config)) != ordered(dict(there.config))


def _there(pair: Pair, place: CopiedPlace) -> CopiedPlace:
    return pair.target.places.get(place.place) or CopiedPlace(place.place)


def _version(pair: Pair, wanted: Entry, found: Entry) -> Iterator[str]:
    if wanted.id != found.id:
        yield f"{wanted.key} has the id {found.id} instead of {wanted.id}"
    if wanted.is_deleted != found.is_deleted:
        yield f"{wanted.key} is {'not ' if wanted.is_deleted else ''}deleted"
    if not pair.holds(wanted, found):
        yield f"{wanted.key} is another schema"
    elif None not in {wanted.guid, found.guid} and wanted.guid != found.guid:
        yield f"{wanted.key} has the GUID {found.guid} instead of {wanted.guid}"


def _place(wanted: CopiedPlace, found: CopiedPlace, *, has_modes: bool) -> Iterator[str]:
    if changed_config(wanted, found):
        yield f"{wanted} has the config {_shown(found.config)} instead of {_shown(wanted.config)}"
    if has_modes and wanted.mode != found.mode:
        yield f"{wanted} has the mode {found.mode} instead of {wanted.mode}"


def _shown(config: object) -> str:
    return json.dumps(config, sort_keys=True)


def _checksums(pair: Pair, *, has_modes: bool) -> tuple[str, str]:
    """The SHA-256 of either side."""
    ours, theirs = hashlib.sha256(), hashlib.sha256()
    for key in pair.source.ordered_keys():
        wanted, found = pair.source.entries[key], pair.target.entries.get(key)
        has_guids = found is not None and None not in {wanted.guid, found.guid}
        ours.update(_line(pair.source.line(key), has_guids=has_guids))
        theirs.update(b"" if found is None else _line(pair.target.line(key), has_guids=has_guids))
    for place in pair.source.ordered_places():
        for hasher, one in ((ours, place), (theirs, _there(pair, place))):
            told = one if has_modes else replace(one, mode=None)
            hasher.update(line_of(of_place(told if place.config is not None else replace(told, config=None))))
    return ours.hexdigest(), theirs.hexdigest()


def _line(line: bytes, *, has_guids: bool) -> bytes:
    if has_guids:
        return line
    held = json.loads(line)
    held.pop("guid", None)
    return line_of(held)

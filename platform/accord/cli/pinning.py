"""Modules that a tree of Protobuf files needs of a registry: found there, pinned to versions, and fetched."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import click

from accord.cli.buf_workspace import Need
from accord.client import RegistryNotFound
from accord.client import descriptors as stored
from accord.formats.protobuf.builtin import is_built_in
from accord.formats.protobuf.skimming import set_entry, skimmed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from accord.client import RegistryClient

OPTION: Final = "--depends"
WANTED: Final = re.compile(r"(?:(?P<dep>[^=]+)=)?(?P<module>[^@=]+)(?:@(?P<version>[1-9][0-9]{0,8}))?")


@dataclass(frozen=True, slots=True)
class Depend:
    """A module that is needed, and of which version; ``dep`` is the entry of ``deps`` that it stands for."""

    module: str
    version: int | None = None
    dep: str = ""
    site: str = OPTION


@dataclass(frozen=True)
class Pin:
    """A version of a module, with its files: ``own`` are the paths of those that others have from it."""

    module: str
    version: int
    data: bytes = field(repr=False)
    own: frozenset[str] = frozenset()

    @property
    def words(self) -> str:
        """What an upload calls it."""
        return f"{self.module}@{self.version}"

    @cached_property
    def entries(self) -> dict[str, bytes]:
        """The files by path, as parts of a set; built-in ones are left out."""
        return {one.path: set_entry(one.data) for one in skimmed(self.data) if not is_built_in(one.path)}


@dataclass(frozen=True, slots=True)
class Pins:
    """What was found, and what the registry does not have although somebody asks for it."""

    found: tuple[Pin, ...] = ()
    unknown: tuple[Depend, ...] = ()

    @property
    def known(self) -> bytes:
        """A set of all files; a module's own are those of its pin, whatever others were made with."""
        imported = {path: entry for pin in self.found for path, entry in pin.entries.items()}
        own = {path: pin.entries[path] for pin in self.found for path in pin.own if path in pin.entries}
        return b"".join((imported | own).values())

    def homes(self, paths: Iterable[str]) -> list[str]:
        """The pins that files come from, as uploads call them."""
        used = {self._home(path) for path in paths}
        return [one.words for one in self.found if one in used]

    def _home(self, path: str) -> Pin | None:
        holders = [one for one in self.found if path in one.entries]
        return next((one for one in holders if path in one.own), next(iter(holders), None))


def depend(text: str) -> Depend:
    """Read ``MODULE``, ``MODULE@VERSION``, or either behind ``DEP=``."""
    found = WANTED.fullmatch(text)
    if found is None:
        raise click.BadParameter(f"{text!r} is not MODULE, MODULE@VERSION or DEP=MODULE[@VERSION]")
    version = int(found["version"]) if found["version"] else None
    return Depend(found["module"], version, found["dep"] or "")


def depends(needs: Sequence[Need], given: Sequence[Depend]) -> list[Depend]:
    """Return all modules that are needed, each once; what is given says more about a need, or adds one."""
    made = {one.module: Depend(one.module, site=one.site) for one in needs}
    for one in given:
        if one.dep:
            meant = Need(one.dep, "").module
            if meant not in made:
                raise click.BadParameter(f"deps has no {one.dep!r}", param_hint=OPTION)
            made[meant] = replace(one, site=made[meant].site)
        else:
            made[one.module] = one
    return list({one.module: one for one in made.values()}.values())


def pinned(client: RegistryClient, wanted: Iterable[Depend]) -> Pins:
    """Return the versions that are meant, with their files; without a version, the latest.

    Raises `accord.client.RegistryNotFound` for a module that an option names.
    """
    found: list[Pin] = []
    unknown: list[Depend] = []
    for one in wanted:
        try:
            found.append(_pin(client, one))
        except RegistryNotFound:
            if one.site == OPTION:
                raise
            unknown.append(one)
    return Pins(tuple(found), tuple(unknown))


def _pin(client: RegistryClient, wanted: Depend) -> Pin:
    number = wanted.version or int(str(stored.version(client, wanted.module)["version"]))
    files = stored.files(client, wanted.module, number)
    pulled = stored.pull(client, stored.Wanted(wanted.module, number))
    own = frozenset(str(one["path"]) for one in files if not one["is_import"])
    return Pin(wanted.module, number, b"" if pulled is None else pulled.data, own)

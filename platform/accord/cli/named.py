"""One schema by its name: a file, a version of a subject, or a file of a Git revision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from accord.cli.gathering import absolute
from accord.cli.git import open_revision
from accord.cli.references import file_source
from accord.cli.server import open_client
from accord.cli.sides import GitSide, RegistrySide, against

if TYPE_CHECKING:
    from accord.cli.cases import Source
    from accord.model import Format, Reference

REGISTRY: Final = "registry:"
GIT: Final = "git:"


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds what names stand for; ``url`` and ``token`` lead to the registry, if there is one."""

    format: Format | None
    references: tuple[Reference, ...]
    url: str | None
    token: str | None

    def find(self, name: str, other: str) -> Source:
        """The schema of a name; ``git:REVISION`` alone means the file that is compared with it.

        Raises what reading files, revisions and registries raises.
        """
        if name.startswith(REGISTRY):
            return self._registered(name)
        if name.startswith(GIT):
            return self._committed(name, other)
        return file_source(name, self.format, self.references)

    def _registered(self, name: str) -> Source:
        meant = against(name)
        if self.url is None:
            raise click.UsageError("Give --url (or ACCORD_URL) of a registry.")
        # References are read when the schema is parsed, so the connection ends with the command.
        client = click.get_current_context().with_resource(open_client(self.url, self.token))
        return RegistrySide(client, meant.name, meant.version).loaded(meant.name)[-1].source

    def _committed(self, name: str, other: str) -> Source:
        revision, _, path = name.removeprefix(GIT).partition(":")
        if not path and other.startswith((REGISTRY, GIT)):
            raise click.UsageError(f"Say which file of the revision is meant: {name}:PATH")
        side = GitSide(open_revision(revision), None)
        return side.source(path or side.place(absolute(other), other), self.format, self.references)

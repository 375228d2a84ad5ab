"""What the pipeline needs from a registry; `accord.client.RegistryClient` has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from accord.model import ReferenceResolver

if TYPE_CHECKING:
    from accord.client import RemoteVersion
    from accord.model import SchemaText, SubjectName
    from accord.wire import SchemaIdentity


class SchemaSource(ReferenceResolver, Protocol):
    """The port through which the driver reads schemas."""

    def schema(self, identity: SchemaIdentity) -> SchemaText:
        """The schema a frame names; raises an `accord.errors.NotFound` when there is none."""
        ...

    def latest(self, subject: SubjectName | str) -> RemoteVersion:
        """The newest version of a subject; raises an `accord.errors.NotFound` when there is none."""
        ...

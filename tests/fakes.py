"""In-memory implementations of the library's ports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from accord.client import RegistryNotFound, RemoteVersion
from accord.errors import ReferenceNotFound
from accord.naming import split_subject

if TYPE_CHECKING:
    from accord.model import Reference, SchemaText, SubjectName
    from accord.wire import SchemaIdentity


@dataclass
class FakeRegistry:
    """A registry of plain dictionaries: the pipeline's port `SchemaSource`."""

    schemas: dict[SchemaIdentity, SchemaText] = field(default_factory=dict)
    subjects: dict[SubjectName, list[SchemaIdentity]] = field(default_factory=dict)
    asked: list[SchemaIdentity] = field(default_factory=list)

    def add(self, identity: SchemaIdentity, schema: SchemaText, subject: str = "orders-value") -> None:
        """Put a schema there under an id or GUID, as the newest version of a subject."""
        self.schemas[identity] = schema
        self.subjects.setdefault(split_subject(subject), []).append(identity)

    def schema(self, identity: SchemaIdentity) -> SchemaText:
        """The schema of an id or GUID."""
        self.asked.append(identity)
        if identity not in self.schemas:
            raise missing(f"Schema {identity} not found", 40403)
        return self.schemas[identity]

    def latest(self, subject: SubjectName | str) -> RemoteVersion:
        """The newest version of a subject."""
        name = split_subject(str(subject))
        if name not in self.subjects:
            raise missing(f"Subject '{name}' not found.", 40401)
        identities = self.subjects[name]
        number = int(str(identities[-1])) if isinstance(identities[-1], int) else 0
        return RemoteVersion(name, len(identities), number, self.schemas[identities[-1]])

    def resolve(self, reference: Reference) -> SchemaText:
        """The text a reference points to."""
        identities = self.subjects.get(split_subject(reference.subject), [])
        if not 0 < reference.version <= len(identities):
            raise ReferenceNotFound(subject=reference.subject, version=reference.version)
        return self.schemas[identities[reference.version - 1]]


def missing(details: str, code: int) -> RegistryNotFound:
    """What the client raises for something that is not there."""
    return RegistryNotFound(status=404, error_code=code, details=details)

"""The registry's verbs as methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, Self
from uuid import UUID

from accord.client.answers import Answer
from accord.client.errors import RegistryNotFound
from accord.client.histories import following, registrations
from accord.client.memory import Memory
from accord.client.records import Bearer, DecodedRecord
from accord.client.transport import Below, ClientSettings, Json, Request, Transport
from accord.codecs import AvroCodec, avro_schema
from accord.errors import ReferenceNotFound
from accord.naming import quote_subject
from accord.wire import VALUE_HEADER, decode_record, encode_prefix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import TracebackType

    from accord.client.records import Basic, CheckAnswer, Registered, RemoteRegistration, RemoteVersion
    from accord.client.transport import Fetched
    from accord.model import Reference, SchemaText, SubjectName
    from accord.wire import SchemaIdentity

LATEST: Final = "latest"
_REMEMBERED: Final = 1000
# Of a list that comes in parts.
_LARGEST_PART: Final = 200


class RegistryClient:
    """A registry behind one or several addresses, tried in order.

    ``url`` is one base address or several separated by commas; user and password in it become Basic
    credentials, which go before all others. ``token`` is sent as a Bearer token; for Basic pass
    ``credential``. Answers about immutable
    things (schemas by id or GUID, numbered versions used as references) are remembered; everything else is
    asked anew. Methods are safe to call from several threads. Every method may raise
    `accord.client.RegistryRefusal` in one of its kinds, `accord.client.RegistryUnreachable` or
    `accord.client.RegistryUnreadable`.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        credential: Bearer | Basic | None = None,
        settings: ClientSettings | None = None,
    ) -> None:
        addresses = [one.strip() for one in url.split(",") if one.strip()]
        chosen = Bearer(token) if token else credential
        self._transport = Transport(addresses, chosen, settings or ClientSettings())
        self._address = self._transport.shown
        self._schemas: Memory[SchemaIdentity, SchemaText] = Memory(_REMEMBERED)
        self._references: Memory[Reference, SchemaText] = Memory(_REMEMBERED)
        self._codecs: Memory[SchemaIdentity, AvroCodec] = Memory(_REMEMBERED)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_namespace(self) -> bool:
        """True where the address ends in ``/sr/TENANT/NAMESPACE``, as those of Accord's namespaces do."""
        return self._transport.is_namespace

    @property
    def address(self) -> str:
        """The addresses without credentials, for messages."""
        return self._address

    def close(self) -> None:
        """Close every connection."""
        self._transport.close()

    def subjects(self, *, prefix: str | None = None, has_deleted: bool = False) -> list[str]:
        """Names of subjects, sorted, qualified outside the default context; ``prefix`` as in the dialect."""
        query = {"deleted": _flag(has_deleted)} | ({} if prefix is None else {"subjectPrefix": prefix})
        return self._get("/subjects", query).strings()

    def versions(self, subject: SubjectName | str) -> list[int]:
        """The live version numbers of a subject, ascending."""
        return self._get(f"{_path(subject)}/versions").integers()

    def version(
        self,
        subject: SubjectName | str,
        number: int | Literal["latest"] = LATEST,
        *,
        has_deleted: bool = False,
    ) -> RemoteVersion:
        """One version of a subject; ``latest`` is always asked anew."""
        return self._get(f"{_path(subject)}/versions/{number}", {"deleted": _flag(has_deleted)}).version()

    def latest(self, subject: SubjectName | str) -> RemoteVersion:
        """The newest live version of a subject."""
        return self.version(subject, LATEST)

    def history(self, subject: SubjectName | str, *, limit: int = 50) -> Iterator[RemoteRegistration]:
        """The newest ``limit`` registrations of a subject, newest first: when, by whom, under what policy.

        Soft-deleted versions are among them. Accord alone tells it; raises `accord.client.NoNamespaceNamed`
        where the address does not end in ``/sr/TENANT/NAMESPACE``.
        """
        query = {"limit": str(min(limit, _LARGEST_PART))}
        while limit > 0:
            answer = self.send(Request("GET", f"{_path(subject)}/history", query, below=Below.NAMESPACE))
            part = registrations(answer)[:limit]
            yield from part
            limit -= len(part)
            cursor = following(answer)
            if cursor is None or not part:
                return
            query |= {"cursor": cursor}

    def register(
        self, subject: SubjectName | str, schema: SchemaText, *, normalize: bool = False
    ) -> Registered:
        """Register a schema, or find it where it is registered already."""
        return self._post(f"{_path(subject)}/versions{_normalized(normalize)}", schema).registered()

    def look_up(
        self, subject: SubjectName | str, schema: SchemaText, *, normalize: bool = False
    ) -> RemoteVersion:
        """The version of the subject that is this schema; raises `RegistryNotFound` when there is none."""
        return self._post(f"{_path(subject)}{_normalized(normalize)}", schema).version()

    def check(self, subject: SubjectName | str, schema: SchemaText) -> CheckAnswer:
        """Whether the schema could be registered, without storing it."""
        return self._post(f"/compatibility{_path(subject)}/versions?verbose=true", schema).check()

    def delete_subject(self, subject: SubjectName | str, *, permanent: bool = False) -> list[int]:
        """Delete every version of a subject, softly unless ``permanent``; returns their numbers."""
        return self._delete(f"{_path(subject)}?permanent={_flag(permanent)}").integers()

    def delete_version(self, subject: SubjectName | str, number: int, *, permanent: bool = False) -> int:
        """Delete one version of a subject, softly unless ``permanent``; returns its number."""
        return self._delete(f"{_path(subject)}/versions/{number}?permanent={_flag(permanent)}").integer()

    def level(self, subject: SubjectName | str | None = None) -> str:
        """The compatibility level in force for a subject, or of the whole namespace."""
        path = "/config" if subject is None else f"/config/{quote_subject(subject)}"
        return self._get(path, {"defaultToGlobal": "true"}).string("compatibilityLevel")

    def set_level(self, level: str, subject: SubjectName | str | None = None) -> str:
        """Set the level of a subject, or of the whole namespace; returns what is stored."""
        path = "/config" if subject is None else f"/config/{quote_subject(subject)}"
        return self.send(Request("PUT", path, body={"compatibility": level})).string("compatibility")

    def schema(self, identity: SchemaIdentity) -> SchemaText:
        """The schema that a frame names, by number in the default context or by GUID; remembered."""
        place = "guids" if isinstance(identity, UUID) else "ids"
        return self._schemas.get(identity, lambda: self._get(f"/schemas/{place}/{identity}").schema())

    def decode(
        self, data: bytes, headers: Iterable[tuple[str, bytes]] = (), *, header_name: str = VALUE_HEADER
    ) -> DecodedRecord:
        """The value of a framed Avro record, read with the schema its prefix or header names.

        Raises an `accord.wire.WireError` for a broken frame, what `accord.codecs.AvroCodec.decode` raises
        for a broken payload, and `accord.codecs.NotAvro`.
        """
        frame = decode_record(data, headers, header_name=header_name)
        return DecodedRecord(frame.identity, self._codec(frame.identity).decode(frame.payload))

    def encode(self, identity: SchemaIdentity, value: object) -> bytes:
        """A framed Avro record of a registered schema, named by number or GUID.

        Raises what `accord.codecs.AvroCodec.encode` raises, and `accord.codecs.NotAvro`.
        """
        return encode_prefix(identity, self._codec(identity).encode(value))

    def resolve(self, reference: Reference) -> SchemaText:
        """The port `accord.model.ReferenceResolver`: the text a reference points to; remembered.

        Raises `accord.errors.ReferenceNotFound` when it is not there or may not be seen.
        """
        if reference.version < 1:  # "latest" moves
            return self._referenced(reference)
        return self._references.get(reference, lambda: self._referenced(reference))

    def _codec(self, identity: SchemaIdentity) -> AvroCodec:
        return self._codecs.get(identity, lambda: AvroCodec(avro_schema(self.schema(identity), self)))

    def _referenced(self, reference: Reference) -> SchemaText:
        try:
            return self.version(reference.subject, reference.version, has_deleted=True).schema
        except RegistryNotFound as problem:
            raise ReferenceNotFound(subject=reference.subject, version=reference.version) from problem

    def _get(self, path: str, query: dict[str, str] | None = None) -> Answer:
        return self.send(Request("GET", path, query or {}))

    def _post(self, path: str, schema: SchemaText) -> Answer:
        return self.send(Request("POST", path, body=_schema_body(schema)))

    def _delete(self, path: str) -> Answer:
        return self.send(Request("DELETE", path))

    def ask_accord(
        self, method: str, path: str, *, query: Mapping[str, str] | None = None, body: Json = None
    ) -> Answer:
        """The answer of Accord's own interface at a path below the namespace.

        Raises `accord.client.NoNamespaceNamed` where the address does not end in ``/sr/TENANT/NAMESPACE``.
        """
        return self.send(Request(method, path, query or {}, body, Below.NAMESPACE))

    def send(self, request: Request) -> Answer:
        """The answer to any request; raises as `ask_accord` where it is one to Accord's own interface."""
        return Answer(self._transport.send(request), self._address)

    def stream(self, request: Request) -> Iterator[bytes]:
        """One call to the registry, its answer piece by piece as it comes."""
        return self._transport.stream(request)

    def fetch(self, request: Request) -> Fetched:
        """The answer to a request as it came, where it is no JSON; raises as `send`."""
        return self._transport.fetch(request)


def _path(subject: SubjectName | str) -> str:
    return f"/subjects/{quote_subject(subject)}"


def _flag(value: bool) -> str:  # noqa: FBT001 - the value is the whole input
    return "true" if value else "false"


def _normalized(normalize: bool) -> str:  # noqa: FBT001 - the value is the whole input
    return "?normalize=true" if normalize else ""


def _schema_body(schema: SchemaText) -> Json:
    references: list[Json] = [
        {"name": one.name, "subject": one.subject, "version": one.version} for one in schema.references
    ]
    return {"schema": schema.text, "schemaType": str(schema.format), "references": references}

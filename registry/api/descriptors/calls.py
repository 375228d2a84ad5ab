"""One call of the dialect as views see it, and what they answer with."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from accord.naming import split_subject
from accord_server.kit.error_tables import HttpError
from accord_server.kit.json_bodies import read_object
from registry.api.descriptors import serializers
from registry.module_errors import InvalidUpload, ModuleVersionNotFound
from registry.records import LATEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import QueryDict

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.module_records import UploadSet

RAW_TYPES: Final = frozenset(
    ("application/octet-stream", "application/x-protobuf", "application/protobuf", "")
)
JSON_TYPE: Final = "application/json"
SET_TYPE: Final = "application/octet-stream"
LARGEST: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Bytes:
    """An answer that is no JSON; ``tag`` names it among all that its address ever answers."""

    data: bytes = field(repr=False)
    media_type: str
    tag: str
    file_name: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """An answer with something to say about what it tells of."""

    document: object
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Created:
    """An answer about what this call made."""

    document: object


@dataclass(frozen=True, slots=True)
class Unchanged:
    """An answer that the caller has already."""

    tag: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Call:
    """What a view is given."""

    scope: Scope
    values: Mapping[str, str]
    query: QueryDict
    body: bytes
    media_type: str = ""
    known: str = ""

    @property
    def module(self) -> str:
        """The module of the path."""
        return self.values["module"].replace("\0", "\N{REPLACEMENT CHARACTER}")

    @property
    def subject(self) -> SubjectName:
        """The subject of the path."""
        return split_subject(self.values["subject"].replace("\0", "\N{REPLACEMENT CHARACTER}"))

    @property
    def version(self) -> int | str:
        """The version of the path, a number or ``latest``; raises `ModuleVersionNotFound` for others."""
        return self._version(self.values["version"])

    @property
    def upload(self) -> UploadSet:
        """The upload that the body is.

        Raises:
            HttpError: 400, 415 or 422, naming what is wrong and where.
            InvalidUpload: There is no body.
        """
        return replace(self._upload, expected=self._expected, properties=self._properties)

    @property
    def _upload(self) -> UploadSet:
        depends = [str(one) for one in self.query.getlist("depends")]
        if not self.body:
            raise InvalidUpload("The body is empty; send a FileDescriptorSet")
        if self.media_type == JSON_TYPE or self.media_type.endswith("+json"):
            return serializers.json_upload(self.module, self.body, depends)
        if self.media_type not in RAW_TYPES:
            raise HttpError(415, f"Send {SET_TYPE}, application/x-protobuf or {JSON_TYPE}")
        return serializers.raw_upload(self.module, self.body, depends)

    @property
    def _properties(self) -> Mapping[str, str] | None:
        given = [str(one).partition("=") for one in self.query.getlist("property")]
        if any(not sign for _name, sign, _value in given):
            raise HttpError(400, "property is NAME=VALUE, such as owner=team-orders")
        return {name: value for name, _sign, value in given} if given else None

    @property
    def _expected(self) -> int | None:
        text = str(self.query.get("expect", ""))
        if text in {"", "0"}:
            return 0 if text else None
        return self.number("expect", 1, LARGEST)

    @property
    def json(self) -> serializers.Json:
        """The body, which must be an object; raises as `read_object`."""
        return read_object(self.body)

    def side(self, name: str, default: str) -> int | str:
        """The version that a query parameter names."""
        return self._version(str(self.query.get(name, default)))

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Tell whether a flag of the query is set.

        Raises:
            HttpError: 400 for neither true nor false.
        """
        text = str(self.query.get(name, default)).lower()
        if text not in {"true", "false"}:
            raise HttpError(400, f"{name} is true or false")
        return text == "true"

    def number(self, name: str, default: int, most: int) -> int:
        """Return a number of the query.

        Raises:
            HttpError: 400 for one below 1 or above the most.
        """
        text = str(self.query.get(name, default))
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and 1 <= int(text) <= most):
            raise HttpError(400, f"{name} is a number from 1 to {most}")
        return int(text)

    def tag(self, digest: bytes, *form: object) -> str:
        """Return the ETag of something made of a set: of the whole of it by itself its digest."""
        mark = f"-{hashlib.sha256(repr(form).encode()).hexdigest()[:16]}" if form else ""
        return f'"{digest.hex()}{mark}"'

    def has(self, tag: str) -> bool:
        """Tell whether the caller has what a tag names, as ``If-None-Match`` says."""
        return any(one.strip().removeprefix("W/") in {"*", tag} for one in self.known.split(","))

    def _version(self, text: str) -> int | str:
        if text == LATEST:
            return LATEST
        if not (
            text.isascii() and text.isdigit() and len(text) <= len(str(LARGEST)) and int(text) <= LARGEST
        ):
            raise ModuleVersionNotFound(text[:20])
        return int(text)

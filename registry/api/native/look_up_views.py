"""Schemas by what they are: look-ups, uses, and the forms of a text that nobody stored."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from rest_framework import serializers
from rest_framework.response import Response

from accord.model import DEFAULT_CONTEXT
from accord_server.kit.error_tables import HttpError
from accord_server.kit.operations import flag, listed, single
from accord_server.kit.paging import (
    BAD_CURSOR,
    batch_document,
    batch_size,
    cursor,
    next_cursor,
    number_in,
)
from registry.api.native.serializers import LONGEST_NAME, CandidateSerializer
from registry.api.native.shapes import FoundSchemaShape, UseOfContent
from registry.api.native.verdict_shapes import FormsShape
from registry.look_up_records import Identity, UsePlace
from registry.queries import look_ups
from registry.services.spelling import spell
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from rest_framework.request import Request

    from registry.look_up_records import FoundSchema, Use

HEXADECIMAL: Final = re.compile("[0-9a-fA-F]+")
CONTEXT: Final = re.compile(r"\A\.[^:/\x00-\x1f]*\Z")
DIGEST_DIGITS: Final = 64
GUID_DIGITS: Final = 32
# How an Avro record in the single-object encoding begins: a mark, then CRC-64-AVRO, least byte first.
SINGLE_OBJECT: Final = "c301"
BY_DIGITS: Final = {16: Identity.RABIN, 32: Identity.MD5, 64: Identity.SHA256}


class FormsSerializer(CandidateSerializer):
    """The body about a text: a schema, and the context in which bare references are meant."""

    def get_fields(self) -> dict[str, Any]:
        """Add a member that the framework has another use for, as an attribute of every serializer."""
        return {**super().get_fields(), "context": context_field()}


def context_field() -> serializers.RegexField:
    """Return the member that names a context."""
    return serializers.RegexField(
        CONTEXT,
        max_length=LONGEST_NAME,
        default=DEFAULT_CONTEXT,
        trim_whitespace=False,
        error_messages={"invalid": "Must begin with a dot and hold no colon or slash."},
    )


class Forms(TenantView):
    """The forms of a text."""

    rights = {"POST": "compat.check"}
    bodies = {"POST": FormsSerializer}
    answers = {"POST": single(FormsShape)}
    is_question = True
    hides = False

    def post(self, request: Request, **_names: str) -> Response:
        """Return them, and the names the text would be known by; nothing is stored."""
        body = self.body(request)
        return Response(spell(self.scope, body.command(f":{body.validated_data['context']}:")))


class LookUp(TenantView):
    """Schemas of a namespace by what they are."""

    rights = {"GET": look_ups.RIGHT}
    answers = {"GET": listed(FoundSchemaShape)}
    hides = False

    def found(self, request: Request, identity: Identity, value: bytes | UUID) -> Response:
        """List those that may be read, oldest first."""
        after = number_in(cursor(request))
        limit = batch_size(request)
        batch = look_ups.find_schemas(self.scope, identity, value, after=after, limit=limit)
        return Response(batch_document(batch, schema_document, next_cursor(request, batch.after)))


class ByDigest(LookUp):
    """Schemas whose canonical text has a digest."""

    def get(self, request: Request, digest: str, **_names: str) -> Response:
        """List them."""
        return self.found(request, Identity.DIGEST, digest_of(digest))


class ByGuid(LookUp):
    """Schemas with a GUID."""

    def get(self, request: Request, guid: str, **_names: str) -> Response:
        """List them."""
        digits = guid.replace("-", "")
        if len(digits) != GUID_DIGITS or not HEXADECIMAL.fullmatch(digits):
            raise HttpError(400, f"a GUID has {GUID_DIGITS} hexadecimal digits")
        return self.found(request, Identity.GUID, UUID(digits))


class ByFingerprint(LookUp):
    """Avro schemas with a fingerprint."""

    def get(self, request: Request, fingerprint: str, **_names: str) -> Response:
        """List them."""
        return self.found(request, *fingerprint_of(fingerprint))


class Uses(TenantView):
    """Where a content is used in the tenant."""

    rights = {"GET": look_ups.RIGHT}
    answers = {"GET": listed(UseOfContent)}
    queries = {"GET": (flag("deleted", "Take soft-deleted versions as well."),)}
    hides = False

    def get(self, request: Request, digest: str, **_names: str) -> Response:
        """List the versions that may be read, by namespace, context, subject and number."""
        uses, after = look_ups.uses_of(
            self.scope,
            digest_of(digest),
            deleted=request.query_params.get("deleted") == "true",
            after=_place_in(cursor(request)),
            limit=batch_size(request),
        )
        place = (
            None if after is None else json.dumps([after.namespace, after.context, after.name, after.version])
        )
        return Response({"items": [use_document(one) for one in uses], "next": next_cursor(request, place)})


def digest_of(text: str) -> bytes:
    """Read a digest.

    Raises:
        HttpError: 400 for anything else.
    """
    if len(text) != DIGEST_DIGITS or not HEXADECIMAL.fullmatch(text):
        raise HttpError(400, f"a digest has {DIGEST_DIGITS} hexadecimal digits")
    return bytes.fromhex(text)


def fingerprint_of(text: str) -> tuple[Identity, bytes]:
    """Read a fingerprint; its length says which, and one with the mark of single objects is turned round.

    Raises:
        HttpError: 400 for anything else.
    """
    digits = text.lower()
    is_marked = len(digits) == len(SINGLE_OBJECT) + 16 and digits.startswith(SINGLE_OBJECT)
    bare = digits.removeprefix(SINGLE_OBJECT) if is_marked else digits
    identity = BY_DIGITS.get(len(bare))
    if identity is None or not HEXADECIMAL.fullmatch(bare):
        lengths = "16 (CRC-64-AVRO), 32 (MD5) or 64 (SHA-256)"
        raise HttpError(400, f"a fingerprint has {lengths} hexadecimal digits")
    value = bytes.fromhex(bare)
    return identity, value[::-1] if is_marked else value


def schema_document(one: FoundSchema) -> FoundSchemaShape:
    """Return a schema that was found."""
    return {
        "id": one.id,
        "context": one.context,
        "guid": str(one.guid),
        "digest": one.digest,
        "format": one.format,
        "references": [
            {"name": to.name, "subject": to.subject, "version": to.version} for to in one.references
        ],
        "fingerprints": one.fingerprints,
        "created_at": one.created_at.isoformat(),
    }


def use_document(one: Use) -> UseOfContent:
    """Return a use."""
    return {
        "namespace": one.namespace,
        "context": one.subject.context,
        "subject": one.subject.qualified,
        "version": one.version,
        "id": one.schema_id,
        "format": one.format,
        "is_deleted": one.is_deleted,
    }


def _place_in(text: str) -> UsePlace | None:
    if not text:
        return None
    try:
        match json.loads(text):
            case [str(namespace), str(context), str(name), int(version)] if 0 <= version < 2**31:
                return UsePlace(namespace, context, name, version)
    except (ValueError, RecursionError):
        pass
    raise HttpError(400, BAD_CURSOR)

"""What older Protobuf schemas compile to, filled in by a command."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from accord.formats.protobuf import service
from accord.model import Format, Reference, SchemaText, SubjectName
from accord_server.kit import tenancy
from registry import services
from registry.models import Content, Schema
from registry.records import RegisterVersion
from registry.services import older_filing
from registry.services.collecting import collect_unused
from tests.accord.protobuf_texts import COMPILER
from tests.registry.forgetting import forget_everything

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

PART = 'syntax = "proto3"; message Part { string a = 1; }'
WHOLE = 'syntax = "proto3"; import "part.proto"; message Whole { Part p = 1; }'


@pytest.fixture(autouse=True)
def older(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Three schemas, two of Protobuf, stored as a release did that kept no files."""
    service.use(COMPILER)
    monkeypatch.setattr(older_filing, "BATCH", 1)
    for name, format_, text, references in (
        ("part", Format.PROTOBUF, PART, ()),
        ("whole", Format.PROTOBUF, WHOLE, (Reference("part.proto", "part", 1),)),
        ("other", Format.AVRO, '"string"', ()),
    ):
        source = SchemaText(format_, text, references)
        services.register_version(scope, RegisterVersion(SubjectName(name), source))
    with tenancy.tenant_context(scope.tenant.id):
        Schema.objects.scoped(scope).update(descriptor_set=None)
        collect_unused(scope)
    forget_everything()
    yield
    service.use(COMPILER)


def kept(scope: Scope) -> list[bool]:
    """Whether each schema has its files, oldest first."""
    with tenancy.tenant_context(scope.tenant.id):
        rows = Schema.objects.scoped(scope).order_by("pk").values_list("descriptor_set", flat=True)
        return [one is not None for one in rows]


def told() -> str:
    """What the command says."""
    out = StringIO()
    call_command("file_schemas", stdout=out, stderr=StringIO())
    return out.getvalue().strip()


def test_older_schemas_are_filed_once(scope: Scope) -> None:
    assert kept(scope) == [False, False, False]
    assert told() == "2 schemas filed, 0 cannot be compiled (see the log)"
    assert kept(scope) == [True, True, False]
    assert told() == "0 schemas filed, 0 cannot be compiled (see the log)"


def test_what_cannot_be_compiled_stands_in_nobodys_way(scope: Scope) -> None:
    with tenancy.tenant_context(scope.tenant.id):
        Content.objects.scoped(scope).filter(text__contains="message Whole").update(text="message {")
    assert told() == "1 schemas filed, 1 cannot be compiled (see the log)"
    assert kept(scope) == [True, False, False]


def test_without_a_compiler_it_says_so(scope: Scope) -> None:
    service.use(None)
    with pytest.raises(CommandError, match="start the compiler and begin once more"):
        told()
    assert kept(scope) == [False, False, False]

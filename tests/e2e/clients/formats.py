"""One order in three formats, with the serializers of Confluent's client for Python: alike to every test."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from confluent_kafka.schema_registry import (
    Metadata,
    MetadataProperties,
    MetadataTags,
    Rule,
    RuleSet,
    Schema,
    SchemaReference,
)
from confluent_kafka.schema_registry.avro import (
    AsyncAvroDeserializer,
    AsyncAvroSerializer,
    AvroDeserializer,
    AvroSerializer,
)
from confluent_kafka.schema_registry.json_schema import (
    AsyncJSONDeserializer,
    AsyncJSONSerializer,
    JSONDeserializer,
    JSONSerializer,
)
from confluent_kafka.schema_registry.protobuf import (
    AsyncProtobufDeserializer,
    AsyncProtobufSerializer,
    ProtobufDeserializer,
    ProtobufSerializer,
)
from google.protobuf import json_format
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from confluent_kafka.schema_registry.rule_registry import RuleRegistry

PACKAGE = "shop"
Order = dict[str, Any]


class Kit(Protocol):
    """A format: the record is called ``name`` and has a number ``id`` and texts, each with a default."""

    kind: ClassVar[str]

    @property
    def name(self) -> str:
        """The name of the record."""

    def text(self, *texts: str) -> str:
        """Return the schema with these fields of text, as a producer writes it."""

    def writer(self, client: Any, *texts: str, rules: RuleRegistry | None = None, **conf: Any) -> Any:
        """Return a serializer."""

    def reader(self, client: Any, *texts: str, rules: RuleRegistry | None = None, **conf: Any) -> Any:
        """Return a deserializer."""

    async def async_writer(self, client: Any, *texts: str) -> Any:
        """Return a serializer that is awaited."""

    async def async_reader(self, client: Any, *texts: str) -> Any:
        """Return a deserializer that is awaited."""

    def value(self, order: Order) -> Any:
        """Return what the serializer takes."""

    def plain(self, value: Any) -> Order:
        """Return an order of what the deserializer gave."""

    @property
    def record_name(self) -> str:
        """What strategies of names call the record."""


def schema_of(
    kit: Kit,
    *texts: str,
    properties: Mapping[str, str] | None = None,
    rules: RuleSet | None = None,
    tags: Mapping[str, list[str]] | None = None,
    references: list[SchemaReference] | None = None,
) -> Schema:
    """Return the schema as clients register it, with what is to go with it."""
    named = MetadataProperties(dict(properties)) if properties else None
    tagged = MetadataTags(dict(tags)) if tags else None
    metadata = Metadata(tagged, named, None) if named or tagged else None
    return Schema(kit.text(*texts), kit.kind, references or [], metadata, rules)


def rule(
    name: str, kind: Any, mode: Any, engine: str, expression: str, tags: list[str] | None = None
) -> Rule:
    """Return a rule that clients run."""
    return Rule(name, None, kind, mode, engine, tags, None, expression, None, None, False)


def settings(conf: Mapping[str, Any]) -> dict[str, Any]:
    """Spell settings with the dots that clients want."""
    return {name.replace("_", "."): value for name, value in conf.items()}


@dataclass(frozen=True)
class Avro:
    """Records of Avro are dictionaries."""

    name: str
    kind: ClassVar[str] = "AVRO"

    @property
    def record_name(self) -> str:
        return f"{PACKAGE}.{self.name}"

    def text(self, *texts: str) -> str:
        fields = [{"name": one, "type": "string", "default": ""} for one in texts]
        whole = [{"name": "id", "type": "long"}, *fields]
        return json.dumps({"type": "record", "name": self.name, "namespace": PACKAGE, "fields": whole})

    def writer(self, client: Any, *texts: str, rules: RuleRegistry | None = None, **conf: Any) -> Any:
        return AvroSerializer(client, self.text(*texts), conf=settings(conf), rule_registry=rules)

    def reader(self, client: Any, *_: str, rules: RuleRegistry | None = None, **conf: Any) -> Any:
        return AvroDeserializer(client, conf=settings(conf), rule_registry=rules)

    async def async_writer(self, client: Any, *texts: str) -> Any:
        return await AsyncAvroSerializer(client, self.text(*texts))

    async def async_reader(self, client: Any, *_: str) -> Any:
        return await AsyncAvroDeserializer(client)

    def value(self, order: Order) -> Any:
        return dict(order)

    def plain(self, value: Any) -> Order:
        return dict(value)


@dataclass(frozen=True)
class Json:
    """Objects of closed content, which may grow."""

    name: str
    kind: ClassVar[str] = "JSON"

    @property
    def record_name(self) -> str:
        return self.name

    def text(self, *texts: str) -> str:
        fields = {one: {"type": "string"} for one in texts}
        properties = {"id": {"type": "integer"}, **fields}
        made = {"type": "object", "title": self.name, "properties": properties, "additionalProperties": False}
        return json.dumps(made)

    def writer(self, client: Any, *texts: str, rules: RuleRegistry | None = None, **conf: Any) -> Any:
        return JSONSerializer(self.text(*texts), client, conf=settings(conf), rule_registry=rules)

    def reader(self, client: Any, *_: str, rules: RuleRegistry | None = None, **conf: Any) -> Any:
        return JSONDeserializer(None, schema_registry_client=client, conf=settings(conf), rule_registry=rules)

    async def async_writer(self, client: Any, *texts: str) -> Any:
        return await AsyncJSONSerializer(self.text(*texts), client)

    async def async_reader(self, client: Any, *_: str) -> Any:
        return await AsyncJSONDeserializer(None, schema_registry_client=client)

    def value(self, order: Order) -> Any:
        return dict(order)

    def plain(self, value: Any) -> Order:
        return dict(value)


@dataclass(frozen=True)
class Protobuf:
    """Messages, of classes made for each set of fields."""

    name: str
    kind: ClassVar[str] = "PROTOBUF"

    @property
    def record_name(self) -> str:
        return f"{PACKAGE}.{self.name}"

    def file(self, *texts: str) -> FileDescriptorProto:
        """Return the file; the number of a field is its place."""
        label = FieldDescriptorProto.LABEL_OPTIONAL
        kinds = [FieldDescriptorProto.TYPE_INT64, *[FieldDescriptorProto.TYPE_STRING] * len(texts)]
        fields = [
            FieldDescriptorProto(name=name, number=number, type=kind, label=label)
            for number, (name, kind) in enumerate(zip(("id", *texts), kinds, strict=True), 1)
        ]
        message = DescriptorProto(name=self.name, field=fields)
        return FileDescriptorProto(
            name=f"{self.name}.proto", package=PACKAGE, syntax="proto3", message_type=[message]
        )

    def message(self, *texts: str) -> Any:
        """Return the class of the messages with these fields, the same each time."""
        return message_class(self, *texts)

    def text(self, *texts: str) -> str:
        return b64encode(self.file(*texts).SerializeToString()).decode()

    def writer(self, client: Any, *texts: str, rules: RuleRegistry | None = None, **conf: Any) -> Any:
        return ProtobufSerializer(self.message(*texts), client, conf=settings(conf), rule_registry=rules)

    def reader(self, client: Any, *texts: str, rules: RuleRegistry | None = None, **conf: Any) -> Any:
        return ProtobufDeserializer(
            self.message(*texts), settings(conf), schema_registry_client=client, rule_registry=rules
        )

    async def async_writer(self, client: Any, *texts: str) -> Any:
        return await AsyncProtobufSerializer(self.message(*texts), client)

    async def async_reader(self, client: Any, *texts: str) -> Any:
        return await AsyncProtobufDeserializer(self.message(*texts), schema_registry_client=client)

    def value(self, order: Order) -> Any:
        return json_format.ParseDict(order, self.message(*(name for name in order if name != "id"))())

    def plain(self, value: Any) -> Order:
        shown = json_format.MessageToDict(value, preserving_proto_field_name=True)
        return {**shown, "id": int(shown["id"])}


@cache
def message_class(kit: Protobuf, *texts: str) -> Any:
    """Return the class of the messages of a file."""
    pool = DescriptorPool()
    pool.Add(kit.file(*texts))
    return GetMessageClass(pool.FindMessageTypeByName(kit.record_name))


KITS: tuple[Callable[[str], Kit], ...] = (Avro, Json, Protobuf)

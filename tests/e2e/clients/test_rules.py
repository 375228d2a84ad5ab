"""Rules that clients run: the registry keeps them, and Confluent's client for Python finds and runs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka.schema_registry import (
    RuleKind,
    RuleMode,
    RuleSet,
    SchemaRegistryClient,
    ServerConfig,
)
from confluent_kafka.schema_registry.rule_registry import RuleRegistry
from confluent_kafka.schema_registry.rules.cel.cel_executor import CelExecutor
from confluent_kafka.schema_registry.rules.cel.cel_field_executor import CelFieldExecutor
from confluent_kafka.schema_registry.rules.jsonata.jsonata_executor import JsonataExecutor
from confluent_kafka.serialization import MessageField, SerializationContext, SerializationError

from tests.e2e.clients.formats import rule, schema_of

if TYPE_CHECKING:
    from tests.e2e.clients.formats import Kit

pytestmark = pytest.mark.e2e

ORDER = {"id": 7, "email": "a@b.c"}
LATEST: dict[str, Any] = {"auto_register_schemas": False, "use_latest_version": True}
RENAMED = "$merge([$sift($, function($v, $k) {{$k != '{old}'}}), {{'{new}': $.'{old}'}}])"
MAJOR = "major"


@pytest.fixture(scope="module")
def engines() -> RuleRegistry:
    """What runs rules, of these tests alone."""
    made = RuleRegistry()  # type: ignore[no-untyped-call]  # so in the client
    engines: tuple[Any, ...] = (CelExecutor, CelFieldExecutor, JsonataExecutor)
    for engine in engines:
        made.register_executor(engine())
    return made


def value_of(topic: str) -> SerializationContext:
    return SerializationContext(topic, MessageField.VALUE)


def test_a_condition_in_cel_refuses_what_it_does_not_hold_of(
    client: SchemaRegistryClient, engines: RuleRegistry, kit: Kit, topic: str
) -> None:
    wanted = rule("address", RuleKind.CONDITION, RuleMode.WRITE, "CEL", "message.email.contains('@')")
    rules = RuleSet(None, [wanted])
    number = client.register_schema(f"{topic}-value", schema_of(kit, "email", rules=rules))
    writer = kit.writer(client, "email", rules=engines, **LATEST)
    written = writer(kit.value(ORDER), value_of(topic))
    assert int.from_bytes(written[1:5]) == number
    with pytest.raises(SerializationError):
        writer(kit.value({**ORDER, "email": "nobody"}), value_of(topic))


def test_a_rule_about_fields_changes_them_on_the_way(
    client: SchemaRegistryClient, consumer: SchemaRegistryClient, engines: RuleRegistry, kit: Kit, topic: str
) -> None:
    hidden = rule("hide", RuleKind.TRANSFORM, RuleMode.WRITE, "CEL_FIELD", "typeName == 'STRING' ; 'hidden'")
    client.register_schema(f"{topic}-value", schema_of(kit, "email", rules=RuleSet(None, [hidden])))
    written = kit.writer(client, "email", rules=engines, **LATEST)(kit.value(ORDER), value_of(topic))
    read = kit.reader(consumer, "email", rules=engines)(written, value_of(topic))
    assert kit.plain(read) == {"id": 7, "email": "hidden"}


def test_a_rule_of_reading_runs_where_records_are_read(
    client: SchemaRegistryClient, consumer: SchemaRegistryClient, engines: RuleRegistry, kit: Kit, topic: str
) -> None:
    shown = rule("show", RuleKind.TRANSFORM, RuleMode.READ, "CEL_FIELD", "typeName == 'STRING' ; value + '!'")
    client.register_schema(f"{topic}-value", schema_of(kit, "email", rules=RuleSet(None, [shown])))
    written = kit.writer(client, "email", rules=engines, **LATEST)(kit.value(ORDER), value_of(topic))
    reader = kit.reader(consumer, "email", rules=engines, use_latest_version=True)
    assert kit.plain(reader(written, value_of(topic))) == {"id": 7, "email": "a@b.c!"}


def test_rules_of_migration_read_old_records_as_new_and_new_as_old(
    client: SchemaRegistryClient, consumer: SchemaRegistryClient, engines: RuleRegistry, kit: Kit, topic: str
) -> None:
    """The two versions are incompatible; a compatibility group keeps them apart."""
    subject = f"{topic}-value"
    client.set_config(subject, ServerConfig(compatibility_group=MAJOR))
    renames = [
        rule("up", RuleKind.TRANSFORM, RuleMode.UPGRADE, "JSONATA", RENAMED.format(old="email", new="mail")),
        rule(
            "down", RuleKind.TRANSFORM, RuleMode.DOWNGRADE, "JSONATA", RENAMED.format(old="mail", new="email")
        ),
    ]
    client.register_schema(subject, schema_of(kit, "email", properties={MAJOR: "1"}))
    client.register_schema(
        subject, schema_of(kit, "mail", properties={MAJOR: "2"}, rules=RuleSet(renames, None))
    )

    def sent(name: str, major: str) -> Any:
        chosen: dict[str, Any] = {"auto_register_schemas": False, "use_latest_with_metadata": {MAJOR: major}}
        order = kit.value({"id": 7, name: "a@b.c"})
        return kit.writer(client, name, rules=engines, **chosen)(order, value_of(topic))

    def read(written: Any, name: str, major: str) -> Any:
        reader = kit.reader(consumer, name, rules=engines, use_latest_with_metadata={MAJOR: major})
        return kit.plain(reader(written, value_of(topic)))

    assert read(sent("email", "1"), "mail", "2") == {"id": 7, "mail": "a@b.c"}
    assert read(sent("mail", "2"), "email", "1") == {"id": 7, "email": "a@b.c"}

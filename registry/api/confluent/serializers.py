"""Bodies into commands, records into answers: translation only, no decisions.

Unknown members of requests are ignored. Answers have the shape of the 7.9 line; members of the 8.x
line are added for callers that say they take them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from unicodedata import category

from accord.contracts.reading import (
    METADATA,
    RULE_SET,
    read_metadata,
    read_names,
    read_rule_set,
    read_schema_tags,
)
from accord.contracts.writing import metadata_data, rule_set_data, schema_tags_data
from accord.errors import InvalidReference, UnknownFormat
from accord.model import Contract, Format, Reference, SchemaText
from accord.naming import split_subject
from accord_server.kit.configuration import configured
from accord_server.kit.error_tables import HttpError
from accord_server.kit.json_bodies import UNFIT, shown, storable
from accord_server.kit.settings_table import NAME_AVRO
from registry.api.confluent.calls import LARGEST
from registry.records import (
    METADATA_MEMBERS,
    CheckCandidate,
    LookUpVersion,
    RegisterVersion,
    TagChanges,
    TagVersion,
)
from registry.services.configuration import LEVEL, MEMBERS, RULE_SET_MEMBERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from accord.model import SubjectName
    from registry.queries.all_schemas import ListedSchema
    from registry.records import SchemaRecord, VersionRecord

Json = dict[str, Any]

# What a config update calls the level, unlike the answer to a read.
LEVEL_IN_UPDATES: Final = "compatibility"
# The type of each member of a config update that is no object, in Python and in words.
SHAPES: Final[Mapping[str, tuple[type, str]]] = {
    **dict.fromkeys(
        ("alias", "aliasForDeks", "compatibilityPolicy", "compatibilityGroup", LEVEL), (str, "a string")
    ),
    **dict.fromkeys(
        ("normalize", "validateFields", "validateNewSchemas", "validateRules"),
        (bool, "true or false"),
    ),
}
LINE_ENDS: Final = "\t\n\r"
LONGEST_CONFIG_TEXT: Final = 10_000


def registration(subject: SubjectName, body: Json, *, normalize: bool) -> RegisterVersion:
    """Return the command behind ``POST /subjects/{s}/versions``; its rule set is looked at first."""
    carried, schema_id = contract(body), _number(body, "id")
    return RegisterVersion(
        subject=subject,
        schema=schema_text(body),
        normalize=normalize,
        number=_number(body, "version") or 0,
        schema_id=None if schema_id is None or schema_id < 0 else schema_id,
        contract=carried,
        tags=TagChanges(
            read_schema_tags(body.get("schemaTagsToAdd"), "schemaTagsToAdd"),
            read_schema_tags(body.get("schemaTagsToRemove"), "schemaTagsToRemove"),
            carries=_flag(body, "propagateSchemaTags"),
        ),
    )


def tagging(subject: SubjectName, version: int | str, body: Json) -> TagVersion:
    """Return the command behind ``POST /subjects/{s}/versions/{v}/tags``.

    Raises:
        HttpError: 400 for a member of the wrong type.
        InvalidContract, ContractTooLarge, InvalidRuleSet: As reading metadata, rules and tags does.
    """
    return TagVersion(
        subject,
        version,
        number=_number(body, "newVersion") or 0,
        contract=contract(body),
        merged=read_rule_set(body.get("rulesToMerge"), "rulesToMerge"),
        dropped=read_names(body.get("rulesToRemove"), "rulesToRemove"),
        tags=TagChanges(
            read_schema_tags(body.get("tagsToAdd"), "tagsToAdd"),
            read_schema_tags(body.get("tagsToRemove"), "tagsToRemove"),
        ),
    )


def lookup(subject: SubjectName, body: Json, *, normalize: bool, deleted: bool) -> LookUpVersion:
    """Return the command behind ``POST /subjects/{s}``."""
    number = _number(body, "version") or 0
    return LookUpVersion(subject, schema_text(body), normalize, deleted, number, contract(body))


def check(subject: SubjectName, body: Json, *, against: int | str | None, normalize: bool) -> CheckCandidate:
    """Return the command behind ``POST /compatibility/…``."""
    return CheckCandidate(subject, schema_text(body), against, normalize, contract=contract(body))


def contract(body: Json) -> Contract:
    """Return the metadata and the rule set of a request.

    Raises:
        InvalidContract, ContractTooLarge, InvalidRuleSet: As reading them does.
    """
    return Contract(read_metadata(body.get(METADATA)), read_rule_set(body.get(RULE_SET)))


def schema_text(body: Json) -> SchemaText | None:
    """Return the schema of a request, or None where it has none.

    Raises:
        HttpError: 400 for a member of the wrong type.
        UnknownFormat: A ``schemaType`` nobody knows.
        InvalidReference: A reference that lacks a member.
    """
    text = _text(body, "schema")
    format_ = _text(body, "schemaType") or Format.AVRO
    references = tuple(_reference(position, entry) for position, entry in _entries(body, "references"))
    if format_ not in set(Format):
        raise UnknownFormat(shown(format_))
    return None if text is None else SchemaText(Format(format_), text, references)


def config_changes(body: Json) -> dict[str, Any]:
    """Return the members of a config update: given ones with their values, null for what to clear.

    Raises:
        HttpError: 400 for a member of the wrong type.
    """
    given = {(LEVEL if name == LEVEL_IN_UPDATES else name): value for name, value in body.items()}
    given = {
        name: value
        for name, value in given.items()
        if name in MEMBERS and (name != LEVEL or LEVEL_IN_UPDATES in body)
    }
    for name, value in given.items():
        if value is not None:
            _require_type(name, value)
    return given


def config_answer(record: Mapping[str, Any]) -> Json:
    """Return a record as reads show it."""
    return {name: record[name] for name in MEMBERS if name in record}


def config_update_answer(record: Mapping[str, Any]) -> Json:
    """Return a record as updates show it."""
    return {
        (LEVEL_IN_UPDATES if name == LEVEL else name): value for name, value in config_answer(record).items()
    }


def version_answer(version: VersionRecord, *, new_members: bool = False, qualified: bool = False) -> Json:
    """Return a version as look-ups and reads by subject show it."""
    named: Json = {"subject": version.subject.qualified, "version": version.number, "id": version.schema.id}
    if new_members:
        named["guid"] = str(version.schema.guid)
    named |= _content(version.schema, new_members=new_members, qualified=qualified)
    named |= _tags(version.schema)
    if new_members:
        named |= {"ts": _milliseconds(version.created_at), "deleted": version.is_deleted}
    return named


def listed_answer(listed: ListedSchema, *, new_members: bool = False) -> Json:
    """Return a version as the list of all schemas shows it, with the other names of its subject."""
    shown = version_answer(listed.version, new_members=new_members)
    aliases = [one.qualified for one in listed.aliases]
    return {**shown, "aliases": aliases} if aliases else shown


def registered_answer(version: VersionRecord, *, new_members: bool = False) -> Json:
    """Return a version as registration shows it."""
    named: Json = {"id": version.schema.id, "version": version.number}
    if new_members:
        named["guid"] = str(version.schema.guid)
    return named | _content(version.schema, new_members=new_members)


def schema_answer(schema: SchemaRecord, *, new_members: bool = False, qualified: bool = False) -> Json:
    """Return a schema as reads by id show it: other than a version, its text before what it carries."""
    shown: Json = {**_use(schema), "guid": str(schema.guid)} if new_members else {}
    shown |= _type(schema, new_members=new_members)
    shown |= {"schema": schema.text, **_references(schema, qualified=qualified)}
    shown |= _carried(schema.contract) | _tags(schema)
    if schema.max_id is not None:
        shown["maxId"] = schema.max_id
    if new_members and schema.created_at is not None:
        shown["ts"] = _milliseconds(schema.created_at)
    if new_members:
        shown["deleted"] = schema.is_deleted
    return shown


def _use(schema: SchemaRecord) -> Json:
    """Return the version that was found, where the caller named a subject and it uses the schema."""
    if schema.use is None:
        return {}
    subject, number = schema.use
    return {"subject": subject.qualified, "version": number}


def _milliseconds(when: datetime) -> int:
    return int(when.timestamp() * 1000)


def _content(schema: SchemaRecord, *, new_members: bool, qualified: bool = False) -> Json:
    shown = _type(schema, new_members=new_members) | _references(schema, qualified=qualified)
    return {**shown, **_carried(schema.contract), "schema": schema.text}


def _type(schema: SchemaRecord, *, new_members: bool) -> Json:
    is_shown = new_members or schema.format is not Format.AVRO or configured(NAME_AVRO)
    return {"schemaType": str(schema.format)} if is_shown else {}


def _references(schema: SchemaRecord, *, qualified: bool) -> Json:
    home = schema.context if qualified else None
    shown = [_shown_reference(one, home) for one in schema.references]
    return {"references": shown} if shown else {}


def _tags(schema: SchemaRecord) -> Json:
    return {"schemaTags": schema_tags_data(schema.tags)} if schema.tags else {}


def _carried(given: Contract) -> Json:
    """Return metadata and rules, each left out where it is empty."""
    metadata = {} if given.metadata is None else metadata_data(given.metadata)
    rule_set = {} if given.rule_set is None else rule_set_data(given.rule_set)
    return {name: one for name, one in ((METADATA, metadata), (RULE_SET, rule_set)) if one}


def _shown_reference(reference: Reference, home: str | None) -> Json:
    """Return a reference as stored, or with the subject it means in a schema of the context ``home``."""
    subject = reference.subject if home is None else split_subject(reference.subject, context=home).qualified
    return {"name": reference.name, "subject": subject, "version": reference.version}


def _reference(position: int, entry: object) -> Reference:
    place = f"references[{position}]"
    if not isinstance(entry, dict):
        raise HttpError(400, f"{place} must be an object")
    name, subject = _text(entry, "name", place), _text(entry, "subject", place)
    version = _number(entry, "version", place)
    for member, value in (("name", name), ("subject", subject), ("version", version)):
        if value is None or value == "":
            raise InvalidReference(f"{place} has no {member}")
    if version is None or not (version == -1 or version > 0):
        raise InvalidReference(f"{place} has the version {version}, which cannot exist")
    return Reference(
        storable(name or "", f"{place}.name"), storable(subject or "", f"{place}.subject"), version
    )


def _text(body: Json, name: str, place: str = "") -> str | None:
    value = body.get(name)
    if value is not None and not isinstance(value, str):
        raise HttpError(400, f"{_member(name, place)} must be a string")
    return value


def _number(body: Json, name: str, place: str = "") -> int | None:
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise HttpError(400, f"{_member(name, place)} must be an integer")
    if abs(value) > LARGEST:
        raise HttpError(400, f"{_member(name, place)} must be between -{LARGEST} and {LARGEST}")
    return value


def _flag(body: Json, name: str) -> bool:
    value = body.get(name)
    if value is not None and not isinstance(value, bool):
        raise HttpError(400, f"{name} must be true or false")
    return bool(value)


def _entries(body: Json, name: str) -> list[tuple[int, object]]:
    value = body.get(name)
    if value is not None and not isinstance(value, list):
        raise HttpError(400, f"{name} must be an array")
    return list(enumerate(value or ()))


def _require_type(name: str, value: object) -> None:
    called = LEVEL_IN_UPDATES if name == LEVEL else name
    wanted, words = SHAPES.get(name, (dict, "an object"))
    if not isinstance(value, wanted):
        raise HttpError(400, f"{called} must be {words}")
    if name in RULE_SET_MEMBERS.union(METADATA_MEMBERS):
        # They have limits of their own.
        return
    texts = list(_texts_in(value))
    if sum(map(len, texts)) > LONGEST_CONFIG_TEXT:
        raise HttpError(400, f"{called} is longer than {LONGEST_CONFIG_TEXT} characters")
    if any(category(one) in UNFIT for text in texts for one in text if one not in LINE_ENDS):
        raise HttpError(400, f"{called} holds a control character or half a character")


def _texts_in(value: object) -> Iterator[str]:
    """Yield every text of a JSON value, without recursion."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            waiting += one
        elif one is not None:
            yield str(one)


def _member(name: str, place: str) -> str:
    return f"{place}.{name}" if place else name

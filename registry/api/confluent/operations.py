"""What a call of each route takes and answers: the facts behind the OpenAPI document and the manual.

A path's variables and the rights it needs are in `registry.api.confluent.urls`; here is what stands in the
query and the body, what comes back, and with which codes of the dialect a call may be refused besides those
that any call meets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from registry.api.confluent.serializers import LEVEL_IN_UPDATES, SHAPES
from registry.records import METADATA_MEMBERS
from registry.services.configuration import LEVEL, MEMBERS, RULE_SET_MEMBERS

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """One row: a sentence, names of `PARAMETERS`, names of `COMPONENTS`, and five-digit codes.

    ``answer`` may be a list of a component, ``[Schema]``, or a plain type of JSON.
    """

    summary: str
    query: tuple[str, ...] = ()
    body: str = ""
    answer: str = "object"
    codes: tuple[int, ...] = ()


FLAG: Final[Json] = {"type": "boolean", "default": False}
NUMBER: Final[Json] = {"type": "integer", "format": "int32"}
TEXT: Final[Json] = {"type": "string"}
TEXTS: Final[Json] = {"type": "array", "items": TEXT}
OBJECT: Final[Json] = {"type": "object"}
# Each query parameter: its schema and what it is for.
PARAMETERS: Final[Mapping[str, tuple[Json, str]]] = {
    "aliases": (FLAG, "Add the subjects that are aliases of those found."),
    "contextPrefix": (TEXT, "How the names of contexts begin."),
    "defaultToGlobal": (FLAG, "Where nothing is set, answer with what holds."),
    "deleted": (FLAG, "Take soft-deleted versions as well."),
    "deletedAsNegative": (FLAG, "Show the numbers of soft-deleted versions below zero."),
    "deletedOnly": (FLAG, "Take soft-deleted ones alone."),
    "fetchMaxId": (FLAG, "Add the highest id of the context."),
    "findTags": (TEXTS, "Tags to look for in the text; `*` for all."),
    "force": (FLAG, "Enter IMPORT although there are live subjects."),
    "format": (TEXT, "The form of the text: `resolved`, `serialized` or `ignore_extensions`."),
    "key": (TEXTS, "Names of properties, one for each `value`."),
    "latestOnly": (FLAG, "Only the newest version of each subject."),
    "limit": (NUMBER, "How many at most; below one means no limit of the caller's."),
    "normalize": (FLAG, "Normalize the schema first."),
    "offset": (NUMBER, "How many to leave out at the beginning."),
    "permanent": (FLAG, "Remove for good what was soft-deleted before."),
    "recursive": (FLAG, "Take the modes inside as well."),
    "referenceFormat": (TEXT, "`qualified` shows the subjects of references with their contexts."),
    "ruleType": (TEXT, "Only schemas that have a rule of this type."),
    "subject": (TEXT, "The subject or context in which the id is meant."),
    "subjectPrefix": (TEXT, "How the names of subjects begin; `:*:` in front means in every context."),
    "value": (TEXTS, "Values of properties, one for each `key`."),
    "verbose": (FLAG, "Say why, and take an invalid schema for an incompatible one."),
}
PAGE: Final = ("offset", "limit")
FORM: Final = ("format", "referenceFormat")
TAGS: Final = ("findTags",)

UNSEEN: Final = (40401,)
NO_VERSION: Final = (40401, 40402, 42202)
REFUSED_SCHEMA: Final = (42201, 42209, 42210)
# What only a registration meets besides: the tenant may not have more.
NO_ROOM: Final = 42290
READ: Final = (40403,)

NAMED: Final = "/subjects/{subject}"
NUMBERED: Final = f"{NAMED}/versions/{{version}}"
BY_ID: Final = "/schemas/ids/{id}"
BY_GUID: Final = "/schemas/guids/{guid}"
CHECKS: Final = f"/compatibility{NAMED}/versions"

OPERATIONS: Final[Mapping[tuple[str, str], Operation]] = {
    ("GET", "/"): Operation("Tell that the registry answers."),
    ("POST", "/"): Operation("Tell that the registry answers."),
    ("GET", "/contexts"): Operation("List contexts.", ("contextPrefix", *PAGE), "", "[string]"),
    ("DELETE", "/contexts/{context}"): Operation("Drop an empty context.", codes=(42211,)),
    ("GET", "/subjects"): Operation(
        "List subjects.", ("subjectPrefix", "deleted", "deletedOnly", *PAGE), "", "[string]"
    ),
    ("POST", NAMED): Operation(
        "Look a schema up.",
        ("normalize", "format", "deleted"),
        "RegisterSchemaRequest",
        "Schema",
        (40401, 40403, *REFUSED_SCHEMA),
    ),
    ("DELETE", NAMED): Operation(
        "Delete a subject.", ("permanent",), "", "[integer]", (40401, 40404, 40405, 42205, 42206)
    ),
    ("GET", f"{NAMED}/versions"): Operation(
        "List the versions of a subject.",
        ("deleted", "deletedOnly", "deletedAsNegative", *PAGE),
        "",
        "[integer]",
        UNSEEN,
    ),
    ("POST", f"{NAMED}/versions"): Operation(
        "Register a schema.",
        ("normalize", "format"),
        "RegisterSchemaRequest",
        "RegisteredSchema",
        (40901, *REFUSED_SCHEMA, 42205, 42208, NO_ROOM),
    ),
    ("GET", f"{NAMED}/metadata"): Operation(
        "Read the newest version with given properties.",
        ("key", "value", "format", "deleted"),
        "",
        "Schema",
        (40401, 40403),
    ),
    ("GET", NUMBERED): Operation("Read a version.", (*FORM, "deleted", *TAGS), "", "Schema", NO_VERSION),
    ("DELETE", NUMBERED): Operation(
        "Delete a version.",
        ("permanent",),
        "",
        "integer",
        (*NO_VERSION, 40406, 40407, 42205, 42206),
    ),
    ("GET", f"{NUMBERED}/schema"): Operation(
        "Read the text of a version.", ("format", "deleted"), "", "text", NO_VERSION
    ),
    ("GET", f"{NUMBERED}/referencedby"): Operation(
        "List the ids of schemas that refer to a version.", ("deleted", *PAGE), "", "[integer]", NO_VERSION
    ),
    ("POST", f"{NUMBERED}/tags"): Operation(
        "Register a version again with other tags or rules.",
        (),
        "TagSchemaRequest",
        "RegisteredSchema",
        (*NO_VERSION, 40901, *REFUSED_SCHEMA, 42205, NO_ROOM),
    ),
    ("GET", "/schemas"): Operation(
        "List schemas.",
        ("subjectPrefix", "aliases", "deleted", "latestOnly", "ruleType", *PAGE),
        "",
        "[Schema]",
    ),
    ("GET", "/schemas/types"): Operation("List the types of schemas that are taken.", (), "", "[string]"),
    ("GET", BY_ID): Operation(
        "Read a schema by its id.", ("subject", *FORM, *TAGS, "fetchMaxId"), "", "SchemaString", READ
    ),
    ("GET", f"{BY_ID}/schema"): Operation(
        "Read a text by the id of its schema.", ("subject", "format"), "", "text", READ
    ),
    ("GET", f"{BY_ID}/subjects"): Operation(
        "List the subjects that use an id.", ("subject", "deleted", *PAGE), "", "[string]", READ
    ),
    ("GET", f"{BY_ID}/versions"): Operation(
        "List the versions that use an id.", ("subject", "deleted", *PAGE), "", "[SubjectVersion]", READ
    ),
    ("GET", BY_GUID): Operation("Read a schema by its GUID.", ("format",), "", "SchemaString", READ),
    ("GET", f"{BY_GUID}/ids"): Operation("List the ids behind a GUID.", (), "", "[ContextId]"),
    ("POST", CHECKS): Operation(
        "Check a schema as a registration would.",
        ("normalize", "verbose"),
        "RegisterSchemaRequest",
        "CompatibilityCheck",
        REFUSED_SCHEMA,
    ),
    ("POST", f"{CHECKS}/{{version}}"): Operation(
        "Check a schema against one version.",
        ("normalize", "verbose"),
        "RegisterSchemaRequest",
        "CompatibilityCheck",
        (40402, 42202, *REFUSED_SCHEMA),
    ),
    **{
        (method, f"/{setting}{place}"): operation
        for setting, operations in {
            "config": (
                Operation("Read a config.", ("defaultToGlobal",), "", "Config", (40408,)),
                Operation(
                    "Change a config.",
                    (),
                    "ConfigUpdateRequest",
                    "ConfigUpdateRequest",
                    (42203, 42205, 42208, 42209, 42210),
                ),
                Operation("Delete a config.", (), "", "Config", (40401, 42205)),
            ),
            "mode": (
                Operation("Read a mode.", ("defaultToGlobal",), "", "Mode", (40409,)),
                Operation("Change a mode.", ("force",), "Mode", "Mode", (42204, 42205, 42206, 42208)),
                Operation("Delete a mode.", ("recursive",), "", "Mode", (40401,)),
            ),
        }.items()
        for place in ("", "/{subject}")
        for method, operation in zip(("GET", "PUT", "DELETE"), operations, strict=True)
    },
    ("GET", "/v1/metadata/id"): Operation("Name the registry."),
    ("GET", "/v1/metadata/version"): Operation("Name the version of the server."),
    ("GET", "/v1/metadata/deployment"): Operation("Name the attributes of the server."),
    ("GET", "/associations/resources/{resource}"): Operation(
        "Ask for associations, of which there are none.", codes=(40410,)
    ),
    ("GET", "/associations/resources/{namespace}/{name}"): Operation(
        "Ask for associations, of which there are none.", codes=(40410,)
    ),
    ("GET", "/openapi.json"): Operation("Describe all this in the words of OpenAPI."),
}
# Whose answers warn of what is deprecated or disabled (`registry.api.life_headers`).
WARNED: Final = frozenset(
    {
        ("POST", NAMED),
        ("POST", f"{NAMED}/versions"),
        ("GET", f"{NAMED}/metadata"),
        ("GET", NUMBERED),
        ("GET", f"{NUMBERED}/schema"),
        ("GET", BY_ID),
        ("GET", f"{BY_ID}/schema"),
        ("GET", BY_GUID),
    }
)


def ref(name: str) -> Json:
    """Return a reference to a component."""
    return {"$ref": f"#/components/schemas/{name}"}


def listed(name: str) -> Json:
    """Return the schema of a list of a component."""
    return {"type": "array", "items": ref(name)}


def thing(*required: str, **properties: Json) -> Json:
    """Return the schema of an object; it may hold other members."""
    return {"type": "object", "properties": properties, **({"required": [*required]} if required else {})}


SHOWN: Final[Json] = {
    "schemaType": TEXT,
    "references": listed("SchemaReference"),
    "metadata": ref("Metadata"),
    "ruleSet": ref("RuleSet"),
    "schema": TEXT,
}
NEWER: Final[Json] = {"guid": TEXT, "ts": {"type": "integer"}, "deleted": {"type": "boolean"}}
PLACED: Final[Json] = {"subject": TEXT, "version": NUMBER}


def config_members(level: str) -> Json:
    """Return the members of a config, whose level is called so; null clears one."""
    kinds = {str: "string", bool: "boolean"}
    shapes: dict[str, Json] = {name: {"type": [kinds[kind], "null"]} for name, (kind, _) in SHAPES.items()}
    shapes |= {name: {"anyOf": [ref("Metadata"), {"type": "null"}]} for name in METADATA_MEMBERS}
    shapes |= {name: {"anyOf": [ref("RuleSet"), {"type": "null"}]} for name in RULE_SET_MEMBERS}
    return {(level if name == LEVEL else name): shapes[name] for name in MEMBERS}


COMPONENTS: Final[Mapping[str, Json]] = {
    "Error": thing("error_code", "message", error_code={"type": "integer"}, message=TEXT),
    "SchemaReference": thing("name", "subject", "version", name=TEXT, **PLACED),
    "Metadata": thing(
        tags={"type": "object", "additionalProperties": TEXTS},
        properties={"type": "object", "additionalProperties": TEXT},
        sensitive=TEXTS,
    ),
    "Rule": thing(
        "name",
        "type",
        **dict.fromkeys(("name", "doc", "kind", "mode", "type", "expr", "onSuccess", "onFailure"), TEXT),
        tags=TEXTS,
        params={"type": "object", "additionalProperties": TEXT},
        disabled={"type": "boolean"},
    ),
    "RuleSet": thing(
        **dict.fromkeys(("migrationRules", "domainRules", "encodingRules"), listed("Rule")), enableAt=TEXT
    ),
    "SchemaTags": thing(
        schemaEntity=thing(entityPath=TEXT, entityType={"enum": ["sr_record", "sr_field"]}), tags=TEXTS
    ),
    "RegisterSchemaRequest": thing(
        **SHOWN,
        version=NUMBER,
        id=NUMBER,
        schemaTagsToAdd=listed("SchemaTags"),
        schemaTagsToRemove=listed("SchemaTags"),
        propagateSchemaTags={"type": "boolean"},
    ),
    "TagSchemaRequest": thing(
        newVersion=NUMBER,
        tagsToAdd=listed("SchemaTags"),
        tagsToRemove=listed("SchemaTags"),
        metadata=ref("Metadata"),
        ruleSet=ref("RuleSet"),
        rulesToMerge=ref("RuleSet"),
        rulesToRemove=TEXTS,
    ),
    "RegisteredSchema": thing("id", id=NUMBER, version=NUMBER, guid=TEXT, **SHOWN),
    "Schema": thing("subject", "version", "id", "schema", id=NUMBER, **PLACED, **SHOWN, **NEWER),
    "SchemaString": thing("schema", maxId=NUMBER, **PLACED, **SHOWN, **NEWER),
    "SubjectVersion": thing("subject", "version", **PLACED),
    "ContextId": thing("context", "id", context=TEXT, id=NUMBER),
    "CompatibilityCheck": thing("is_compatible", is_compatible={"type": "boolean"}, messages=TEXTS),
    "Config": thing(**config_members(LEVEL)),
    "ConfigUpdateRequest": thing(**config_members(LEVEL_IN_UPDATES)),
    "Mode": thing(mode={"type": ["string", "null"]}),
}

"""Policy documents drawn at random, whole, with everything that a document may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from accord.formats.elements import DOCUMENTED
from accord.lint.profile import FieldCase
from accord.model import Bound, Format, Level, Severity
from accord.policy.documents import JudgedAs, PolicyDocument
from accord.policy.documents.model import Pairs
from accord.policy.level_names import FROZEN

if TYPE_CHECKING:
    from collections.abc import Mapping

RULES = {
    None: ("DIFFERENT_SCHEMA_TYPE", "NAME_MISMATCH", "TYPE_MISMATCH"),
    Format.AVRO: ("NAMESPACE_CHANGED", "NAME_MISMATCH", "TYPE_MISMATCH"),
    Format.JSON: ("DIFFERENT_SCHEMA_TYPE", "TYPE_CHANGED"),
    Format.PROTOBUF: ("DIFFERENT_SCHEMA_TYPE",),
}
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\t"), max_size=30)
bounds = st.none() | st.builds(Bound, st.none() | st.integers(1, 99))
levels = st.just(FROZEN) | st.builds(Level, backward=bounds, forward=bounds)
severities = st.sampled_from(Severity)
patterns = st.sampled_from([".*", "[a-z]+", "a|b", "off", "1:30", "x{1,3}", "é*"])
places = st.lists(st.sampled_from(["/", "/fields/2/**", "/**/a~1b", "/é*"]), unique=True).map(tuple)
names = st.from_regex("[a-z][a-z0-9]{1,5}(-[a-z0-9]{1,3})?", fullmatch=True)
owners = st.lists(
    st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=5), max_size=2, unique=True
)
lint_name = st.sampled_from(["STANDARD", "DEFAULT", "SERVICE_SUFFIX", "AVRO_FIELD_DEFAULT", "IMPORT_NO_WEAK"])
lint_names = st.lists(lint_name, unique=True).map(tuple)
paths = st.lists(st.sampled_from(["acme/shop", "a.proto", "é/b c"]), unique=True).map(tuple)


def paired(said: Mapping[str, object]) -> Pairs:
    """What is said for each of several names."""
    return Pairs(tuple(sorted(said.items())))  # type: ignore[arg-type]  # the values are those of the members


MEMBERS = {
    "preset": st.sampled_from(["confluent", "confluent:8.1", "accord:1"]),
    "also_warns": st.sampled_from(["none", "accord:1", "accord"]),
    "level": levels,
    "locked": st.booleans(),
    "limits.bytes": st.integers(1, 1_048_576),
    "limits.depth": st.integers(1, 160),
    "limits.fields": st.integers(1, 20_000),
    "naming.subjects": patterns,
    "naming.types": patterns,
    "naming.namespaces": patterns,
    "naming.fields": patterns,
    "naming.symbols": patterns,
    "naming.severity": severities,
    "required.docs": st.lists(st.sampled_from(sorted(DOCUMENTED)), unique=True).map(tuple),
    "required.owners": owners.map(tuple),
    "required.severity": severities,
    "lint.use": lint_names,
    "lint.except": lint_names,
    "lint.severity": severities,
    "lint.severities": st.dictionaries(lint_name, severities, max_size=3).map(paired),
    "lint.ignore": paths,
    "lint.ignore_only": st.dictionaries(lint_name, paths, max_size=3).map(paired),
    "lint.disallow_comment_ignores": st.booleans(),
    "lint.enum_zero_value_suffix": st.sampled_from(["_NONE", "_UNKNOWN", ""]),
    "lint.service_suffix": st.sampled_from(["API", "Service"]),
    "lint.rpc_allow_same_request_response": st.booleans(),
    "lint.rpc_allow_google_protobuf_empty_requests": st.booleans(),
    "lint.rpc_allow_google_protobuf_empty_responses": st.booleans(),
    "lint.field_case": st.sampled_from(FieldCase),
}
PROTOBUF_MEMBERS = {
    "ignored.paths": st.sampled_from([(), ("vendor",), ("a/b.proto", "c d")]),
    "ignored.packages": st.sampled_from([(), ("acme.v1", "_x")]),
    "ignored.unstable_packages": st.booleans(),
}
JSON_MEMBERS = {
    "transform.name": st.sampled_from(["none", "optional-friendly"]),
    "transform.require_closed": st.booleans(),
    "transform.ignore_formats": st.booleans(),
}

OWN_MEMBERS: dict[Format | None, dict[str, st.SearchStrategy[object]]] = {
    Format.JSON: JSON_MEMBERS,
    Format.PROTOBUF: PROTOBUF_MEMBERS,
}


def sections(format_: Format | None) -> st.SearchStrategy[dict[str, object]]:
    """What a section may hold, flat."""
    first, *others = RULES[format_]
    weights = severities | (st.builds(JudgedAs, st.sampled_from(others)) if others else st.nothing())
    members = MEMBERS | OWN_MEMBERS.get(format_, {}) | {f"rules.{first}": weights}
    members |= {f"rules.{rule}": severities for rule in others} | {f"rules.{first}.parameters.ignore": places}
    return st.fixed_dictionaries({}, optional=members).map(lambda found: dict(sorted(found.items())))


documents = st.builds(
    PolicyDocument,
    names,
    texts,
    sections(None),
    st.fixed_dictionaries({}, optional={one: sections(one) for one in Format}).map(
        lambda found: {format_: section for format_, section in found.items() if section}
    ),
)

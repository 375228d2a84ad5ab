"""Two fields of one number: names, what is on the wire, defaults, and options of languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.diff.protobuf_changes import Difference, Differs
from accord.diff.protobuf_defaults import default_of, is_same_default
from accord.diff.protobuf_kinds import WIDE, WIRE, WIRE_JSON
from accord.formats.protobuf.features import EDITION_2024, CppString, JavaUtf8, Utf8Validation
from accord.formats.protobuf.kinds import Cardinality, Kind
from accord.formats.protobuf.model import Enum

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.diff.changes import Steps
    from accord.diff.protobuf_sides import Sides
    from accord.formats.protobuf.fields import Field

JSTYPES = {0: "JS_NORMAL", 1: "JS_STRING", 2: "JS_NUMBER"}
CTYPES = {0: "STRING", 1: "CORD", 2: "STRING_PIECE"}
STRING_PIECE = CTYPES[2]
WIRE_CARDINALITY = {Cardinality.IMPLICIT: Cardinality.EXPLICIT, Cardinality.MAP: Cardinality.REPEATED}
WIRE_JSON_CARDINALITY = {Cardinality.IMPLICIT: Cardinality.EXPLICIT}


def spelled_field(field: Field) -> str:
    """Name a field and its number."""
    return f"{field.name} = {field.number}"


def spelled_kind(field: Field) -> str:
    """Name the type of a field, a map's with key and value."""
    if field.entry is not None:
        key, value = field.entry.fields
        return f"map<{spelled_kind(key)}, {spelled_kind(value)}>"
    return field.type_name or field.kind.spelled


def by_number(sides: Sides, reader: Field, writer: Field) -> Steps:
    """Compare all that goes with a field's number, whatever the profile."""
    yield from _names(reader, writer)
    yield from _required(reader, writer)
    yield from _wire_types(reader, writer)
    yield from _cardinalities(reader, writer)
    if not is_same_default(reader, writer, is_zero_signed=sides.profile.is_zero_signed):
        values = (_spelled_default(reader), _spelled_default(writer))
        yield Differs((*reader.at, "default"), Difference.FIELD_SAME_DEFAULT, spelled_field(reader), *values)
    if writer.is_packed and reader.is_repeated and not reader.is_packed:
        yield Differs(
            (*reader.at, "packed"), Difference.FIELD_SAME_PACKED, spelled_field(reader), "unpacked", "packed"
        )
    if reader.kind in WIDE and writer.kind in WIDE:
        new, old = reader.proto.options.jstype, writer.proto.options.jstype
        if new != old:
            at = (*reader.at, "options", "jstype")
            values = (JSTYPES[new], JSTYPES[old])
            yield Differs(at, Difference.FIELD_SAME_JSTYPE, spelled_field(reader), *values)
    yield from _texts(reader, writer)


def _names(reader: Field, writer: Field) -> Steps:
    new, old = (field.full_name if field.is_extension else field.name for field in (reader, writer))
    if new != old:
        yield Differs((*reader.at, "name"), Difference.FIELD_SAME_NAME, str(reader.number), new, old)
    if not reader.is_extension and reader.json_name != writer.json_name:
        at = (*reader.at, "json_name")
        values = (reader.json_name, writer.json_name)
        yield Differs(at, Difference.FIELD_SAME_JSON_NAME, spelled_field(reader), *values)


def _required(reader: Field, writer: Field) -> Steps:
    if reader.is_required is writer.is_required:
        return
    at = (*reader.at, "label")
    if reader.is_required:
        yield Differs(at, Difference.FIELD_BECAME_REQUIRED, spelled_field(reader))
    else:
        yield Differs(at, Difference.FIELD_NO_LONGER_REQUIRED, spelled_field(reader))


def _wire_types(reader: Field, writer: Field) -> Steps:
    at = (*reader.at, "type")
    values = (spelled_kind(reader), spelled_kind(writer))
    if not _is_wire_compatible(reader, writer):
        yield Differs(at, Difference.FIELD_WIRE_COMPATIBLE_TYPE, spelled_field(reader), *values)
    if not _is_compatible(WIRE_JSON, reader, writer):
        yield Differs(at, Difference.FIELD_WIRE_JSON_COMPATIBLE_TYPE, spelled_field(reader), *values)


def _is_wire_compatible(reader: Field, writer: Field) -> bool:
    if writer.kind is Kind.STRING and reader.kind is Kind.BYTES:
        return True
    return _is_compatible(WIRE, reader, writer)


def _is_compatible(groups: Mapping[Kind, int], reader: Field, writer: Field) -> bool:
    if groups[reader.kind] != groups[writer.kind]:
        return False
    if not reader.type_name or reader.type_name == writer.type_name:
        return True
    if reader.kind is not Kind.ENUM:
        return False
    return is_enum_superset(reader, writer)


def is_enum_superset(reader: Field, writer: Field) -> bool:
    """Tell whether the enum of one field has the simple name and every value of the other's."""
    new, old = reader.type, writer.type
    if not isinstance(new, Enum) or not isinstance(old, Enum) or new.name != old.name:
        return False
    known = {value.name: value.number for value in new.values}
    return all(known.get(value.name) == value.number for value in old.values)


def _cardinalities(reader: Field, writer: Field) -> Steps:
    if _is_entry(reader) and _is_entry(writer):
        return
    new, old = reader.cardinality, writer.cardinality
    if new is old:
        return
    at, name = (*reader.at, "label"), spelled_field(reader)
    yield Differs(at, Difference.FIELD_SAME_CARDINALITY, name, new, old)
    if WIRE_CARDINALITY.get(new, new) is not WIRE_CARDINALITY.get(old, old):
        yield Differs(at, Difference.FIELD_WIRE_COMPATIBLE_CARDINALITY, name, new, old)
    if WIRE_JSON_CARDINALITY.get(new, new) is not WIRE_JSON_CARDINALITY.get(old, old):
        yield Differs(at, Difference.FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY, name, new, old)


def _is_entry(field: Field) -> bool:
    return field.message is not None and field.message.is_map_entry


def _spelled_default(field: Field) -> str:
    default = default_of(field)
    return ascii(default.decode(errors="replace")) if isinstance(default, bytes) else str(default)


def _texts(reader: Field, writer: Field) -> Steps:
    at, name = reader.at, spelled_field(reader)
    if reader.kind is writer.kind is Kind.STRING:
        new, old = (Utf8Validation(field.features.utf8).name for field in (reader, writer))
        if new != old:
            yield Differs((*at, "utf8_validation"), Difference.FIELD_SAME_UTF8_VALIDATION, name, new, old)
        is_, was = is_checked_by_java(reader), is_checked_by_java(writer)
        if is_ is not was:
            kind = Difference.FIELD_SAME_JAVA_UTF8_VALIDATION
            yield Differs((*at, "java_utf8_validation"), kind, name, _checked(is_), _checked(was))
        if is_ and not was:
            yield Differs((*at, "java_utf8_validation"), Difference.FIELD_UTF8_VALIDATION_ADDED, name)
    if reader.kind.is_text and writer.kind.is_text and not (_is_entry(reader) and _is_entry(writer)):
        new, old = cpp_string(reader), cpp_string(writer)
        if new != old and (new, old) != (CppString.STRING.name, STRING_PIECE):
            yield Differs((*at, "cpp_string_type"), Difference.FIELD_SAME_CPP_STRING_TYPE, name, new, old)


def _checked(is_checked: bool) -> str:  # noqa: FBT001  # one word for one value
    return "checked" if is_checked else "not checked"


def is_checked_by_java(field: Field) -> bool:
    """Tell whether Java refuses text that is not UTF-8. Source: protobuf-rules, 1.6.6."""
    options = field.file.proto.options
    is_told = options.HasField("java_string_check_utf8")
    if (is_told or field.file.syntax != "editions") and options.java_string_check_utf8:
        return True
    is_java = field.features.java_utf8 == JavaUtf8.VERIFY
    if is_java and not is_told and field.file.syntax == "editions":
        return True
    return field.features.utf8 == Utf8Validation.VERIFY


def cpp_string(field: Field) -> str:
    """Return the type of C++ that holds a text. Source: protobuf-rules, 1.6.6."""
    options = field.proto.options
    if field.file.edition < EDITION_2024 and options.HasField("ctype"):
        return CTYPES[options.ctype]
    return CppString(field.features.cpp_string).name

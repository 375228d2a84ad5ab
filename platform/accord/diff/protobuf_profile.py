"""What the walk over Protobuf files depends on: how elements are paired and how deep it looks.

The known systems differ in more than severities. A profile says how one of them aligns two file sets; the
rules know nothing of it. Source: protobuf-rules, section 2.1, parameters P1 to P9.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class Pairing(StrEnum):
    """P1: which messages belong together.

    SIBLINGS by simple name on each level of the root file; FULL_NAME over all files; POOL those of the
    root file by full name in all files, nested ones by simple name; PATH_AND_NAME by the file's path and
    the nested name; NESTED_NAME in the root file; REACHABLE from the root message, through fields.
    """

    SIBLINGS = "siblings"
    FULL_NAME = "full name"
    POOL = "pool"
    PATH_AND_NAME = "path and name"
    NESTED_NAME = "nested name"
    REACHABLE = "reachable"


class FieldKey(StrEnum):
    """P2: what makes two fields one when types, labels and deletions are compared."""

    NUMBER = "number"
    NAME = "name"


class Follow(StrEnum):
    """P3: which messages behind fields are compared."""

    NEVER = "never"
    DECLARED_ELSEWHERE = "declared elsewhere"
    ALWAYS = "always"
    ONCE_PER_READER = "once per reader"


class TypeNames(StrEnum):
    """P4: when two names of messages or enums are equal."""

    FULL = "full"
    PACKAGE_RELATIVE = "package relative"
    SIMPLE = "simple"
    SPELLED = "spelled"
    IGNORED = "ignored"


class Labels(StrEnum):
    """P5: what of cardinality counts as a label."""

    CARDINALITY = "cardinality"
    DESCRIPTOR = "descriptor"
    SOURCE_BOTH_PRESENT = "source, both present"
    SOURCE = "source, absent counts"
    REPEATED_FLAG = "repeated flag"


class Relocation(StrEnum):
    """Where a member of a oneof may go without counting as removed: nowhere, other oneofs, anywhere."""

    SAME_ONEOF = "same oneof"
    ANY_ONEOF = "any oneof"
    MESSAGE = "message"


class Groups(StrEnum):
    """P7: which scalar types are read as each other."""

    CONFLUENT = "confluent"
    BINARY = "binary"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class ProtobufProfile:
    """How one system aligns two sets of Protobuf files.

    ``sees_map_entries``: the messages behind maps count as messages, in pairing and as types (P6);
    ``sees_nested_entries``: also where deletions of nested messages are looked for. ``sees_groups`` is
    false where texts are compared, in which a group is no field. ``compares_relocated``: fields whose
    oneof changed are compared like others. ``sees_extensions``: so are extensions of one number, and what
    became of them. ``values_by_name``: values of enums are looked for by name.
    ``deletes_by_parts``: of a deleted message each field is reported, not the message.
    ``numeric_labels``: labels count for numbers, bools and enums alone. ``tests_range_ends``: of a
    reserved range only its two ends are looked for. ``reserves_in_enums``: reservations of enums count.
    ``syntax_per_message``: the syntax is compared for each pair of messages. ``swaps_on_forward`` tells
    what FORWARD means (P8): old reads new, or the same comparison of old with new once more.
    ``swaps_reservations``: what speaks of reservations is compared when swapped as well.
    ``ignores_altered_kind``: a message that became an enum is no deletion. ``numbers_of_ordinary``: a
    field's new number shows among fields outside of oneofs only. ``required_in_proto2``: a required field
    counts as added only where the older file is proto2. ``is_zero_signed``: the default -0 differs from 0.
    ``stops_at_first``: what follows the first finding that blocks is not told (P9).
    """

    pairing: Pairing = Pairing.FULL_NAME
    key: FieldKey = FieldKey.NUMBER
    follow: Follow = Follow.NEVER
    names: TypeNames = TypeNames.FULL
    labels: Labels = Labels.CARDINALITY
    relocation: Relocation = Relocation.MESSAGE
    groups: Groups = Groups.CONFLUENT
    sees_map_entries: bool = False
    sees_nested_entries: bool = False
    sees_groups: bool = True
    compares_relocated: bool = True
    sees_extensions: bool = False
    values_by_name: bool = False
    deletes_by_parts: bool = False
    numeric_labels: bool = False
    tests_range_ends: bool = False
    reserves_in_enums: bool = True
    syntax_per_message: bool = False
    swaps_on_forward: bool = False
    swaps_reservations: bool = False
    ignores_altered_kind: bool = False
    numbers_of_ordinary: bool = False
    required_in_proto2: bool = False
    is_zero_signed: bool = False
    stops_at_first: bool = False

    @property
    def sees_texts(self) -> bool:
        """True where labels are those that a text spells out: no edition has the word ``required``."""
        return self.labels in {Labels.SOURCE, Labels.SOURCE_BOTH_PRESENT}


CONFLUENT = ProtobufProfile(
    pairing=Pairing.SIBLINGS,
    follow=Follow.DECLARED_ELSEWHERE,
    names=TypeNames.PACKAGE_RELATIVE,
    labels=Labels.SOURCE_BOTH_PRESENT,
    relocation=Relocation.SAME_ONEOF,
    sees_groups=False,
    compares_relocated=False,
    numeric_labels=True,
    swaps_on_forward=True,
)
CONFLUENT_NEXT = ProtobufProfile(
    pairing=Pairing.SIBLINGS,
    follow=Follow.DECLARED_ELSEWHERE,
    names=TypeNames.PACKAGE_RELATIVE,
    labels=Labels.SOURCE_BOTH_PRESENT,
    relocation=Relocation.MESSAGE,
    sees_groups=False,
    numeric_labels=True,
    swaps_on_forward=True,
)
KARAPACE = ProtobufProfile(
    pairing=Pairing.SIBLINGS,
    follow=Follow.ALWAYS,
    names=TypeNames.PACKAGE_RELATIVE,
    labels=Labels.SOURCE,
    relocation=Relocation.SAME_ONEOF,
    sees_groups=False,
    compares_relocated=False,
    numeric_labels=True,
    swaps_on_forward=True,
    ignores_altered_kind=True,
    numbers_of_ordinary=True,
)
REDPANDA = ProtobufProfile(
    pairing=Pairing.POOL,
    follow=Follow.ONCE_PER_READER,
    names=TypeNames.SIMPLE,
    relocation=Relocation.ANY_ONEOF,
    sees_map_entries=True,
    swaps_on_forward=True,
)
REDPANDA_24 = ProtobufProfile(
    pairing=Pairing.POOL,
    follow=Follow.ONCE_PER_READER,
    names=TypeNames.SIMPLE,
    relocation=Relocation.ANY_ONEOF,
    sees_map_entries=True,
    sees_nested_entries=True,
    swaps_on_forward=True,
)
PROTOLOCK = ProtobufProfile(
    pairing=Pairing.PATH_AND_NAME,
    key=FieldKey.NAME,
    names=TypeNames.SPELLED,
    labels=Labels.REPEATED_FLAG,
    sees_groups=False,
    values_by_name=True,
    deletes_by_parts=True,
)
APICURIO = ProtobufProfile(
    pairing=Pairing.NESTED_NAME,
    key=FieldKey.NAME,
    labels=Labels.SOURCE,
    sees_groups=False,
    values_by_name=True,
    deletes_by_parts=True,
    reserves_in_enums=False,
    swaps_on_forward=True,
    swaps_reservations=True,
    required_in_proto2=True,
)
BUF = ProtobufProfile(sees_map_entries=True, sees_nested_entries=True, sees_extensions=True)
STENCIL = ProtobufProfile(
    labels=Labels.DESCRIPTOR,
    sees_map_entries=True,
    sees_nested_entries=True,
    values_by_name=True,
    tests_range_ends=True,
    syntax_per_message=True,
)
PULSAR = ProtobufProfile(
    pairing=Pairing.REACHABLE,
    follow=Follow.ALWAYS,
    names=TypeNames.IGNORED,
    sees_map_entries=True,
    swaps_on_forward=True,
    is_zero_signed=True,
    stops_at_first=True,
)
GUIDANCE = ProtobufProfile(
    groups=Groups.BINARY, labels=Labels.REPEATED_FLAG, numeric_labels=True, sees_extensions=True
)
GUIDANCE_JSON = ProtobufProfile(groups=Groups.JSON, labels=Labels.REPEATED_FLAG, sees_extensions=True)
ACCORD = ProtobufProfile(sees_extensions=True)
# What Confluent's comparison passes over, seen as it sees the rest.
CONFLUENT_WHOLE = replace(CONFLUENT, sees_groups=True, compares_relocated=True, sees_extensions=True)

"""Inline tags of Protobuf files: messages are records, and fields of oneofs are fields of their message.

Tags are options that ``confluent/meta.proto`` declares. Whichever way they were spelled (in one list, one by
one, or each as an option of its own), they are written as a list where that goes with what stands there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from accord.formats.limits import DEFAULT_LIMITS
from accord.formats.protobuf.canonical import canonical_text
from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.option_values import NOWHERE
from accord.formats.protobuf.source import (
    Aggregate,
    Entry,
    Import,
    ImportKind,
    Listing,
    NamePart,
    Option,
    Text,
)
from accord.formats.tagging import LONGEST_PATH, Retagged
from accord.model import EntityType, SchemaEntity, SchemaTags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from accord.formats.protobuf.source import Field, Group, Message, Oneof, SourceFile, Value
    from accord.formats.tagging import Changes

    Options: TypeAlias = tuple[Option, ...]
    # From a part and its options to the options it is to have.
    Visit: TypeAlias = Callable[[SchemaEntity, Options], Options]

TAGS: Final = "tags"
META_FILE: Final = "confluent/meta.proto"
META: Final = {EntityType.RECORD: "confluent.message_meta", EntityType.FIELD: "confluent.field_meta"}


def entities(text: str) -> Iterator[SchemaTags]:
    """Yield the messages and fields of a canonical text with their tags; see `accord.formats.tagging`."""
    found: list[SchemaTags] = []

    def visit(entity: SchemaEntity, options: Options) -> Options:
        shown = replace(entity, path=f".{entity.path}")
        found.append(SchemaTags(shown, tuple(_tags(options, META[entity.type]))))
        return options

    _walked(_read(text), visit)
    return iter(found)


def retagged(text: str, changes: Changes) -> Retagged:
    """Return a canonical text with some tags changed; see `accord.formats.tagging`."""
    met: set[SchemaEntity] = set()

    def visit(entity: SchemaEntity, options: Options) -> Options:
        if entity not in changes:
            return options
        met.add(entity)
        name = META[entity.type]
        before = tuple(_tags(options, name))
        tags = changes[entity].applied(before)
        return options if tags == before else _with_tags(options, name, tags)

    before = _read(text)
    after = _walked(before, visit)
    if after == before:
        return Retagged(text, frozenset(met))
    adds = any(changes[one].add for one in met)
    return Retagged(canonical_text(_importing(after) if adds else after), frozenset(met))


def _read(text: str) -> SourceFile:
    return read_source(text, DEFAULT_LIMITS).file


def _walked(file: SourceFile, visit: Visit) -> SourceFile:
    return replace(file, messages=_messages(file.messages, file.package, visit))


def _messages(messages: Iterable[Message], outer: str, visit: Visit) -> tuple[Message, ...]:
    return tuple(_message(one, outer, visit) for one in messages)


def _message(message: Message, outer: str, visit: Visit) -> Message:
    path = f"{outer}.{message.name}" if outer else message.name
    if len(path) > LONGEST_PATH:
        return message
    return replace(
        message,
        options=visit(SchemaEntity(path, EntityType.RECORD), message.options),
        fields=_fields(message.fields, path, visit),
        oneofs=tuple(_oneof(one, path, visit) for one in message.oneofs),
        groups=_groups(message.groups, path, visit),
        messages=_messages(message.messages, path, visit),
    )


def _oneof(oneof: Oneof, path: str, visit: Visit) -> Oneof:
    fields, groups = _fields(oneof.fields, path, visit), _groups(oneof.groups, path, visit)
    return replace(oneof, fields=fields, groups=groups)


def _fields(fields: Iterable[Field], path: str, visit: Visit) -> tuple[Field, ...]:
    return tuple(replace(one, options=_options(one.name, one.options, path, visit)) for one in fields)


def _groups(groups: Iterable[Group], path: str, visit: Visit) -> tuple[Group, ...]:
    """Return groups, each of which is a field and a message."""
    return tuple(
        replace(
            one,
            options=_options(one.name.lower(), one.options, path, visit),
            message=_message(one.message, path, visit),
        )
        for one in groups
    )


def _options(name: str, options: Options, path: str, visit: Visit) -> Options:
    return visit(SchemaEntity(f"{path}.{name}", EntityType.FIELD), options)


def _is_meta(option: Option, name: str) -> bool:
    first = option.name[0]
    return first.is_extension and first.text.removeprefix(".") == name


def _is_tag(option: Option, name: str) -> bool:
    """Tell whether an option is a tag by itself: ``(confluent.field_meta).tags = "PII"``."""
    return _is_meta(option, name) and option.name[1:] == (NamePart(TAGS),)


def _tags(options: Options, name: str) -> Iterator[str]:
    for option in options:
        if _is_tag(option, name):
            yield from _texts(option.value)
        elif _is_meta(option, name) and isinstance(option.value, Aggregate):
            for entry in option.value.entries:
                if entry.name == TAGS:
                    yield from _texts(entry.value)


def _texts(value: Value) -> Iterator[str]:
    for one in value.values if isinstance(value, Listing) else (value,):
        if isinstance(one, Text):
            yield one.value.decode(errors="replace")


def _with_tags(options: Options, name: str, tags: tuple[str, ...]) -> Options:
    """Return the options with these tags in place of those they have."""
    kept = [_without_tags(one, name) for one in options if not _is_tag(one, name)]
    if not tags:
        return tuple(one for one in kept if not _is_meta(one, name) or one.value != Aggregate(()))
    texts = tuple(Text(tag.encode()) for tag in tags)
    entry = Entry(TAGS, Listing(texts))
    for at, one in enumerate(kept):
        if _is_meta(one, name) and isinstance(one.value, Aggregate):
            return (*kept[:at], replace(one, value=Aggregate((*one.value.entries, entry))), *kept[at + 1 :])
    part = NamePart(name, is_extension=True)
    if any(_is_meta(one, name) for one in kept):
        # It is told part by part, which does not go with telling it as a whole.
        return (*kept, *(Option((part, NamePart(TAGS)), one, NOWHERE, 0, 0) for one in texts))
    return (*kept, Option((part,), Aggregate((entry,)), NOWHERE, 0, 0))


def _without_tags(option: Option, name: str) -> Option:
    value = option.value
    if not _is_meta(option, name) or not isinstance(value, Aggregate):
        return option
    return replace(option, value=Aggregate(tuple(one for one in value.entries if one.name != TAGS)))


def _importing(file: SourceFile) -> SourceFile:
    if any(one.path == META_FILE for one in file.imports):
        return file
    return replace(file, imports=(*file.imports, Import(META_FILE, ImportKind.PLAIN, NOWHERE)))

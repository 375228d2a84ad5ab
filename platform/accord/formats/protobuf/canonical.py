"""Canonical text: nodes of a file to the one spelling that is stored and hashed; and fingerprints.

Source: confluent-api, section 2.7 (the printer of Confluent's registry, which is Wire's): two spaces of
indentation, no comments, and every kind of part at its place. What that printer does not know (editions,
visibility, imports that are weak or for options) is written where it would stand.
"""

from __future__ import annotations

import hashlib
from itertools import chain
from typing import TYPE_CHECKING, Final

from accord.formats.protobuf.source import ImportKind, Listing, Literal, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from accord.formats.protobuf.descriptors import FileDescriptorProto
    from accord.formats.protobuf.source import (
        Entry,
        Enum,
        EnumValue,
        Extend,
        ExtensionRange,
        Field,
        Group,
        Import,
        Message,
        Oneof,
        Option,
        Reserved,
        Rpc,
        Service,
        SourceFile,
        Span,
        Value,
    )

Lines = list[str]
INDENT: Final = "  "
ESCAPES: Final = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    **{char: "\\" + char for char in "\\'\""},
}
# Options of a field that Confluent keeps apart from the others and prints behind them.
SPECIAL: Final = ("default", "json_name")


def canonical_text(file: SourceFile) -> str:
    """Return the text of a file as it is stored."""
    keyword, version = ("edition", file.edition) if file.edition else ("syntax", file.syntax)
    head = [f'{keyword} = "{version}";'] if version else []
    head += [f"package {file.package};"] if file.package else []
    imports = [_import(one) for kind in ImportKind for one in file.imports if one.kind is kind]
    options = _joined(map(option_statement, file.options))
    types = _joined(chain(map(_message, file.messages), map(_enum, file.enums)))
    parts = (
        imports,
        options,
        types,
        _joined(map(_extend, file.extends)),
        _joined(map(_service, file.services)),
    )
    # The empty line before a part is there even where nothing stands above it.
    lines = [*head, *chain.from_iterable(["", *part] for part in parts if part)]
    return "".join(f"{line}\n" for line in lines)


def fingerprint(file: FileDescriptorProto) -> bytes:
    """Return the 32 bytes of SHA-256 over a descriptor without source info and with all JSON names.

    Files as protoc makes them have their JSON names. Fields are serialized in the order of their numbers.
    """
    bare = type(file)()
    bare.CopyFrom(file)
    bare.ClearField("source_code_info")
    return hashlib.sha256(bare.SerializeToString(deterministic=True)).digest()


def option_statement(option: Option) -> Lines:
    """Return an option as a statement."""
    return _wrapped("option ", _option(option), ";")


def _import(one: Import) -> str:
    kind = f"{one.kind} " if one.kind else ""
    return f'import {kind}"{escaped(one.path.encode())}";'


def _message(message: Message) -> Lines:
    visibility = f"{message.visibility} " if message.visibility else ""
    return _block(f"{visibility}message {message.name}", _body(message))


def _body(message: Message) -> Iterator[Lines]:
    """Yield the parts of a message, each of which is set off by an empty line."""
    yield _joined(map(_reserved, message.reserved))
    yield _joined(map(option_statement, message.options))
    yield _joined(map(_field, message.fields))
    yield _joined(map(_oneof, message.oneofs))
    yield _joined(map(_group, message.groups))
    yield _joined(map(_extensions, message.extensions))
    yield _joined(map(_extend, message.extends))
    yield _joined(chain(map(_message, message.messages), map(_enum, message.enums)))


def _enum(enum: Enum) -> Lines:
    visibility = f"{enum.visibility} " if enum.visibility else ""
    parts = (map(_reserved, enum.reserved), map(option_statement, enum.options), map(_value, enum.values))
    return _block(f"{visibility}enum {enum.name}", [_joined(chain.from_iterable(parts))])


def _value(value: EnumValue) -> Lines:
    return _wrapped(f"{value.name} = {value.number}", _bracketed(value.options), ";")


def _field(field: Field) -> Lines:
    label = f"{field.label} " if field.label else ""
    type_name = f"map<{field.key_type}, {field.type_name}>" if field.is_map else field.type_name
    options = sorted(field.options, key=lambda one: one.spelled in SPECIAL)
    return _wrapped(f"{label}{type_name} {field.name} = {field.number}", _bracketed(options), ";")


def _group(group: Group) -> Lines:
    label = f"{group.label} " if group.label else ""
    head = _wrapped(f"{label}group {group.name} = {group.number}", _bracketed(group.options), "")
    return [*head[:-1], *_block(head[-1], _body(group.message))]


def _oneof(oneof: Oneof) -> Lines:
    parts = (map(option_statement, oneof.options), map(_field, oneof.fields), map(_group, oneof.groups))
    return _block(f"oneof {oneof.name}", [_joined(part) for part in parts])


def _extend(extend: Extend) -> Lines:
    members = chain(map(_field, extend.fields), map(_group, extend.groups))
    return _block(f"extend {extend.extendee}", [_joined(members)])


def _service(service: Service) -> Lines:
    parts = [_joined(map(option_statement, service.options)), _joined(map(_rpc, service.rpcs))]
    return _block(f"service {service.name}", parts)


def _rpc(rpc: Rpc) -> Lines:
    request = f"stream {rpc.request}" if rpc.is_client_streaming else rpc.request
    response = f"stream {rpc.response}" if rpc.is_server_streaming else rpc.response
    head = f"rpc {rpc.name} ({request}) returns ({response})"
    if not rpc.options:
        return [f"{head};"]
    return _wrapped("", _block(head, [_joined(map(option_statement, rpc.options))]), ";")


def _reserved(reserved: Reserved) -> Lines:
    quote = '"' if reserved.is_quoted else ""
    names = (f"{quote}{escaped(name.encode())}{quote}" for name in reserved.names)
    return [f"reserved {', '.join(chain(map(_span, reserved.spans), names))};"]


def _extensions(extensions: ExtensionRange) -> Lines:
    spans = ", ".join(map(_span, extensions.spans))
    return _wrapped(f"extensions {spans}", _bracketed(extensions.options), ";")


def _span(span: Span) -> str:
    if span.end is None:
        return f"{span.start} to max"
    is_single = span.start == span.end and not span.is_spelled_out
    return str(span.start) if is_single else f"{span.start} to {span.end}"


def _bracketed(options: Sequence[Option]) -> Lines:
    """Return the options behind a field: one on its line, several on lines of their own."""
    if not options:
        return [""]
    if len(options) == 1:
        return _wrapped(" [", _option(options[0]), "]")
    return [" [", *_listed([_option(one) for one in options]), "]"]


def _option(option: Option) -> Lines:
    return _wrapped(f"{option.spelled} = ", _literal(option.value), "")


def _literal(value: Value) -> Lines:
    match value:
        case Literal(text=text):
            return [text]
        case Text(value=content):
            return [f'"{escaped(content)}"']
        case Listing(values=values):
            return ["[", *_listed([_literal(one) for one in values]), "]"]
    return ["{", *_listed([_entry(name, one) for name, one in _merged(value.entries)]), "}"]


def _entry(name: str, value: Value) -> Lines:
    return _wrapped(f"{name}: ", _literal(value), "")


def _merged(entries: Iterable[Entry]) -> Iterator[tuple[str, Value]]:
    """Yield each name once; what is given more than once becomes a list."""
    found: dict[str, list[Value]] = {}
    for entry in entries:
        name = f"[{entry.name}]" if entry.is_extension else entry.name
        found.setdefault(name, []).append(entry.value)
    for name, values in found.items():
        flat = [inner for one in values for inner in (one.values if isinstance(one, Listing) else (one,))]
        yield name, values[0] if len(values) == 1 else Listing(tuple(flat))


def escaped(content: bytes) -> str:
    """Return the inside of a string literal: printable characters as they are, the rest as C spells it."""
    return "".join(map(_escaped, content.decode(errors="surrogateescape")))


def _escaped(char: str) -> str:
    if char in ESCAPES:
        return ESCAPES[char]
    if char.isprintable():
        return char
    return "".join(f"\\{byte:03o}" for byte in char.encode(errors="surrogateescape"))


def _block(head: str, parts: Iterable[Lines]) -> Lines:
    inner: Lines = []
    for part in parts:
        if part:
            inner += ["", *part] if inner else part
    if not inner:
        return [f"{head} {{}}"]
    return [f"{head} {{", *(INDENT + line if line else line for line in inner), "}"]


def _listed(items: Sequence[Lines]) -> Lines:
    """Return items on indented lines of their own, with commas between them."""
    last = len(items) - 1
    ended = (_wrapped("", item, "," if number < last else "") for number, item in enumerate(items))
    return [INDENT + line for line in chain.from_iterable(ended)]


def _wrapped(before: str, lines: Lines, behind: str) -> Lines:
    first, *rest = lines
    wrapped = [before + first, *rest]
    wrapped[-1] += behind
    return wrapped


def _joined(blocks: Iterable[Lines]) -> Lines:
    return list(chain.from_iterable(blocks))

"""Services and their methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.diff.protobuf_changes import Difference, Differs
from accord.diff.protobuf_profile import Pairing

if TYPE_CHECKING:
    from accord.diff.changes import Steps
    from accord.diff.protobuf_sides import Sides
    from accord.formats.protobuf.model import Method, Service

IDEMPOTENCY = {0: "IDEMPOTENCY_UNKNOWN", 1: "NO_SIDE_EFFECTS", 2: "IDEMPOTENT"}


def services(sides: Sides) -> Steps:
    """Compare the services: by full name, or by name in each file where files stand alone."""
    for file, before in sides.file_pairs():
        found = {one.name: one for one in file.services} if file is not None else {}
        for old in before.services:
            is_whole = sides.profile.pairing is Pairing.FULL_NAME
            new = sides.reader.services.get(old.full_name) if is_whole else found.get(old.name)
            if new is not None:
                yield from _service(new, old)
            elif sides.profile.deletes_by_parts:
                at = (file or before).at
                for name, method in old.methods.items():
                    yield Differs(at, Difference.RPC_NO_DELETE, f"{old.name}.{name}", lost=method.at)


def _service(reader: Service, writer: Service) -> Steps:
    if reader.proto == writer.proto:
        return
    for name, old in writer.methods.items():
        new = reader.methods.get(name)
        if new is None:
            yield Differs(reader.at, Difference.RPC_NO_DELETE, f"{writer.name}.{name}", lost=old.at)
        else:
            yield from _method(new, old)


def _method(reader: Method, writer: Method) -> Steps:
    new, old = reader.proto, writer.proto
    level, before = new.options.idempotency_level, old.options.idempotency_level
    for kind, place, is_, was in (
        (Difference.RPC_SAME_REQUEST_TYPE, "input", new.input_type[1:], old.input_type[1:]),
        (Difference.RPC_SAME_RESPONSE_TYPE, "output", new.output_type[1:], old.output_type[1:]),
        (
            Difference.RPC_SAME_CLIENT_STREAMING,
            "",
            _flow(is_streaming=new.client_streaming),
            _flow(is_streaming=old.client_streaming),
        ),
        (
            Difference.RPC_SAME_SERVER_STREAMING,
            "",
            _flow(is_streaming=new.server_streaming),
            _flow(is_streaming=old.server_streaming),
        ),
        (Difference.RPC_SAME_IDEMPOTENCY_LEVEL, "idempotency", IDEMPOTENCY[level], IDEMPOTENCY[before]),
    ):
        if is_ != was:
            at = (*reader.at, place) if place else reader.at
            yield Differs(at, kind, f"{reader.service.name}.{reader.name}", is_, was)


def _flow(*, is_streaming: bool) -> str:
    return "a stream" if is_streaming else "one message"

"""Rules about services and their methods."""

from accord.diff.protobuf_changes import Difference
from accord.rules.protobuf.rows import Words, register
from accord.rules.table import NodeKind

SIDES = "method {name} has {reader} on the reader's side and {writer} on the writer's"
KEEP = (
    "Programs of both sides are deployed apart. Add a new method, and keep the old one until nobody calls it."
)


def _part(part: str) -> Words:
    return Words(f"A method has another {part}.", KEEP, SIDES)


register(
    NodeKind.SERVICE,
    {
        Difference.RPC_NO_DELETE: Words(
            "A method of a service is gone.",
            "Clients that call it get an error. Mark it deprecated, and keep it until nobody calls it.",
            "method {name} was deleted",
        ),
        Difference.RPC_SAME_REQUEST_TYPE: _part("type of request"),
        Difference.RPC_SAME_RESPONSE_TYPE: _part("type of response"),
        Difference.RPC_SAME_CLIENT_STREAMING: Words(
            "A method's client sends a stream on one side and one message on the other.",
            KEEP,
            SIDES,
        ),
        Difference.RPC_SAME_SERVER_STREAMING: Words(
            "A method's server sends a stream on one side and one message on the other.",
            KEEP,
            SIDES,
        ),
        Difference.RPC_SAME_IDEMPOTENCY_LEVEL: Words(
            "A method makes another promise about being called twice.",
            "Clients and proxies repeat or cache calls by it. Keep `idempotency_level`.",
            SIDES,
        ),
    },
)

"""The Confluent interface, printed from its route table and its table of errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.contracts.limits import DEFAULT_LIMITS
from accord.policy.confluent import MOST_FINDINGS
from registry.api.confluent.errors import ROWS
from registry.api.confluent.urls import ROUTES, Unseen
from registry.errors import (
    CheckBroken,
    CheckUnderWay,
    NoWorkers,
    PurgedMeanwhile,
    TooBusy,
    TooManyChecks,
    TooMuchContention,
)
from registry.records import METADATA_MEMBERS
from registry.services.configuration import LEVEL, MEMBERS, POLICY, RULE_SET_MEMBERS
from tenants.errors import NamespaceNotFound, RightMissing, Unauthorized
from tests.house.pages.markdown import code, page, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FIVE_DIGITS: Final = 10_000
MET_BY_CALLS: Final = {
    CheckBroken,
    CheckUnderWay,
    NamespaceNotFound,
    NoWorkers,
    PurgedMeanwhile,
    RightMissing,
    TooBusy,
    TooManyChecks,
    TooMuchContention,
    Unauthorized,
}
UNSEEN: Final = {
    Unseen.NOTHING_HIDDEN: "",
    Unseen.LEFT_OUT: "gets a list without it",
    Unseen.MISSING: "finds it missing",
    Unseen.REFUSED: "gets 403",
}

# The members of a config that decide about something.
MEMBERS_IN_FORCE: Final = frozenset(
    {LEVEL, POLICY, "alias", "normalize", "validateNewSchemas", "validateFields", "compatibilityGroup"}
    | set(METADATA_MEMBERS)
    | RULE_SET_MEMBERS
)
OTHERWISE: Final = (
    (
        "What is deprecated or disabled is answered with two headers more, `Deprecation` (since when, as in"
        " RFC 9745) and `Warning` (in words): by reads of versions, schemas and texts, by look-ups and by"
        " registrations. [Lead the life of versions](../how-to/version-life.md) says what else it means."
    ),
    (
        "Subjects that end in `/` or in a tail of the interface (`/versions`, `/versions/N`,"
        " `/versions/N/word`, `/metadata`)"
        " cannot be registered, so that no address can be read two ways; nor can any in a context with a"
        " slash."
    ),
    (
        "The empty subject cannot be registered either (42208): an empty name in a path means the settings"
        " of a whole context."
    ),
    "A message about an invalid schema names the place as a JSON pointer.",
    f"A message about an incompatible one quotes at most {MOST_FINDINGS:,} findings and counts the rest.",
    "Ids carry no gaps from refused registrations.",
    (
        "A reference has one spelling: its subject is stored bare where it is in the context of the schema,"
        " and with its context otherwise, however it was sent."
    ),
    (
        "`format=resolved` and `format=serialized` tell of what may be read. If a subject behind the schema"
        " may not, however far behind, the answer is that of a missing schema."
    ),
    (
        "Members that the 8.x line added to answers come only with the header"
        " `Confluent-Accept-Unknown-Properties: true`, or to a client that names its version in"
        " `Confluent-Client-Version`. In an answer by id, `deleted` tells of the uses that the caller"
        " may see."
    ),
    (
        "`ruleSet` is kept, whoever sends it; `encodingRules` and `enableAt` are shown to every client, so"
        " that none sends in clear what a rule is to encrypt."
    ),
    (
        "`metadata` and `ruleSet` have at most"
        f" {DEFAULT_LIMITS.characters:,} characters and {DEFAULT_LIMITS.entries:,} entries each."
    ),
    (
        "A registration that names no version, and differs from the latest version only in the version that"
        " this one's metadata name, is that version; with defaults in a config it would make a new one each"
        " time."
    ),
    (
        "Entering mode IMPORT without `force` removes for good what was deleted softly in that place, which"
        " needs `subject.purge` on each subject concerned."
    ),
    (
        "Who may write and not read is answered with what they sent: a registration without a schema finds"
        " none, a new version shows no metadata that it took over, and a change of settings shows nothing"
        " that was there."
    ),
    (
        "An alias opens nothing. The caller needs the rights on the subject behind it; to who has none there"
        " the alias is a subject that may not be seen."
    ),
    (
        "A context is listed to who may see a subject in it, or whatever is registered there. Dropping one"
        " needs `subject.purge` on the whole context; its settings stay, and its ids are never issued again."
    ),
    "`GET /v1/metadata/version` names the line of servers that Accord behaves like, not its own release.",
    (
        "Tags name the parts of an Avro schema by full names (`com.x.Order`, `com.x.Order.id`), those of a"
        " Protobuf file likewise with a dot in front (`.com.x.Order.id`), and those of a JSON Schema by the"
        " way through its text: `object.lines.array.object.sku`, `oneOf.0.object`, `$defs.Line.object.sku`."
        " `findTags` shows at most 5,000 parts. Who may not read a subject carries no tags over from it."
    ),
    (
        "Values of properties that `metadata` names as `sensitive` are stored encrypted, with a key made of"
        " `ACCORD_METADATA_KEY`; without that setting they are refused. Ids and GUIDs are computed from the"
        " clear values, as clients expect, so a short value can be guessed by who reads the database."
    ),
    "A compatibility check refuses the references that a registration would refuse.",
    "`GET /schemas/types` lists what is taken.",
    "Credentials are Accord's tokens; see [Issue and use tokens](../how-to/tokens.md).",
)


def confluent_page() -> str:
    """Every route with the right it needs, and every error with its code."""
    return page(
        "Confluent interface",
        "`registry/api/confluent/urls.py` and `registry/api/confluent/errors.py`",
        "Paths are below the address of a namespace, `/sr/{tenant}/{namespace}`, or below the root for the"
        " namespace that `ACCORD_ROOT_NAMESPACE` names. A subject in a path may be percent-encoded or, where"
        " the server hands over decoded paths, hold slashes as they are. A trailing slash changes nothing and"
        " nothing is redirected. HEAD and OPTIONS answer wherever GET does.",
        "## Routes",
        table(("method", "path", "right", "with `permanent=true`", "who may not see it"), route_rows()),
        "[Rights and roles](rights.md) tells who holds a right.",
        "## Errors",
        'Every failure has the body `{"error_code": N, "message": "..."}`. The status is the first three'
        " digits of the code; failures of HTTP itself have the status as their code.",
        table(("code", "status", "when"), error_rows()),
        "## Beside the original",
        "What Accord adds or does otherwise on purpose:",
        bullets(OTHERWISE),
        "## Not there yet",
        "What Confluent's registry has and Accord has not, beside the routes that the table above lacks:",
        bullets(missing()),
    )


def bullets(sentences: Iterable[str]) -> str:
    """One line for each sentence."""
    return "\n".join(f"- {one}" for one in sentences)


def missing() -> Iterator[str]:
    """What clients may send and nothing comes of."""
    idle = ", ".join(code(member) for member in MEMBERS if member not in MEMBERS_IN_FORCE)
    yield f"These members of a config are stored and shown, and have no effect so far: {idle}."
    yield (
        "There are no associations, so `GET /schemas` ignores `resourceType`, `associationType` and"
        " `lifecycle`."
    )


def route_rows() -> Iterator[tuple[str, ...]]:
    """Method, path, rights and what is hidden, of each route."""
    for route in ROUTES:
        rights = code(route.right), code(route.permanent_right)
        yield code(route.method), code(route.template), *rights, UNSEEN[route.unseen]


def error_rows() -> Iterator[tuple[str, str, str]]:
    """Code, status and meaning of each error that a call can meet."""
    met = {error: row for error, row in ROWS.items() if int(row.code) >= FIVE_DIGITS or error in MET_BY_CALLS}
    for error, row in sorted(met.items(), key=lambda one: (int(one[1].code), summary(one[0]))):
        yield code(str(row.code)), str(row.status), summary(error)


def summary(error: type[Exception]) -> str:
    """The first sentence of a class's docstring."""
    return " ".join((error.__doc__ or error.__name__).split("\n\n")[0].split()).replace("``", "`")

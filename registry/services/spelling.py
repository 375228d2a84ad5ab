"""The forms of a text that somebody sends, and the names it would be known by; nothing is stored."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

from accord.errors import ReferenceNotFound
from accord.formats.fingerprints import fingerprints
from accord.formats.forms import every_form
from registry.errors import EmptySchema
from registry.queries.history import closure_of
from registry.queries.visibility import may_read_text
from registry.services.candidates import prepare
from registry.services.heavy import turn_for
from tenants.access import require_somewhere

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from registry.records import CheckCandidate
    from registry.services.candidates import Candidate

Json = dict[str, Any]
# Each form prints the text again, and what is normalized is parsed once more.
TIMES_PRINTED: Final = 4


def spell(scope: Scope, command: CheckCandidate) -> Json:
    """Return a text in every form that its format has, and its names.

    Bare references are meant in the context of ``command.subject``, which need not exist.

    Raises:
        RightMissing: ``compat.check`` is held on no subject of the namespace.
        EmptySchema, InvalidSchema and what else parsing raises: The schema is wrong.
        ReferenceNotFound: It refers, however far behind, to what is missing or may not be read.
        TooBusy: The schema is large, and so are others just now.
    """
    require_somewhere(scope, "compat.check")
    source = command.schema
    if source is None or not source.text.strip():
        raise EmptySchema
    candidate = prepare(scope, command.subject, source, normalize=command.normalize, strict=False)
    _require_readable(scope, candidate)
    candidate = replace(candidate, contract=command.contract)
    with turn_for(TIMES_PRINTED * (len(source.text) + candidate.referenced.text_bytes)):
        printed = fingerprints(candidate.parsed)
        return {
            "format": candidate.parsed.format,
            "forms": every_form(candidate.parsed),
            "references": [asdict(one) for one in candidate.parsed.references],
            "digest": candidate.digest.hex(),
            "guid": str(candidate.guid),
            "fingerprints": {} if printed is None else printed.hexadecimal,
        }


def _require_readable(scope: Scope, candidate: Candidate) -> None:
    """Refuse to write out what may not be read, as if the reference led nowhere."""
    if not candidate.targets:
        return
    behind = closure_of(scope, {target.schema_key for target in candidate.targets})
    if not all(may_read_text(scope, subject) for subject, _ in behind):
        first = candidate.targets[0]
        raise ReferenceNotFound(first.subject.qualified, first.number)

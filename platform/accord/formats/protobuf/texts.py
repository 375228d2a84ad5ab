"""Trees of ``.proto`` texts, compiled together with what they note of their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.formats.protobuf.diagnostics import Diagnostic, invalid
from accord.formats.protobuf.exchange import Job, Status
from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.parse import check_size
from accord.formats.protobuf.paths import path_flaw

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.limits import Limits
    from accord.formats.protobuf.client import Compiler


def set_of_texts(texts: Mapping[str, str], compiler: Compiler, *, known: bytes, limits: Limits) -> bytes:
    """Return the serialized set that texts compile to, with all they import; ``known`` is a set of that.

    Raises `accord.errors.InvalidSchema` with all that is wrong, `SchemaTooLarge` for what protoc could not do
    in time, and `CompilerUnavailable`.
    """
    flaws = [Diagnostic("", 0, 0, flaw) for path in texts if (flaw := path_flaw(path))]
    for path, text in texts.items():
        check_size(text, limits)
        flaws += (one._replace(file=path) for one in read_source(text, limits).flaws)
    if flaws:
        raise invalid(flaws)
    outcome = compiler.compile(Job(texts, known, has_source_info=True))
    if outcome.status is Status.DIED:
        sentence = f"The compiler refused the texts: {outcome.reason}; send fewer or smaller files"
        raise invalid([Diagnostic("", 0, 0, sentence)])
    if outcome.status is Status.REFUSED:
        raise invalid(outcome.diagnostics)
    return outcome.descriptors

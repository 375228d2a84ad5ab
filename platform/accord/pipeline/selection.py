"""A table holds one record type: which writer schemas it takes, and which are strays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.formats.avro.model import Record
from accord.pipeline.merging import branches_of, type_names
from accord.pipeline.reasons import Reason

if TYPE_CHECKING:
    from accord.formats.avro.model import Node
    from accord.pipeline.writers import Writer, Writers


def keep_one_record(writers: Writers, reader: Node | None, record: str | None) -> None:
    """Refuse writer schemas of another record than the table's; types go by one name each by now.

    The table's is the reader's, else the one called ``record`` (by a name that one of its versions has, with
    or without the namespace), else the one that most records were written as.
    """
    if reader is not None:
        wanted = type_names(reader)
        if any(isinstance(branch, Record) for branch in branches_of(reader)):
            writers.keep([one for one in writers.known if wanted & type_names(one.root)], Reason.OTHER_RECORD)
        return
    wanted = _called(writers, record) if record is not None else _most_frequent(writers)
    writers.keep([one for one in writers.known if type_names(one.root) <= wanted], Reason.OTHER_RECORD)


def _called(writers: Writers, record: str) -> frozenset[str]:
    return frozenset(
        name for one in writers.known if _is_called(one, record) for name in type_names(one.root)
    )


def _is_called(writer: Writer, record: str) -> bool:
    return any(record in {name, name.rpartition(".")[2]} for name in writer.written_as)


def _most_frequent(writers: Writers) -> frozenset[str]:
    counts: dict[frozenset[str], int] = {}
    for one in writers.known:
        names = type_names(one.root)
        counts[names] = counts.get(names, 0) + one.count
    return max(counts, key=lambda names: counts[names], default=frozenset())

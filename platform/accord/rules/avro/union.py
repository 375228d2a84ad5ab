"""Rules about unions."""

from accord.diff.avro_changes import BranchMissing
from accord.model import Format
from accord.rules.table import TABLE, NodeKind


@TABLE.rule(Format.AVRO, node=NodeKind.UNION, since="0.1")
def missing_union_branch(change: BranchMissing) -> str:
    """No branch of the reader's union reads a type that the writer may have written.

    Keep the branch in the reader's union. Where a branch of the same name is there but differs
    inside, the reasons given with the finding say what differs.
    """
    return f"no branch of the reader's union reads {change.spoken}"

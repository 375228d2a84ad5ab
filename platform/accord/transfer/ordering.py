"""The one order of versions: what is referred to comes before what refers to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.transfer.records import Key, in_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def references_first(targets: Mapping[Key, Sequence[Key]]) -> list[Key]:
    """The versions by place and number, each after all that it refers to.

    ``targets`` says of each version what it refers to; what is not among the versions is passed over.
    Versions that refer to each other in a circle, which no registry lets in, come in some order.
    """
    done: dict[Key, None] = {}
    opened: set[Key] = set()
    for start in sorted(targets, key=lambda key: (*in_order(key.subject), key.number)):
        waiting = [start]
        while waiting:
            key = waiting[-1]
            if key in opened:
                waiting.pop()
                done.setdefault(key)
                continue
            opened.add(key)
            waiting += [one for one in reversed(targets[key]) if one in targets and one not in opened]
    return list(done)

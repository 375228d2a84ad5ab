"""What 1,000 versions of a module of 300 files take in the database, where each version changes two files.

Measured are tables with their indexes, after the service that uploads use has stored all versions. The first
yardstick is the bar itself: 1.1 of the bytes of the files that differ, and 200 bytes for each file of each
set. The second is what storing every set whole would take.
"""

from __future__ import annotations

import json
from typing import Final

from benchmarks.harness import Bar, Result, Side
from benchmarks.servers import managed, platform

OF_FILES: Final = 1.1
OF_ENTRY: Final = 200
MIB: Final = 1024 * 1024
FILL: Final = "from benchmarks.descriptor_filling import fill; fill({tenant!r}, {namespace!r})"


def results() -> list[Result]:
    """Store the versions beside a platform that was just started, and ask the database what they take."""
    with platform() as registry:
        tenant, namespace = registry.url.rsplit("/", 2)[1:]
        told = managed(registry, "shell", "-v", "0", "-c", FILL.format(tenant=tenant, namespace=namespace))
    found = json.loads(told.splitlines()[-1])
    allowed = OF_FILES * found["distinct"] + OF_ENTRY * found["entries"]
    entry = found["entry_bytes"] / found["entries"]
    title = f"{found['title']}; {entry:.0f} bytes an entry"
    return [
        _result(title, found["stored"], "the bar", allowed, Bar(ratio=1.0)),
        _result(title, found["stored"], "every set whole", found["whole"]),
    ]


def _result(title: str, stored: float, name: str, yardstick: float, bar: Bar | None = None) -> Result:
    costs = stored / MIB, yardstick / MIB
    ours, other = (Side(one, lambda: 0.0) for one in ("stored", name))
    return Result(title, "MiB", ours, other, (costs[0],), (costs[1],), bar)

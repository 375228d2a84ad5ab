"""Side effects: written in the transaction that causes them, done after it by a worker.

A topic has one handler, registered in the ``ready`` of its room. A handler runs inside a transaction
of its own together with the row that asks for it: what it writes to the database happens once,
what it does elsewhere at least once, so it must not mind being run again.
"""

from __future__ import annotations

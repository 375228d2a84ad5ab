"""The command line ``accord``: checks without a server, and the first verbs against one.

Exit codes: 0 ok, 1 incompatible or refused by the registry, 2 wrong usage, unreadable input or no registry
to talk to.
"""

from accord.cli.program import main

__all__ = ["main"]

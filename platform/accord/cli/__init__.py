"""The command line ``accord``: checks without a server, and verbs against one.

``check`` gathers files (`gathering`, `config`), finds what each is compared with (`sides`, `git`), decides
how (`deciding`), judges (`judging`), makes findings ready to be told (`explaining`) and prints them
(`reporting`).
Exit codes: 0 ok, 1 incompatible or refused by the registry, 2 wrong usage, unreadable input or no registry
to talk to.
"""

from accord.cli.program import main

__all__ = ["main"]

"""Which account a server runs as that refuses to run as root."""

from __future__ import annotations

import os
import pwd
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord_server.dev.errors import Trouble

if TYPE_CHECKING:
    from pathlib import Path

# Accounts that systems come with, best first; none is ever created.
CANDIDATES = ("postgres", "nobody", "daemon")


class NoAccount(Trouble):
    """There is no account that PostgreSQL would run as."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account of this system."""

    name: str
    uid: int
    gid: int


def unprivileged(owner_of: Path | None = None) -> Account | None:
    """Return the account to run as, or None where we are not root and run as ourselves.

    Data that exists already (``owner_of``) keeps its owner, so an ordinary user's project can be
    run by root once and by its user again.
    """
    if os.geteuid() != 0:
        refuse_nameless(os.geteuid())
        return None
    if owner_of is not None and owner_of.exists() and owner_of.stat().st_uid != 0:
        return _account(owner_of.stat().st_uid)
    for name in CANDIDATES:
        found = _named(name)
        if found is not None:
            return found
    raise NoAccount(f"PostgreSQL refuses to run as root, and none of {', '.join(CANDIDATES)} exists here")


def may_enter(path: Path, account: Account) -> bool:
    """Tell whether the account may enter a folder, or run a program, at this path."""
    words = ("test", "-x", str(path))
    # Asked as the account itself: no rule of the file system is told a second time here.
    asked = subprocess.run(words, user=account.uid, group=account.gid, extra_groups=(), cwd="/", check=False)
    return asked.returncode == 0


def refuse_nameless(uid: int) -> None:
    """Refuse a user id without an account, as `docker run --user 12345` gives: PostgreSQL would, later."""
    try:
        pwd.getpwuid(uid)
    except KeyError:
        raise NoAccount(
            f"the user id {uid} has no account here (no line in /etc/passwd), and PostgreSQL refuses to run "
            "without one: run as a user who has an account, or as root, or name a database of your own in "
            "ACCORD_DATABASE_URL and ACCORD_OWNER_DATABASE_URL"
        ) from None


def _named(name: str) -> Account | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(name, entry.pw_uid, entry.pw_gid) if entry.pw_uid else None


def _account(uid: int) -> Account:
    entry = pwd.getpwuid(uid)
    return Account(entry.pw_name, uid, entry.pw_gid)

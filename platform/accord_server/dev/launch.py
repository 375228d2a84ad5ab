"""Become another program that ends with its parent, as an unprivileged account if asked.

Run by its path with ``python -I -S``, so it imports nothing of this project. The parent cannot do
this before `exec` itself: a `preexec_fn` is unsafe as soon as the parent has threads.

Arguments: signal number, account name or ``-``, process id of the parent, program, its arguments.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import sys

PR_SET_PDEATHSIG = 1


def drop_rights(account: str) -> None:
    entry = pwd.getpwnam(account)
    os.initgroups(account, entry.pw_gid)
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)


def end_with_parent(signal_number: int, parent: int) -> None:
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0)
    if os.getppid() != parent:  # the parent died before the line above
        raise SystemExit(1)


def become() -> None:
    signal_number, account, parent, *command = sys.argv[1:]
    if account != "-":
        drop_rights(account)  # first: the kernel forgets the signal when the user changes
    end_with_parent(int(signal_number), int(parent))
    os.umask(0o077)
    os.execvp(command[0], command)  # noqa: S606  # the program is chosen by our own caller


if __name__ == "__main__":
    become()

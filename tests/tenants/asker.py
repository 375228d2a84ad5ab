"""A process that is asked about tokens: one per line on standard input, ``in`` or ``out`` in answer."""

from __future__ import annotations

import sys

import django


def main() -> None:
    """Answer until the input ends."""
    django.setup()
    for line in sys.stdin:
        print(answer(line.strip()), flush=True)


def answer(value: str) -> str:
    """Say whether the token opens north/default."""
    from tenants.authentication import authenticate
    from tenants.errors import TenantSuspended, Unauthorized

    try:
        authenticate(f"Bearer {value}", tenant_slug="north", namespace_slug="default")
    except (Unauthorized, TenantSuspended):
        return "out"
    return "in"


if __name__ == "__main__":
    main()

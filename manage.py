#!/usr/bin/env python
"""Django's command line, with the project's source root on the path."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Run the command given on the command line."""
    sys.path.insert(1, str(Path(__file__).resolve().parent / "platform"))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "accord_server.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

"""The base of everything that ends a run with a sentence instead of a traceback."""

from __future__ import annotations


class Trouble(Exception):
    """Something that the person at the terminal can read and act on."""

"""Copies of whole registries: the file they are kept in, how they are read, and how they are put back."""

from accord.transfer.copies import Copy
from accord.transfer.errors import UnreadableExport
from accord.transfer.reading import read
from accord.transfer.walking import Walk, walk
from accord.transfer.writing import Summary, write

__all__ = ["Copy", "Summary", "UnreadableExport", "Walk", "read", "walk", "write"]

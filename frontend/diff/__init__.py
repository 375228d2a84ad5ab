"""Text differences of two schemas as rows for people: pure functions, bounded work."""

from __future__ import annotations

from frontend.diff.rows import Row, RowKind, SideBySide, compare_texts, unified

__all__ = ["Row", "RowKind", "SideBySide", "compare_texts", "unified"]

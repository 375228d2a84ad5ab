"""Refusals of changes that every thing which can be changed shares."""

from __future__ import annotations

from accord.errors import Invalid, error


@error
class VersionNotNamed(Invalid):
    """A change that does not say which version it was made for."""

    code = "version_not_named"
    template = "Name the version that you change in the header If-Match, as its ETag shows it."

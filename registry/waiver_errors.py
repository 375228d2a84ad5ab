"""What is refused about waivers."""

from __future__ import annotations

from accord.errors import Conflict, Invalid, NotFound, error


@error
class WaiverNotFound(NotFound):
    """No such waiver in this namespace, or one for a subject that the caller may not see."""

    code = "waiver_not_found"
    template = "Waiver {waiver} not found"
    waiver: str


@error
class WaiverInvalid(Invalid):
    """A waiver that nobody could give so."""

    code = "waiver_invalid"
    template = "The waiver cannot be given: {details}."
    details: str


@error
class NothingToWaive(Conflict):
    """A waiver for a schema that is not refused, or that is registered already."""

    code = "nothing_to_waive"
    template = "Nothing blocks this schema under subject '{subject}'; register it without a waiver."
    subject: str


@error
class WaiverExists(Conflict):
    """There is an open waiver for the same schema and subject."""

    code = "waiver_exists"
    template = "Waiver {waiver} is open for this schema under subject '{subject}'; use or revoke it first."
    subject: str
    waiver: str


@error
class WaiverOver(Conflict):
    """A waiver that was used, has expired or was revoked before."""

    code = "waiver_over"
    template = "Waiver {waiver} is {state} and cannot be revoked."
    waiver: str
    state: str


@error
class WaiverLimitReached(Conflict):
    """As many open waivers as a namespace may have."""

    code = "waiver_limit_reached"
    template = "The namespace has {limit} open waivers, and cannot have more; revoke one that nobody needs."
    limit: int

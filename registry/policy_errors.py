"""What is refused about policies, and what policies refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from accord.errors import Conflict, Denied, Invalid, NotFound, Unavailable, error

if TYPE_CHECKING:
    from accord.model import Finding
    from accord.policy.documents import Problem


@error
class LevelLocked(Denied):
    """A level sent to a place where a policy has locked it; the policy is to be changed instead."""

    code = "level_locked"
    template = (
        "The policy {policy!r}, version {version}, bound to {place}, locks the compatibility level; "
        "change the policy instead."
    )
    policy: str
    version: int
    place: str


@error
class LevelInvalid(Invalid):
    """A level to judge by that is spelled as none is; the details say what to write."""

    code = "unknown_level"
    template = "level: {details}."
    details: str


@error
class ContentRefused(Invalid):
    """A schema that lacks what a policy asks of it, whatever it is compared with."""

    code = "content_refused"
    template = "The policy in force for subject '{subject}' refuses the schema itself: {details}"
    subject: str
    sentences: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def message(self) -> str:
        return self.template.format(subject=self.subject, details="; ".join(self.sentences))


@error
class PolicyNotFound(NotFound):
    """No such policy, or one the caller may not see."""

    code = "policy_not_found"
    template = "Policy '{policy}' not found."
    policy: str


@error
class PolicyVersionNotFound(NotFound):
    """The policy has no such version."""

    code = "policy_version_not_found"
    template = "Version {version} of the policy not found."
    version: int


@error
class BindingNotFound(NotFound):
    """No policy is bound to a place, or none that the caller may see."""

    code = "binding_not_found"
    template = "No policy is bound to {place}."
    place: str


@error
class TemplateNotFound(NotFound):
    """There is no such template, or this release lacks a preset that it needs."""

    code = "template_not_found"
    template = "There is no template {name!r}; there are {known}."
    name: str
    known: str


@error
class PolicyExists(Conflict):
    """A policy of that name is there already."""

    code = "policy_exists"
    template = "The policy '{policy}' exists already; change it under its own address."
    policy: str


@error
class PolicyChanged(Conflict):
    """Somebody else was faster: the version a change was made for is not the newest."""

    code = "policy_changed"
    template = "The policy '{policy}' has changed: its version is {version} now. Read it and try again."
    policy: str
    version: int


@error
class BindingChanged(Conflict):
    """Somebody else was faster: what a change of a binding was made for is not what is bound."""

    code = "policy_changed"
    template = "What is bound to {place} has changed: now it is {policy}. Read it and try again."
    place: str
    policy: str


@error
class PolicyBound(Conflict):
    """A policy that is still bound somewhere cannot be deleted."""

    code = "policy_bound"
    template = "The policy '{policy}' is bound to {places}; take it off there first."
    policy: str
    places: str


@error
class PolicyLimitReached(Conflict):
    """As many policies, versions or bindings as there may be."""

    code = "policy_limit_reached"
    template = "There are {limit} {what} already, and there cannot be more."
    what: str
    limit: int


@error
class PolicyFlawed(Invalid):
    """A text that is no policy; ``problems`` name every line."""

    code = "policy_flawed"
    template = "The policy cannot be used: {details}"
    problems: tuple[Problem, ...]
    # It came as an object inside of a body: places are members, not lines.
    is_object: bool = False

    @property
    def message(self) -> str:
        told = (
            f"{one.path}: {one.message}" if self.is_object and one.path else one.message
            for one in self.problems
        )
        lines = told if self.is_object else map(str, self.problems)
        return self.template.format(details="; ".join(lines))


@error
class PlaceInvalid(Invalid):
    """A place that no policy can be bound to."""

    code = "place_invalid"
    template = "No policy can be bound to '{place}': {details}."
    place: str
    details: str


@error
class DryRunNotFound(NotFound):
    """No such dry run in this namespace, or one about places that the caller may not see."""

    code = "dry_run_not_found"
    template = "Dry run {run} not found"
    run: str


@error
class ProposalInvalid(Invalid):
    """A dry run of nothing, or of several things at once."""

    code = "proposal_invalid"
    template = "The dry run cannot start: {details}."
    details: str


@error
class TooManyDryRuns(Unavailable):
    """As many dry runs of one tenant are open as there may be."""

    code = "too_many_dry_runs"
    template = (
        "This tenant has {limit} dry runs that are not finished, and cannot have more; "
        "wait for one or cancel it."
    )
    retry_after: ClassVar[int] = 10
    limit: int

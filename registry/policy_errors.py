"""What is refused about policies, and what policies refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.errors import Conflict, Denied, Invalid, NotFound, error

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
class VersionNotNamed(Invalid):
    """A change of a policy that does not say which version it was made for."""

    code = "version_not_named"
    template = "Name the version that you change in the header If-Match, as its ETag shows it."


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

    @property
    def message(self) -> str:
        return self.template.format(details="; ".join(str(one) for one in self.problems))


@error
class PlaceInvalid(Invalid):
    """A place that no policy can be bound to."""

    code = "place_invalid"
    template = "No policy can be bound to '{place}': {details}."
    place: str
    details: str

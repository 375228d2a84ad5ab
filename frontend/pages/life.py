"""The life of one version: its state, what is said of it, comments, and the way back to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from frontend.pages.choices import offer_versions
from frontend.pages.subjects import place_of
from registry.services import comments, describing, version_states
from registry.version_states import TRANSITIONS, VersionState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from accord_server.kit.paging import Batch
    from accord_server.kit.scope import Scope
    from frontend.pages.choices import VersionChoice
    from frontend.pages.registering import RegisterReview
    from frontend.pages.shell import Label
    from frontend.pages.subject import SubjectHead
    from registry.life_records import Comment, Described, VersionLife
    from registry.records import VersionRecord

# What a state is called and what it does, with the badge it wears.
STATES: Final[Mapping[VersionState, tuple[Label, Label, str]]] = {
    VersionState.ENABLED: (_("Enabled"), _("It is used like any other."), "pass"),
    VersionState.DEPRECATED: (_("Deprecated"), _("It is served, with a warning."), "warn"),
    VersionState.DISABLED: (
        _("Disabled"),
        _("It is kept for data that were written with it: never the latest, and never registered anew."),
        "fail",
    ),
}


@dataclass(frozen=True, slots=True)
class ShownState:
    """A state in words."""

    value: str
    label: Label
    meaning: Label
    badge: str


@dataclass(frozen=True, slots=True)
class ShownComment:
    """A comment, and what the reader may do about it."""

    comment: Comment
    can_delete: bool


@dataclass(frozen=True, slots=True)
class LifePage:
    """The whole page; ``review`` is what going back would be told, where somebody asked."""

    head: SubjectHead
    version: VersionRecord
    choice: VersionChoice
    life: VersionLife
    state: ShownState
    ways: tuple[ShownState, ...]
    details: Described
    comments: tuple[ShownComment, ...]
    has_more_comments: bool
    is_latest: bool
    can_promote: bool
    can_describe: bool
    can_comment: bool
    can_skip: bool
    url: str
    error: str = ""
    review: RegisterReview | None = None
    is_fragment: bool = False

    @property
    def properties(self) -> str:
        """The properties as the form shows them, one a line."""
        return "\n".join(f"{name}={value}" for name, value in self.details.properties.items())

    @property
    def labels(self) -> str:
        """The labels as the form shows them."""
        return ", ".join(self.details.labels)


def life_page(
    scope: Scope,
    head: SubjectHead,
    version: VersionRecord,
    life: VersionLife,
    said: tuple[Described, Batch[Comment]],
    *,
    numbers: Sequence[int],
) -> LifePage:
    """Make the page of one version."""
    subject, (details, found) = version.subject, said
    can_moderate = scope.may(comments.MODERATE, subject)
    can_comment = scope.may(comments.RIGHT, subject)
    return LifePage(
        head=head,
        version=version,
        choice=offer_versions(scope, head, numbers, version.number),
        life=life,
        state=shown_state(life.life.state),
        ways=tuple(map(shown_state, TRANSITIONS[life.life.state])),
        details=details,
        comments=tuple(
            ShownComment(one, can_comment and (can_moderate or one.author == scope.principal.key))
            for one in found.rows
        ),
        has_more_comments=found.after is not None,
        is_latest=version.number == head.latest,
        can_promote=scope.may(version_states.RIGHT, subject),
        can_describe=scope.may(describing.RIGHT, subject),
        can_comment=can_comment,
        can_skip=scope.may("check.skip", subject),
        url=life_url(scope, version),
    )


def life_url(scope: Scope, version: VersionRecord) -> str:
    """Return the address of the page."""
    where = reverse("frontend:life", args=[*place_of(scope), version.subject])
    return f"{where}?v={version.number}"


def shown_state(state: VersionState) -> ShownState:
    """Return a state in words."""
    return ShownState(state.value, *STATES[state])


def read_properties(text: str) -> dict[str, str]:
    """Read properties, ``name=value`` one a line."""
    pairs = (line.partition("=") for line in text.splitlines() if line.strip())
    return {name.strip(): value.strip() for name, _sign, value in pairs}


def read_labels(text: str) -> tuple[str, ...]:
    """Read labels that commas separate."""
    return tuple(one.strip() for one in text.split(",") if one.strip())

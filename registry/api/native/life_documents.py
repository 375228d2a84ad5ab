"""The life of versions as the native API shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry.version_states import TRANSITIONS

if TYPE_CHECKING:
    from datetime import datetime

    from registry.api.native.shapes import (
        CommentShape,
        DeletionRulesShape,
        DetailsShape,
        ModuleStateShape,
        StateShape,
        VersionStateShape,
    )
    from registry.life_records import Comment, DeletionSwitches, Described, VersionLife
    from registry.module_records import ModuleLife


def life_document(found: VersionLife) -> VersionStateShape:
    """Return the state of a version, where it can go, and how it came here, newest first."""
    return {"subject": found.subject.qualified, **_state(found)}


def module_life_document(found: ModuleLife) -> ModuleStateShape:
    """Return the same of a version of a module."""
    return {"module": found.module, **_state(found)}


def _state(found: VersionLife | ModuleLife) -> StateShape:
    return {
        "version": found.number,
        "state": found.life.state.value,
        "since": _when(found.life.since),
        "transitions": [one.value for one in TRANSITIONS[found.life.state]],
        "revision": found.revision,
        "changes": [
            {
                "before": step.before.value,
                "after": step.after.value,
                "reason": step.reason,
                "changed_at": step.changed_at.isoformat(),
                "changed_by": step.changed_by,
            }
            for step in found.steps
        ],
    }


def comment_document(comment: Comment) -> CommentShape:
    """Return a comment."""
    return {
        "id": str(comment.id),
        "text": comment.text,
        "author": comment.author,
        "created_at": comment.created_at.isoformat(),
        "edited_at": _when(comment.edited_at),
        "revision": comment.revision,
    }


def described_document(found: Described) -> DetailsShape:
    """Return what is said of a subject or a version."""
    return {
        "description": found.description,
        "labels": list(found.labels),
        "properties": dict(found.properties),
        "revision": found.revision,
        "changed_at": _when(found.changed_at),
        "changed_by": found.changed_by or None,
    }


def switches_document(found: DeletionSwitches) -> DeletionRulesShape:
    """Return what may not be deleted, here and in force."""
    return {
        "forbids_soft": found.forbids_soft,
        "forbids_permanent": found.forbids_permanent,
        "revision": found.revision,
        "in_force": {kind.value: by for kind, by in found.in_force.items()},
    }


def _when(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()

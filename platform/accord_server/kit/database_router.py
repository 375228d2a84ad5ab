"""Which database alias does what: the application role serves, the owner migrates."""

from __future__ import annotations


class OwnerMigrates:
    """Refuses migrations on any alias but the owner's, whose role may create tables."""

    def allow_migrate(self, db: str, *_names: str, **_hints: object) -> bool:
        """Tell whether this alias may change tables."""
        return db == "owner"

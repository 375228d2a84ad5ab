"""The change log, gathered from one fragment per change.

A fragment is `docs/changes/<slug>.<kind>.md`: one or more sentences for the people who run Accord.
`python -m tests.house.changelog` checks the fragments and prints what they add up to;
`python -m tests.house.changelog 0.2.0 2026-12-01` moves them into CHANGELOG.md as that release.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
# The kinds of a change, in the order they are printed.
KINDS: Final = {
    "security": "Security",
    "removed": "Removed",
    "changed": "Changed",
    "added": "Added",
    "fixed": "Fixed",
}
NAME: Final = re.compile(rf"[a-z0-9]+(-[a-z0-9]+)*\.({'|'.join(KINDS)})\.md")
MARK: Final = "<!-- releases -->\n"


@dataclass(frozen=True)
class Fragment:
    """One change as its author tells it."""

    name: str
    text: str

    @property
    def kind(self) -> str:
        """The second part of the file name."""
        return self.name.split(".")[1]

    def mistakes(self) -> list[str]:
        """Say what is wrong with the fragment, if anything is."""
        if not NAME.fullmatch(self.name):
            return [f"{self.name}: the name is <slug>.<{'|'.join(KINDS)}>.md"]
        if not re.fullmatch(r"[A-Z`].*[.`]", self.text, flags=re.DOTALL):
            return [f"{self.name}: write whole sentences"]
        return []


def fragments(folder: Path) -> list[Fragment]:
    """Read every fragment of a folder, by name."""
    files = sorted(path for path in folder.iterdir() if path.name != "README.md")
    return [Fragment(path.name, path.read_text().strip()) for path in files]


def section(title: str, changes: list[Fragment]) -> str:
    """Lay changes out as one release, kind by kind."""
    lines = [f"## {title}", ""]
    for kind, heading in KINDS.items():
        items = [f"- {' '.join(one.text.split())}" for one in changes if one.kind == kind]
        lines += [f"### {heading}", "", *items, ""] if items else []
    return "\n".join(lines)


def release(root: Path, version: str, date: str) -> None:
    """Move the fragments of a tree into its change log as one release."""
    changes, log = fragments(root / "docs" / "changes"), root / "CHANGELOG.md"
    head, mark, older = log.read_text().partition(MARK)
    log.write_text(f"{head}{mark}\n{section(f'{version} ({date})', changes)}{older}")
    for change in changes:
        (root / "docs" / "changes" / change.name).unlink()


def main(arguments: list[str]) -> int:
    """Check and print the fragments, or release them; 1 where one is malformed."""
    changes = fragments(ROOT / "docs" / "changes")
    mistakes = [mistake for change in changes for mistake in change.mistakes()]
    print("\n".join(mistakes) if mistakes else section("Unreleased", changes))
    if arguments and not mistakes:
        release(ROOT, *arguments)
    return int(bool(mistakes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The page of refusals: three stories, and what a real program and a real server say to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from tests.accord.cli.schemas import BARE, NEEDS_NOTE, closed, record
from tests.house.pages.markdown import block

PAGE = Path(__file__).parents[3] / "docs/explanation/refusals.md"
REWRITE = "REWRITE=1 .venv/bin/python -m pytest tests/accord/cli/test_refusals_page.py"
INTRODUCTION = f"""# Three refusals

<!-- Written by `{REWRITE}`; edit tests/accord/cli/refusals_page.py instead. -->

What whoever is refused gets to read: on the command line, from Accord's own interface, and from the one that
Confluent's clients speak. A test registers these schemas with a running server and compares each letter that
comes back with this page; then it follows the advice, and is let in.
[Explained verdicts](verdicts.md) tells what the parts mean."""
ASKED = (
    "`POST /api/v1/tenants/north/namespaces/default/subjects/{subject}/verdict` says so before anything is \
registered; of its answer:"
)
REGISTERED = "`POST /sr/north/default/subjects/{subject}/versions` answers {status}:"


class Story(NamedTuple):
    """What is registered, what is refused under which policy, and what the advice makes of it."""

    title: str
    words: str
    policy: str
    subject: str
    file: str
    old: dict[str, Any]
    new: dict[str, Any]
    mended: dict[str, Any]

    @property
    def format(self) -> str:
        """The format of its schemas, as both interfaces call it."""
        return "AVRO" if self.file.endswith(".avsc") else "JSON"


def states(*symbols: str) -> dict[str, Any]:
    """A record with an enum."""
    return record(state={"type": "enum", "name": "State", "symbols": symbols})


STORIES = (
    Story(
        "A field without a default",
        "Every reader with the new schema must read what is stored.",
        "name: readers-first\ndefault: {level: BACKWARD}\n",
        "orders-value",
        "order.avsc",
        BARE,
        NEEDS_NOTE,
        record(id="long", note=(["null", "string"], None)),
    ),
    Story(
        "A symbol that old readers do not know",
        "Every reader must read every version, those of tomorrow too.",
        "name: any-order\ndefault: {level: FULL_TRANSITIVE}\n",
        "states-value",
        "state.avsc",
        states("NEW", "PAID"),
        states("NEW", "PAID", "SENT"),
        states("NEW", "PAID"),
    ),
    Story(
        "A property that becomes required",
        "Optional properties come and go, and nothing else may change.",
        "name: queue\ndefault: {preset: accord:queue-safe, level: FULL_TRANSITIVE}\n",
        "customers-value",
        "customer.json",
        closed(id="integer"),
        {**closed(id="integer", name="string"), "required": ["id"]},
        closed(id="integer", name="string"),
    ),
)


class Told(NamedTuple):
    """What came back: from the command line, the native verdict, the status and body of a registration."""

    printed: str
    verdict: dict[str, Any]
    status: int
    body: dict[str, Any]


def text_of(schema: object) -> str:
    """A schema as its file holds it."""
    return json.dumps(schema, indent=2) + "\n"


def section(story: Story, told: Told) -> str:
    """What the page says of one story."""
    command = f"$ accord register {story.subject} {story.file}\n{told.printed}"
    shown = {name: told.verdict[name] for name in ("is_compatible", "summary", "comparisons")}
    return "\n\n".join(
        (
            f"## {story.title}",
            f"{story.words} The policy bound to the subject `{story.subject}`:",
            block("yaml", story.policy),
            "Registered as version 1:",
            block("json", text_of(story.old)),
            f"Refused, `{story.file}`:",
            block("json", text_of(story.new)),
            block("text", command),
            ASKED.format(subject=story.subject),
            block("json", text_of(shown)),
            REGISTERED.format(subject=story.subject, status=told.status),
            block("json", text_of(told.body)),
            "The advice followed, and registered:" if story.mended != story.old else "The advice followed:",
            block("json", text_of(story.mended)),
        )
    )


def page(sections: list[str]) -> str:
    """The whole page."""
    return "\n\n".join([INTRODUCTION, *sections]) + "\n"

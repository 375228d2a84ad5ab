"""The page on Protobuf's presets, with ten changes judged by all of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from accord.model.levels import CONFLUENT_LEVELS
from accord.policy.judgement import HistoryEntry
from accord.policy.preset_matrix import PresetVerdict, groups_of, judged_by_all
from accord.policy.verdict_words import VerdictWord
from tests.accord.protobuf_texts import schema_of
from tests.house.pages.markdown import code, table

if TYPE_CHECKING:
    from collections.abc import Mapping

GOLDEN = Path(__file__).parents[2] / "accord" / "rules" / "protobuf" / "golden.jsonl"
SHOWN = ("1", "2", "3", "5", "6", "7", "10", "14", "31", "38")
WORDS = {
    VerdictWord.ALLOWED: "accepted",
    VerdictWord.WARNED: "warned of",
    VerdictWord.BLOCKED: "refused",
}

HEAD = """# Presets for Protobuf

Every registry has its own idea of what may change in a Protobuf file. A preset holds the severities of
one of them and its *profile*: which messages belong together, whether fields are found by number or by
name, how far the comparison goes into messages behind fields, what counts as a label, which scalar
types are alike, and what FORWARD means. The [rules](../rules/README.md#protobuf) are the same for all.
"""
ABOUT = (
    (
        "`confluent:8.1`, `confluent:7.4`, `confluent:next`",
        (
            "Confluent's registry; before 7.6.1 a changed package was let through; after it a oneof "
            "is judged by where its members came from"
        ),
    ),
    (
        "`karapace:2026-06`, `karapace:protopace`",
        "Karapace, and the rules that its library for Buf would use",
    ),
    (
        "`redpanda:26.1`, `redpanda:24.2`",
        "Redpanda; the older one takes the entry of a deleted map for a deleted message",
    ),
    ("`protolock:2024-02`, `protolock:2024-02:not-strict`", "protolock with and without its strict rules"),
    ("`apicurio:3.3`", "Apicurio"),
    ("`buf:v1:…`, `buf:v2:…`", "Buf's categories FILE, PACKAGE, WIRE_JSON, WIRE and (second version) CSR"),
    ("`stencil:2025-03`", "Stencil; other deletions are forbidden looking forward"),
    ("`pulsar:root`, `pulsar:pip-246`, `pulsar:2026`", "what Pulsar's broker checks, and its two proposals"),
    (
        "`protobuf.dev:binary`, `protobuf.dev:json`",
        "the official guidance: unsafe blocks, conditionally safe warns",
    ),
    (
        "`accord:queue-safe:1`",
        "fields may come, and go with number and name reserved; nothing else about data changes or goes",
    ),
    ("`accord:strict:1`", "the same, and nothing that code is generated from goes or changes"),
    (
        "`accord:1`",
        (
            "refuses what Confluent refuses; warns where data may come to mean something else, in groups, "
            "moved fields and extensions too, which Confluent passes over; tells of the rest"
        ),
    ),
)
FORWARD = """
A preset that knows Protobuf alone weighs other formats as `confluent:8.1` does.

## Looking forward

Confluent, Karapace, Redpanda, Apicurio and Pulsar turn the sides round: the old schema reads what the
new one wrote. Buf, protolock, the guidance and our queue-safe and strict presets hold new against old
whatever the level asks for, since their rules protect both sides already. Rules about reservations are
not asked when the sides are turned round, except by Apicurio, for which adding a field then looks like
removing one. Extensions are compared by Buf, the guidance and our own presets alone.

## Making one's own

Rules add up only within one preset; a cell may be overridden. *WIRE_JSON, but types judged by WIRE* is
the preset `buf:v2:WIRE_JSON` with `FIELD_WIRE_JSON_COMPATIBLE_TYPE: off` and
`FIELD_WIRE_COMPATIBLE_TYPE: block`. A rule that is `judged_as` another weighs what that one weighs, and
[`ignored`](../reference/policies.md) leaves out files, packages and unstable packages.

For interfaces of gRPC there is the [template](../reference/policies.md#templates) `api`:
`buf:v2:PACKAGE`, which holds the rules of services and methods, and the four rules of `buf:v2:WIRE`
that it lacks.

## Ten changes, by every preset
"""
TAIL = """
## Where we differ

Over random pairs of modules, our columns of Buf find the same rules at the same files and lines as its
release 1.75.0 (`make oracle` compares five thousand), except for three places:

- where a package is gone, Buf names no file; we name the first file that had it;
- where an `idempotency_level` is taken out, Buf names the first line of the file; we name the method;
- where a file's option `java_string_check_utf8` decides, Buf points at the option once; we name each field.

Findings that Confluent's registry and Karapace repeat at each reference are told once. Karapace also
finds nested types as if they stood at the top level; we do not. protolock counts a number that the old
file reserves twice; we do not. Pulsar's first proposal refuses a list of scalars that became one value;
we refuse lists of messages as well, and a check under any preset ends with the newest version that it
refuses. Under those of Pulsar it also ends with the first finding that refuses, in the order of our walk.
Of editions, a text has the label `repeated` or none. Without the
text of a file, types count as spelled with their full names.
"""


def protobuf_presets_page() -> str:
    """Print the page."""
    lines = {line["id"]: line for line in map(json.loads, GOLDEN.read_text(encoding="utf-8").splitlines())}
    chosen = [lines[number] for number in SHOWN]
    level = CONFLUENT_LEVELS["BACKWARD"]
    columns = [
        judged_by_all(schema_of(line["new"]), [HistoryEntry(1, schema_of(line["old"]))], level)
        for line in chosen
    ]
    intro = table(("preset", "is"), ABOUT)
    parts = [HEAD, "\n", intro, "\n", FORWARD]
    for line, column in zip(chosen, columns, strict=True):
        parts += [f"\n### {line['change'][0].upper()}{line['change'][1:]}\n\n", _outcomes(column), "\n"]
    return "".join([*parts, TAIL])


def _outcomes(column: Mapping[str, PresetVerdict]) -> str:
    """Who says the same, together."""
    rows = (
        (WORDS[one.word], ", ".join(map(code, one.rules)), ", ".join(map(code, one.presets)))
        for one in groups_of(column.values())
    )
    return table(("verdict", "because of", "by"), rows)

"""The values of the Helm chart, their JSON Schema and their page, printed from `chart_values`."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any, Final

import yaml

from tests.house.pages.chart_values import GROUPS, Schema, Value, values
from tests.house.pages.markdown import code, page, table

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE: Final = "`tests/house/pages/chart_values.py` and `platform/accord_server/kit/settings_table.py`"
WIDTH: Final = 100
INDENT: Final = 2


def values_file() -> str:
    """The chart's `values.yaml`: each value below the sentence that explains it."""
    head = textwrap.fill(f"Made by `make docs` from {SOURCE}; edit these instead.", WIDTH)
    return "\n".join([*_comment(head, 0), *_lines()]) + "\n"


def values_schema() -> str:
    """The chart's `values.schema.json`: refuses names and values that mean nothing."""
    root = _object_schema()
    # Helm itself gives every chart this one.
    root["properties"]["global"] = {"type": "object"}
    for value in values():
        _put(root, value)
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "Values of accord", **root}
    return json.dumps(schema, indent=2) + "\n"


def values_page() -> str:
    """The page of the manual."""
    rows = ((code(one.path), _shown(one), _sentence(one)) for one in values())
    return page(
        "Values of the Helm chart",
        SOURCE,
        "Values of `helm/accord`, which [runs Accord on Kubernetes](../how-to/deploy-on-kubernetes.md)."
        " A name that is not in this list is refused, and so is a value of the wrong kind."
        " The text of a setting may be a template, such as `https://{{ .Values.domain }}`.",
        table(("value", "default", "what it does"), rows),
    )


def _lines() -> Iterator[str]:
    """The lines of all values, with a line for each group that they open."""
    opened: set[tuple[str, ...]] = set()
    for value in values():
        for depth in range(1, len(value.keys)):
            group = value.keys[:depth]
            if group not in opened:
                yield from _opening(group)
                opened.add(group)
        if len(value.keys) == 1:
            yield ""
        yield from _value_lines(value)


def _opening(keys: tuple[str, ...]) -> Iterator[str]:
    depth = len(keys) - 1
    if depth == 0:
        yield ""
        yield from _comment(GROUPS[keys[0]], 0)
    yield f"{' ' * INDENT * depth}{keys[-1]}:"


def _value_lines(value: Value) -> Iterator[str]:
    depth = len(value.keys) - 1
    yield from _comment(_sentence(value), depth)
    text = yaml.safe_dump({value.keys[-1]: value.default}, sort_keys=False, width=1000, allow_unicode=True)
    mark = "# " if value.is_plain else ""
    yield textwrap.indent(text.rstrip("\n"), " " * INDENT * depth + mark)


def _comment(text: str, depth: int) -> list[str]:
    before = " " * INDENT * depth + "# "
    return textwrap.wrap(text, WIDTH, initial_indent=before, subsequent_indent=before)


def _sentence(value: Value) -> str:
    bounds = [f"{value.schema[key]:,}" for key in ("minimum", "maximum") if key in value.schema]
    return f"{value.sentence} From {' to '.join(bounds)}." if bounds else value.sentence


def _shown(value: Value) -> str:
    if value.default in ("", None, [], {}):
        return "none"
    return code(value.default if isinstance(value.default, str) else json.dumps(value.default))


def _object_schema() -> Schema:
    return {"type": "object", "additionalProperties": False, "properties": {}}


def _put(root: Schema, value: Value) -> None:
    node: dict[str, Any] = root
    for key in value.keys[:-1]:
        node = node["properties"].setdefault(key, _object_schema())
    node["properties"][value.keys[-1]] = {"description": value.sentence, **value.schema}
    if value.is_required:
        node.setdefault("required", []).append(value.keys[-1])

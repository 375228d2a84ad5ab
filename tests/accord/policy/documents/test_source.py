"""YAML and JSON as policy texts: places, traps, and what is refused before anything is read."""

from __future__ import annotations

import time

import pytest

from accord.policy.documents import read_document


def problems(text: str, *, is_json: bool = False) -> list[str]:
    """What is wrong with a text, each with its place."""
    return [str(one) for one in read_document(text, is_json=is_json).problems]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1, column 1: the text is empty; write a policy with a name"),
        ("# nothing\n", "line 1, column 1: the text is empty"),
        ("name: [", "line 1, column 8: the text is not YAML: expected the node content"),
        ("name: ab\n\tx: 1", "line 2, column 1: the text is not YAML: found character"),
        ("name: 'ab", "line 1, column 10: the text is not YAML: found unexpected end of stream"),
        ("ü: 1\n\nname: a\x01", "line 3, column 8: the character U+0001 may not stand in YAML"),
        ("name: \ud83d", "line 1, column 7: the character U+D83D may not stand in YAML"),
        ("name: &here ab", "line 1, column 7: name: anchors and aliases are not taken"),
        ("name: *there", "line 1, column 7: name: anchors and aliases are not taken"),
        ("name: !!str ab", "line 1, column 7: name: the tag 'tag:yaml.org,2002:str' is not taken"),
        ("name: !<x> ab", "line 1, column 7: name: the tag 'x' is not taken"),
        ("default: !!python/object:os.system {}", "line 1, column 10: default: the tag"),
        ("default:\n  <<: {}", "line 2, column 3: default: merge keys are not taken"),
        ("? [a]\n: 1", "line 1, column 3: a member's name must be a word"),
        ("--- {name: ab}\n--- {}", "line 2, column 1: a second document begins"),
        ("name: ab\nname: cd", "line 2, column 1: name: the member 'name' is given twice"),
        (f"default: {'[' * 12}", "line 1, column 21: default[0]"),
        ("a: [" + "b," * 5_000, "line 1, column 9999: a[4997]: a policy has at most 5000 words"),
        (f"name: {'x' * 65_540}", "line 1, column 1: a policy has at most 65536 bytes"),
        (f"name: {'é' * 33_000}", "line 1, column 1: a policy has at most 65536 bytes"),
        ("%TAG ! x\n%TAG ! y\n--- {}", "line 2, column 1: the text is not YAML: duplicate tag handle"),
    ],
)
def test_what_no_policy_needs_is_refused_with_its_place(text: str, problem: str) -> None:
    assert problems(text)[0][: len(problem)] == problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1, column 1: The text is not JSON"),
        ('{"name":\n  ab}', "line 2, column 3: The text is not JSON"),
        ('{"name": "ab",\n "name": "cd"}', "line 2, column 10: name: The member 'name' is given twice"),
        ('{"default": NaN}', "line 1, column 13: default: NaN is not a JSON number"),
        (f'{{"a": {"[" * 12}{"]" * 12}}}', "line 1, column 18: a.0"),
        ("{}", "line 1, column 1: the policy has no name"),
        ('{\r\n"name": 5}', "line 2, column 9: name: '5' is no text; write 2 to 40 letters"),
        ('{"name": "ab", "\\u0061": 1}', "line 1, column 16: a: there is no member 'a' here"),
        (
            '{"name": "ab", "default": {"required": {"docs": [1]}}}',
            "line 1, column 50: default.required.docs[0]",
        ),
        ('{"name": "ab", "default": {"level": null}}', "line 1, column 37: default.level: there is no level"),
        ('{"name": "ab", "default": {"limits": {"depth": 1e1}}}', "line 1, column 48: default.limits.depth"),
        ('{"name": "ab", "default": {"limits": {"depth": "9"}}}', "line 1, column 48: default.limits.depth"),
        ('/* why */ {"name": 1}', "line 1, column 20: name: '1' is no text"),
        ('{"name": "ab", "": 1}', "line 1, column 16: there is no member '' here"),
    ],
)
def test_json_has_the_same_places(text: str, problem: str) -> None:
    assert problems(text, is_json=True)[0][: len(problem)] == problem


def test_json_spells_levels_and_flags_as_json_does() -> None:
    text = '{"name": "ab", "default": {"level": {"backward": {"till": 3}}, "locked": true}}'
    read = read_document(text, is_json=True)
    assert read.problems == ()
    assert read.document is not None
    assert read.document.default["locked"] is True


def test_a_hostile_text_ends_soon() -> None:
    started = time.monotonic()
    for text in ("a: " * 20_000, "[" * 60_000, "- " * 30_000, "'" * 60_000, "a: b\n" * 13_000, "? " * 30_000):
        assert read_document(text).document is None
        assert read_document(text, is_json=True).document is None
    assert time.monotonic() - started < 60

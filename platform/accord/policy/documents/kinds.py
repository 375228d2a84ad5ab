"""The kinds of values in a policy document: how each is read, written and described.

A kind reads a value of the text and notes what is wrong with it; it gives the plain form that is
printed again, and the JSON Schema that editors check with. So parser, printer, schema and reference
page cannot disagree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from accord.model import Level
from accord.policy.documents.model import Pairs
from accord.policy.documents.presets import NO_PRESET, preset_named, preset_names
from accord.policy.documents.problems import nearest, shown
from accord.policy.documents.source import Listed, Scalar
from accord.policy.ignored_places import LONGEST_PLACE, place_flaw
from accord.policy.level_names import spell_level
from accord.policy.patterns import LONGEST_PATTERN, pattern_flaw

if TYPE_CHECKING:
    from accord.policy.documents.model import Setting
    from accord.policy.documents.problems import Problems
    from accord.policy.documents.source import Value

Plain: TypeAlias = "str | int | bool | list[Plain] | dict[str, Plain]"

UNFIT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
DIGITS = re.compile("0|[1-9][0-9]{0,17}")
NO_VALUE = "there is no value; give one, or leave the member out"


class Kind(Protocol):
    """What a row of the table says about its value."""

    def read(self, value: Value, problems: Problems) -> Setting | None:
        """Return the value, or note what is wrong and return None."""
        ...

    def schema(self) -> dict[str, Plain]:
        """Return the JSON Schema of the value."""
        ...

    def words(self) -> str:
        """Return what may be written, for the reference page."""
        ...


def word(value: Value, problems: Problems, *, expected: str) -> str | None:
    """Return a word or a quoted text; numbers and constants of JSON are neither."""
    if not isinstance(value, Scalar):
        problems.add(value.place, f"a list or an object stands here; write {expected}")
    elif value.is_null:
        problems.add(value.place, NO_VALUE)
    elif value.is_literal:
        problems.add(value.place, f"{shown(value.text)} is no text; write {expected} in quotes")
    elif UNFIT_TEXT.search(value.text):
        problems.add(value.place, "the text holds a control character or half a character; remove it")
    else:
        return value.text
    return None


@dataclass(frozen=True, slots=True)
class Text:
    """A text of so many characters; ``form`` is its grammar where it has one."""

    longest: int
    expected: str
    form: str = r"(?s:.*)"

    def read(self, value: Value, problems: Problems) -> Setting | None:
        """Read a text."""
        text = word(value, problems, expected=self.expected)
        if text is None or (len(text) <= self.longest and re.fullmatch(self.form, text)):
            return text
        problems.add(value.place, f"{shown(text)} does not do; write {self.expected}")
        return None

    def schema(self) -> dict[str, Plain]:
        """Return the JSON Schema of the text."""
        form: dict[str, Plain] = {} if self.form.startswith("(?s") else {"pattern": f"^{self.form}$"}
        return {"type": "string", "maxLength": self.longest, **form}

    def words(self) -> str:
        """Return what may be written."""
        return self.expected


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words, in any case."""

    choices: tuple[str, ...]
    type: type[str] = str

    def read(self, value: Value, problems: Problems) -> Setting | None:
        """Read one of the words."""
        text = word(value, problems, expected=self.words())
        if text is None or text.lower() in self.choices:
            return text if text is None else self.type(text.lower())
        problems.add(value.place, f"there is no {shown(text)} here; {nearest(text, self.choices)}")
        return None

    def schema(self) -> dict[str, Plain]:
        """Return the JSON Schema of the words."""
        return {"enum": list(self.choices)}

    def words(self) -> str:
        """Return what may be written."""
        return f"one of {', '.join(self.choices)}"


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false; the words that only YAML 1.1 takes for these are refused, not guessed."""

    def read(self, value: Value, problems: Problems) -> Setting | None:
        """Read a flag."""
        if isinstance(value, Scalar) and not value.is_quoted and value.text.lower() in ("true", "false"):
            return value.text.lower() == "true"
        problems.add(value.place, "a flag is true or false; write one of them, without quotes")
        return None

    def schema(self) -> dict[str, Plain]:
        """Return the JSON Schema of a flag."""
        return {"type": "boolean"}

    def words(self) -> str:
        """Return what may be written."""
        return "true or false"


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number in plain digits, up to what the installation allows."""

    largest: int
    smallest: int = 1

    def read(self, value: Value, problems: Problems) -> Setting | None:
        """Read a number."""
        if not isinstance(value, Scalar) or value.is_quoted or not DIGITS.fullmatch(value.text):
            problems.add(value.place, f"write {self.words()}, in plain digits")
        elif int(value.text) > self.largest:
            problems.add(value.place, f"{value.text} is more than allowed; write at most {self.largest}")
        elif int(value.text) < self.smallest:
            problems.add(value.place, f"{value.text} is too small; write at least {self.smallest}")
        else:
            return int(value.text)
        return None

    def schema(self) -> dict[str, Plain]:
        """Return the JSON Schema of the number."""
        return {"type": "integer", "minimum": self.smallest, "maximum": self.largest}

    def words(self) -> str:
        """Return what may be written."""
        return f"a whole number from {self.smallest} to {self.largest}"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression in RE2 syntax that must match the whole of a name."""

    def read(self, value: Value, problems: Problems) -> Setting | None:
        """Read a pattern."""
        text = word(value, problems, expected="a pattern in RE2 syntax")
        flaw = None if text is None else pattern_flaw(text)
        if flaw is not None:
            problems.add(value.place, flaw)
            return None
        return text

    def schema(self) -> dict[str, Plain]:
        """Return the JSON Schema of a pattern; its syntax is RE2's, which the schema cannot say."""
        return {"type": "string", "maxLength": LONGEST_PATTERN}

    def words(self) -> str:
        """Return what may be written."""
        return "a pattern in RE2 syntax, matched against the whole name"


@dataclass(frozen=True, slots=True)
class PlacePattern:
    """A pattern of the paths of findings."""

    def read(self, value: Value, problems: Problems) -> Setting | None:
        """Read a pattern."""
        text = word(value, problems, expected="a place such as /fields/2/**")
        flaw = None if text is None else place_flaw(text)
        if flaw is not None:
            problems.add(value.place, f"{shown(str(text))} does not do: {flaw}")
            return None
        return text

    def schema(self) -> dict[str, Plain]:
        """Return the JSON Schema of a pattern; how many steps it may have is left to the parser."""
        return {"type": "string", "maxLength": LONGEST_PLACE, "pattern": "^/([^~]|~[01])*$"}

    def words(self) -> str:
        """Return what may be written."""
        return "a pattern of the paths of findings"


@dataclass(frozen=True, slots=True)
class Words:
    """A list of words, each of one kind and given once; the empty list takes an inherited one back."""

    item: Kind
    most: int = 50

    def read(self, value: Value, problems: Problems) -> Setting | None:
        """Read the list."""
        if not isinstance(value, Listed) or len(value.items) > self.most:
            problems.add(value.place, f"write a list of at most {self.most} words")
            return None
        words: list[str] = []
        for item in value.items:
            one = self.item.read(item, problems)
            if one in words:
                problems.add(item.place, f"{shown(str(one))} is given twice; keep one of them")
            elif one is not None:
                words.append(str(one))
        return tuple(words)

    def schema(self) -> dict[str, Plain]:
        """Return the JSON Schema of the list."""
        return {
            "type": "array",
            "items": self.item.schema(),
            "maxItems": self.most,
            "uniqueItems": True,
        }

    def words(self) -> str:
        """Return what may be written."""
        return f"a list; each: {self.item.words()}"


@dataclass(frozen=True, slots=True)
class Preset:
    """The name of a preset, with or without its version."""

    is_optional: bool = False

    def read(self, value: Value, problems: Problems) -> Setting | None:
        """Read a preset's name."""
        text = word(value, problems, expected="the name of a preset")
        if text is None or text in self._names() or preset_named(text):
            return text
        problems.add(value.place, f"there is no preset {shown(text)}; {nearest(text, self._names())}")
        return None

    def _names(self) -> list[str]:
        return [*preset_names(), *([NO_PRESET] if self.is_optional else [])]

    def schema(self) -> dict[str, Plain]:
        """Return the JSON Schema of the names."""
        return {"enum": [*self._names()]}

    def words(self) -> str:
        """Return what may be written."""
        return f"one of {', '.join(self._names())}"


def plain(setting: Setting) -> Plain:
    """Return a value as it is printed."""
    match setting:
        case Level():
            return spell_level(setting)
        case tuple():
            return [str(one) for one in setting]
        case Pairs():
            return {name: plain(value) for name, value in setting.items}
        case bool() | int():
            return setting
    return str(setting)

"""Buf's configuration as a policy: what ``buf.yaml`` says about breaking changes and lint, in our words.

Read are the versions v1 and v2, whose members mean the same but for three: v2 may have several modules, each
with sections of its own; v1 lets comments silence lint only where it is told to; and the categories differ a
little. Paths begin at the file in both, and those of a policy at the module. Source: Buf's reference of
``buf.yaml``, its release 1.75.
"""

from __future__ import annotations

import json
import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from accord.formats.places import pointer_token
from accord.lint.table import known_names, rules_named
from accord.policy.documents.problems import Place, Problems, nearest, shown
from accord.policy.documents.reading import read_document
from accord.policy.documents.source import Listed, Mapped, Scalar, read_source
from accord.rules.columns import BUF_RETIRED, BUF_ROWS, CATEGORIES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from accord.policy.documents.model import PolicyDocument
    from accord.policy.documents.problems import Problem
    from accord.policy.documents.source import Value

    Data = dict[str, object]

VERSIONS: Final = ("v1", "v2")
# What a file may hold besides, about other things than rules.
PASSED_OVER: Final = frozenset({"version", "name", "deps", "build", "modules", "plugins", "policies"})
SECTIONS: Final = ("breaking", "lint")
EXCLUDES: Final = "excludes"
MODULE: Final = ("path", "name", EXCLUDES, *SECTIONS)
BREAKING: Final = (
    "use",
    "except",
    "ignore",
    "ignore_only",
    "ignore_unstable_packages",
    "disable_builtin",
)
LINT_FLAGS: Final = (
    "rpc_allow_same_request_response",
    "rpc_allow_google_protobuf_empty_requests",
    "rpc_allow_google_protobuf_empty_responses",
)
LINT_TEXTS: Final = ("enum_zero_value_suffix", "service_suffix")
LINT_LISTS: Final = ("use", "except")
LINT_DEFAULT: Final = {"v1": "DEFAULT", "v2": "STANDARD"}
# What v1 does not have, and what it has in no category.
UNKNOWN_TO_V1: Final = frozenset(("FIELD_NOT_REQUIRED", "STABLE_PACKAGE_NO_IMPORT_UNSTABLE"))
UNSORTED_IN_V1: Final = frozenset(("PACKAGE_NO_IMPORT_CYCLE",))
COMMENTS: Final = {"v1": "allow_comment_ignores", "v2": "disallow_comment_ignores"}
ENDING: Final = ".proto"
HERE: Final = "."
NAME_IT: Final = "name it with --module"
INSTEAD: Final = "leave the section out, or name rules in except"


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a configuration: a policy, or what is wrong with it, in the order of the text."""

    document: PolicyDocument | None
    problems: tuple[Problem, ...] = ()


def import_buf(text: str, name: str, *, module: str = "") -> Imported:
    """Return the policy of a configuration; ``module`` is the path of one of v2, where several differ.

    What no policy can say is a problem, never left out silently. Paths of other modules say nothing about
    this one.
    """
    problems = Problems()
    value = read_source(text, is_json=False, problems=problems)
    data = None if value is None else _Reader(problems, module).policy(value, name)
    if problems.found or data is None:
        return Imported(None, problems.sorted())
    read = read_document(json.dumps(data), is_json=True)
    # What Buf takes and a policy does not, such as a path that leads upwards.
    return Imported(read.document, tuple(read.problems))


def breaking_rules(version: str) -> dict[str, frozenset[str]]:
    """Return what each name selects that a version of the configuration knows; some are retired."""
    column = VERSIONS.index(version) + 1
    found = {
        name: frozenset(row[0] for row in BUF_ROWS if letter in row[column])
        for name, letter in CATEGORIES.items()
    }
    known = {name: rules for name, rules in found.items() if rules}
    retired = {name: frozenset(rules) for name, rules in BUF_RETIRED[version].items()}
    return known | {row[0]: frozenset({row[0]}) for row in BUF_ROWS if row[column] != "-"} | retired


class _Reader:
    """One configuration: ``problems`` collects what is wrong, ``folders`` are those of ``meant`` modules."""

    def __init__(self, problems: Problems, module: str) -> None:
        self.problems = problems
        self.module = posixpath.normpath(module) if module else ""
        self.version = "v2"
        self.folders = frozenset((HERE,))
        self.meant: list[Mapped] = []

    def policy(self, value: Value, name: str) -> Data | None:
        top = self._object(value, "the configuration")
        if top is None or not self._has_version(top):
            return None
        self._known(top, (*PASSED_OVER, *SECTIONS))
        held = {section: top.members.get(section) for section in SECTIONS} | self._of_module(top)
        made: Data = {"preset": f"buf:{self.version}:FILE"}
        excluded = self._excluded(top)
        for section, read in (("breaking", self._breaking), ("lint", self._lint)):
            # A section that is left out stands for the default rules.
            inner = held[section] or Mapped(top.place, {}, {})
            found = self._object(inner, section)
            made |= {} if found is None else read(found, excluded)
        return {"name": name, "description": "From buf.yaml", "formats": {"protobuf": made}}

    def _has_version(self, top: Mapped) -> bool:
        version = top.members.get("version")
        if isinstance(version, Scalar) and version.text in VERSIONS:
            self.version = version.text
            return True
        place = top.place if version is None else version.place
        self.problems.add(place, "the version is v1 or v2; bring the file there with buf config migrate")
        return False

    def _of_module(self, top: Mapped) -> dict[str, Value]:
        """Return the sections of a module that has some, which take the place of those of the file."""
        modules = top.members.get("modules")
        items = modules.items if isinstance(modules, Listed) else []
        held = [one for one in items if isinstance(one, Mapped)]
        wanted = [one for one in held if not self.module or _path(one) == self.module]
        for one in held:
            self._known(one, MODULE)
        self.meant = wanted
        self.folders = frozenset(map(_path, wanted)) or self.folders
        own: list[dict[str, Value]] = [
            {key: one.members[key] for key in SECTIONS if key in one.members} for one in wanted
        ]
        if self.module and not wanted:
            self.problems.add(
                top.place, f"there is no module {shown(self.module)}; name another with --module"
            )
        elif len(wanted) > 1 and any(own):
            place = next(one.place for one, sections in zip(wanted, own, strict=True) if sections)
            self.problems.add(place, f"modules have sections of their own, a policy is for one; {NAME_IT}")
        return own[0] if len(own) == 1 else {}

    def _excluded(self, top: Mapped) -> list[str]:
        """Return the paths of the module that hold no files of it: v1 keeps them apart, v2 in the module."""
        if self.version == "v1":
            build = top.members.get("build")
            held = None if build is None else self._object(build, "build")
            if held is None:
                return []
            self._known(held, (EXCLUDES,))
            return self._paths(held, EXCLUDES)
        return [path for module in self.meant for path in self._paths(module, EXCLUDES)]

    def _breaking(self, section: Mapped, excluded: list[str]) -> Data:
        self._known(section, BREAKING)
        known = breaking_rules(self.version)
        used = self._rules(section, "use", known) or known["FILE"]
        rules = used - self._rules(section, "except", known)
        made = _columns(self.version, rules)
        for rule, places in self._ignored_only(section, known).items():
            made.setdefault(rule, {})["parameters"] = {"ignore": places}
        self._has_built_in(section)
        ignored: Data = {}
        if paths := [*excluded, *self._paths(section, "ignore")]:
            ignored["paths"] = paths
        if self._flag(section, "ignore_unstable_packages"):
            ignored["unstable_packages"] = True
        preset = _nearest(self.version, rules)
        return {
            "preset": preset,
            **({"ignored": ignored} if ignored else {}),
            **({"rules": made} if made else {}),
        }

    def _ignored_only(self, section: Mapped, known: dict[str, frozenset[str]]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, paths in self._by_name(section, known).items():
            for rule in sorted(known[name]):
                found.setdefault(rule, []).extend(one for path in paths for one in _places(path))
        return {rule: list(dict.fromkeys(places)) for rule, places in found.items() if places}

    def _lint(self, section: Mapped, excluded: list[str]) -> Data:
        comments = COMMENTS[self.version]
        known = (*LINT_LISTS, "ignore", "ignore_only", *LINT_FLAGS, *LINT_TEXTS, comments, "disable_builtin")
        self._known(section, known)
        self._has_built_in(section)
        made: Data = self._lint_rules(section)
        if paths := [*excluded, *self._paths(section, "ignore")]:
            made["ignore"] = paths
        made |= {name: True for name in LINT_FLAGS if self._flag(section, name)}
        # An empty text stands for the default.
        made |= {name: text for name in LINT_TEXTS if (text := self._text(section, name))}
        is_told = self._flag(section, comments)
        if is_told if self.version == "v2" else not is_told:
            made["disallow_comment_ignores"] = True
        only = self._by_name(section, self._lint_names())
        if any(only.values()):
            made["ignore_only"] = {name: paths for name, paths in only.items() if paths}
        return {"lint": made}

    def _lint_rules(self, section: Mapped) -> Data:
        """Return the rules that count and those that do not."""
        names = self._lint_names()
        for name in LINT_LISTS:
            self._check_names(section, name, names)
        used = self._texts(section, "use") or [LINT_DEFAULT[self.version]]
        without = self._texts(section, "except")
        if self.version == "v1":
            selected = {row.id for name in used if name in names for row in rules_named(name)}
            later = selected & (UNKNOWN_TO_V1 | UNSORTED_IN_V1)
            without = [*without, *sorted(later.difference(used, without))]
        return {"use": used, **({"except": without} if without else {})}

    def _lint_names(self) -> frozenset[str]:
        names = frozenset(map(str, known_names()))
        return names - UNKNOWN_TO_V1 if self.version == "v1" else names

    def _has_built_in(self, section: Mapped) -> None:
        if self._flag(section, "disable_builtin"):
            place = section.keys["disable_builtin"]
            self.problems.add(place, "rules of plugins are unknown here; leave disable_builtin out")

    def _rules(self, section: Mapped, member: str, known: dict[str, frozenset[str]]) -> frozenset[str]:
        names = self._texts(section, member)
        self._check_names(section, member, known)
        return frozenset().union(*(known.get(name, frozenset()) for name in names))

    def _check_names(self, section: Mapped, member: str, known: Collection[str]) -> None:
        value = section.members.get(member)
        for item in value.items if isinstance(value, Listed) else []:
            if isinstance(item, Scalar) and item.text not in known:
                self._unknown(item.place, item.text, known)

    def _by_name(self, section: Mapped, known: Collection[str]) -> dict[str, list[str]]:
        value = section.members.get("ignore_only")
        held = None if value is None else self._object(value, "ignore_only")
        if held is None:
            return {}
        for name, place in held.keys.items():
            if name not in known:
                self._unknown(place, name, known)
        return {name: self._paths(held, name) for name in held.members if name in known}

    def _unknown(self, place: Place, name: str, known: Collection[str]) -> None:
        self.problems.add(place, f"there is no rule or category {shown(name)}; {nearest(name, known)}")

    def _object(self, value: Value, what: str) -> Mapped | None:
        if isinstance(value, Mapped):
            return value
        self.problems.add(value.place, f"an object belongs here, the members of {what}")
        return None

    def _known(self, held: Mapped, names: Iterable[str]) -> None:
        known = frozenset(names)
        for key, place in held.keys.items():
            if key not in known:
                self.problems.add(place, f"no policy can say {shown(key)}; {nearest(key, known)}")

    def _texts(self, held: Mapped, member: str) -> list[str]:
        return list(dict.fromkeys(one.text for one in self._words(held, member)))

    def _paths(self, held: Mapped, member: str) -> list[str]:
        """Return the paths of a list as they are in the module; those of other modules are left out."""
        found = (self._inside(one) for one in self._words(held, member))
        return list(dict.fromkeys(path for path in found if path))

    def _inside(self, word: Scalar) -> str:
        if len(self.folders) > 1:
            self.problems.add(
                word.place, f"paths begin at this file, those of a policy at a module; {NAME_IT}"
            )
            return ""
        (folder,) = self.folders
        path = posixpath.normpath(word.text)
        if folder == HERE or path.startswith(("/", "../")):
            return word.text
        if path == HERE or f"{folder}/".startswith(f"{path}/"):
            self.problems.add(word.place, f"{shown(word.text)} holds all of the module; {INSTEAD}")
        return path.removeprefix(f"{folder}/") if path.startswith(f"{folder}/") else ""

    def _words(self, held: Mapped, member: str) -> list[Scalar]:
        value = held.members.get(member)
        if value is None:
            return []
        words = [one for one in value.items if isinstance(one, Scalar)] if isinstance(value, Listed) else []
        if isinstance(value, Listed) and len(words) == len(value.items):
            return words
        self.problems.add(value.place, "write a list of words")
        return []

    def _text(self, held: Mapped, member: str) -> str | None:
        value = held.members.get(member)
        if value is None or isinstance(value, Scalar):
            return None if value is None else value.text
        self.problems.add(value.place, "write a word")
        return None

    def _flag(self, held: Mapped, member: str) -> bool:
        text = self._text(held, member)
        if text not in {None, "true", "false"}:
            self.problems.add(held.members[member].place, "a flag is true or false")
        return text == "true"


def _path(module: Mapped) -> str:
    value = module.members.get("path")
    return posixpath.normpath(value.text) if isinstance(value, Scalar) else HERE


def _nearest(version: str, rules: frozenset[str]) -> str:
    """Return the preset of the category that differs least from some rules."""
    known = breaking_rules(version)
    category = min((one for one in CATEGORIES if one in known), key=lambda one: len(known[one] ^ rules))
    return f"buf:{version}:{category}"


def _columns(version: str, rules: frozenset[str]) -> dict[str, dict[str, object]]:
    """Return how the rules differ from their preset, cell by cell."""
    base = breaking_rules(version)[_nearest(version, rules).rpartition(":")[2]]
    return {rule: {"severity": "block" if rule in rules else "off"} for rule in sorted(base ^ rules)}


def _places(path: str) -> list[str]:
    """Return the places that stand for a file, or for all files of a folder."""
    token = pointer_token(path.rstrip("/"))
    return [f"/{token}/**"] if path.endswith(ENDING) else [f"/{token}~1*/**"]

"""Buf's configuration as a policy."""

from __future__ import annotations

import pytest

from accord.model import Format, Severity
from accord.policy.buf_config import breaking_rules, import_buf
from accord.policy.documents.model import Pairs
from accord.rules.presets import PRESETS

# What categories of v2 hold and those of v1 do not.
LATER = ("FIELD_NOT_REQUIRED", "PACKAGE_NO_IMPORT_CYCLE")
V1 = {"lint.use": ("DEFAULT",), "lint.except": LATER}


def section(text: str, **options: str) -> dict[str, object]:
    """What the policy of a configuration sets for Protobuf."""
    made = import_buf(text, "house", **options)
    assert made.problems == ()
    assert made.document is not None
    assert (made.document.name, list(made.document.formats)) == ("house", [Format.PROTOBUF])
    return dict(made.document.formats[Format.PROTOBUF])


def problems(text: str, **options: str) -> list[str]:
    made = import_buf(text, "house", **options)
    assert made.document is None
    return list(map(str, made.problems))


def compared(text: str, **options: str) -> dict[str, object]:
    """What the policy sets for comparisons; lint stands for itself."""
    found = section(text, **options)
    return {name: value for name, value in found.items() if not name.startswith("lint.")}


def breaking(body: str, version: str = "v2") -> dict[str, object]:
    return compared(f"version: {version}\nbreaking:\n{body}")


def linted(told: str, version: str = "v2") -> dict[str, object]:
    found = section(f"version: {version}\nlint: {told}\n")
    assert found.pop("preset") == f"buf:{version}:FILE"
    return found


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_without_rules_files_are_compared(version: str) -> None:
    assert compared(f"version: {version}\n") == {"preset": f"buf:{version}:FILE"}
    assert breaking("  except: []\n", version) == {"preset": f"buf:{version}:FILE"}


def test_without_rules_lint_takes_what_buf_takes() -> None:
    assert linted("{}") == {"lint.use": ("STANDARD",)}
    assert linted("{}", "v1") == {**V1, "lint.disallow_comment_ignores": True}


@pytest.mark.parametrize(
    ("told", "left_out"),
    [
        ("use: [MINIMAL]", ("PACKAGE_NO_IMPORT_CYCLE",)),
        ("use: [BASIC, PACKAGE_NO_IMPORT_CYCLE]", ("FIELD_NOT_REQUIRED",)),
        ("use: [COMMENTS, IMPORT_NO_WEAK]", None),
        ("except: [ENUM_PASCAL_CASE]", ("ENUM_PASCAL_CASE", *LATER)),
        ("use: [MINIMAL], except: [PACKAGE_NO_IMPORT_CYCLE]", ("PACKAGE_NO_IMPORT_CYCLE",)),
    ],
)
def test_categories_of_v1_hold_no_rule_that_came_later(told: str, left_out: tuple[str, ...] | None) -> None:
    assert linted(f"{{{told}}}", "v1").get("lint.except") == left_out


def test_comments_silence_lint_where_the_version_says_so() -> None:
    assert linted("{disallow_comment_ignores: true}")["lint.disallow_comment_ignores"] is True
    assert linted("{disallow_comment_ignores: false}") == linted("{}")
    assert linted("{allow_comment_ignores: true}", "v1") == V1


def test_lint_has_the_words_of_buf() -> None:
    told = (
        "{use: [MINIMAL, COMMENTS], except: [COMMENT_FIELD], ignore: [vendor], service_suffix: API,"
        " ignore_only: {BASIC: [old/a.proto], ENUM_PASCAL_CASE: [b]}, enum_zero_value_suffix: _NONE,"
        " rpc_allow_same_request_response: true, rpc_allow_google_protobuf_empty_requests: false}"
    )
    assert linted(told) == {
        "lint.use": ("MINIMAL", "COMMENTS"),
        "lint.except": ("COMMENT_FIELD",),
        "lint.ignore": ("vendor",),
        "lint.service_suffix": "API",
        "lint.ignore_only": Pairs((("BASIC", ("old/a.proto",)), ("ENUM_PASCAL_CASE", ("b",)))),
        "lint.enum_zero_value_suffix": "_NONE",
        "lint.rpc_allow_same_request_response": True,
    }


def test_both_sections_of_a_module_are_its_own() -> None:
    text = (
        "version: v2\nlint: {use: [BASIC]}\nbreaking: {use: [WIRE]}\nmodules:\n"
        "  - path: a\n    lint: {use: [MINIMAL]}\n  - path: b\n"
    )
    assert section(text, module="a") == {"preset": "buf:v2:WIRE", "lint.use": ("MINIMAL",)}
    assert section(text, module="b") == {"preset": "buf:v2:WIRE", "lint.use": ("BASIC",)}


MODULES = (
    "version: v2\nmodules: [{path: ./proto}, {path: other}]\n"
    "lint: {use: [BASIC], ignore: [proto/vendor/, other/old], ignore_only: {%s: [./proto/y/y.proto]}}\n"
    "breaking: {ignore: [proto/vendor], ignore_only: {FIELD_SAME_NAME: [proto/y, other/z.proto]}}\n"
)


def test_paths_of_a_module_begin_at_the_module() -> None:
    assert section(MODULES % "ENUM_PASCAL_CASE", module="proto/") == {
        "preset": "buf:v2:FILE",
        "ignored.paths": ("vendor",),
        "rules.FIELD_SAME_NAME.parameters.ignore": ("/y~1*/**",),
        "lint.use": ("BASIC",),
        "lint.ignore": ("vendor",),
        "lint.ignore_only": Pairs((("ENUM_PASCAL_CASE", ("y/y.proto",)),)),
    }
    assert section(MODULES % "ENUM_PASCAL_CASE", module="other") == {
        "preset": "buf:v2:FILE",
        "rules.FIELD_SAME_NAME.parameters.ignore": ("/z.proto/**",),
        "lint.use": ("BASIC",),
        "lint.ignore": ("old",),
    }


def test_the_only_module_needs_no_name() -> None:
    text = "version: v2\nmodules: [{path: a/b}]\nbreaking: {ignore: [a/b/c.proto, a/bc, x]}\n"
    assert compared(text) == {"preset": "buf:v2:FILE", "ignored.paths": ("c.proto",)}


def test_paths_need_the_name_of_one_of_several_modules() -> None:
    several = problems(MODULES % "BASIC")
    assert len(several) == 6
    assert several[0].startswith("line 3, column 31: lint.ignore[0]: paths begin at this file")
    assert several[0].endswith("name it with --module")


@pytest.mark.parametrize("path", ["a", "a/b", "./a/b/", "."])
def test_a_policy_cannot_ignore_all_of_its_module(path: str) -> None:
    text = f"version: v2\nmodules: [{{path: a/b}}]\nlint: {{ignore: [{path}]}}\n"
    (problem,) = problems(text)
    assert problem == (
        f"line 3, column 17: lint.ignore[0]: '{path}' holds all of the module;"
        " leave the section out, or name rules in except"
    )


@pytest.mark.parametrize(
    ("version", "name", "selected"),
    [
        ("v1", "FIELD_SAME_CTYPE", {"FIELD_SAME_CPP_STRING_TYPE"}),
        (
            "v1",
            "FIELD_SAME_LABEL",
            {
                "FIELD_SAME_CARDINALITY",
                "FIELD_WIRE_COMPATIBLE_CARDINALITY",
                "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY",
            },
        ),
        ("v1", "FILE_SAME_JAVA_STRING_CHECK_UTF8", {"FIELD_SAME_JAVA_UTF8_VALIDATION"}),
        ("v1", "FILE_SAME_PHP_GENERIC_SERVICES", set()),
        ("v1", "MESSAGE_SAME_MESSAGE_SET_WIRE_FORMAT", set()),
        ("v2", "MESSAGE_SAME_MESSAGE_SET_WIRE_FORMAT", set()),
    ],
)
def test_a_retired_name_selects_what_took_its_place(version: str, name: str, selected: set[str]) -> None:
    assert breaking_rules(version)[name] == selected
    with_it = breaking(f"  use: [SERVICE_NO_DELETE, {name}]\n", version)
    assert with_it == breaking(f"  use: {['SERVICE_NO_DELETE', *sorted(selected)]}\n", version)
    without_it = breaking(f"  except: [{name}]\n  ignore_only: {{{name}: [a]}}\n", version)
    spelled = "".join(f"    {one}: [a]\n" for one in sorted(selected))
    only = f"  ignore_only:\n{spelled}" if spelled else ""
    assert without_it == breaking(f"  except: {sorted(selected)}\n{only}", version)


@pytest.mark.parametrize("category", ["FILE", "PACKAGE", "WIRE_JSON", "WIRE", "CSR"])
def test_a_category_is_a_preset(category: str) -> None:
    assert breaking(f"  use: [{category}]\n") == {"preset": f"buf:v2:{category}"}


def test_single_rules_are_cells_that_differ_from_the_nearest_preset() -> None:
    found = breaking("  use: [WIRE, FIELD_SAME_NAME]\n  except: [FIELD_SAME_ONEOF]\n")
    assert found == {
        "preset": "buf:v2:WIRE",
        "rules.FIELD_SAME_NAME": Severity.BLOCK,
        "rules.FIELD_SAME_ONEOF": Severity.OFF,
    }


def test_two_categories_block_what_either_blocks() -> None:
    found = breaking("  use: [PACKAGE, WIRE]\n")
    cells = {**PRESETS["buf:v2:PACKAGE"]}
    cells |= {rule.removeprefix("rules."): weight for rule, weight in found.items() if rule != "preset"}  # type: ignore[misc]  # severities
    both = [PRESETS["buf:v2:PACKAGE"], PRESETS["buf:v2:WIRE"]]
    wanted = {rule for one in both for rule, weight in one.items() if weight is Severity.BLOCK}
    assert {rule for rule, weight in cells.items() if weight is Severity.BLOCK} == wanted


def test_what_is_ignored_stays_ignored() -> None:
    found = breaking(
        "  use: [FIELD_SAME_NAME]\n  ignore: [vendor, a/b.proto]\n  ignore_unstable_packages: true\n"
        "  ignore_only:\n    FIELD_SAME_NAME: [old/, c/d.proto]\n"
    )
    assert found["ignored.paths"] == ("vendor", "a/b.proto")
    assert found["ignored.unstable_packages"] is True
    assert found["rules.FIELD_SAME_NAME.parameters.ignore"] == ("/old~1*/**", "/c~1d.proto/**")


def test_the_sections_of_a_module_take_the_place_of_those_of_the_file() -> None:
    text = (
        "version: v2\nbreaking: {use: [WIRE]}\nmodules:\n"
        "  - path: a\n    breaking: {use: [CSR]}\n  - path: b\n  - name: c\n"
    )
    assert compared(text, module="a") == {"preset": "buf:v2:CSR"}
    assert compared(text, module="b") == compared(text, module=".") == {"preset": "buf:v2:WIRE"}
    (several,) = problems(text)
    assert several.startswith("line 4, column 5: modules[0]: modules have sections of their own")
    assert "there is no module 'x'" in problems(text, module="x")[0]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("breaking: {}", "line 1, column 1: the version is v1 or v2"),
        ("version: v1beta1", "line 1, column 10: version: the version is v1 or v2"),
        ("- version: v1", "line 1, column 1: an object belongs here, the members of the configuration"),
        (
            "version: v2\nbreakin: {}",
            "line 2, column 1: breakin: no policy can say 'breakin'; did you mean breaking?",
        ),
        (
            "version: v2\nbreaking: []",
            "line 2, column 11: breaking: an object belongs here, the members of breaking",
        ),
        ("version: v2\nbreaking: {usee: []}", "breaking.usee: no policy can say 'usee'; did you mean use?"),
        ("version: v2\nbreaking: {use: FILE}", "breaking.use: write a list of words"),
        ("version: v2\nbreaking: {use: [[a]]}", "breaking.use: write a list of words"),
        (
            "version: v2\nbreaking: {use: [FILES]}",
            "breaking.use[0]: there is no rule or category 'FILES'; did you mean FILE?",
        ),
        ("version: v1\nbreaking: {use: [CSR]}", "there is no rule or category 'CSR'"),
        ("version: v2\nbreaking: {ignore_only: {X: [a]}}", "there is no rule or category 'X'"),
        ("version: v2\nbreaking: {ignore_only: []}", "an object belongs here, the members of ignore_only"),
        ("version: v2\nbreaking: {disable_builtin: true}", "rules of plugins are unknown here"),
        ("version: v2\nbreaking: {ignore_unstable_packages: maybe}", "a flag is true or false"),
        ("version: v2\nbreaking: {ignore_unstable_packages: []}", "write a word"),
        ("version: v2\nbreaking: {ignore: [../a]}", "'../a' does not do; write the path of a file or folder"),
        ("version: v2\nlint: []", "line 2, column 7: lint: an object belongs here, the members of lint"),
        ("version: v2\nlint: {usee: []}", "lint.usee: no policy can say 'usee'; did you mean use?"),
        ("version: v2\nlint: {allow_comment_ignores: true}", "no policy can say 'allow_comment_ignores'"),
        ("version: v2\nlint: {disable_builtin: true}", "lint.disable_builtin: rules of plugins are unknown"),
        (
            "version: v2\nlint: {except: [FILE_LOWER_SNAKE]}",
            "lint.except[0]: there is no rule or category 'FILE_LOWER_SNAKE'; did you mean FILE_",
        ),
        ("version: v2\nlint: {ignore_only: {X: [a]}}", "there is no rule or category 'X'"),
        ("version: v2\nlint: {service_suffix: [a]}", "lint.service_suffix: write a word"),
        ("version: v2\nlint: {ignore: [.]}", "'.' does not do"),
        ("version: v2\nmodules: [{path: a}]\nbreaking: {ignore: [../a]}", "'../a' does not do"),
        (
            "version: v2\nbreaking: {use: [FIELD_SAME_CTYPE]}",
            "there is no rule or category 'FIELD_SAME_CTYPE'",
        ),
        ("version: v1\nlint: {use: [FIELD_NOT_REQUIRED]}", "no rule or category 'FIELD_NOT_REQUIRED'"),
        ("version: [", "line 1, column"),
    ],
)
def test_what_no_policy_can_say_is_named_with_its_line(text: str, problem: str) -> None:
    assert any(problem in one for one in problems(text)), problems(text)


@pytest.mark.parametrize(("version", "use"), [("v1", V1), ("v2", {"lint.use": ("STANDARD",)})])
def test_a_file_without_sections_stands_for_the_default_rules(version: str, use: dict[str, object]) -> None:
    found = section(f"version: {version}\n")
    assert found.pop("preset") == f"buf:{version}:FILE"
    assert {name: found[name] for name in use} == use


@pytest.mark.parametrize(
    ("text", "paths", "ignored"),
    [
        (
            "version: v2\nmodules: [{path: proto, excludes: [proto/gen, proto/old/a.proto]}]",
            ("gen", "old/a.proto"),
            ("gen", "old/a.proto"),
        ),
        (
            "version: v1\nbuild: {excludes: [gen]}\nlint: {ignore: [vendor]}",
            ("gen",),
            ("gen", "vendor"),
        ),
        ("version: v1\nbuild: {}", (), ()),
    ],
)
def test_excluded_files_are_judged_by_nothing(
    text: str, paths: tuple[str, ...], ignored: tuple[str, ...]
) -> None:
    found = section(text)
    assert tuple(found.get("ignored.paths", ())) == paths  # type: ignore[arg-type]  # a list of paths
    assert tuple(found.get("lint.ignore", ())) == ignored  # type: ignore[arg-type]  # as above


@pytest.mark.parametrize("member", ["lnt", "includes"])
def test_a_member_of_a_module_that_says_nothing_is_a_problem(member: str) -> None:
    (found,) = problems(f"version: v2\nmodules: [{{path: proto, {member}: [proto/a]}}]")
    assert f"no policy can say '{member}'" in found


def test_an_empty_suffix_stands_for_the_default() -> None:
    assert "lint.service_suffix" not in linted("{service_suffix: ''}")

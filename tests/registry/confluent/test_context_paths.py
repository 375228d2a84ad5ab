"""Paths below a context, with and without the path as it was sent."""

from __future__ import annotations

from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.naming import split_subject
from accord_server.kit.error_tables import HttpError
from registry.api.confluent.context_paths import context_named, rewritten

SPELLINGS = (".c", "c", ":.c:")
NAMES = st.text(st.characters(blacklist_categories=("Cc", "Cs")), min_size=1, max_size=12)


def sent(path: str) -> tuple[str, str | None]:
    """What serves a path that is sent as it stands: decoded, and as it was sent."""
    found = rewritten(unquote(path), path)
    assert found.raw_path is not None
    assert unquote(found.raw_path) == found.path
    return found.path, found.raw_path


@pytest.mark.parametrize("context", SPELLINGS)
@pytest.mark.parametrize(
    ("below", "means"),
    [
        ("/subjects/s/versions", "/subjects/:.c:s/versions"),
        ("/subjects/s", "/subjects/:.c:s"),
        ("/subjects/a/b/versions/1/schema", "/subjects/:.c:a/b/versions/1/schema"),
        ("/subjects//versions", "/subjects/:.c:/versions"),
        ("/subjects/config/versions", "/subjects/:.c:config/versions"),
        ("/subjects/subjects/versions", "/subjects/:.c:subjects/versions"),
        ("/subjects/:.d:s/versions", "/subjects/:.d:s/versions"),
        ("/subjects/:.:s/versions", "/subjects/:.:s/versions"),
        ("/subjects/:*:s/versions", "/subjects/:*:s/versions"),
        ("/subjects/:s/versions", "/subjects/:.c::s/versions"),
        ("/compatibility/subjects/s/versions/latest", "/compatibility/subjects/:.c:s/versions/latest"),
        ("/compatibility/subjects/s/versions/", "/compatibility/subjects/:.c:s/versions"),
        ("/config", "/config/:.c:"),
        ("/config/", "/config/:.c:"),
        ("/mode", "/mode/:.c:"),
        ("/config/s", "/config/:.c:s"),
        ("/mode/subjects/s", "/mode/:.c:subjects/s"),
        ("/config/:.__GLOBAL:", "/config/:.__GLOBAL:"),
        ("/schemas/types", "/schemas/types"),
        ("/schemas/guids/x/ids", "/schemas/guids/x/ids"),
        ("/v1/metadata/id", "/v1/metadata/id"),
        ("/contexts", "/contexts"),
        ("/contexts/", "/contexts"),
        ("", "/contexts/:.c:"),
        ("/", "/contexts/:.c:"),
        ("/nowhere/s", "/nowhere/s"),
    ],
)
def test_paths_below_a_context(context: str, below: str, means: str) -> None:
    path = f"/contexts/{context}{below}"
    assert rewritten(path).path == means
    assert sent(path)[0] == means
    assert sent(path.replace(":", "%3A"))[0] == means


def test_a_slash_that_is_part_of_a_name_is_kept() -> None:
    assert sent("/contexts/c/subjects/a%2Fversions%2F1") == (
        "/subjects/:.c:a/versions/1",
        "/subjects/%3A.c%3Aa%2Fversions%2F1",
    )
    assert sent("/contexts/.a%2Fb/config") == ("/config/:.a/b:", "/config/%3A.a%2Fb%3A")


def test_letters_sent_as_signs_mean_the_same() -> None:
    assert sent("/%63ontexts/c/%73ubjects/s")[0] == "/subjects/:.c:s"


def test_a_slash_sent_with_signs_in_its_place_leaves_the_decoded_path() -> None:
    found = rewritten("/contexts/c/subjects/s", "/contexts%2Fc/subjects/s")
    assert (found.path, found.raw_path) == ("/subjects/:.c:s", None)


@pytest.mark.parametrize("default", [".", ":.:", ""])
@pytest.mark.parametrize("below", ["/subjects/s/versions", "/config", "/subjects", "/schemas/ids/1"])
def test_the_default_context_adds_nothing(default: str, below: str) -> None:
    assert rewritten(f"/contexts/{default}{below}") == (below, None, "", "")


@pytest.mark.parametrize("default", [".", ":.:"])
def test_the_default_context_alone(default: str) -> None:
    assert rewritten(f"/contexts/{default}").path == "/contexts/:.:"


@pytest.mark.parametrize(
    ("below", "parameter", "given", "asked"),
    [
        ("/schemas/ids/1", "subject", {}, ":.c:"),
        ("/schemas/ids/1/versions", "subject", {"subject": "s"}, ":.c:s"),
        ("/schemas/ids/1", "subject", {"subject": ":.d:s"}, ":.d:s"),
        ("/schemas/ids/1", "subject", {"subject": ":s"}, ":.c::s"),
        ("/schemas", "subjectPrefix", {}, ":.c:"),
        ("/schemas/", "subjectPrefix", {"subjectPrefix": "or"}, ":.c:or"),
        ("/subjects", "subjectPrefix", {"subjectPrefix": ":*:or"}, ":*:or"),
        ("/subjects", "subjectPrefix", {"subjectPrefix": ":.:or"}, ":.:or"),
    ],
)
def test_the_query_of_a_path_below_a_context(
    below: str, parameter: str, given: dict[str, str], asked: str
) -> None:
    found = rewritten(f"/contexts/c{below}")
    assert found.parameters(given) == {parameter: asked}


@pytest.mark.parametrize("below", ["/subjects/s", "/schemas/types", "/schemas/guids/x", "/config"])
def test_other_queries_are_left_alone(below: str) -> None:
    assert rewritten(f"/contexts/c{below}").parameters({"subject": "s", "subjectPrefix": "s"}) == {}


@pytest.mark.parametrize(
    "path", ["", "/", "/contexts", "/contexts/", "/subjects/s", "/subjects/contexts/x", "//contexts/c/x"]
)
def test_paths_without_a_context_come_back_as_they_are(path: str) -> None:
    assert rewritten(path, quote(path)) == (path, quote(path), "", "")
    assert rewritten(path) == (path, None, "", "")


@pytest.mark.parametrize("below", ["", "/config", "/subjects/s/versions", "/schemas/types"])
@pytest.mark.parametrize("name", ["foo:bar", ":.foo:bar:", ":foo:", ":", "::", ":.", ":*:", ".foo:"])
def test_the_name_of_a_context_has_no_colon(name: str, below: str) -> None:
    with pytest.raises(HttpError) as refusal:
        rewritten(f"/contexts/{name}{below}")
    assert refusal.value.status == 400
    assert "cannot contain a colon" in refusal.value.message


def test_the_message_names_the_context() -> None:
    with pytest.raises(HttpError, match="Context name 'foo:bar' cannot contain a colon"):
        context_named("foo:bar")


@pytest.mark.parametrize("path", ["/contexts/c/contexts/d", "/contexts/./contexts/d/subjects"])
def test_no_context_is_inside_of_another(path: str) -> None:
    with pytest.raises(HttpError) as refusal:
        rewritten(path)
    assert refusal.value.status == 404


@given(context=NAMES.filter(lambda one: not {":", "/"} & set(one)), name=NAMES)
def test_any_name_comes_out_in_its_context(context: str, name: str) -> None:
    path = f"/contexts/{quote(context, safe='')}/subjects/{quote(name, safe='')}/versions"
    found, exact = sent(path)
    wanted = split_subject(name)
    if not name.startswith((":.", ":*:")):
        wanted = split_subject(f":{context_named(context)}:{name}")
    if context != ".":
        assert split_subject(found.removeprefix("/subjects/").removesuffix("/versions")) == wanted
    assert exact is not None
    assert exact.count("/") == 3

"""What is printed at the end of a start can be pasted."""

from __future__ import annotations

import ast
import shlex

from accord_server.dev.announcement import announcement, curl_line, python_snippet

RUN = {
    "url": "http://127.0.0.1:8081",
    "registry_url": "http://127.0.0.1:8081/sr/demo/default",
    "token": "acc_abc",
    "admin": {"username": "admin", "password": "pass word"},
}


def test_everything_a_newcomer_needs_is_said() -> None:
    text = announcement(RUN)
    for part in (RUN["url"], RUN["registry_url"], RUN["token"], "admin / pass word", "Ctrl-C"):
        assert str(part) in text


def test_the_curl_line_is_one_command() -> None:
    words = shlex.split(curl_line(RUN))
    assert words[0] == "curl"
    assert "Authorization: Bearer acc_abc" in words
    assert words[-1] == "http://127.0.0.1:8081/sr/demo/default/subjects"


def test_the_snippet_is_python_at_the_start_of_the_line() -> None:
    snippet = python_snippet(RUN)
    ast.parse(snippet)
    assert "\n" + snippet.splitlines()[-1] + "\n" in announcement(RUN)

"""What counts as a command in the shell block of a page."""

from __future__ import annotations

from tests.shell_blocks import Line, lines_of


def test_empty_lines_and_ends_without_a_command_are_passed_over() -> None:
    page = "```sh\n\nmake run;\n\n$ echo a && cat b\n```\n"
    assert list(lines_of(page)) == [
        Line((), "make", ("run",)),
        Line((), "echo", ("a",)),
        Line((), "cat", ("b",)),
    ]


def test_variables_and_what_is_substituted_are_commands_of_their_own() -> None:
    page = "```sh\nPORT=1 make run > log\nexport TOKEN=$(accord token)\n```\n"
    assert list(lines_of(page)) == [
        Line(("PORT",), "make", ("run",)),
        Line(("TOKEN",), "export", ()),
        Line((), "accord", ("token",)),
    ]

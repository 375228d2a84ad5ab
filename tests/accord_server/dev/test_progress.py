"""Progress is shown to people as it goes and to logs as lines."""

from __future__ import annotations

import io

from accord_server.dev.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_log_gets_only_what_is_done() -> None:
    out = io.StringIO()
    progress = Progress(out=out)
    progress.begin("cooking")
    progress.done("cooked")
    assert out.getvalue().endswith(" s] cooked\n")
    assert "cooking" not in out.getvalue()


def test_a_terminal_sees_the_step_and_then_its_result_in_its_place() -> None:
    out = Terminal()
    progress = Progress(out=out)
    progress.begin("cooking")
    progress.done("cooked")
    first, second = out.getvalue().split("\r\x1b[K")[1:]
    assert first.endswith("cooking")
    assert second.endswith("cooked\n")

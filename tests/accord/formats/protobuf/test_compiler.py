"""The compiler process: what it answers, what it bears, how it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from accord.errors import CompilerUnavailable, SchemaTooLarge
from accord.formats.protobuf import client as clients
from accord.formats.protobuf import compiler as compilers
from accord.formats.protobuf import service
from accord.formats.protobuf.child import MEBIBYTE, MOST_MEMORY, address_space, memory_for
from accord.formats.protobuf.client import CompilerClient
from accord.formats.protobuf.exchange import (
    Job,
    Malformed,
    Outcome,
    Status,
    job_message,
    outcome_message,
    read_job,
    read_outcome,
)
from accord.formats.protobuf.service import OwnCompiler
from tests.accord.protobuf_texts import COMPILER, compiled, outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

FINE = {"a.proto": 'syntax = "proto3"; package p; message M { int32 a = 1; }'}
# protoc takes the square of this in time.
SLOW = {
    "a.proto": 'syntax = "proto3"; message M { reserved ' + ",".join(map(str, range(1, 400_000, 2))) + "; }"
}
# protoc dies of this: it reads the literal of an option that it knows by recursion.
DEADLY = {
    "a.proto": 'syntax = "proto2"; import "google/protobuf/descriptor.proto"; message T { optional T t = 1; }'
    " extend google.protobuf.FileOptions { optional T x = 50000; } option (x) = "
    + "{t:" * 8_000
    + "}" * 8_000
    + ";"
}


@contextmanager
def own_compiler(*options: str) -> Iterator[OwnCompiler]:
    own = OwnCompiler(options)
    yield own
    own.close()


def test_files_come_back_as_descriptors_with_all_imports() -> None:
    files = {
        **FINE,
        "d/b.proto": 'import "a.proto"; import "google/protobuf/any.proto"; message B { optional p.M b=1; }',
    }
    found = compiled(files)
    assert [one.name for one in found] == ["a.proto", "google/protobuf/any.proto", "d/b.proto"]
    assert found[0].message_type[0].field[0].json_name == "a"
    assert not found[0].HasField("source_code_info")
    assert compiled(FINE, with_places=True)[0].HasField("source_code_info")


def test_all_errors_come_at_once_with_their_places_and_without_ours() -> None:
    text = 'syntax = "proto3";\nmessage M {\n  Foo a = 1;\n  int32 b = 2;\n  Bar c = 2;\n}\n'
    found = outcome({"a.proto": text, "d/b.proto": 'import "a.proto";'})
    assert found.status is Status.REFUSED
    places = [(one.file, one.line, one.column) for one in found.diagnostics]
    assert places[:2] == [("a.proto", 3, 3), ("a.proto", 5, 3)]
    assert not any("/shm/" in one.message + one.file or "absl" in one.message for one in found.diagnostics)


def test_warnings_come_with_the_descriptors() -> None:
    found = outcome({"a.proto": 'syntax = "proto3";\nimport "google/protobuf/any.proto";'})
    assert found.status is Status.COMPILED
    (warning,) = found.diagnostics
    assert (warning.is_warning, warning.line) == (True, 2)
    assert warning.message == "Import google/protobuf/any.proto is unused."


def test_what_is_compiled_already_is_taken_as_descriptors() -> None:
    known = outcome(FINE).descriptors
    found = outcome({"b.proto": 'import "a.proto"; message B { optional p.M m = 1; }'}, descriptors=known)
    assert found.status is Status.COMPILED


@pytest.mark.parametrize("edition", ["2023", "2024"])
def test_editions_compile(edition: str) -> None:
    assert compiled({"a.proto": f'edition = "{edition}"; message M {{ int32 a = 1; }}'})


@pytest.mark.parametrize(
    "path", ["", "/a", "a//b", "../a", "a/./b", "a\\b", "a\nb", "a" * 241, "a/" * 500 + "b"]
)
def test_paths_that_lead_elsewhere_are_refused(path: str) -> None:
    found = outcome({path: ""})
    assert found.status is Status.REFUSED
    assert "import path" in found.diagnostics[0].message


def test_a_path_cannot_be_a_file_and_a_folder() -> None:
    found = outcome({"a": 'syntax = "proto3";', "a/b": 'syntax = "proto3";'})
    assert found.diagnostics[0].message.startswith("An import path is that of a folder")


def test_a_path_that_looks_like_an_option_is_a_path() -> None:
    found = compiled({"--version": 'syntax = "proto3";', "@x": 'syntax = "proto3";'})
    assert [one.name for one in found] == ["--version", "@x"]


def test_the_death_of_protoc_is_an_answer_and_the_process_lives_on() -> None:
    before = COMPILER.pid
    found = outcome(DEADLY)
    assert found.status is Status.DIED
    assert found.reason.startswith("protoc ended with SIG")
    assert outcome(FINE).status is Status.COMPILED
    assert COMPILER.pid == before


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--cpu", "1", "--wall", "60"), "it took more than 1 seconds of processor time"),
        (("--wall", "0.5"), "it took more than 0.5 seconds"),
    ],
)
def test_a_job_that_takes_too_long_is_ended(options: tuple[str, ...], reason: str) -> None:
    with own_compiler(*options) as own:
        assert own.compile(Job(SLOW)) == Outcome(Status.DIED, reason=reason)


def test_who_sends_nothing_is_hung_up_on_while_others_wait() -> None:
    with own_compiler("--wall", "2", "--jobs", "1") as own, socket.socket(socket.AF_UNIX) as silent:
        own.compile(Job(FINE))
        silent.connect(own.socket_path)
        assert own.compile(Job(FINE)).status is Status.COMPILED  # the only place is free again
        assert read_outcome(silent).reason == "it took more than 2 seconds"


@pytest.mark.parametrize(
    "message",
    [
        b"\x00\x00\x00\x05hello",
        b"\xff\xff\xff\xff",
        b"\x00\x00\x00\x02{}",
        b'\x00\x00\x00\x0c{"sizes":[]}',
        b'\x00\x00\x00\x0e{"sizes":[-1]}',
        b'\x00\x00\x00\x18{"sizes":[999999999999]}',
        b"\x00",
    ],
)
def test_what_is_no_job_is_hung_up_on(message: bytes) -> None:
    outcome(FINE)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(COMPILER.socket_path)
        connection.sendall(message)
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(1) == b""


def test_memory_grows_with_the_text_up_to_a_bound() -> None:
    assert memory_for(Job({"a": ""})) == 256 * MEBIBYTE
    assert memory_for(Job({"a": "x" * MEBIBYTE})) == 320 * MEBIBYTE
    assert memory_for(Job({}, b"x" * 100 * MEBIBYTE)) == MOST_MEMORY
    assert address_space() > 0
    assert address_space(Path("/nowhere")) == 0


def test_a_job_that_takes_too_much_memory_is_ended_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MODULE", "tests.accord.formats.protobuf.tight")
    many = "".join(f"message M{number} {{ optional int32 field = 1; }} " for number in range(30_000))
    with own_compiler() as own:
        own.start()
        before = own.pid
        assert own.compile(Job({"a.proto": many})).status is Status.DIED
        assert own.compile(Job(FINE)).status is Status.COMPILED
        assert own.pid == before
    assert outcome({"a.proto": many}).status is Status.COMPILED


def test_jobs_and_outcomes_survive_the_way() -> None:
    one, other = socket.socketpair()
    with one, other:
        one.sendall(job_message(Job({"ä.proto": "ö"}, b"\0", has_source_info=True)))
        assert read_job(other) == Job({"ä.proto": "ö"}, b"\0", has_source_info=True)
        one.sendall(outcome_message(Outcome(Status.DIED, reason="why")))
        assert read_outcome(other) == Outcome(Status.DIED, reason="why")
        one.sendall(job_message(Job({})))
        with pytest.raises(Malformed, match="no outcome"):
            read_outcome(other)
        one.sendall(job_message(Job({"a": "x" * 100})))
        with pytest.raises(Malformed, match="more than 60 bytes"):
            read_job(other, limit=60)


def test_a_process_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CompilerUnavailable, match=f"No such file .* at {tmp_path}/c; is 'python -m accord"):
        CompilerClient(f"{tmp_path}/c").compile(Job(FINE))


def test_a_process_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    path = f"{tmp_path}/c"
    with compilers.listen(path), pytest.raises(CompilerUnavailable, match="timed out"):
        CompilerClient(path, patience_seconds=0.1).compile(Job(FINE))


def test_too_much_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "MESSAGE_BYTES", 10)
    with pytest.raises(SchemaTooLarge, match="more than 10 bytes together"):
        CompilerClient("nowhere").compile(Job(FINE))


def test_a_process_chooses_its_compiler() -> None:
    service.use(None)
    with pytest.raises(CompilerUnavailable, match="none was chosen"):
        service.compiler()
    service.use_own()
    assert isinstance(service.compiler(), OwnCompiler)
    service.use(COMPILER)
    service.use_own()
    assert service.compiler() is COMPILER


def test_an_own_compiler_that_died_is_started_again() -> None:
    own = OwnCompiler()
    own.close()  # there is nothing to end yet
    assert own.compile(Job(FINE)).status is Status.COMPILED
    first = own.pid or 0
    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)
    assert own.compile(Job(FINE)).status is Status.COMPILED
    assert own.pid != first
    own.close()


def test_an_own_compiler_that_cannot_start_says_so() -> None:
    with pytest.raises(CompilerUnavailable, match="did not start"):
        OwnCompiler(("--jobs", "many")).compile(Job(FINE))


def test_a_second_process_is_refused_and_a_dead_ones_socket_is_taken_over(tmp_path: Path) -> None:
    path = f"{tmp_path}/c"
    first = compilers.listen(path)
    assert Path(path).stat().st_mode & 0o777 == 0o600
    assert compilers.main(["--socket", path]) == 2
    first.close()
    compilers.listen(path).close()


@pytest.mark.parametrize(("path", "words"), [("/nowhere/c", "No such file"), ("x" * 101, "longer than 100")])
def test_a_socket_that_cannot_be_is_refused(path: str, words: str) -> None:
    with pytest.raises(compilers.CannotServe, match=words):
        compilers.listen(path)


def test_what_a_killed_process_left_is_removed() -> None:
    left = Path(compilers.folder_for("one/socket"))
    (left / "job").mkdir()
    again = Path(compilers.folder_for("one/socket"))
    assert not left.exists()
    again.rmdir()


def test_the_end_takes_running_jobs_along(tmp_path: Path) -> None:
    path = f"{tmp_path}/c"
    command = (sys.executable, "-m", service.MODULE, "--socket", path)
    environment = {**os.environ, "PYTHONPATH": str(service.ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(path)
            time.sleep(0.3)
            process.send_signal(signal.SIGTERM)
            assert connection.recv(1) == b""
        assert process.wait() == 0
    assert not Path(path).exists()


def test_many_jobs_at_once_all_get_their_answer() -> None:
    outcome(FINE)
    found: list[Status] = []
    jobs = [threading.Thread(target=lambda: found.append(outcome(FINE).status)) for _ in range(12)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert found == [Status.COMPILED] * 12

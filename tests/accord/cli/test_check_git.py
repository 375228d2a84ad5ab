"""`accord check --against git:REF`: the files of a repository against a revision of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from accord.cli import git
from tests.accord.cli.schemas import AS_TEXT, BARE, NEEDS_NOTE, WITH_NOTE, record

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Repository

HEAD = ("check", "--against", "git:HEAD")


def test_a_file_is_compared_with_itself_in_the_revision(accord: Program, repository: Repository) -> None:
    repository.commit(schemas__order_avsc=BARE, schemas__note_avsc=BARE)
    repository.write("schemas/order.avsc", NEEDS_NOTE)
    repository.write("schemas/note.avsc", WITH_NOTE)
    result = accord(*HEAD, "schemas")
    assert result.exit_code == 1
    assert "schemas/order.avsc:1:" in result.stdout
    assert "(new reads old, git:HEAD)" in result.stdout
    assert "incompatible: schemas/order.avsc against git:HEAD:schemas/order.avsc (BACKWARD" in result.stdout
    assert result.stdout.endswith("\n1 compatible, 1 incompatible\n")


def test_branches_tags_and_commits_are_revisions(accord: Program, repository: Repository) -> None:
    first = repository.commit(a_avsc=AS_TEXT)
    repository.git("tag", "v1")
    repository.commit(a_avsc=BARE)
    codes = [
        accord("check", "--against", f"git:{one}", "a.avsc").exit_code
        for one in (first, "v1", "main", "HEAD~1")
    ]
    assert codes == [1, 1, 0, 1]


def test_a_new_file_is_judged_by_itself(accord: Program, repository: Repository) -> None:
    repository.commit()
    repository.write("a.avsc", BARE)
    result = accord(*HEAD, "a.avsc")
    assert result.exit_code == 0
    assert "by itself (BACKWARD, confluent:8.1) [new: git:HEAD has no such file]" in result.stdout
    repository.write("a.avsc", {"type": "record", "name": "A"})
    assert accord(*HEAD, "a.avsc").exit_code == 2


def test_before_the_first_commit_everything_is_new(accord: Program, repository: Repository) -> None:
    repository.write("a.avsc", BARE)
    assert "[new: git:HEAD has no such file]" in accord(*HEAD, "a.avsc").stdout


def test_a_renamed_file_is_compared_with_what_it_was(accord: Program, repository: Repository) -> None:
    repository.commit(old_avsc=BARE, other_avsc={"type": "enum", "name": "E", "symbols": ["A"]})
    repository.git("mv", "old.avsc", "new.avsc")
    repository.write("new.avsc", NEEDS_NOTE)
    result = accord(*HEAD, ".")
    assert result.exit_code == 1
    assert "against git:HEAD:old.avsc (BACKWARD, confluent:8.1) [renamed from old.avsc]" in result.stdout
    assert "deleted" not in result.stdout


def test_a_file_unlike_all_that_are_gone_is_new(accord: Program, repository: Repository) -> None:
    repository.commit(old_avsc={"type": "enum", "name": "E", "symbols": ["A", "B", "C"]})
    repository.git("mv", "old.avsc", "new.avsc")
    repository.write("new.avsc", BARE)
    result = accord(*HEAD, ".")
    assert result.exit_code == 0
    assert "[new: " in result.stdout
    assert "skipped: old.avsc [deleted since git:HEAD]" in result.stdout


@pytest.mark.parametrize("named", [".", "gone.avsc"])
def test_a_deleted_file_is_told_and_refuses_nothing(
    accord: Program, repository: Repository, named: str
) -> None:
    repository.commit(gone_avsc=BARE)
    Path("gone.avsc").unlink()
    result = accord(*HEAD, named)
    assert result.exit_code == 0
    assert "skipped: gone.avsc [deleted since git:HEAD]" in result.stdout


def test_a_folder_below_the_top_will_do(
    accord: Program, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit(deep__a_avsc=BARE)
    repository.write("deep/a.avsc", AS_TEXT)
    monkeypatch.chdir("deep")
    assert "against git:HEAD:deep/a.avsc" in accord(*HEAD, "a.avsc").stdout


def test_referenced_files_are_read_as_they_were(accord: Program, repository: Repository) -> None:
    repository.commit(address_avsc=record(street="string"), order_avsc=record(at="Address"))
    repository.write("address.avsc", {**record(street="int"), "name": "Address"})
    old = {**record(street="string"), "name": "Address"}
    repository.commit(address_avsc=old)
    repository.write("address.avsc", {**record(street="int"), "name": "Address"})
    result = accord(*HEAD, "order.avsc", "-r", "Address=address.avsc")
    assert result.exit_code == 1
    assert "TYPE_MISMATCH at /fields/0/type/fields/0/type" in result.stdout


def test_a_reference_that_the_revision_lacks_is_new(accord: Program, repository: Repository) -> None:
    repository.commit(order_avsc=BARE)
    repository.write("address.avsc", {**record(street="string"), "name": "Address"})
    repository.write("order.avsc", record(id="long", at=(["null", "Address"], None)))
    assert accord(*HEAD, "order.avsc", "-r", "Address=address.avsc").exit_code == 0


OUTSIDE = ["../outside.avsc", "/dev/null", "inner/../../outside.avsc", "link.avsc", "linked/outside.avsc"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_lies_outside_the_repository_is_refused(
    accord: Program, repository: Repository, name: str
) -> None:
    repository.commit(a_avsc=BARE)
    repository.write("../outside.avsc", BARE)
    Path("inner").mkdir()
    Path("link.avsc").symlink_to(Path("../outside.avsc").resolve())
    Path("linked").symlink_to(Path("..").resolve())
    result = accord(*HEAD, name, "a.avsc")
    assert result.exit_code == 2
    assert f"unreadable: {name}: outside the repository" in result.stdout
    assert "compatible: a.avsc" in result.stdout


def test_links_in_folders_are_not_followed(accord: Program, repository: Repository) -> None:
    repository.commit(a_avsc=BARE)
    Path("link.avsc").symlink_to("/etc/hostname")
    Path("loop").symlink_to(".")
    result = accord(*HEAD, ".")
    assert result.exit_code == 0
    assert "skipped: link.avsc [a link;" in result.stdout
    assert "loop" not in result.stdout


def test_a_link_of_the_revision_is_no_file(accord: Program, repository: Repository) -> None:
    Path("a.avsc").symlink_to("/etc/hostname")
    repository.commit()
    Path("a.avsc").unlink()
    repository.write("a.avsc", BARE)
    assert "[new: git:HEAD has no such file]" in accord(*HEAD, "a.avsc").stdout


@pytest.mark.parametrize(
    ("content", "words"), [(b"\xff\x00", "not UTF-8"), (b" " * 2_000_000, "longer than")]
)
def test_what_is_no_text_is_named_beside_the_rest(
    accord: Program, repository: Repository, content: bytes, words: str
) -> None:
    repository.commit(a_avsc=BARE, bad_avsc=content, was_avsc=content)
    repository.write("was.avsc", BARE)
    result = accord(*HEAD, ".")
    assert result.exit_code == 2
    assert "compatible: a.avsc" in result.stdout
    lines = [line for line in result.stdout.splitlines() if line.startswith("unreadable: ")]
    assert [line.split(":")[1] for line in lines] == [" bad.avsc", " was.avsc"]
    assert all(words in line or "longer than" in line for line in lines)


def test_a_pipe_in_a_folder_holds_nobody_up(accord: Program, repository: Repository) -> None:
    repository.commit(a_avsc=BARE)
    os.mkfifo("pipe.avsc")
    assert accord(*HEAD, ".").exit_code == 0
    assert "not a regular one" in accord(*HEAD, "pipe.avsc").stdout


NO_REVISIONS = ["nope", "--output=stolen", "HEAD:a.avsc", "-h", "HEAD^{tree}"]


@pytest.mark.parametrize("name", NO_REVISIONS)
def test_what_is_no_revision_ends_with_two(accord: Program, repository: Repository, name: str) -> None:
    repository.commit(a_avsc=BARE)
    result = accord("check", "--against", f"git:{name}", "a.avsc")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "revision" in result.stderr
    assert sorted(one.name for one in Path().iterdir()) == [".git", "a.avsc"]


def test_outside_any_repository_git_says_so(
    accord: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert "not a git repository" in accord(*HEAD, ".").stderr
    monkeypatch.setenv("PATH", "")
    assert "cannot be started" in accord(*HEAD, ".").stderr


def test_nothing_of_the_repository_is_run(accord: Program, repository: Repository) -> None:
    trap = repository.write("trap", "#!/bin/sh\ntouch sprung\n")
    trap.chmod(0o755)
    repository.write(".gitattributes", "*.avsc diff=trap filter=trap\n")
    repository.commit(a_avsc=BARE)
    for key in (
        "diff.trap.textconv",
        "diff.trap.command",
        "filter.trap.smudge",
        "core.fsmonitor",
        "core.pager",
    ):
        repository.git("config", key, str(trap))
    repository.write("a.avsc", NEEDS_NOTE)
    assert accord(*HEAD, ".").exit_code == 1
    assert not Path("sprung").exists()


def test_git_may_not_print_without_end(
    accord: Program, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit(**{f"a{number}_avsc": BARE for number in range(20)})
    monkeypatch.setattr(git, "LONGEST_LISTING", 1000)
    assert "ls-tree prints more than 1000 bytes" in accord(*HEAD, ".").stderr
    monkeypatch.setattr(git, "LONGEST_LISTING", 100_000)
    monkeypatch.setattr(git, "LONGEST_CONTENT", 10)
    assert "more than 10 bytes together" in accord(*HEAD, ".").stdout


def test_git_is_not_started_for_each_file(
    accord: Program, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit(**{f"a{number}_avsc": BARE for number in range(30)})
    started: list[str] = []
    run = git.run_git

    def noted(*words: str, **more: Any) -> bytes:
        started.append(words[0])
        return run(*words, **more)

    monkeypatch.setattr(git, "run_git", noted)
    assert accord(*HEAD, ".").exit_code == 0
    assert started == ["rev-parse", "rev-parse", "ls-tree", "cat-file"]


def test_git_may_not_take_for_ever(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "SECONDS", 0.2)
    repository.git("config", "alias.wait", "!sleep 60")
    with pytest.raises(git.GitProblem, match="wait failed"):
        git.run_git("wait")

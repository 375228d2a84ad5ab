"""`accord policy import`: Buf's configuration as a policy document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.cli.deciding import LARGEST_POLICY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.accord.cli.conftest import Program


def test_the_policy_is_printed_and_well_formed(accord: Program, tmp_path: Path) -> None:
    (tmp_path / "buf.yaml").write_text("version: v2\nbreaking:\n  use: [WIRE_JSON]\n  ignore: [vendor]\n")
    told = accord("policy", "import", str(tmp_path / "buf.yaml"), "--name", "apis")
    assert (told.exit_code, told.stdout.splitlines()) == (
        0,
        [
            "name: apis",
            "description: From buf.yaml",
            "formats:",
            "  protobuf:",
            "    preset: buf:v2:WIRE_JSON",
            "    ignored:",
            "      paths:",
            "      - vendor",
            "    lint:",
            "      use:",
            "      - STANDARD",
        ],
    )
    (tmp_path / "apis.yaml").write_text(told.stdout)
    assert accord("policy", "validate", str(tmp_path / "apis.yaml")).exit_code == 0


def test_what_a_module_ignores_is_ignored_in_its_folder(accord: Program, tmp_path: Path) -> None:
    (tmp_path / "buf.yaml").write_text(
        "version: v2\nmodules: [{path: proto}]\nlint: {use: [BASIC], ignore: [proto/vendor]}\n"
    )
    text = 'syntax = "proto3";\npackage %s;\nmessage M {\n  int32 badName = 1;\n}\n'
    for folder in ("own", "vendor"):
        (tmp_path / "proto" / folder).mkdir(parents=True)
        (tmp_path / "proto" / folder / "a.proto").write_text(text % folder)
    policy = tmp_path / "apis.yaml"
    policy.write_text(accord("policy", "import", str(tmp_path / "buf.yaml"), "--name", "apis").stdout)
    told = accord("lint", str(tmp_path / "proto"), "--policy", str(policy))
    assert told.exit_code == 1
    assert "own/a.proto:4:9" in told.stdout
    assert "vendor/a.proto:4" not in told.stdout


def test_problems_are_named_by_line_and_nothing_is_printed(accord: Program, tmp_path: Path) -> None:
    file = tmp_path / "buf.yaml"
    file.write_text("version: v2\nbreaking:\n  use: [X]\n")
    told = accord("policy", "import", str(file))
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr.startswith(f"{file}:3:9: there is no rule or category 'X'")
    assert accord("policy", "import", str(tmp_path / "none.yaml")).exit_code == 2


def test_a_file_that_cannot_be_read_is_blamed_by_name(accord: Program, tmp_path: Path) -> None:
    for name, data, said in (
        ("text.yaml", b"version: v2\n# \xff\n", "byte 14 is not UTF-8"),
        ("long.yaml", b"#" * (LARGEST_POLICY + 1), f"longer than {LARGEST_POLICY} bytes"),
    ):
        (tmp_path / name).write_bytes(data)
        told = accord("policy", "import", str(tmp_path / name))
        assert (told.exit_code, told.stdout, said in told.stderr) == (2, "", True)

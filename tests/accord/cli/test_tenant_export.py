"""``accord tenants export``: asked for, waited for, fetched whole or not at all."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.accord.cli.conftest import Program
    from tests.accord.client.stand_in import StandIn

EXPORTS = "/api/v1/tenants/north/exports"
ARCHIVE = f"GET {EXPORTS}/e1/archive"
DATA = b"PK of the archive"


def told(state: str, **members: object) -> dict[str, Any]:
    done = {"id": "e1", "state": state, "done": 1, "total": 2, "size": len(DATA), "error": None}
    return {**done, "sha256": hashlib.sha256(DATA).hexdigest(), **members}


def promise(registry: StandIn, data: bytes) -> None:
    """Send less than was promised."""
    registry.answer(ARCHIVE, data, Content_Length=str(len(DATA)), Connection="close")


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.client.exports._FIRST_PAUSE_S", 0.0)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "north.zip"


def run(accord: Program, registry: StandIn, target: Path | str, *more: str) -> Any:
    return accord("tenants", "export", str(target), "--url", registry.url, "--tenant", "north", *more)


def test_it_waits_for_a_worker_and_fetches_what_that_wrote(
    accord: Program, registry: StandIn, target: Path
) -> None:
    registry.answer(f"POST {EXPORTS}", told("queued"), 201)
    registry.answer(f"GET {EXPORTS}/e1", told("running"))
    registry.answer(f"GET {EXPORTS}/e1", told("done"))
    registry.answer(ARCHIVE, DATA)
    done = run(accord, registry, target)
    assert (done.exit_code, target.read_bytes()) == (0, DATA)
    assert done.stderr == f"exported {len(DATA)} bytes, export e1\nsha256 {told('done')['sha256']}\n"
    assert [one.name for one in target.parent.iterdir()] == ["north.zip"]


def test_one_that_is_under_way_is_taken(accord: Program, registry: StandIn, target: Path) -> None:
    registry.answer(f"POST {EXPORTS}", {"code": "export_under_way", "detail": "wait"}, 409)
    items = [told("done", id="e0"), told("running")]
    registry.answer(f"GET {EXPORTS}?limit=200", {"items": items, "next": None})
    registry.answer(f"GET {EXPORTS}/e1", told("done", sha256=None))
    registry.answer(ARCHIVE, DATA)
    done = run(accord, registry, target, "--json")
    assert json.loads(done.stdout) == {"export": "e1", "size": len(DATA), "sha256": told("done")["sha256"]}


def test_where_it_has_ended_meanwhile_the_refusal_is_told(
    accord: Program, registry: StandIn, target: Path
) -> None:
    registry.answer(f"POST {EXPORTS}", {"code": "export_under_way", "detail": "wait for it"}, 409)
    registry.answer(f"GET {EXPORTS}?limit=200", {"items": [], "next": None})
    assert (run(accord, registry, target).exit_code, target.exists()) == (1, False)


def test_a_download_that_is_cut_off_goes_on_from_its_byte(
    accord: Program, registry: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accord.client.transport._PIECE", 5)
    registry.answer(f"GET {EXPORTS}/e1", told("done"))
    promise(registry, DATA[:5])
    registry.answer(ARCHIVE, DATA[5:], 206)
    done = run(accord, registry, "-", "--export", "e1")
    assert (done.exit_code, done.stdout_bytes) == (0, DATA)
    assert registry.asked[-1].headers["Range"] == "bytes=5-"


def test_one_that_never_comes_whole_leaves_no_file(accord: Program, registry: StandIn, target: Path) -> None:
    target.write_bytes(b"of yesterday")
    registry.answer(f"GET {EXPORTS}/e1", told("done"))
    promise(registry, b"")
    done = run(accord, registry, target, "--export", "e1")
    assert (done.exit_code, target.read_bytes()) == (2, b"of yesterday")
    assert len(registry.asked) == 5


@pytest.mark.parametrize(
    ("members", "says"),
    [({"sha256": "0" * 64}, "its SHA-256 is"), ({"size": 5}, "its size is 17 instead of 5")],
)
def test_what_is_not_what_was_written_is_not_kept(
    accord: Program, registry: StandIn, target: Path, members: dict[str, Any], says: str
) -> None:
    registry.answer(f"GET {EXPORTS}/e1", told("done", **members))
    registry.answer(ARCHIVE, DATA)
    done = run(accord, registry, target, "--export", "e1")
    assert (done.exit_code, target.exists(), says in done.stderr) == (2, False, True)


@pytest.mark.parametrize(
    ("state", "says"), [("failed", "e1 is failed: no disk"), ("running", "e1 is running: fetch it later")]
)
def test_one_that_does_not_end_is_told(
    accord: Program, registry: StandIn, target: Path, monkeypatch: pytest.MonkeyPatch, state: str, says: str
) -> None:
    monkeypatch.setattr("accord.client.exports.time.monotonic", iter(range(0, 99, 2)).__next__)
    registry.answer(f"GET {EXPORTS}/e1", told(state, error="no disk"))
    done = run(accord, registry, target, "--export", "e1", "--wait", "1")
    assert (done.exit_code, target.exists(), says in done.stderr) == (2, False, True)


def test_one_that_may_not_be_fetched_is_refused(accord: Program, registry: StandIn, target: Path) -> None:
    registry.answer(f"GET {EXPORTS}/e1", told("done"))
    registry.answer(ARCHIVE, {"code": "export_not_found", "detail": "Export 'e1' not found."}, 404)
    done = run(accord, registry, target, "--export", "e1")
    assert (done.exit_code, "not found" in done.stderr) == (1, True)

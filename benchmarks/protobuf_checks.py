"""Checks of changed Protobuf files under the server: one of a module that is stored, and one by itself.

The files of the module are registered with references to each other, under the rules of Buf's category FILE.
Then one of them changes. The server compiles that file alone, against the descriptors of what it imports, and
judges it against its older version; `buf breaking` reads both modules as always. Every check is of a text
that nobody has seen before.

How long a check of one file with twenty messages takes is told by percentiles, beside those of a bare answer
under the same web server.
"""

from __future__ import annotations

import itertools
import json
import statistics
import tempfile
import time
import urllib.error
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Final

from accord.client import RegistryClient
from accord.client.policies import Place, PolicyWritten, bind_policy, create_policy
from benchmarks.harness import Bar, Result, Side, compare
from benchmarks.load import latencies
from benchmarks.protobuf_modules import BUF, FILES, MESSAGES, module_texts, program, write_module
from benchmarks.servers import MEDIA_TYPE, READY_S, bare, platform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.servers import Registry

# So many files import one another in a row; a registry follows references for 32 steps, and reads all that is
# behind a new one once more.
CHAIN: Final = 10
PREFIX: Final = "part"
POLICY: Final = "name: bench\ndefault:\n  preset: buf:v2:FILE\n  level: BACKWARD\n"
SINGLE: Final = "single"
MOST_OF_BUF: Final = Bar(ratio=0.1)
REPETITIONS: Final = 3
# Each of the server's processes has a memory of its own; so often each of them has surely been asked.
ROUNDS: Final = 8
CHECKS: Final = 200
PERCENTILES: Final = (50, 99)


def changed(text: str) -> Iterator[str]:
    """Yield texts in which one field has another type, each with another message at its end."""
    broken = text.replace("string name", "bytes name", 1)
    return (f"{broken}message Added{number} {{\n  int64 id = 1;\n}}\n" for number in itertools.count())


def body(texts: list[tuple[str, str]], at: int, text: str) -> dict[str, object]:
    """The request about a text in the place of one of the files, by path and text."""
    references = []
    if at % CHAIN:
        references = [{"name": texts[at - 1][0], "subject": f"{PREFIX}-{at - 1}", "version": 1}]
    return {"schemaType": "PROTOBUF", "schema": text, "references": references}


def store(registry: Registry, texts: list[tuple[str, str]]) -> None:
    """Register the files in order, to be judged by Buf's rules."""
    with RegistryClient(registry.url, registry.headers["Authorization"].removeprefix("Bearer ")) as client:
        create_policy(client, PolicyWritten(POLICY))
        bind_policy(client, "bench", Place("prefix", PREFIX))
    for at, (_, text) in enumerate(texts):
        registry.call(f"/subjects/{PREFIX}-{at}/versions", body(texts, at, text))


def checking(registry: Registry, texts: list[tuple[str, str]]) -> Callable[[], float]:
    """Make a run that costs the seconds of a check of the last file, changed."""
    last = len(texts) - 1
    new = changed(texts[last][1])

    def run() -> float:
        asked, started = body(texts, last, next(new)), time.perf_counter()
        path = f"/compatibility/subjects/{PREFIX}-{last}/versions/latest?verbose=true"
        answer = json.loads(registry.call(path, asked))
        assert not answer["is_compatible"], answer
        assert any("FIELD_SAME_TYPE" in one for one in answer["messages"]), answer
        return time.perf_counter() - started

    return run


def of_stored(
    registry: Registry, files: int = FILES, messages: int = MESSAGES, repetitions: int = REPETITIONS
) -> Result:
    """One file of a stored module against `buf breaking` of the whole one."""
    texts = list(module_texts(files, messages, chain=CHAIN).items())
    store(registry, texts)
    ours = checking(registry, texts)
    for _ in range(ROUNDS):
        ours()
    with tempfile.TemporaryDirectory() as folder:
        new = (texts[-1][0], next(changed(texts[-1][1])))
        for side, written in (("old", texts), ("new", [*texts[:-1], new])):
            write_module(Path(folder, side), dict(written), "breaking:\n  use: [FILE]\n")
        buf = program((str(BUF), "breaking", "--against", "../old"), str(Path(folder, "new")))
        return compare(
            f"One file of a stored module changed, {files} files, {files * messages:,} messages",
            "s",
            ours=Side("accord, over HTTP", ours),
            yardstick=Side("buf breaking", buf),
            repetitions=repetitions,
            bar=MOST_OF_BUF,
        )


def by_itself(registry: Registry, checks: int = CHECKS, repetitions: int = REPETITIONS) -> list[Result]:
    """Percentiles of checks of one changed file, one after the other, beside those of bare answers."""
    ((_, text),) = module_texts(1, MESSAGES).items()
    stored = {"schemaType": "PROTOBUF", "schema": text}
    _register_first(registry, stored)
    headers = {**registry.headers, "Content-Type": MEDIA_TYPE}
    url = f"{registry.url}/compatibility/subjects/{SINGLE}/versions/latest"
    bodies = (json.dumps({**stored, "schema": one}).encode() for one in changed(text))
    latencies(url, headers, itertools.islice(bodies, ROUNDS))
    with bare(b'{"is_compatible":false}') as other:
        runs = [
            [latencies(one, headers, list(itertools.islice(bodies, checks))) for one in (url, other)]
            for _ in range(repetitions)
        ]
    return percentiles(runs)


def _register_first(registry: Registry, stored: dict[str, str]) -> None:
    """Register as soon as the compiler is there, which is started when the web server answers already."""
    for patience in itertools.count():
        try:
            registry.call(f"/subjects/{SINGLE}/versions", stored)
        except urllib.error.HTTPError as refused:
            if refused.code != HTTPStatus.SERVICE_UNAVAILABLE or patience >= READY_S:
                raise
            time.sleep(1)
        else:
            return


def percentiles(runs: list[list[list[float]]]) -> list[Result]:
    """What the percentiles of each run come to in milliseconds; a run has our latencies and those beside."""
    check, bare_answer = (Side(name, float) for name in ("check", "bare WSGI answer"))
    found = []
    for percent in PERCENTILES:
        ours, theirs = (
            tuple(statistics.quantiles(one, n=100)[percent - 1] * 1e3 for one in side)
            for side in zip(*runs, strict=True)
        )
        title = f"Check of a changed schema of {MESSAGES} messages, over HTTP, p{percent}"
        found.append(Result(title, "ms", check, bare_answer, ours, theirs))
    return found


def results() -> list[Result]:
    """Measure both under one server."""
    with platform() as registry:
        return [*by_itself(registry), of_stored(registry)]

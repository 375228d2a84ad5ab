"""The chart as Helm itself renders it, for the tests."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
CHART: Final = ROOT / "helm" / "accord"
TOOLS: Final = Path(sys.executable).parent
# The oldest that the chart takes.
KUBERNETES: Final = "1.29.0"
CASES: Final = ("default", "full", "minimal")

Manifest = dict[str, Any]


class RefusedByHelm(Exception):
    """Helm did not do what it was asked; the message is what it said."""


def helm(*words: str, stdin: str = "") -> str:
    """Run Helm; return what it prints."""
    return _run(str(TOOLS / "helm"), *words, stdin=stdin)


def render(values: str, *more: str) -> str:
    """Return the manifests that the chart makes of values, given as YAML."""
    return helm(
        *("template", "golden", str(CHART), "--namespace", "registry", "--kube-version", KUBERNETES),
        *("--values", "-", *more),
        stdin=values,
    )


def values_of(case: str) -> str:
    """Return the values of a case, as YAML."""
    return (HERE / "cases" / f"{case}.yaml").read_text()


@cache
def rendered(case: str) -> str:
    """Return the manifests of a case."""
    return render(values_of(case))


@cache
def manifests(case: str) -> list[Manifest]:
    """Return the manifests of a case, read."""
    return [one for one in yaml.safe_load_all(rendered(case)) if one]


def named(case: str, kind: str, end: str = "") -> Manifest:
    """Return the one manifest of a kind whose name ends like this."""
    (found,) = (
        one for one in manifests(case) if one["kind"] == kind and one["metadata"]["name"].endswith(end)
    )
    return found


def pods(case: str) -> Iterator[tuple[str, Manifest]]:
    """Yield the specification of every kind of pod, under what it is called."""
    for one in manifests(case):
        if template := one.get("spec", {}).get("template"):
            yield template["metadata"]["labels"]["app.kubernetes.io/component"], template["spec"]


def containers(pod: Manifest) -> list[Manifest]:
    """Return every container of a pod, those started before the others included."""
    return [*pod.get("initContainers", []), *pod["containers"]]


def read_as_kubernetes(text: str) -> str:
    """Read manifests with Kubernetes' own types."""
    return _run(str(TOOLS / "read-manifests"), stdin=text)


def _run(*command: str, stdin: str) -> str:
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RefusedByHelm(done.stdout + done.stderr)
    return done.stdout

"""What the chart renders, held in files; `REWRITE=1` writes them anew."""

from __future__ import annotations

import os

import pytest

from tests.helm import charts
from tests.helm.charts import CASES, HERE, RefusedByHelm


@pytest.mark.parametrize("case", CASES)
def test_the_chart_renders_what_it_did(case: str) -> None:
    golden = HERE / "goldens" / f"{case}.yaml"
    if "REWRITE" in os.environ:
        golden.write_text(charts.rendered(case))
    assert charts.rendered(case) == golden.read_text()


@pytest.mark.parametrize("case", CASES)
def test_helm_finds_nothing_to_complain_about(case: str) -> None:
    said = charts.helm(
        *("lint", "--strict", "--quiet", "--kube-version", charts.KUBERNETES),
        *("--values", str(HERE / "cases" / f"{case}.yaml"), str(charts.CHART)),
    )
    assert "[ERROR]" not in said
    assert "[WARNING]" not in said


@pytest.mark.parametrize("case", CASES)
def test_kubernetes_knows_every_field(case: str) -> None:
    count = len(charts.manifests(case))
    assert charts.read_as_kubernetes(charts.rendered(case)) == f"{count} read\n"


def test_a_field_that_kubernetes_does_not_know_is_found() -> None:
    wrong = charts.rendered("default").replace("runAsNonRoot", "runAsNobody")
    with pytest.raises(RefusedByHelm, match="runAsNobody"):
        charts.read_as_kubernetes(wrong)

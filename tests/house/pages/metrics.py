"""The counters that the platform shows, printed from their table."""

from __future__ import annotations

from accord_server.kit.metrics import BUCKETS_S, METRICS
from tests.house.pages.markdown import code, page, table


def metrics_page() -> str:
    """Every metric with its kind and labels, and where to ask for it."""
    bounds = ", ".join(f"{bound:g}" for bound in BUCKETS_S)
    return page(
        "Metrics",
        "`platform/accord_server/kit/metrics.py`",
        "Web servers show them at `/metrics`, in the text form of Prometheus; workers and the schedule at the"
        " port of `ACCORD_METRICS_PORT`. Where `ACCORD_METRICS_FOLDER` is set, any process of a web server or"
        " worker answers for all of them, a second behind at most; otherwise each shows its own, with the"
        " label `process`. No label holds a tenant, a subject or a path, so there are never many.",
        "Behind a proxy (`ACCORD_BEHIND_PROXY`) web servers answer a call that it passed on with 404:"
        " counters are for collectors inside.",
        f"Bounds of histograms, in seconds: {bounds}.",
        table(
            ("metric", "kind", "labels", "what it is"),
            (
                (code(one.name), one.kind, ", ".join(code(label) for label in one.labels), one.sentence)
                for one in METRICS
            ),
        ),
        "Gauges are measured when a web server is asked, and are the same whichever is.",
    )

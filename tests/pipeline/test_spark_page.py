"""The examples of the page on Spark, run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.accord.client.stand_in import stand_in
from tests.pipeline.messages import TEXTS, V1, framed, message, order
from tests.pipeline.records import frame_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "spark.md"
EXAMPLE = re.compile(r"^## Protobuf$.*?^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
FOLDER = re.compile(r'"([a-z-]+/)"')


def test_the_example_on_protobuf_runs(spark: SparkSession, tmp_path: Path) -> None:
    (example,) = EXAMPLE.findall(PAGE.read_text())
    placed = FOLDER.sub(rf'"{tmp_path}/\1"', example)  # the page's folders are relative, those of a JVM fixed
    refund = framed(1, b"\x02\x04", message(V1, "shop.Refund")(id=9))
    frame_of(spark, order(1, id=7), order(3, id=8, state=1), refund).write.parquet(f"{tmp_path}/records")
    with stand_in() as registry:
        for number, text in TEXTS.items():
            registry.answer(f"GET /schemas/ids/{number}", {"schema": text, "schemaType": "PROTOBUF"})
        exec(placed, {"REGISTRY": registry.url, "TOKEN": "secret"})  # noqa: S102  # the page is ours
    orders = spark.read.parquet(f"{tmp_path}/orders").orderBy("offset").collect()
    assert [(row.offset, row.id, row.state) for row in orders] == [(0, 7, "NEW"), (1, 8, "PAID")]
    (aside,) = spark.read.parquet(f"{tmp_path}/orders-quarantine").collect()
    assert aside.quarantine_reason == "other_record"

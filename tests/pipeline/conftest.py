"""One small Spark session for all tests of the folder, and the schemas they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.formats.protobuf import service
from tests.accord.protobuf_texts import COMPILER
from tests.fakes import FakeRegistry
from tests.pipeline.records import V1, V2, V3, avro

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


# Compiling Java for a handful of rows costs far more than it saves; commands run with Spark's own settings.
FEW_ROWS = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
}
# PySpark itself drops the sockets it fetches results through without closing them.
PYSPARK_LEAK = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Forgive the leak to the tests that use Spark, and to no others."""
    for item in items:
        if item.get_closest_marker("spark"):
            item.add_marker(PYSPARK_LEAK)


@pytest.fixture(scope="package")
def spark() -> Iterator[SparkSession]:
    from accord.pipeline import build_session

    session = build_session()
    session.sparkContext.setLogLevel("ERROR")
    for name, value in FEW_ROWS.items():
        session.conf.set(name, value)
    yield session
    session.stop()


@pytest.fixture(autouse=True)
def compiler() -> None:
    """Choose a compiler of our own, not the one that the settings of the server name."""
    service.use(COMPILER)


@pytest.fixture
def registry() -> FakeRegistry:
    """Three versions of orders under the ids 1, 2 and 3."""
    made = FakeRegistry()
    for number, schema in enumerate((V1, V2, V3), 1):
        made.add(number, avro(schema))
    return made

"""Where a session finds its connectors, and how it is set up."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING

import pyspark
import pytest

from accord.pipeline import MissingJars, SessionSettings
from accord.pipeline import session as session_module
from accord.pipeline.session import JARS_VARIABLE, connector_jars

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
POM = Path(session_module.__file__).with_name("pom.xml")


def test_jars_are_found_where_the_variable_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("b.jar", "a.jar", "notes.txt"):
        (tmp_path / name).touch()
    monkeypatch.setenv(JARS_VARIABLE, str(tmp_path))
    assert [jar.name for jar in connector_jars()] == ["a.jar", "b.jar"]


def test_an_empty_variable_leaves_the_jars_to_the_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(JARS_VARIABLE, "")
    assert connector_jars() == []


def test_without_jars_the_error_says_how_to_fetch_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(JARS_VARIABLE, str(tmp_path))
    with pytest.raises(MissingJars, match=r"mvn -f .*pom\.xml dependency:copy-dependencies"):
        connector_jars()


def test_connectors_and_spark_are_of_one_version() -> None:
    version = ET.parse(POM).find(".//{*}spark.version")  # noqa: S314 - our own file
    assert version is not None
    assert version.text == pyspark.__version__


def test_a_local_session_is_private_and_in_utc(spark: SparkSession) -> None:
    assert spark.conf.get("spark.driver.bindAddress") == "127.0.0.1"
    assert spark.conf.get("spark.ui.enabled") == "false"
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
    assert spark.sparkContext.uiWebUrl is None


@pytest.mark.parametrize(
    ("master", "is_local"), [("local[2]", True), ("spark://there:7077", False), (None, False)]
)
def test_a_cluster_is_not_told_to_stay_on_loopback(*, master: str | None, is_local: bool) -> None:
    options = session_module.session_options(SessionSettings(master=master))
    assert ("spark.driver.host" in options) is is_local
    assert ("spark.master" in options) is is_local

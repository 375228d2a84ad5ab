"""The package as it is imported: names that come when asked for, and no others."""

from __future__ import annotations

import pytest
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession

from accord import pipeline
from accord.pipeline.selection import keep_one_record
from accord.pipeline.session import build_session
from accord.pipeline.writers import Writers
from tests.accord.avro_texts import avro


def test_every_name_of_the_package_is_there() -> None:
    assert [getattr(pipeline, name).__name__ for name in pipeline.__all__] == pipeline.__all__


def test_the_port_of_the_driver_is_one_of_them() -> None:
    assert {"schema", "latest"} <= set(vars(pipeline.SchemaSource))


def test_a_name_that_it_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"accord\.pipeline.*'spark'"):
        pipeline.__getattr__("spark")


def test_a_reader_without_a_record_sets_no_writer_aside() -> None:
    class Untouched(Writers):
        """Writers that must all be kept."""

        def keep(self, *_: object) -> None:
            raise AssertionError("nothing is set aside")

    keep_one_record(Untouched.__new__(Untouched), avro({"type": "long"}).root, None)


def test_trouble_of_spark_other_than_a_missing_java_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_builder: SparkSession.Builder) -> SparkSession:
        raise PySparkRuntimeError(errorClass="MASTER_URL_NOT_SET", messageParameters={})

    monkeypatch.setattr(SparkSession.Builder, "getOrCreate", refuse)
    with pytest.raises(PySparkRuntimeError, match="MASTER_URL_NOT_SET"):
        build_session()

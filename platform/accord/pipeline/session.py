"""A Spark session with the connectors, found on this machine and nowhere else."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession

from accord.pipeline.errors import MissingJars, NoJava

JARS_VARIABLE: Final = "ACCORD_SPARK_JARS"
"""Names another folder with the connectors; an empty value says that the cluster has them already."""

_HERE: Final = Path(__file__).parent
_POM: Final = _HERE / "pom.xml"
# A corrupt length must not make the reader reserve memory for it; a record of Kafka is far smaller.
_LARGEST_VALUE: Final = 64 * 1024 * 1024
_AVRO_LIMITS: Final = " ".join(
    f"-Dorg.apache.avro.limits.{what}.maxLength={_LARGEST_VALUE}"
    for what in ("bytes", "string", "collectionItems")
)
_LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """Where Spark runs; without ``master`` what ``spark-submit`` or the cluster decides holds."""

    name: str = "accord"
    master: str | None = "local[2]"
    driver_memory: str = "2g"
    shuffle_partitions: int = 4

    @property
    def is_local(self) -> bool:
        """True when driver and executors are one process on this machine."""
        return self.master is not None and self.master.startswith("local")


def build_session(settings: SessionSettings | None = None) -> SparkSession:
    """Start a session, or return the running one.

    Times are UTC, so that results do not depend on the machine. A local session listens on the loopback
    address only and has no web page. Raises `MissingJars` when the connectors have not been fetched and
    `NoJava` when there is no Java that runs.
    """
    _check_java()
    chosen = settings or SessionSettings()
    os.environ.update(_worker_variables(chosen))
    builder = SparkSession.builder.appName(chosen.name)
    for key, value in session_options(chosen).items():
        builder = builder.config(key, value)
    try:
        return builder.getOrCreate()
    except PySparkRuntimeError as problem:
        if problem.getCondition() != "JAVA_GATEWAY_EXITED":
            raise
        raise NoJava(details="it ended at once") from problem


def _worker_variables(settings: SessionSettings) -> dict[str, str]:
    """Spark would take whatever is called python3, which may lack what this Python has."""
    is_open = settings.is_local and "PYSPARK_PYTHON" not in os.environ
    return {"PYSPARK_PYTHON": sys.executable} if is_open else {}


def _check_java() -> None:
    """Spark's own launcher only says that its gateway went away."""
    home = os.environ.get("JAVA_HOME")
    if home and not (Path(home) / "bin" / "java").exists():
        raise NoJava(details=f"JAVA_HOME is {home}, which has no bin/java")
    if not home and shutil.which("java") is None:
        raise NoJava(details="there is no java on the PATH")


def connector_jars() -> list[Path]:
    """The connector jars that `pom.xml` names; raises `MissingJars` when there are none."""
    named = os.environ.get(JARS_VARIABLE)
    if named == "":
        return []
    folder = Path(named) if named else _HERE / "jars"
    jars = sorted(folder.glob("*.jar"))
    if not jars:
        raise MissingJars(folder=str(folder), pom=str(_POM))
    return jars


def session_options(settings: SessionSettings) -> dict[str, str]:
    """Spark's own options for the settings; raises `MissingJars` as `build_session` does."""
    jars = ",".join(str(jar) for jar in connector_jars())
    options = {
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.extraJavaOptions": _AVRO_LIMITS,
        "spark.executor.extraJavaOptions": _AVRO_LIMITS,
    }
    options |= {"spark.jars": jars} if jars else {}
    return options | (_local_options(settings) if settings.is_local else {})


def _local_options(settings: SessionSettings) -> dict[str, str]:
    return {
        "spark.master": str(settings.master),
        "spark.driver.memory": settings.driver_memory,
        "spark.driver.host": _LOOPBACK,
        "spark.driver.bindAddress": _LOOPBACK,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": str(settings.shuffle_partitions),
    }

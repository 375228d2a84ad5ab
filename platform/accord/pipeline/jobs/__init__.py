"""The verbs of ``accord-spark``: each parses arguments, builds a session and calls one function."""

from __future__ import annotations

from typing import Any

import click
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from accord.errors import AccordError
from accord.pipeline.errors import MissingJars, NoJava
from accord.pipeline.jobs.decode import decode


class _Verbs(click.Group):
    """Turns errors of the library and of Spark into one line; code 2 where something is not installed."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        """Run the verb; see `click.Group.invoke`."""
        try:
            return super().invoke(ctx)
        except (MissingJars, NoJava) as problem:
            raise click.UsageError(problem.message) from problem
        except AccordError as problem:
            raise click.ClickException(problem.message) from problem
        except PySparkException as problem:
            raise click.ClickException(_first_line(str(problem))) from problem
        except Py4JJavaError as problem:
            raise click.ClickException(_first_line(str(problem.java_exception.getMessage()))) from problem


def _first_line(text: str) -> str:
    """What Spark says before it goes on about where in Spark."""
    return text.partition("\n")[0]


@click.group(cls=_Verbs)
def main() -> None:
    """Spark jobs on framed records."""


main.add_command(decode)

"""What lint is asked for: rules, how much they weigh, where they do not count, and their options.

The words are those of Buf's ``lint`` section, so that a configuration of Buf means the same here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.model.verdicts import Severity


class FieldCase(StrEnum):
    """How fields of Avro and properties of JSON Schema are spelled."""

    EITHER = "either"
    SNAKE = "snake"
    CAMEL = "camel"


@dataclass(frozen=True, slots=True)
class LintOptions:
    """Options of single rules; the defaults are Buf's."""

    enum_zero_value_suffix: str = "_UNSPECIFIED"
    service_suffix: str = "Service"
    rpc_allow_same_request_response: bool = False
    rpc_allow_google_protobuf_empty_requests: bool = False
    rpc_allow_google_protobuf_empty_responses: bool = False
    field_case: FieldCase = FieldCase.EITHER


@dataclass(frozen=True, slots=True)
class LintProfile:
    """Which rules count: those in ``use`` (ids and categories) that ``without`` does not name.

    ``severity`` weighs all of them, in place of what each has by itself; ``severities`` single ones.
    ``ignore`` names files and folders where nothing counts, ``ignore_only`` those where one rule or
    category does not. Comments of Protobuf that say ``buf:lint:ignore RULE`` count unless
    ``disallow_comment_ignores``.
    """

    use: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    severity: Severity | None = None
    severities: Mapping[str, Severity] = field(default_factory=dict)
    ignore: tuple[str, ...] = ()
    ignore_only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    disallow_comment_ignores: bool = False
    options: LintOptions = field(default_factory=LintOptions)


NO_LINT = LintProfile()

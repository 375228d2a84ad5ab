"""Rules about messages, fields and oneofs."""

from collections.abc import Iterator

from accord.formats.protobuf.fields import Field
from accord.formats.protobuf.model import Message, Oneof
from accord.lint.hits import Hit
from accord.lint.profile import LintOptions
from accord.lint.protobuf.sites import named
from accord.lint.spelling import pascal_case, snake_case
from accord.lint.table import LINT, Category
from accord.model import Format


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def message_pascal_case(message: Message, _asked: LintOptions) -> Iterator[Hit]:
    """The names of messages are in `PascalCase`.

    Rename the message; see the message of the finding for how.
    """
    wanted = pascal_case(message.name)
    if message.name != wanted:
        yield named(message, f'the message "{message.name}" should be "{wanted}"')


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def field_lower_snake_case(field: Field, _asked: LintOptions) -> Iterator[Hit]:
    """The names of fields are in `lower_snake_case`.

    Extensions are fields too.

    Rename the field while nobody reads it by name: JSON and text formats do.
    """
    wanted = snake_case(field.name)
    if field.name != wanted:
        yield named(field, f'the field "{field.name}" should be "{wanted}"')


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def field_not_required(field: Field, _asked: LintOptions) -> Iterator[Hit]:
    """No field is required: neither by `required` nor by `field_presence = LEGACY_REQUIRED`.

    A required field can never be taken out again, since old readers refuse every message without it.

    Make the field optional, and check it in the program that reads.
    """
    if field.is_required:
        yield named(field, f'the field "{field.name}" is required')


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def oneof_lower_snake_case(oneof: Oneof, _asked: LintOptions) -> Iterator[Hit]:
    """The names of oneofs are in `lower_snake_case`.

    Rename the oneof; see the message for how.
    """
    wanted = snake_case(oneof.name)
    if oneof.name != wanted:
        yield named(oneof, f'the oneof "{oneof.name}" should be "{wanted}"')

"""Rules about enums and their values."""

from collections.abc import Iterator

from accord.formats.protobuf.model import Enum, Value
from accord.lint.hits import Hit
from accord.lint.profile import LintOptions
from accord.lint.protobuf.sites import inside, named
from accord.lint.spelling import pascal_case, upper_snake_case
from accord.lint.table import LINT, Category
from accord.model import Format

NUMBER = (2,)
ALLOW_ALIAS = (3, 2)


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def enum_first_value_zero(enum: Enum, _asked: LintOptions) -> Iterator[Hit]:
    """The first value of an enum has the number 0.

    It is what a field holds that nobody set, whatever the syntax.

    Put the value with the number 0 first.
    """
    first = enum.values[0]
    if first.number != 0:
        yield inside(first, NUMBER, "number", f'the first value "{first.name}" is {first.number}, not 0')


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def enum_no_allow_alias(enum: Enum, _asked: LintOptions) -> Iterator[Hit]:
    """No enum gives one number two names.

    In JSON an alias is written with its first name, and readers that know the second alone fail.

    Take `allow_alias` out, and keep one name for each number.
    """
    if enum.proto.options.allow_alias:
        yield inside(enum, ALLOW_ALIAS, "options", f'the enum "{enum.name}" allows aliases')


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def enum_pascal_case(enum: Enum, _asked: LintOptions) -> Iterator[Hit]:
    """The names of enums are in `PascalCase`.

    Rename the enum; see the message for how.
    """
    wanted = pascal_case(enum.name)
    if enum.name != wanted:
        yield named(enum, f'the enum "{enum.name}" should be "{wanted}"')


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def enum_value_upper_snake_case(value: Value, _asked: LintOptions) -> Iterator[Hit]:
    """The names of enum values are in `UPPER_SNAKE_CASE`.

    Rename the value; see the message for how.
    """
    wanted = upper_snake_case(value.name)
    if value.name != wanted:
        yield named(value, f'the enum value "{value.name}" should be "{wanted}"')


@LINT.rule(Format.PROTOBUF, Category.STANDARD)
def enum_value_prefix(value: Value, _asked: LintOptions) -> Iterator[Hit]:
    """The names of enum values begin with that of their enum, in `UPPER_SNAKE_CASE`.

    Values live beside their enum, not in it: two enums of a package cannot both have a value `UNKNOWN`.
    Only the enum's own name counts, not that of a message around it.

    Give the value the name that the message says, with the prefix in front.
    """
    prefix = f"{upper_snake_case(value.enum.name)}_"
    if not value.name.startswith(prefix):
        yield named(value, f'the enum value "{value.name}" should be called "{prefix}{value.name}"')


@LINT.rule(Format.PROTOBUF, Category.STANDARD, "enum_zero_value_suffix")
def enum_zero_value_suffix(value: Value, asked: LintOptions) -> Iterator[Hit]:
    """The value 0 of an enum ends with `_UNSPECIFIED`, or with the suffix that is asked for.

    A field that nobody set holds it, so it must not mean anything else.

    Make the value 0 one that says that nothing was said.
    """
    suffix = asked.enum_zero_value_suffix
    if value.number == 0 and not value.name.endswith(suffix):
        yield named(value, f'the value 0 "{value.name}" should end with "{suffix}"')

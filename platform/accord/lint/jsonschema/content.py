"""Rules about what a JSON Schema says and what a comparison makes of it."""

from collections.abc import Iterator
from typing import Final

from accord.lint.hits import Hit
from accord.lint.jsonschema.branches import clashes
from accord.lint.jsonschema.nodes import RootNode, SchemaNode
from accord.lint.jsonschema.values import identity, is_of_type
from accord.lint.profile import LintOptions
from accord.lint.table import LINT, Category
from accord.model import Format, Severity

# Keywords that no comparison looks into. Source: json-compat, quirk Q4.
NOT_COMPARED: Final = ("patternProperties", "propertyNames", "contains", "if", "then", "else", "format")
# Numbers that draft 4 turns into exclusive bounds by a flag.
FLAGS: Final = ("exclusiveMinimum", "exclusiveMaximum")


@LINT.rule(Format.JSON, Category.BASIC)
def json_required_undeclared(node: SchemaNode, _asked: LintOptions) -> Iterator[Hit]:
    """What is `required` is declared among the `properties` as well.

    Comparisons look at declared properties alone: that a name is required which nobody declares changes no
    verdict, although data without it stops being valid. Confluent's registry does the same.

    Declare the property, with `true` as its schema if it may be anything.
    """
    for name in node.required:
        if name not in node.properties:
            yield node.hit(f'"{name}" is required but not declared', "required")


@LINT.rule(Format.JSON, Category.BASIC, severity=Severity.INFO)
def json_keyword_not_compared(node: SchemaNode, _asked: LintOptions) -> Iterator[Hit]:
    """A schema does not rely on keywords that no comparison looks into.

    What stands under `patternProperties`, `propertyNames`, `contains`, `if`, `then`, `else`, `format` and the
    flags of draft 4 may change without any finding, as in Confluent's registry, although data that was valid
    no longer is.

    Say the same with keywords that are compared, such as `properties`, `enum` and `pattern`, or look at
    changes of these places yourself.
    """
    found: list[str] = [name for name in NOT_COMPARED if name in node.members]
    found += [name for name in FLAGS if isinstance(node.members.get(name), bool)]
    for name in found:
        yield node.hit(f'a change of "{name}" is not compared', name)


@LINT.rule(Format.JSON, Category.BASIC)
def json_default_valid(node: SchemaNode, _asked: LintOptions) -> Iterator[Hit]:
    """A `default` is of the `type` beside it, and among the values of the `enum`.

    Programs fill it in unchecked, and write data that is not valid.

    Write a default that the schema itself accepts.
    """
    if "default" not in node.members:
        return
    value, kind, values = (node.members.get(name) for name in ("default", "type", "enum"))
    if not is_of_type(value, kind):
        yield node.hit("the default is not of the type beside it", "default")
    elif isinstance(values, list) and identity(value) not in map(identity, values):
        yield node.hit("the default is none of the values of the enum", "default")


@LINT.rule(Format.JSON, Category.STANDARD, severity=Severity.INFO)
def json_required_with_default(node: SchemaNode, _asked: LintOptions) -> Iterator[Hit]:
    """A property that is `required` has no `default`.

    Such a property may be added under every level, as in Confluent's registry, although validators fill in no
    default: old data without the property is then refused.

    Take the property out of `required`, or the default away.
    """
    for name in node.required:
        schema = node.properties.get(name)
        if isinstance(schema, dict) and "default" in schema:
            yield node.hit(f'"{name}" is required and has a default', "properties", name)


@LINT.rule(Format.JSON, Category.BASIC)
def json_union_ambiguous(node: SchemaNode, _asked: LintOptions) -> Iterator[Hit]:
    """The branches of `oneOf` exclude each other.

    A value that fits two of them is refused, and no comparison notices, since they read `oneOf` as `anyOf`.
    Branches exclude each other by their types, by `const` or `enum`, or by a property that both require and
    that has a `const` or an `enum` in both. The first hundred branches are looked at.

    Give each branch a required property with a `const` of its own.
    """
    for at, other in clashes(node):
        yield node.hit(f"branch {at} may accept what branch {other} accepts", "oneOf", str(at))


@LINT.rule(Format.JSON, Category.OPTIONAL_FRIENDLY)
def json_object_closed(node: RootNode, _asked: LintOptions) -> Iterator[Hit]:
    """Every object is closed: `additionalProperties` is `false`.

    Under the transform `optional-friendly` producers write closed objects and consumers read them as open
    ones. An open object lets a producer write a property that a later version declares with another type.

    Add `"additionalProperties": false` to the object.
    """
    for steps in node.unclosed:
        yield node.hit("the object permits properties that it does not declare", *steps)

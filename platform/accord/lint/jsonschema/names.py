"""Rules about the names and docs of a JSON Schema, and about the draft it is written in."""

from collections.abc import Iterator

from accord.formats.jsonschema.keywords import Members
from accord.lint.field_case import in_case
from accord.lint.hits import Hit
from accord.lint.jsonschema.nodes import RootNode, SchemaNode
from accord.lint.profile import LintOptions
from accord.lint.table import LINT, Category
from accord.model import Format


@LINT.rule(Format.JSON, Category.MINIMAL)
def json_draft_named(node: RootNode, _asked: LintOptions) -> Iterator[Hit]:
    """A schema names its draft in `$schema`.

    Tools guess otherwise, and not alike: `items`, `$ref` and `exclusiveMinimum` changed their meanings.

    Add `"$schema": "https://json-schema.org/draft/2020-12/schema"`, or the draft that is meant.
    """
    if not isinstance(node.members.get("$schema"), str):
        yield node.hit("the schema does not name its draft")


@LINT.rule(Format.JSON, Category.BASIC)
def json_title_defined(node: RootNode, _asked: LintOptions) -> Iterator[Hit]:
    """A schema has a `title`.

    It is the only name that a schema has by itself; generated classes are called by it.

    Add a `title`, such as `Order`.
    """
    title = node.members.get("title")
    if not isinstance(title, str) or not title.strip():
        yield node.hit("the schema has no title")


@LINT.rule(Format.JSON, Category.BASIC, "field_case")
def json_property_case(node: SchemaNode, asked: LintOptions) -> Iterator[Hit]:
    """The names of properties are in `lower_snake_case` or in `lowerCamelCase`.

    The option `field_case` (`snake`, `camel` or `either`) says which of the two.

    Add a property of the right name, and let the other one go once nobody uses it.
    """
    for name in node.properties:
        wanted = in_case(name, asked.field_case)
        if name not in wanted:
            yield node.hit(f'the property "{name}" should be "{wanted[0]}"', "properties", name)


@LINT.rule(Format.JSON, Category.COMMENTS)
def json_doc_object(node: SchemaNode, _asked: LintOptions) -> Iterator[Hit]:
    """Every object has a `description`.

    Say in a sentence what the object stands for, under `description`.
    """
    if node.is_object and not _is_described(node.members):
        yield node.hit("the object has no description")


@LINT.rule(Format.JSON, Category.COMMENTS)
def json_doc_property(node: SchemaNode, _asked: LintOptions) -> Iterator[Hit]:
    """Every property has a `description`.

    Say in a sentence what the property holds, and in which unit, under `description`.
    """
    for name, schema in node.properties.items():
        if not isinstance(schema, dict) or not _is_described(schema):
            yield node.hit(f'the property "{name}" has no description', "properties", name)


def _is_described(members: Members) -> bool:
    text = members.get("description")
    return isinstance(text, str) and bool(text.strip())

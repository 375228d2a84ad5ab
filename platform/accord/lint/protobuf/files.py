"""Rules about files and their imports."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from accord.formats.protobuf.model import File
from accord.formats.protobuf.places import Place
from accord.lint.hits import Hit
from accord.lint.profile import LintOptions
from accord.lint.protobuf.cycles import way
from accord.lint.protobuf.modules import Import, Module
from accord.lint.protobuf.sites import on_file
from accord.lint.spelling import snake_case
from accord.lint.table import LINT, Category
from accord.lint.versions import is_stable, is_unstable
from accord.model import Format

SYNTAX, IMPORT = 12, 3


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def syntax_specified(file: File, _asked: LintOptions) -> Iterator[Hit]:
    """Every file says its `syntax` or its `edition`.

    Without either a file counts as `proto2`, which few people expect.

    Begin the file with `syntax = "proto3";` or `edition = "2023";`.
    """
    if file.source is not None and file.source.position((SYNTAX,)) is None:
        yield on_file(file, "the file names neither a syntax nor an edition")


@LINT.rule(Format.PROTOBUF, Category.STANDARD)
def file_lower_snake_case(module: Module, _asked: LintOptions) -> Iterator[Hit]:
    """The names of files are in `lower_snake_case`.

    Rename the file, and the imports of it.
    """
    for file in module.own if module.has_paths else ():
        path = PurePosixPath(file.path)
        wanted = snake_case(path.stem)
        if path.stem != wanted:
            yield on_file(file, f'the file "{path.name}" should be "{wanted}{path.suffix}"')


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def import_no_public(one: Import, _asked: LintOptions) -> Iterator[Hit]:
    """No import is public.

    A public import makes whoever imports this file depend on the other one too, without a word.

    Import plainly, and let others import what they use.
    """
    if one.position in one.file.proto.public_dependency:
        yield on_import(one, f'the import of "{one.path}" is public')


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def import_used(one: Import, _asked: LintOptions) -> Iterator[Hit]:
    """Every import is used.

    Take the import out.
    """
    if (one.file.path, one.path) in one.module.unused:
        yield on_import(one, f'the import of "{one.path}" is not used')


@LINT.rule(Format.PROTOBUF, Category.MINIMAL)
def package_no_import_cycle(one: Import, _asked: LintOptions) -> Iterator[Hit]:
    """Packages do not import each other in a circle.

    Some languages, Go among them, cannot compile what is generated from that.

    Move what both packages need to a third one.
    """
    graph, circles = one.module.imported, one.module.circles
    start, end = one.file.package, one.module.package_of(one.path)
    if start and end and start != end and circles[start] == circles[end]:
        chain = " -> ".join((start, *way(graph, end, start)))
        yield on_import(one, f"the import closes a circle of packages: {chain}")


@LINT.rule(Format.PROTOBUF, None)
def stable_package_no_import_unstable(one: Import, _asked: LintOptions) -> Iterator[Hit]:
    """A package with a stable version, such as `v1`, imports none that may still change, such as `v1beta1`.

    The rule is in no category: name it to use it.

    Wait until the other package is stable, or give this one an unstable version.
    """
    package = one.module.package_of(one.path)
    held = one.module.files.by_path.get(one.path)
    is_own = held is not None and not held.is_import
    if is_own and is_stable(one.file.package) and is_unstable(package):
        yield on_import(one, f'"{one.file.package}" is stable and imports "{package}", which is not')


def on_import(one: Import, message: str) -> Hit:
    """Return a hit at an import."""
    return Hit(message, (*one.file.at, "imports", one.path), Place(one.file, (IMPORT, one.position)))

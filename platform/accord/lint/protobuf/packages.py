"""Rules about packages, and the folders that files of one package are in."""

from collections.abc import Iterable, Iterator

from accord.formats.protobuf.model import File
from accord.lint.hits import Hit
from accord.lint.profile import LintOptions
from accord.lint.protobuf.modules import Folder, Package, folder_of
from accord.lint.protobuf.sites import on_file, on_package
from accord.lint.spelling import snake_case
from accord.lint.table import LINT, Category
from accord.lint.versions import version_of
from accord.model import Format


def quoted(names: Iterable[str]) -> str:
    """Return names in quotes with commas between them, the empty one as ``no package``."""
    return ", ".join(f'"{one}"' if one else "no package" for one in sorted(names))


@LINT.rule(Format.PROTOBUF, Category.MINIMAL)
def directory_same_package(folder: Folder, _asked: LintOptions) -> Iterator[Hit]:
    """All files of a folder declare the same package.

    Generated code of many languages puts a folder into one package.

    Move the files of the other package to a folder of their own.
    """
    packages = {file.package for file in folder.files}
    if len(packages) > 1:
        told = f"the files of this folder declare {quoted(packages)}; a folder holds one package"
        yield from (on_package(file, told) for file in folder.files)


@LINT.rule(Format.PROTOBUF, Category.MINIMAL)
def package_defined(file: File, _asked: LintOptions) -> Iterator[Hit]:
    """Every file declares a package.

    Without one the names of its types may clash with everybody else's.

    Add a statement such as `package acme.shop.v1;`.
    """
    if not file.package:
        yield on_file(file, "the file declares no package")


@LINT.rule(Format.PROTOBUF, Category.MINIMAL)
def package_directory_match(package: Package, _asked: LintOptions) -> Iterator[Hit]:
    """A file of package `a.b` lies in the folder `a/b`, seen from the root of the module.

    Imports are paths: so whoever knows the name of a type knows where to look for it.

    Move the file, or name the package after the folder.
    """
    for file in package.files if package.has_paths else ():
        wanted = file.package.replace(".", "/")
        if file.package and folder_of(file) != wanted:
            yield on_package(
                file, f'files of package "{file.package}" belong in "{wanted}", not in "{folder_of(file)}"'
            )


@LINT.rule(Format.PROTOBUF, Category.MINIMAL)
def package_same_directory(package: Package, _asked: LintOptions) -> Iterator[Hit]:
    """All files of a package are in one folder.

    Files without a package count as one package too.

    Move the files of the package to one folder.
    """
    folders = {folder_of(file) for file in package.files}
    if package.has_paths and len(folders) > 1:
        name = package.files[0].package
        holder = f'package "{name}"' if name else "no package"
        told = f"files of {holder} are in the folders {quoted(folders)}; one folder holds a package"
        yield from (on_package(file, told) for file in package.files)


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def package_lower_snake_case(file: File, _asked: LintOptions) -> Iterator[Hit]:
    """The parts of a package are in `lower_snake_case`.

    Rename the package; see the message for how.
    """
    wanted = ".".join(map(snake_case, file.package.split(".")))
    if file.package != wanted:
        yield on_package(file, f'the package "{file.package}" should be "{wanted}"')


@LINT.rule(Format.PROTOBUF, Category.STANDARD)
def package_version_suffix(file: File, _asked: LintOptions) -> Iterator[Hit]:
    """A package ends with a version, such as `v1` or `v1beta1`.

    A breaking change then gets a package of its own, beside the one that others still use.

    Add a version as the last part: `acme.shop.v1`.
    """
    if file.package and not version_of(file.package):
        yield on_package(file, f'the package "{file.package}" should end with a version, such as ".v1"')

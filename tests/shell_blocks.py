"""The commands in the shell blocks of a page, and what is wrong with them."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

BLOCK = re.compile(r"^ *```(?:sh|bash|shell|console)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
HERE_DOCUMENT = re.compile(r"<<-?'?(\w+)'?[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
SUBSTITUTION = re.compile(r"(?:export )?(\w+)=\$\((.*)\)")
ASSIGNMENT = re.compile(r"(\w+)=.*", re.DOTALL)
ENDS = frozenset({"|", "||", "&", "&&", ";"})
OURS = "ACCORD_"
# What is not ours and may stand on a page; anything else is a slip until it is named here.
FOREIGN = frozenset(
    {
        "cat",
        "curl",
        "docker",
        "echo",
        "export",
        "git",
        "helm",
        "kubectl",
        "pip",
        "protoc",
        "python",
        "python3",
    }
)


@dataclass(frozen=True, slots=True)
class Line:
    """One command: the variables set in front of it, the program as written, its arguments."""

    variables: tuple[str, ...]
    program: str
    arguments: tuple[str, ...]

    @property
    def name(self) -> str:
        """The program's name without the folder of the virtual environment."""
        return self.program.removeprefix(".venv/bin/")


@dataclass(frozen=True, slots=True)
class Known:
    """What exists: commands by full name, verbs and variables of make, our environment variables."""

    commands: Mapping[str, click.Command]
    verbs: Collection[str]
    make_variables: Collection[str]
    variables: Collection[str]


def lines_of(page: str) -> Iterator[Line]:
    """Every command of a page's shell blocks, in order."""
    for block in BLOCK.findall(page):
        text = HERE_DOCUMENT.sub("", block).replace("\\\n", " ")
        for line in text.splitlines():
            yield from _commands(line.strip().removeprefix("$ "))


def faults(line: Line, known: Known) -> list[str]:
    """What is wrong with a command; nothing where all that it names exists."""
    found = [f"no variable {name}" for name in line.variables if not _is_variable(name, line, known)]
    if line.name == "make":
        return found + _faults_of_make(line.arguments, known)
    if line.name in {"python", "python3"}:
        return found + _faults_of_python(line.arguments)
    if line.name in known.commands:
        return found + _faults_of_click(line, known.commands)
    return found if line.name in FOREIGN else [*found, f"no program {line.program}"]


def _commands(text: str) -> Iterator[Line]:
    inner = SUBSTITUTION.fullmatch(text)
    if inner:
        yield Line((inner[1],), "export", ())
        yield from _commands(inner[2])
        return
    words: list[str] = []
    for word in [*_words(text), ";"]:
        if word not in ENDS:
            words.append(word)
        elif words:
            yield _line(words)
            words = []


def _words(text: str) -> list[str]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    return list(lexer)


def _line(words: Sequence[str]) -> Line:
    """Tell the parts of a command apart, without redirections."""
    kept = [
        word
        for before, word in zip(["", *words], words, strict=False)
        if not {before, word} & {"<", ">", ">>"}
    ]
    skip = 1 if kept[0] == "export" else 0
    count = next((at for at, word in enumerate(kept[skip:]) if not ASSIGNMENT.fullmatch(word)), None)
    names = kept[skip:] if count is None else kept[skip : skip + count]
    rest = [] if count is None else kept[skip + count :]
    variables = tuple(name.partition("=")[0] for name in names)
    return Line(variables, rest[0] if rest else "export", tuple(rest[1:]))


def _is_variable(name: str, line: Line, known: Known) -> bool:
    if name.startswith(OURS):
        return name in known.variables
    return line.name != "make" or name in known.make_variables


def _faults_of_make(arguments: Sequence[str], known: Known) -> list[str]:
    assigned = [word.partition("=")[0] for word in arguments if "=" in word]
    verbs = [word for word in arguments if "=" not in word]
    return [f"no verb {verb} of make" for verb in verbs if verb not in known.verbs] + [
        f"no variable {name} of make"
        for name in assigned
        if name not in known.make_variables and name not in known.variables
    ]


def _faults_of_python(arguments: Sequence[str]) -> list[str]:
    if "-m" not in arguments[:-1]:
        return []
    module = arguments[arguments.index("-m") + 1]
    try:
        return [] if find_spec(module) else [f"no module {module}"]
    except ModuleNotFoundError:
        return [f"no module {module}"]


def _faults_of_click(line: Line, commands: Mapping[str, click.Command]) -> list[str]:
    """Let click read the arguments; what the reader's machine holds is no fault of the page."""
    name, rest = line.name, list(line.arguments)
    while rest and f"{name} {rest[0]}" in commands:
        name = f"{name} {rest.pop(0)}"
    if isinstance(commands[name], click.Group):
        return [f"{name}: no command {' '.join(rest[:1])}"] if rest != ["--help"] else []
    try:
        # A command remembers its help option, which it has from the program it belongs to.
        program = commands[line.name]
        above = click.Context(program, info_name=line.name, **program.context_settings)
        commands[name].make_context(name, rest, parent=above).close()
    except click.exceptions.Exit:  # --help
        return []
    except click.UsageError as wrong:
        return [] if _is_elsewhere(wrong) else [f"{name}: {wrong.format_message()}"]
    return []


def _is_elsewhere(wrong: click.UsageError) -> bool:
    """Tell whether click misses a file, or an option that a variable may give."""
    if not isinstance(wrong, click.BadParameter) or wrong.param is None:
        return False
    if isinstance(wrong, click.MissingParameter):
        return wrong.param.envvar is not None
    return isinstance(wrong.param.type, (click.Path, click.File))

"""House lints: what no general linter knows, as a table whose rows carry their own examples.

`python -m tests.house.lints` holds every file that Git does not ignore against the table and prints
`path:line: ID why`; the exit code is 1 when anything was found. Patterns spell a letter as `[x]`
where they would otherwise find themselves.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Final

from tests.house.lint import Example, Lint, always, line, offences, tree

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOMS: Final = ("tenants/*.py", "registry/*.py", "frontend/*.py", "platform/accord_server/*.py")
PRODUCT: Final = (*ROOMS, "platform/accord/*.py")
SOURCE: Final = ("*.py", "*.ts", "*.css", "*.html", "*.sh", ".ci/*", "Makefile")
TEMPLATES: Final = ("frontend/*.html",)
LOCKS: Final = ("requirements/*.txt", "package-lock.json", "*/package-lock.json")
DATA_ACCESS: Final = (
    "*/queries.py",
    "*/queries/*.py",
    "*/services.py",
    "*/services/*.py",
    "*/migrations/*.py",
)

# What the tree must not name, spelled so that this file does not name it either.
MACHINE_PATH: Final = "-work".replace("-", "/")
INDEX: Final = "p-y-p-i.org".replace("-", "")
NODE_INDEX: Final = "registry.n-p-m-j-s.org".replace("-", "")


def unhashed(lock: str) -> Iterator[int]:
    """Find pinned requirements that no hash follows."""
    lines = lock.splitlines()
    for number, content in enumerate(lines, start=1):
        following = lines[number] if number < len(lines) else ""
        if re.match(r"[A-Za-z0-9]", content) and "--hash=sha256:" not in following:
            yield number


DATA_LINTS: Final = (
    Lint(
        id="SCOPED-ROWS",
        why="rows are reached through queries and services, which take the scope first",
        paths=ROOMS,
        allowed=(
            *DATA_ACCESS,
            "platform/accord_server/kit/tenant_queries.py",
            "platform/accord_server/kit/outbox.py",
            "platform/accord_server/kit/outbox_drain.py",
            "platform/accord_server/kit/kept_answers.py",
        ),
        find=line(r"\.objects\b"),
        good=(Example("registry/queries.py", "Subject.objects.scoped(scope)"),),
        bad=(Example("registry/api/confluent/views.py", "Subject.objects.all()"),),
    ),
    Lint(
        id="UNSCOPED",
        why="only migrations, admin and named jobs may look past the scope",
        paths=ROOMS,
        allowed=(
            "*/migrations/*.py",
            "*/admin.py",
            "platform/accord_server/kit/tenant_queries.py",
            "platform/accord_server/kit/outbox_drain.py",
            "platform/accord_server/kit/kept_answers.py",
        ),
        find=line(r"\.unscoped\("),
        good=(Example("tenants/admin.py", 'Token.objects.unscoped("the admin site lists all tenants")'),),
        bad=(Example("registry/services.py", 'Subject.objects.unscoped("")'),),
    ),
    Lint(
        id="CACHE-KEY",
        why="keys of the cache are named in accord_server/kit/cache.py and nowhere else",
        paths=ROOMS,
        allowed=("platform/accord_server/kit/cache.py",),
        find=line(
            r"""\bcaches?(\[[^]]+\])?\.(get|set|add|delete|get_or_set|incr|touch)(_many)?\(\s*f?["']"""
        ),
        good=(Example("registry/queries.py", "cache.schema_by_id(id, load)"),),
        bad=(Example("registry/queries.py", 'cache.get(f"schema:{id}")'),),
    ),
    Lint(
        id="SETTINGS",
        why="settings are read in accord_server/kit, which hands out typed values",
        paths=ROOMS,
        allowed=(
            "platform/accord_server/kit/*.py",
            "platform/accord_server/settings.py",
            "platform/accord_server/celery.py",
        ),
        find=line(r"\bsettings\.(?!AUTH_USER_MODEL\b)[A-Z]"),
        good=(
            Example("platform/accord_server/kit/paging.py", "settings.ACCORD_PAGE_SIZE"),
            Example("tenants/models.py", "models.ForeignKey(settings.AUTH_USER_MODEL)"),
        ),
        bad=(Example("registry/services.py", "limit = settings.ACCORD_MAX_BODY"),),
    ),
    Lint(
        id="GET-MODEL",
        why="looking a model up by name walks around the import contracts",
        paths=ROOMS,
        allowed=("*/migrations/*.py", "platform/accord_server/kit/migration_operations.py"),
        find=line(r"\bget_model\("),
        good=(Example("registry/migrations/0002_fill.py", 'apps.get_model("registry", "Subject")'),),
        bad=(Example("frontend/views.py", 'apps.get_model("registry", "Subject")'),),
    ),
    Lint(
        id="ENVIRONMENT",
        why="the environment is read through the settings table, which checks and documents it",
        paths=ROOMS,
        allowed=(
            "platform/accord_server/kit/settings_table.py",
            "platform/accord_server/kit/environment.py",
            "platform/accord_server/dev/*.py",
            "platform/accord_server/settings.py",
        ),
        find=line(r"\bos\.(environ|getenv)\b(?!\.setdefault\(\"DJANGO_SETTINGS_MODULE\")"),
        good=(
            Example("platform/accord_server/kit/settings_table.py", "os.environ"),
            Example("platform/accord_server/wsgi.py", 'os.environ.setdefault("DJANGO_SETTINGS_MODULE", "x")'),
        ),
        bad=(Example("tenants/services.py", 'os.environ["ACCORD_TOKEN_PEPPER"]'),),
    ),
)

TEXT_LINTS: Final = (
    Lint(
        id="UNFINISHED",
        why="what is not done is an issue, and a test that cannot fail is no test",
        paths=SOURCE,
        allowed=("tests/house/lints.py",),
        find=line(
            r"\b(TODO|FIXME|XXX|HACK)\b|NotImplementedError|\b(pytest|unittest)\.(skip|xfail|importorskip)"
            r"|mark\.(skip|skipif|xfail)\b|\.(skip|todo|only)\("
        ),
        good=(Example("tests/test_x.py", "assert skipped == []"),),
        bad=(
            Example("registry/services.py", "# TODO: later"),
            Example("tests/test_x.py", "@pytest.mark.skip"),
            Example("tests/test_x.py", 'pytest.importorskip("pyspark")'),
            Example("frontend/src/diff.ts", "// FIXME"),
        ),
    ),
    Lint(
        id="SUPPRESSION",
        why="a suppression names its code and its reason, each and once: `ignore[code]  # why`",
        paths=("*.py",),
        allowed=("tests/house/lints.py",),
        find=line(
            r"#\s*type:\s*ignore(?!\[[a-z, -]+\]\s+#\s*\S)"
            r"|#\s*noqa(?!:\s*[A-Z]+\d+(,\s*[A-Z]+\d+)*\s+[#-]\s*\S)"
            r"|#\s*(mypy|ruff):\s|#\s*pragma:"
            r"|#\s*(?:noqa|type):.*(?P<why>#\s*\S.*\S)\s+(?P=why)\s*$"
        ),
        good=(
            Example("a.py", "x = y()  # type: ignore[arg-type]  # every subclass is a dataclass"),
            Example("a.py", "x = y()  # noqa: S608  # identifiers are quoted by psycopg"),
        ),
        bad=(
            Example("a.py", "x = y()  # type: ignore"),
            Example("a.py", "x = y()  # type: ignore[arg-type]"),
            Example("a.py", "x = y()  # noqa"),
            Example("a.py", "x = y()  # noqa: S608"),
            Example("a.py", "# ruff: noqa"),
            Example("a.py", "x = y()  # noqa: S608  # two constants  # two constants"),
        ),
    ),
    Lint(
        id="THIS-MACHINE",
        why="a path of one machine means nothing on the next",
        paths=("*",),
        allowed=("tests/house/lints.py", "*.lock"),
        find=line(r"""(?<![\w.:/})>*-])/(work|root|home/[a-z_]+|Users/[A-Za-z]+)(/|\b(?=["'\s,;)]))"""),
        good=(Example("docs/a.md", "see https://example.org/work/x and {root}/work/"),),
        bad=(
            Example("docs/a.md", f"cd {MACHINE_PATH}/main"),
            Example("tests/test_x.py", 'Path("/Users/Ada/accord")'),
        ),
    ),
    Lint(
        id="PACKAGE-HOST",
        why="where packages come from is the business of the machine that installs them",
        paths=("*",),
        find=line(
            r"[p]ypi\.(org|python)|[p]ythonhosted\.|registry\.[n]pmjs|registry\.[y]arnpkg|[r]epo1?\.maven"
            r"|[m]aven\.org|[c]rates\.io|[p]roxy\.golang|[g]hcr\.io|[q]uay\.io"
        ),
        good=(Example("docs/a.md", "installed from the package index of your machine"),),
        bad=(
            Example("requirements/run.txt", f"--index-url https://{INDEX}/simple"),
            Example("package-lock.json", f'"resolved": "https://{NODE_INDEX}/x"'),
        ),
    ),
    Lint(
        id="FOREIGN-TEXT",
        why="third-party files come from locks, never into the tree",
        paths=("*.py", "*.ts", "*.js", "*.css", "*.html", "*.svg", "*.proto", "*.java"),
        allowed=("tests/house/lints.py",),
        find=line(r"(?i)copyright\s+(\(c\)|©|\d{4})|SPDX-License-Identifier|@license\b|licensed under the"),
        good=(Example("frontend/src/theme.ts", "// keeps the theme across visits"),),
        bad=(Example("frontend/src/diff.js", "/* Copyright (c) 2020 Somebody */"),),
    ),
)

FILE_LINTS: Final = (
    Lint(
        id="PLATFORM-PACKAGE",
        why="platform/ is a source root: with this file the standard library's `platform` is gone",
        paths=("platform/__init__.py",),
        find=always,
        good=(Example("platform/accord/__init__.py"),),
        bad=(Example("platform/__init__.py"),),
    ),
    Lint(
        id="MODULE-NAME",
        why="a module is named after what it holds, not after being useful",
        paths=tuple(
            f"*/{name}{end}"
            for name in (
                "utils",
                "util",
                "helpers",
                "helper",
                "common",
                "manager",
                "managers",
                "handler",
                "misc",
            )
            for end in (".py", "/__init__.py", ".ts")
        ),
        allowed=("*/accord/rules/common/__init__.py",),  # what all formats share, house section 2
        find=always,
        good=(Example("registry/queries.py"), Example("platform/accord/rules/common/__init__.py")),
        bad=(Example("registry/utils.py"), Example("frontend/helpers/__init__.py")),
    ),
    Lint(
        id="MINIFIED",
        why="built and minified files are made, not kept",
        paths=("*.min.js", "*.min.css", "*.map", "frontend/static/frontend/build/*", "*.jar", "*.whl"),
        find=always,
        good=(Example("frontend/src/app.ts"),),
        bad=(Example("frontend/static/htmx.min.js"),),
    ),
    Lint(
        id="LOCK-HASH",
        why="each pinned requirement carries its hashes",
        paths=("requirements/*.txt",),
        find=unhashed,
        good=(Example("requirements/run.txt", "a==1 \\\n    --hash=sha256:00\n    # via b\n"),),
        bad=(Example("requirements/run.txt", "a==1\n"),),
    ),
    Lint(
        id="LOCK-ADDRESS",
        why="a lock names packages and hashes; the address is the machine's business",
        paths=LOCKS,
        # npm lists there whom to fund: as "url", or as bare strings.
        find=line(
            r"^(?!\s*\"(url\"|https://[^\"]*\",?$)).*(https?:|git\+|file:)//|\"resolved\"|--(extra-)?index-url"
        ),
        good=(
            Example("package-lock.json", '"integrity": "sha512-00=="'),
            Example("tests/a/package-lock.json", '    "https://example.org/sponsors/ada",'),
        ),
        bad=(
            Example("requirements/run.txt", "a @ https://example.org/a.whl"),
            Example("tests/a/package-lock.json", '"resolved": "https://example.org/a.tgz",'),
            Example("package-lock.json", '"version": "https://example.org/a.tgz"'),
        ),
    ),
)

PAGE_LINTS: Final = (
    Lint(
        id="INLINE-CODE",
        why="the content security policy allows no inline script, style or event attribute",
        paths=TEMPLATES,
        find=line(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)|<style\b|\sstyle=[\"']|\son[a-z]+=[\"']"),
        good=(Example("frontend/templates/a.html", '<script type="module" src="{% static x %}"></script>'),),
        bad=(
            Example("frontend/templates/a.html", "<script>alert(1)</script>"),
            Example("frontend/templates/a.html", '<p style="color: red">'),
            Example("frontend/templates/a.html", '<button onclick="go()">'),
        ),
    ),
    Lint(
        id="UNSAFE-MARKUP",
        why="text of users is escaped; markup is made in Python by format_html",
        paths=TEMPLATES,
        find=line(r"\|\s*safe\b|\{%\s*autoescape\s+off"),
        good=(Example("frontend/templates/a.html", "{{ schema.highlighted }}"),),
        bad=(Example("frontend/templates/a.html", "{{ text|safe }}"),),
    ),
    Lint(
        id="HARD-ADDRESS",
        why="pages name addresses by {% url %} and {% static %}, and nothing is loaded from elsewhere",
        paths=TEMPLATES,
        find=line(r"""(?:src|action|hx-get|hx-post)=["'](?:/|https?:)|href=["']/(?!\s*["'])"""),
        good=(Example("frontend/templates/a.html", "<a href=\"{% url 'home' %}\">"),),
        bad=(Example("frontend/templates/a.html", '<img src="https://example.org/a.png">'),),
    ),
)

LINTS: Final = (*DATA_LINTS, *TEXT_LINTS, *FILE_LINTS, *PAGE_LINTS)


def main() -> int:
    """Print every offence of the tree; 1 if there is one."""
    found = list(offences(LINTS, tree()))
    print("\n".join(found) or f"{len(LINTS)} house lints: nothing found")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())

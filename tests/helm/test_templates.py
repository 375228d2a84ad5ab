"""Templates name and repeat; what they decide is whether something is wanted at all."""

from __future__ import annotations

import re

from tests.helm.charts import CHART

TEMPLATES = sorted((CHART / "templates").iterdir())
ACTION = re.compile(r"\{\{-?\s*(.*?)\s*-?\}\}", re.DOTALL)
CONDITION = re.compile(r"if (not )?[$.][A-Za-z.]*\.enabled")
NO_LOGIC = re.compile(r"\b(else|and|or|eq|ne|lt|gt|le|ge|add|sub|mul|div|fail|lookup)\b")


def test_templates_decide_nothing_but_whether() -> None:
    for path in TEMPLATES:
        for action in ACTION.findall(path.read_text()):
            if action.startswith("/*"):
                continue
            assert not NO_LOGIC.search(re.sub(r'"[^"]*"', "", action)), (path.name, action)
            assert not action.startswith("if ") or CONDITION.fullmatch(action), (path.name, action)


def test_names_of_other_products_stay_out_of_templates() -> None:
    for path in TEMPLATES:
        assert not re.search(r"nginx|traefik|haproxy", path.read_text(), re.IGNORECASE), path.name

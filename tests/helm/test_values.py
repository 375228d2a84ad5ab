"""The values and the settings table say the same, and what means nothing is refused."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
import yaml

from accord_server.celery import QUEUES
from accord_server.kit.environment import FILE_SUFFIX, Environment
from accord_server.kit.settings_table import SETTINGS
from tests.helm import charts
from tests.helm.charts import CHART, ROOT, RefusedByHelm
from tests.house.pages.chart_values import FIXED, REQUIRED, values

TEXT = (CHART / "values.yaml").read_text()
VALUES = yaml.safe_load(TEXT)
SCHEMA = json.loads((CHART / "values.schema.json").read_text())


def variables(case: str, component: str) -> dict[str, str]:
    """The variables of the first container of a pod."""
    pod = dict(charts.pods(case))[component]
    return {one["name"]: one["value"] for one in pod["containers"][0]["env"]}


def test_every_setting_stands_in_the_values() -> None:
    shown = set(re.findall(r"^ +(?:# )?(ACCORD_[A-Z_]+):", TEXT, re.MULTILINE))
    assert shown == {row.name for row in SETTINGS if row not in FIXED}


def test_secrets_are_only_named() -> None:
    secret = {row.name for row in SETTINGS if row.is_secret}
    assert set(SCHEMA["properties"]["secrets"]["properties"]) == secret
    assert not secret & set(SCHEMA["properties"]["settings"]["properties"])
    assert all(set(one) == {"name", "key"} for one in VALUES["secrets"].values())


def test_there_is_a_worker_for_each_queue() -> None:
    assert tuple(VALUES["workers"]) == QUEUES


def test_the_chart_is_of_the_version_of_the_program() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert chart["appVersion"] == project["version"]


def test_settings_arrive_as_their_own_types_read_them() -> None:
    found = variables("full", "web")
    assert found["ACCORD_BODY_LIMIT"] == "52428800"
    assert found["ACCORD_MODE_CHANGES"] == "false"
    assert found["ACCORD_ALLOWED_HOSTS"] == "console.registry.example.com,registry.example.com"


@pytest.mark.parametrize("case", charts.CASES)
def test_the_platform_takes_the_variables_of_every_pod(case: str) -> None:
    known = {row.name for row in SETTINGS if not row.is_secret} | {
        row.name + FILE_SUFFIX for row in SETTINGS if row.is_secret
    }
    for name, _ in charts.pods(case):
        found = variables(case, name)
        assert found.keys() <= known
        Environment({key: value for key, value in found.items() if not key.endswith(FILE_SUFFIX)})


def test_defaults_of_the_schema_are_those_of_the_table() -> None:
    for row in (one for one in values() if one.path.startswith("settings.") and one.is_plain):
        (setting,) = (one for one in SETTINGS if one.name == row.keys[1])
        text = row.default if isinstance(row.default, str) else json.dumps(row.default)
        assert setting.type.parse(text) == setting.type.parse(setting.default)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"replicas": 3}, "replicas"),
        ({"web": {"replica": 3}}, "replica"),
        ({"settings": {"ACCORD_BODY_LIMITS": 5}}, "ACCORD_BODY_LIMITS"),
        ({"settings": {"ACCORD_BODY_LIMIT": 5}}, "ACCORD_BODY_LIMIT"),
        ({"settings": {"ACCORD_BODY_LIMIT": "65536"}}, "ACCORD_BODY_LIMIT"),
        ({"settings": {"ACCORD_LOG_LEVEL": "LOUD"}}, "ACCORD_LOG_LEVEL"),
        ({"settings": {"ACCORD_ROOT_NAMESPACE": "north"}}, "ACCORD_ROOT_NAMESPACE"),
        ({"settings": {"ACCORD_PUBLIC_URL": "ftp://x"}}, "ACCORD_PUBLIC_URL"),
        ({"settings": {"ACCORD_BASE_DOMAIN": "-"}}, "ACCORD_BASE_DOMAIN"),
        ({"settings": {"ACCORD_SECRET_KEY": "hunter2hunter2"}}, "ACCORD_SECRET_KEY"),
        ({"secrets": {"ACCORD_SECRET_KEY": "hunter2hunter2"}}, "ACCORD_SECRET_KEY"),
        ({"secrets": {"ACCORD_REDIS_URL": None}}, "ACCORD_REDIS_URL"),
        ({"domain": "https://sr.example.org"}, "domain"),
        ({"image": {"digest": "sha256:1"}}, "digest"),
        ({"workers": {"mail": {"replicas": 1}}}, "mail"),
    ],
)
def test_what_means_nothing_is_refused_by_name(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(RefusedByHelm, match=said) as refused:
        charts.render(yaml.safe_dump(changed))
    assert "hunter2" not in str(refused.value)


def test_what_nothing_starts_without_is_required() -> None:
    assert set(SCHEMA["properties"]["secrets"]["required"]) == {row.name for row in REQUIRED}

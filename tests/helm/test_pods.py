"""Every pod of the chart: nobody's root, no token, nothing to write on, no secret it does not need."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import pytest

from accord_server.celery import QUEUES
from accord_server.kit.environment import FILE_SUFFIX
from tests.helm import charts
from tests.helm.charts import CASES

if TYPE_CHECKING:
    from tests.helm.charts import Manifest

OWNER = "ACCORD_OWNER_DATABASE_URL"
PROBES = ("startupProbe", "livenessProbe", "readinessProbe")

every_case = pytest.mark.parametrize("case", CASES)


def every_container(case: str) -> list[Manifest]:
    """Every container of every pod."""
    return [one for _, pod in charts.pods(case) for one in charts.containers(pod)]


def secrets_of(container: Manifest) -> set[str]:
    """The secrets that the variables of a container name."""
    given = {variable["name"]: variable["value"] for variable in container.get("env", [])}
    return {PurePosixPath(value).name for name, value in given.items() if name.endswith(FILE_SUFFIX)}


@every_case
def test_pods_hold_no_rights(case: str) -> None:
    for _, pod in charts.pods(case):
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] > 0
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}


@every_case
def test_containers_hold_no_rights(case: str) -> None:
    for one in every_container(case):
        assert one["securityContext"]["readOnlyRootFilesystem"] is True
        assert one["securityContext"]["allowPrivilegeEscalation"] is False
        assert one["securityContext"]["capabilities"] == {"drop": ["ALL"]}


@every_case
def test_containers_say_what_they_need(case: str) -> None:
    for one in every_container(case):
        assert one["resources"]["requests"].keys() == {"cpu", "memory"}
        assert "memory" in one["resources"]["limits"]


@every_case
def test_what_is_mounted_is_there(case: str) -> None:
    for _, pod in charts.pods(case):
        volumes = {volume["name"] for volume in pod["volumes"]}
        for one in charts.containers(pod):
            assert {mount["name"] for mount in one["volumeMounts"]} <= volumes


@every_case
def test_only_the_migration_knows_the_owner(case: str) -> None:
    for component, pod in charts.pods(case):
        (secrets,) = (one["projected"]["sources"] for one in pod["volumes"] if one["name"] == "secrets")
        mounted = {item["path"] for one in secrets for item in one["secret"]["items"]}
        assert (OWNER in mounted) == (component == "migration")
        (main,) = pod["containers"]
        assert secrets_of(main) == mounted


@every_case
def test_the_compiler_knows_no_secret(case: str) -> None:
    for component, pod in charts.pods(case):
        found = pod.get("initContainers", [])
        assert bool(found) == (component == "web" or component.startswith("worker"))
        for one in found:
            assert "secrets" not in {mount["name"] for mount in one["volumeMounts"]}
            assert secrets_of(one) == set()
            assert one["restartPolicy"] == "Always"


@every_case
def test_who_serves_is_probed(case: str) -> None:
    for component, pod in charts.pods(case):
        for one in pod["containers"]:
            paths = [one[name]["httpGet"]["path"] for name in PROBES if name in one]
            ready = ["/readyz"] if component == "web" else []
            assert paths == ([] if component == "migration" else ["/healthz", "/healthz", *ready])
            ports = {port["name"] for port in one.get("ports", [])}
            assert {one[name]["httpGet"]["port"] for name in PROBES if name in one} == ports


@every_case
def test_deployments_choose_their_own_pods_alone(case: str) -> None:
    chosen = []
    for one in (each for each in charts.manifests(case) if each["kind"] == "Deployment"):
        wanted, labels = one["spec"]["selector"]["matchLabels"], one["spec"]["template"]["metadata"]["labels"]
        assert wanted.items() <= labels.items()
        chosen.append(tuple(sorted(wanted.items())))
    assert len(chosen) == len(set(chosen)) == 2 + len(QUEUES)


@every_case
def test_services_lead_to_ports_that_are_there(case: str) -> None:
    ports = {
        port["name"]
        for _, pod in charts.pods(case)
        for one in pod["containers"]
        for port in one.get("ports", [])
    }
    for service in (one for one in charts.manifests(case) if one["kind"] == "Service"):
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports


def test_the_migration_needs_nothing_of_its_release() -> None:
    job = charts.named("default", "Job")
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    pod = job["spec"]["template"]["spec"]
    assert "serviceAccountName" not in pod
    assert not [one for one in pod["volumes"] if "configMap" in one]


def test_tenants_have_hosts_and_their_slashes() -> None:
    ingress = charts.named("default", "Ingress")
    hosts = ["accord.example.org", "*.accord.example.org"]
    assert [rule["host"] for rule in ingress["spec"]["rules"]] == hosts
    assert ingress["spec"]["tls"] == [{"secretName": "accord-tls", "hosts": hosts}]
    for rule in ingress["spec"]["rules"]:
        assert [(path["path"], path["pathType"]) for path in rule["http"]["paths"]] == [("/", "Prefix")]
    assert not re.search("rewrite|regex", str(ingress["metadata"].get("annotations")))


def test_numbers_of_pods_are_left_to_the_cluster_where_it_chooses_them() -> None:
    scaled = {
        one["spec"]["scaleTargetRef"]["name"]
        for one in charts.manifests("full")
        if "Autoscaler" in one["kind"]
    }
    assert scaled == {"schema-platform-web", "schema-platform-worker-checks"}
    for one in (each for each in charts.manifests("full") if each["kind"] == "Deployment"):
        assert ("replicas" in one["spec"]) == (one["metadata"]["name"] not in scaled)


def test_what_is_off_is_not_there() -> None:
    kinds = [one["kind"] for one in charts.manifests("minimal")]
    deployments = (2 + len(QUEUES)) * ["Deployment"]
    assert sorted(kinds) == [*deployments, "Service", "Service", "ServiceAccount"]

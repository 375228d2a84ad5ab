"""What an operator can say to the Helm chart: a table, to which the settings are added.

`tests.house.pages.chart` prints the values, their JSON Schema and the page of the manual from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from accord_server.celery import QUEUES
from accord_server.kit import settings_table as table
from accord_server.kit.setting_types import LONGEST_DOMAIN, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
SWITCH: Final[Schema] = {"type": "boolean"}
OBJECT: Final[Schema] = {"type": "object"}
TEXTS: Final[Schema] = {"type": "object", "additionalProperties": TEXT}
OBJECTS: Final[Schema] = {"type": "array", "items": OBJECT}
# What Kubernetes takes as the name of an object or of a key in a secret.
NAME: Final[Schema] = {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,253}$"}
REFERENCE: Final[Schema] = {
    "type": "object",
    "properties": {"name": NAME, "key": NAME},
    "required": ["name", "key"],
    "additionalProperties": False,
}
# Some values are templates themselves, so that they follow from others.
TEMPLATE: Final[Schema] = {"type": "string", "pattern": r"\{\{"}

SECRET: Final = "accord"
PUBLIC: Final = "accord.example.org"
# What the chart decides, because its own templates rely on it.
FIXED: Final = (table.COMPILER_SOCKET, table.METRICS_PORT, table.METRICS_FOLDER)
# What nothing starts without, and what the migration needs besides.
REQUIRED: Final = (table.SECRET_KEY, table.TOKEN_PEPPER, table.DATABASE_URL, table.REDIS_URL)
GIVEN: Final = frozenset({*(row.name for row in REQUIRED), table.OWNER_DATABASE_URL.name})
# What is better in a cluster than the defaults of the table.
CHOSEN: Final[Mapping[str, object]] = {
    table.ALLOWED_HOSTS.name: '{{ .Values.domain }},{{ include "accord.serviceHosts" . }}',
    table.PUBLIC_URL.name: "https://{{ .Values.domain }}",
    table.BEHIND_PROXY.name: True,
    table.BASE_DOMAIN.name: "{{ .Values.domain }}",
}


@dataclass(frozen=True)
class Value:
    """One row: where it stands, its default, its JSON Schema, one sentence for the operator.

    A plain one has the default of the program itself, so that it need not be given.
    """

    path: str
    default: Any
    schema: Schema
    sentence: str
    is_required: bool = True
    is_plain: bool = False
    keys: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", tuple(self.path.split(".")))


def whole(minimum: int, maximum: int) -> Schema:
    """Whole numbers between two bounds."""
    return {"type": "integer", "minimum": minimum, "maximum": maximum}


def resources(cpu: str, memory: str, limit: str) -> Schema:
    """What a container asks for, and the memory at which it is ended; processor time is not capped."""
    return {"requests": {"cpu": cpu, "memory": memory}, "limits": {"memory": limit}}


def replicas(place: str, count: int) -> Iterator[Value]:
    """How many pods there are of one kind, by hand or by load."""
    yield Value(f"{place}.replicas", count, whole(0, 1000), "Pods, where autoscaling is off.")
    scaling = f"{place}.autoscaling"
    yield Value(f"{scaling}.enabled", False, SWITCH, "Let the cluster choose the number of pods by load.")
    yield Value(f"{scaling}.minReplicas", count, whole(1, 1000), "Fewest pods.")
    yield Value(f"{scaling}.maxReplicas", 5 * count, whole(1, 1000), "Most pods.")
    yield Value(
        f"{scaling}.targetCPUUtilizationPercentage",
        75,
        whole(1, 1000),
        "Processor time, in percent of what is requested, above which a pod is added.",
    )


def workers() -> Iterator[Value]:
    """One Deployment per queue."""
    for queue in QUEUES:
        place = f"workers.{queue}"
        yield from replicas(place, 2)
        yield Value(f"{place}.concurrency", 2, whole(1, 64), "Tasks that one pod works on at a time.")
        yield Value(
            f"{place}.terminationGracePeriodSeconds",
            120,
            whole(1, 3600),
            "Time to finish a task; one that is cut off is done again by another pod.",
        )
        yield Value(
            f"{place}.resources", resources("250m", "512Mi", "3Gi"), OBJECT, "What the container may use."
        )


IMAGE: Final = (
    Value(
        "domain",
        PUBLIC,
        {
            "type": "string",
            "maxLength": LONGEST_DOMAIN,
            "pattern": r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$",
        },
        "The pages and the interfaces are at this host, namespaces also at hosts below it:"
        " TENANT.DOMAIN and NAMESPACE--TENANT.DOMAIN.",
    ),
    Value("nameOverride", "", TEXT, "Instead of the name of the chart in the labels of objects."),
    Value("fullnameOverride", "", TEXT, "Instead of the name of the release in the names of objects."),
    Value("image.repository", "accord", {**TEXT, "minLength": 1}, "Where `make image` has been pushed to."),
    Value("image.tag", "", TEXT, "Empty for the chart's appVersion."),
    Value(
        "image.digest",
        "",
        {"type": "string", "pattern": "^(sha256:[0-9a-f]{64})?$"},
        "Pins the image to exactly one content, whatever the tag says later.",
    ),
    Value(
        "image.pullPolicy",
        "IfNotPresent",
        {"enum": ["Always", "IfNotPresent", "Never"]},
        "When it is pulled.",
    ),
    Value("imagePullSecrets", [], OBJECTS, "Secrets for the image, each as `name: NAME`."),
)

PROCESSES: Final = (
    *replicas("web", 2),
    Value("web.processes", 2, whole(1, 64), "Processes in each pod."),
    Value(
        "web.threads",
        8,
        whole(2, 256),
        "Threads of each process; at least six more than ACCORD_CHECK_WAITERS.",
    ),
    Value("web.resources", resources("500m", "768Mi", "2Gi"), OBJECT, "What the container may use."),
    Value(
        "web.terminationGracePeriodSeconds", 60, whole(10, 3600), "Time to finish requests when a pod ends."
    ),
    Value(
        "web.podDisruptionBudget.enabled", True, SWITCH, "Let maintenance of nodes take few pods at a time."
    ),
    Value("web.podDisruptionBudget.maxUnavailable", 1, whole(1, 1000), "That many."),
    *workers(),
    Value(
        "beat.resources", resources("20m", "192Mi", "512Mi"), OBJECT, "What the clock of the tasks may use."
    ),
    Value(
        "compiler.resources",
        resources("100m", "256Mi", "4Gi"),
        OBJECT,
        "What the compiler of Protobuf beside each web server and worker may use: two compilations at a"
        " time, each up to 2 GB for the largest texts.",
    ),
    Value(
        "migration.enabled", True, SWITCH, "Bring the tables up to date before an installation or upgrade."
    ),
    Value("migration.activeDeadlineSeconds", 1800, whole(1, 86400), "Time it may take."),
    Value("migration.resources", resources("100m", "256Mi", "1Gi"), OBJECT, "What the container may use."),
)

NETWORK: Final = (
    Value("service.type", "ClusterIP", {"enum": ["ClusterIP", "NodePort", "LoadBalancer"]}, "Its type."),
    Value("service.port", 80, whole(1, 65535), "Its port for HTTP."),
    Value("service.annotations", {}, TEXTS, "Its annotations."),
    Value("ingress.enabled", True, SWITCH, "Make an Ingress for the domain and for every host below it."),
    Value("ingress.className", "", TEXT, "The class of the controller; empty for the cluster's own choice."),
    Value(
        "ingress.annotations",
        {},
        TEXTS,
        "What the controller must be told to pass large bodies, and encoded slashes as they are.",
    ),
    Value(
        "ingress.tlsSecretName",
        "accord-tls",
        TEXT,
        "The secret with the certificate for the domain and *.DOMAIN; empty where TLS ends before the"
        " controller.",
    ),
    Value("networkPolicy.enabled", False, SWITCH, "Say who may open connections to the pods."),
    Value(
        "networkPolicy.webFrom",
        [],
        OBJECTS,
        "Peers that may call the web server, as in a NetworkPolicy; empty for everybody.",
    ),
    Value("networkPolicy.metricsFrom", [], OBJECTS, "Peers that may ask workers for their counters."),
    Value(
        "networkPolicy.egress",
        [{}],
        OBJECTS,
        "Rules for what the pods may connect to: PostgreSQL, Redis, the names of the cluster; at first"
        " everything.",
    ),
    Value("serviceMonitor.enabled", False, SWITCH, "Have Prometheus' operator collect the counters."),
    Value(
        "serviceMonitor.interval", "30s", {"type": "string", "pattern": "^[0-9]+(ms|s|m|h)$"}, "How often."
    ),
    Value("serviceMonitor.labels", {}, TEXTS, "Labels by which Prometheus finds it."),
)

PODS: Final = (
    Value("serviceAccount.annotations", {}, TEXTS, "Annotations of the account, which gets no token."),
    Value("podAnnotations", {}, TEXTS, "Annotations of every pod."),
    Value("podLabels", {}, TEXTS, "Labels of every pod."),
    Value("runAsUser", 10001, whole(1, 2**31 - 1), "The number of the user and of the group in every pod."),
    Value("priorityClassName", "", TEXT, "The priority of every pod."),
    Value("nodeSelector", {}, TEXTS, "Labels of the nodes to run on."),
    Value("tolerations", [], OBJECTS, "Taints of nodes to put up with."),
    Value("affinity", {}, OBJECT, "Which nodes and neighbours every pod prefers."),
    Value("topologySpreadConstraints", [], OBJECTS, "How pods are spread over nodes and zones."),
    Value(
        "extraVolumes", [], OBJECTS, "More volumes of every pod, such as one with a certificate authority."
    ),
    Value("extraVolumeMounts", [], OBJECTS, "Where they are mounted."),
)


def settings() -> Iterator[Value]:
    """The settings that an operator may choose: a row each, of which only ours have a value."""
    for row in table.SETTINGS:
        if row.is_secret or row in FIXED:
            continue
        name = f"settings.{row.name}"
        if row.name in CHOSEN:
            schema: Schema = {"anyOf": [dict(row.type.schema), TEMPLATE]}
            yield Value(name, CHOSEN[row.name], schema, row.sentence, is_required=False)
        else:
            default, schema = _written(row), dict(row.type.schema)
            yield Value(name, default, schema, row.sentence, is_required=False, is_plain=True)


def secrets() -> Iterator[Value]:
    """The settings that are read from secrets."""
    for row in table.SETTINGS:
        if row.is_secret:
            reference = {"name": SECRET, "key": row.name}
            yield Value(
                f"secrets.{row.name}",
                reference,
                REFERENCE,
                row.sentence,
                is_required=row in REQUIRED,
                is_plain=row.name not in GIVEN,
            )


def values() -> Iterable[Value]:
    """Every row."""
    return (*IMAGE, *settings(), *secrets(), *PROCESSES, *NETWORK, *PODS)


GROUPS: Final[Mapping[str, str]] = {
    "settings": "Settings of Accord. What stands behind a # is the default and need not be given.",
    "secrets": "Where the secret settings are: an existing secret, and a key in it for each.",
    "image": "The image of every container.",
    "web": "The web server: pages and interfaces.",
    "workers": "The workers, a Deployment for each queue.",
    "beat": "The clock that starts tasks: one pod.",
    "compiler": "The compiler of Protobuf.",
    "migration": "The Job that makes and changes tables, as their owner.",
    "service": "The Service before the web server.",
    "ingress": "The way in from outside.",
    "networkPolicy": "The NetworkPolicy.",
    "serviceMonitor": "The ServiceMonitor.",
    "serviceAccount": "The account of the pods in the cluster.",
}


def _written(row: table.Setting[Any]) -> object:
    """A default as it would be written in YAML."""
    parsed = row.type.parse(row.default)
    is_plain = isinstance(parsed, bool | int) and row.type is not WORDS
    return parsed if is_plain else row.default

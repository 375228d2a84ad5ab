"""What random calls are made of: few values, so that calls meet each other."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from tests.registry.confluent.model.contracts import RESERVED, VERSION, Metadata, Rule, RuleSet
from tests.registry.confluent.model.sketches import REFERENCE_NAMES, Sketch
from tests.registry.confluent.model.values import LATEST, Amended, Sent

PARTS: Final = ("a", ":.c:a", "b")
WHOLES: Final = ("u", ":.c:u")
OTHER_NAMES: Final = ("x", ":.c:x", "y")
CONTEXTS: Final = (".", ".c", ".d")
PLACES: Final = (*PARTS, *WHOLES, "", ":.c:", ":.__GLOBAL:")

A, B = ("a", "int", False), ("b", "int", True)
SKETCHES: Final = (
    Sketch("R", (A,)),
    Sketch("R", (A, B)),
    Sketch("R", (A, ("b", "int", False))),
    Sketch("R", (("a", "string", False),)),
    Sketch("R", (A,), (("y", 1), ("x", 2))),
    Sketch("R", (A,), (("x", 2), ("y", 1))),
)
WHOLE: Final = Sketch("U", (("r", "R", False),))
WRITTEN_OUT: Final = Sketch("U", (("r", Sketch("R", (A,)), False),))

METADATA: Final = (
    Metadata(),
    Metadata((("k", "1"),)),
    Metadata((("k", "2"),)),
    Metadata(((VERSION, "1"),)),
    Metadata((("k", "1"), ("p", "s")), tags=(("**.a", ("PII",)),), sensitive=("p",)),
    Metadata(((RESERVED, "b"),)),
)
CHECK_X: Final = Rule("x", type="CEL", kind="CONDITION", expr="true", on_failure="DLQ")
RULE_SETS: Final = (
    RuleSet(),
    RuleSet(domain=(CHECK_X,)),
    RuleSet(domain=(Rule("y", mode="READ", type="JSONATA", disabled=True), CHECK_X)),
    RuleSet(migration=(Rule("z", mode="UPGRADE", params=(("p", "1"),)),), enable_at="CLIENT"),
    RuleSet(encoding=(Rule("x", type="ENCRYPT", tags=("PII",)),)),
)
SOME_METADATA = st.none() | st.none() | st.sampled_from(METADATA)
SOME_RULES = st.none() | st.none() | st.sampled_from(RULE_SETS)

NAMES = st.sampled_from((*PARTS, *PARTS, *WHOLES, *OTHER_NAMES))
NUMBERS = st.sampled_from((1, 1, 2, 2, 3, LATEST))
FLAGS = st.booleans()
PREFIXES = st.sampled_from(("", ":*:", ":.c:", "a", ":*:a", "x"))
PAGE = st.tuples(st.sampled_from((0, 0, 0, 1, 2)), st.sampled_from((-1, -1, 0, 1, 2)))
PART = st.builds(
    Sent,
    st.sampled_from(SKETCHES),
    metadata=SOME_METADATA,
    rule_set=SOME_RULES,
    version=st.sampled_from((0, 0, 0, 0, 0, -1, 1, 2, 3)),
    normalize=st.sampled_from((False, False, True)),
)
REFERENCE = st.tuples(
    st.just(REFERENCE_NAMES["AVRO"]),
    st.sampled_from(("a", "a", ":.:a", ":.c:a")),
    st.sampled_from((1, 2, LATEST, LATEST)),
)
BY_REFERENCE = st.builds(
    Sent,
    st.just(WHOLE),
    st.lists(REFERENCE, min_size=1, max_size=2).map(tuple),
    rule_set=SOME_RULES,
    normalize=st.sampled_from((False, False, True)),
) | st.builds(Sent, st.just(WRITTEN_OUT))
ONLY_CONTRACT = st.builds(Sent, st.none(), metadata=SOME_METADATA, rule_set=SOME_RULES)
IMPORTED = st.builds(
    Sent,
    st.sampled_from(SKETCHES[:4]),
    metadata=st.sampled_from((None, METADATA[1])),
    version=st.sampled_from((0, 0, 1, 2, 3)),
    id=st.integers(1, 4),
)
AMENDED = st.builds(
    Amended,
    metadata=SOME_METADATA,
    rule_set=st.none() | st.none() | st.none() | st.sampled_from(RULE_SETS),
    merged=SOME_RULES,
    dropped=st.sampled_from(((), (), ("x",))),
    version=st.sampled_from((0, 0, 0, 2, 3)),
)
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "compatibilityLevel": st.sampled_from(
            ("NONE", "NONE", "BACKWARD", "FORWARD", "FORWARD_TRANSITIVE", "FULL_TRANSITIVE", None)
        ),
        "normalize": st.sampled_from((True, None)),
        "validateFields": st.sampled_from((True, None)),
        "compatibilityGroup": st.sampled_from(("k", "k", None)),
        "defaultMetadata": st.sampled_from((METADATA[1], METADATA[4], None)),
        "overrideMetadata": st.sampled_from((METADATA[2], None)),
        "defaultRuleSet": st.sampled_from((*RULE_SETS[1:3], None)),
        "overrideRuleSet": st.sampled_from((*RULE_SETS[3:], None)),
    },
)
ALIASES = st.sampled_from(("a", "a", ":.c:a", "b", "u", "x", "y", None))

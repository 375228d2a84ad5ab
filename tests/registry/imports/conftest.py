"""Whoever imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.formats.protobuf import service
from registry.services.compiling import FairCompiler
from tests.accord.protobuf_texts import COMPILER
from tests.factories import make_namespace
from tests.registry.imports.bringing import Bringer

if TYPE_CHECKING:
    from tests.cast import Actor


@pytest.fixture
def compiler() -> None:
    """The compiler, shared fairly as servers do."""
    service.use(FairCompiler(COMPILER))


@pytest.fixture
def other(bringer: Bringer, alice: Actor) -> Bringer:
    """Another namespace of the same tenant."""
    make_namespace(alice.tenant, "copy")
    return Bringer(bringer.token, "copy")

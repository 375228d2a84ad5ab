"""What the objects of a JSON Schema say about properties that they do not declare, as its page lists it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from accord.formats.jsonschema.content import ContentModel
from accord.formats.places import shown_pointer
from accord.formats.positions import TextPlaces

if TYPE_CHECKING:
    from collections.abc import Mapping

# Nobody reads further; the native API has more.
MOST_ROWS: Final = 100
BADGES: Final = {ContentModel.OPEN: "warn", ContentModel.CLOSED: "pass", ContentModel.PARTLY_OPEN: "warn"}


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One object; ``badge`` is how its model looks, ``line`` where it is written or referred to."""

    path: str
    line: int
    model: ContentModel
    badge: str


@dataclass(frozen=True, slots=True)
class ModelsPanel:
    """The first objects, and how many more there are."""

    rows: tuple[ModelRow, ...]
    left_out: int


def models_panel(document: Mapping[str, Any], text: str) -> ModelsPanel:
    """Return the panel of what `registry.services.content_models_of` told; lines are those of ``text``."""
    objects = document["objects"][:MOST_ROWS]
    places = TextPlaces(text)
    rows = tuple(_row(one["path"], ContentModel(one["model"]), places) for one in objects)
    return ModelsPanel(rows, sum(document["counts"].values()) - len(rows))


def _row(path: str, model: ContentModel, places: TextPlaces) -> ModelRow:
    return ModelRow(shown_pointer(path), places.locate(path).line, model, BADGES[model])

"""Being written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

if TYPE_CHECKING:
    from .game import Robots


def to_snapshot(game: Robots) -> dict[str, Any]:
    raise NotImplementedError


def from_snapshot(game: Robots, snapshot: Mapping[str, Any]) -> NDArray[Any]:
    raise NotImplementedError

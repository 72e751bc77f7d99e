"""Snapshots: a game as a JSON-able dict of readable names, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

if TYPE_CHECKING:
    from .game import LastDroid


def to_snapshot(game: LastDroid) -> dict[str, Any]:
    raise NotImplementedError


def from_snapshot(game: LastDroid, snapshot: Mapping[str, Any]) -> NDArray[Any]:
    raise NotImplementedError

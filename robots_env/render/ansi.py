"""Being written."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..game import Robots


def render(game: Robots, seat: int | None = None) -> str:
    raise NotImplementedError

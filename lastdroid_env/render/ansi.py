"""The table as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..game import LastDroid


def render(game: LastDroid) -> str:
    raise NotImplementedError

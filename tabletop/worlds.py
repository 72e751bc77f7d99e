"""The handle through which a searching policy sees games as its player may believe them to be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .game import Game, as_seed


class Worlds:
    """What the player in ``seat`` may believe the game at hand to be: ``draw`` deals what it cannot know."""

    __slots__ = ("__game", "seat")

    def __init__(self, game: Game, seat: int) -> None:
        self.__game = game.twin(game.record)
        self.seat = seat

    def draw(self, seed: int) -> Game:
        """A game to play on with, the same for the same seed: ``actor``, ``legal_actions()``, ``act(action)``,
        ``view(seat)``, ``result()`` and what else a ``Game`` has."""
        return self.__game.twin(self.__game.redealt(self.seat, np.array([as_seed(seed)], np.uint64)))

    def draw_many(self, seeds: NDArray[np.uint64]) -> NDArray[Any]:
        """The records of as many games, one a seed."""
        return self.__game.redealt(self.seat, seeds)

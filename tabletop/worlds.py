"""The handle through which a searching policy sees games as its player may believe them to be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .game import Game, as_seed, is_whole


class Worlds:
    """What the player in ``seat`` may believe the game at hand to be: ``draw`` deals what it cannot know.

    What is drawn depends on what that player knows and on the seed. The game itself is not kept.
    """

    __slots__ = ("__game", "__seat")

    def __init__(self, game: Game, seat: int) -> None:
        if not is_whole(seat) or not 0 <= seat < game.num_players:
            raise ValueError(f"seat must be a whole number from 0 to {game.num_players - 1}, not {seat!r}")
        self.__seat = int(seat)
        self.__game = game.twin(game.redealt(self.__seat, np.zeros(1, np.uint64)))

    @property
    def seat(self) -> int:
        """Whose worlds they are."""
        return self.__seat

    def draw(self, seed: int) -> Game:
        """A game to play on with, the same for the same seed: ``actor``, ``legal_actions()``, ``act(action)``,
        ``view(seat)``, ``result()`` and what else a ``Game`` has."""
        return self.__game.twin(self.draw_many(np.array([as_seed(seed)], np.uint64)))

    def draw_many(self, seeds: NDArray[np.uint64]) -> NDArray[Any]:
        """The records of as many games, one a seed (uint64)."""
        return self.__game.redealt(self.__seat, np.asarray(seeds, np.uint64))

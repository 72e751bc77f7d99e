"""Random games: a walk over the decisions of any game."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tabletop.game import Game

Chooser = Callable[[list[int], np.random.Generator], int]


def anything(legal: list[int], rng: np.random.Generator) -> int:
    return int(rng.choice(legal))


def decisions(game: Game, seed: int, choose: Chooser = anything) -> Iterator[tuple[list[int], int]]:
    """Play a game, yielding the legal actions and the chosen one before each is made."""
    rng = np.random.default_rng(seed)
    game.deal(seed)
    while game.actor >= 0:
        legal = game.legal_actions()
        action = choose(legal, rng)
        yield legal, action
        game.act(action)

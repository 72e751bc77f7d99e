"""Who sits where: persons, and agents that decide for the other seats."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabletop.game import Game
from tabletop.policies import Agent, PolicyError, Searching, at_table, is_compiled, machine_code, player_of
from tabletop.worlds import Worlds

PERSON = "person"


@dataclass
class Bot:
    """An agent in a seat, with the generator of that seat. An agent that is a class has an object of its own here."""

    name: str
    act: Any
    rng: Any
    searching: bool = False

    def choose(self, game: Game) -> int:
        """A legal action, from what the seat that decides may see; ``PolicyError`` if the agent fails."""
        observation, mask = game.view(game.actor)
        worlds = [Worlds(game, game.actor)] if self.searching else []
        try:
            choice = self.act(*worlds, observation, mask, self.rng)
        except Exception as error:
            raise PolicyError(f"agent {self.name!r} raised {type(error).__name__}: {error}") from error
        try:
            if isinstance(choice, bool | np.bool_):
                raise TypeError
            action = operator.index(choice)
        except TypeError:
            raise PolicyError(f"agent {self.name!r}: an action is a whole number, not {choice!r}") from None
        if not 0 <= action < game.num_actions or not mask[action]:
            raise PolicyError(f"agent {self.name!r}: {game.why_illegal(action)}") from None
        return action

    def state(self) -> Any:
        """Where its generator stands, JSON-able."""
        return int(self.rng[0]) if isinstance(self.rng, np.ndarray) else self.rng.bit_generator.state

    def go_on_from(self, state: Any) -> None:
        """Set the generator to where ``state`` says; ``ValueError`` for what is none."""
        try:
            if isinstance(self.rng, np.ndarray):
                self.rng[0] = np.uint64(operator.index(state))
            else:
                self.rng.bit_generator.state = state
        except (TypeError, ValueError, KeyError, OverflowError) as error:
            raise ValueError(f"agent {self.name!r}: {state!r} is no state of its generator") from error


def seated(agent: Agent, game: Game, number: int) -> Bot:
    """An agent as it plays a game, with the generator that ``number`` seeds. ``PolicyError`` if it does not compile or
    cannot be made, ``ValueError`` if it cannot play this game."""
    player = player_of(at_table(agent.policy, game))
    if is_compiled(player):
        machine_code([(agent.name, player)])
        return Bot(agent.name, player, np.array([number], np.uint64))
    try:
        act = player()
    except Exception as error:
        raise PolicyError(f"agent {agent.name!r} could not be made: {type(error).__name__}: {error}") from error
    return Bot(agent.name, act, np.random.default_rng(number), isinstance(player, Searching))


def seats_for(me: Sequence[int], agents: Sequence[str], players: int | None, allowed: Sequence[int]) -> list[str]:
    """Who sits in each seat, ``PERSON`` or an agent's name: the agents in order, over again if there are too few.

    ``ValueError`` says what does not fit.
    """
    if not me:
        raise ValueError("--me needs the number of at least one seat, such as 0 or 0,2")
    twice = sorted({seat for seat in me if me.count(seat) > 1})
    if twice:
        raise ValueError(f"--me names seat {twice[0]} twice")
    num_players = players if players is not None else len(me) + max(1, len(agents))
    if num_players not in allowed:
        known = ", ".join(map(str, allowed))
        raise ValueError(f"the game is played by {known}; not by {num_players} players")
    wrong = [seat for seat in me if not 0 <= seat < num_players]
    if wrong:
        raise ValueError(f"--me: seats are numbered 0 to {num_players - 1}, not {wrong[0]}")
    others = num_players - len(me)
    if len(agents) > others:
        free = f"{others} seat{'' if others == 1 else 's'}"
        raise ValueError(f"{len(agents)} agents do not fit: of {num_players} players, {free} are not yours")
    named = iter(list(agents or ["expert"]) * num_players)
    return [PERSON if seat in me else next(named) for seat in range(num_players)]

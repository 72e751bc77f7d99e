"""A game as a person plays it: every choice with what followed from it, so that it can be told, taken back and saved.

The game plays choices with a single answer by itself. Here they are told too: next to the game a copy of it asks them
all (``walk``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from tabletop.game import Game
from tabletop.record import Chronicle


@dataclass(frozen=True)
class Step:
    """One action of a seat, chosen or the only one; the table before and after it."""

    before: Game
    seat: int
    action: int
    after: Game
    chosen: bool


@dataclass(frozen=True)
class Move:
    """A choice of a seat and the steps that it led to, up to the next choice."""

    seat: int
    action: int
    steps: tuple[Step, ...]


def walk(game: Game, action: int) -> tuple[Step, ...]:
    """The steps from an action to where somebody has a choice again. The game stays as it is."""
    asked = game.twin(game.record)
    asks_everything = bool(game.record["ask_forced"][0])
    asked.record["ask_forced"] = 1
    steps: list[Step] = []
    while True:
        before, seat = asked.twin(asked.record), asked.actor
        asked.act(action)
        steps.append(Step(before, seat, action, asked.twin(asked.record), not steps))
        legal = asked.legal_actions()
        if asks_everything or len(legal) != 1:
            return tuple(steps)
        action = legal[0]


class Sitting:
    """A game from its start to where it stands.

    ``is_final(step)`` says whether a step brought something hidden to light, or something moved that is no seat.
    """

    def __init__(self, game: Game, is_final: Callable[[Step], bool]) -> None:
        self.game = game
        self.is_final = is_final
        self.moves: list[Move] = []
        self.chronicle = Chronicle(game)
        self._before: list[NDArray[Any]] = []

    def play(self, action: int) -> Move:
        """Make a legal action; ``IllegalAction`` leaves all as it was."""
        seat, before = self.game.actor, self.game.record.copy()
        steps = walk(self.game, action)
        self.game.act(action)
        move = Move(seat, action, steps)
        self.moves.append(move)
        self._before.append(before)
        self.chronicle.actions.append(action)
        return move

    def can_take_back(self) -> int:
        """How many of the last choices the seat that decides now may take back.

        A choice may be taken back as long as everything since was this seat's, and nothing hidden has come to light:
        no card was drawn, turned over or dealt, nothing was shuffled, no round has ended.
        """
        count = 0
        for move in reversed(self.moves):
            if any(step.seat != self.game.actor or self.is_final(step) for step in move.steps):
                break
            count += 1
        return count

    def take_back(self, count: int) -> None:
        """Take back so many choices, at most those of ``can_take_back``."""
        if not 1 <= count <= self.can_take_back():
            raise ValueError(f"{self.can_take_back()} choices may be taken back, not {count}")
        self.game.record[...] = self._before[-count]
        del self.moves[-count:], self._before[-count:], self.chronicle.actions[-count:]

    def since(self, seat: int) -> list[Step]:
        """All steps since the seat's last choice, its own forced ones included."""
        for i in range(len(self.moves) - 1, -1, -1):
            if self.moves[i].seat == seat:
                return [*self.moves[i].steps[1:], *(step for move in self.moves[i + 1 :] for step in move.steps)]
        return [step for move in self.moves for step in move.steps]

    def record(self) -> str:
        """The game so far as a text record (``tabletop.record``)."""
        return self.chronicle.to_text(self.game)

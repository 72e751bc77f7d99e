"""A game at a table, as every face sees it: one record, its tables, and two compiled entry points.

Each game package subclasses ``Game`` once. No face knows a rule; everything a face needs is asked for here.
"""

from __future__ import annotations

import copy
import difflib
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from .jit import kernel_view
from .layout import Layout
from .loops import DEAL as DEAL
from .loops import HIDDEN, Loops
from .loops import ILLEGAL as ILLEGAL
from .loops import OVER as OVER
from .loops import RESUME as RESUME
from .returns import REWARDS

_REDEALS = np.uint64(0xA0761D6478BD642F)
"""Keeps the streams that redeal hidden cards apart from those of deals with the same seed."""


class IllegalAction(ValueError):
    """An action that the rules do not allow now. The game is as it was."""


class ImpossibleState(ValueError):
    """A state that no game can be in, or that does not fit the environment. The game is as it was."""


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number of Python's or NumPy's; truth values are not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def as_seed(seed: Any) -> int:
    """A seed as a Python int, 0 to 2**64 - 1; ``TypeError`` or ``ValueError`` otherwise."""
    if not is_whole(seed):
        raise TypeError(f"seed must be a whole number or None, not {seed!r}")
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed must lie between 0 and 2**64 - 1, not {seed}")
    return int(seed)


def fresh_seed() -> int:
    """A seed from the operating system's entropy."""
    return int.from_bytes(os.urandom(8), "little")


class HasTables(Protocol):
    """What a game's printed cards or rule set are loaded into."""

    @property
    def tables(self) -> NDArray[Any]:
        """A read-only array of shape (1,) as the rules read it."""

    @property
    def content_hash(self) -> str:
        """A name for what is printed."""


class Game(ABC):
    """One game. ``record`` has shape (1,) and the game's own dtype; ``data`` holds the ``tables``, which are read-only.

    ``loops`` are the compiled loops bound to the game's rules. They write observations (float32, ``observation_size``)
    and masks (int8, ``num_actions``) in place, and results for ``max_seats`` seats.
    """

    name: ClassVar[str]
    num_actions: ClassVar[int]
    loops: ClassVar[Loops]
    max_seats: ClassVar[int]

    num_players: int
    observation_size: int
    data: HasTables
    tables: NDArray[Any]
    record: NDArray[Any]

    def __init__(self, num_players: int, dtype: np.dtype[Any], data: HasTables, **flags: Any) -> None:
        """``flags``, truth values, are written into the record like ``num_players``; ``ValueError`` for others."""
        for flag, value in flags.items():
            if not isinstance(value, bool | np.bool_):
                raise ValueError(f"{flag} must be True or False, not {value!r}")
        self.num_players = int(num_players)
        self.data = data
        self.tables = data.tables
        self.record = kernel_view(np.zeros(1, dtype))
        self.started = False
        for name, value in {"num_players": self.num_players, **flags}.items():
            self.record[name] = value

    # What a game package supplies.

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """The keyword arguments that make a game of the same settings, JSON-able."""

    @property
    @abstractmethod
    def layout(self) -> Layout:
        """The sections of an observation."""

    @abstractmethod
    def observation_bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Least and greatest value of each element of an observation."""

    @abstractmethod
    def state(self) -> NDArray[np.float32]:
        """The whole truth as a vector, hidden cards included."""

    @abstractmethod
    def state_bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Least and greatest value of each element of ``state``."""

    @property
    @abstractmethod
    def action_names(self) -> tuple[str, ...]:
        """The fixed names of all actions, in order."""

    @abstractmethod
    def decision_to_string(self) -> str:
        """What is being decided, in a word or two."""

    @abstractmethod
    def snapshot(self) -> dict[str, Any]:
        """The game as a JSON-able dict of readable names."""

    @abstractmethod
    def record_of(self, snapshot: Mapping[str, Any]) -> NDArray[Any]:
        """A record (shape (1,)) of a snapshot with this game's settings; ``ImpossibleState`` names what is wrong."""

    @abstractmethod
    def to_text(self, seat: int | None = None, *, width: int = 108, choices: bool = True) -> str:
        """The table as a player can follow it, in lines of ``width`` columns; of a seat's hidden cards only that seat's
        own; with ``choices`` what it may do, if it decides."""

    # What all games share.

    def end_with_part(self, records: NDArray[Any]) -> None:  # noqa: B027
        """Let games end where a part of them ends that is scored by itself (a round), if the game has such: that is as
        far as a search looks."""

    @property
    def play(self) -> Callable[..., int]:
        """``loops.play_game``: ``play(record, 0, tables, action, observation, action_mask)``."""
        return self.loops.play_game

    @property
    def seats(self) -> int:
        """Players, and in a solo game the opponent."""
        return max(2, self.num_players)

    def result(self) -> tuple[list[int], list[bool]]:
        """Points by seat as the table lies, and who wins or shares the win; solo: then the opponent's."""
        scores, wins = np.zeros((2, self.max_seats), np.int64)
        self.loops.judge_game(self.record, 0, self.tables, scores, wins)
        return scores[: self.seats].tolist(), [bool(won) for won in wins[: self.seats]]

    def returns(self, reward: str) -> list[float]:
        """Each player's return if the game ended now, for one of ``tabletop.returns.REWARDS``."""
        scores, wins = np.zeros((2, self.max_seats), np.int64)
        returns = np.zeros(self.max_seats, np.float64)
        kind = REWARDS.index(reward)
        self.loops.returns_of_game(self.record, 0, self.tables, kind, scores, wins, returns)
        return list(returns[: self.num_players].tolist())

    def deal(self, seed: int | np.integer[Any] | None = None) -> None:
        """Deal a new game: from ``seed``, or going on with the generator's stream (the first time from entropy)."""
        if seed is not None:
            self.record["rng"][0] = as_seed(seed)
        elif not self.started:
            self.record["rng"][0] = fresh_seed()
        self.started = True
        self.loops.play_game(self.record, 0, self.tables, DEAL, *self.buffers())

    def buffers(self) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Empty arrays for an observation and a mask."""
        return np.empty(self.observation_size, np.float32), np.empty(self.num_actions, np.int8)

    def view(self, seat: int) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Observation and action mask of a seat; the mask is all zero unless that seat decides."""
        observation, mask = self.buffers()
        self.loops.look_at_game(self.record, 0, self.tables, seat, observation, mask)
        return observation, mask

    def act(self, action: int) -> int:
        """Make an action; returns the next seat or ``OVER``. ``IllegalAction`` leaves the game as it was."""
        actor = ILLEGAL
        if 0 <= action < self.num_actions:
            actor = int(self.loops.play_game(self.record, 0, self.tables, action, *self.buffers()))
        if actor == ILLEGAL:
            raise IllegalAction(self.why_illegal(action))
        return actor

    def why_illegal(self, action: int) -> str:
        """What is wrong with a whole number as the next action, and what would be right."""
        if self.actor < 0:
            return "the game is over"
        if not 0 <= action < self.num_actions:
            return f"actions are numbered 0 to {self.num_actions - 1}, not {action}"
        legal = [f"{a} ({self.action_to_string(a)})" for a in self.legal_actions()]
        some = ", ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
        return (
            f"action {action} ({self.action_to_string(action)}) is not legal now: player_{self.actor} decides "
            f"({self.decision_to_string()}); legal are {some}"
        )

    @property
    def seed(self) -> int:
        """The seed of this deal: ``deal(seed)`` deals it again. After a redeal of hidden cards it is a new number."""
        return int(self.record["seed"][0])

    @property
    def actor(self) -> int:
        """The seat that decides, ``OVER`` when the game is over."""
        return int(self.record["actor"][0])

    def legal_actions(self) -> list[int]:
        """Legal actions of the seat that decides, in ascending order; none when the game is over."""
        if self.actor < 0:
            return []
        return [int(a) for a in np.flatnonzero(self.view(self.actor)[1])]

    @property
    def truncated(self) -> bool:
        """Whether the game was cut short by its own rules: it is over without a result."""
        return False

    def action_to_string(self, action: int) -> str:
        """An action's fixed name; ``TypeError`` or ``ValueError`` for what is no action's number."""
        if not is_whole(action):
            raise TypeError(f"an action is a whole number from 0 to {self.num_actions - 1}, not {action!r}")
        if not 0 <= action < self.num_actions:
            raise ValueError(f"actions are numbered 0 to {self.num_actions - 1}, not {action}")
        return self.action_names[action]

    def action_from_string(self, text: str) -> int:
        """The number of an action's name; ``TypeError`` or ``ValueError`` if there is none."""
        if not isinstance(text, str):
            raise TypeError(f"an action's name is a text, not {text!r}")
        names = self.action_names
        try:
            return names.index(text.strip())
        except ValueError:
            near = difflib.get_close_matches(text.strip()[:80], names, 4)
            hint = f"; did you mean one of {near}?" if near else ""
            raise ValueError(f"no action is called {text[:80]!r}{hint}") from None

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take a snapshot back; one that is wrong is refused with the field's name, and nothing changes."""
        self.record[...] = self.record_of(snapshot)
        self.started = True

    def redeal_hidden(self, seat: int, seed: int) -> None:
        """Redeal what the player in ``seat`` cannot know, uniformly, consistent with all it does know."""
        self.record[...] = self.redealt(seat, np.array([as_seed(seed)], np.uint64))

    def redealt(self, seat: int, seeds: NDArray[np.uint64]) -> NDArray[Any]:
        """Copies of the record, one a seed, in which what ``seat`` cannot know is dealt anew."""
        return self._redealt(1 << seat, seeds)

    def _redealt(self, keep: int, seeds: NDArray[np.uint64]) -> NDArray[Any]:
        """Copies in which all is dealt anew that is hidden, but for the hands of the seats to ``keep``, a bit each."""
        records = kernel_view(np.repeat(self.record.view(np.ndarray), len(seeds)))
        slots = np.zeros((4, HIDDEN), np.int64)
        self.loops.redeal_games(records, self.tables, keep, seeds ^ _REDEALS, slots)
        return records

    def twin(self, record: NDArray[Any]) -> Game:
        """A game of the same settings that stands at a copy of ``record``."""
        twin = copy.copy(self)
        # As bytes: NumPy copies an array of records field by field, which takes ten times as long.
        twin.record = kernel_view(record.view(np.ndarray).view(np.uint8).copy().view(record.dtype))
        return twin

    def __getstate__(self) -> dict[str, Any]:
        # Unpickled arrays are writable, for which the kernels would be compiled anew: the tables come from the data.
        return {name: value for name, value in self.__dict__.items() if name != "tables"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.tables = self.data.tables

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        memo[id(self)] = twin = self.twin(self.record)
        return twin


def check_reward(reward: str) -> str:
    """``ValueError`` unless ``reward`` is one of ``REWARDS``."""
    if reward not in REWARDS:
        raise ValueError(f"reward must be one of {', '.join(map(repr, REWARDS))}, not {reward!r}")
    return reward

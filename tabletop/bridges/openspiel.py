"""OpenSpiel: both games as ``pyspiel`` games, ``python_last_droid`` and ``python_robots``.

Importing this module registers them; ``pyspiel.load_game("python_last_droid(players=3)")`` loads one.

**Chance.** A game here is dealt from a seed, and whatever is drawn later was settled by it, like a deck that is
shuffled once. So all chance comes first, explicitly: ``SEED_DIGITS`` chance nodes draw the digits of the seed in base
``DIGIT``, the highest first, each with equal probability. The same seed is the same game in every face of this library,
a history replays exactly, and there are 2**32 deals. A player sees nothing of the digits.

**Information states.** ``information_state_string`` stands for all that a player has seen and done since the deal
(perfect recall): a hash over its observation after every action of anybody, and its own actions. It is the same in two
states exactly if the player cannot tell them apart. It has no tensor, since the past has no fixed size;
``observation_tensor`` is what the environments give, in named pieces. ``observation_string`` is text to read.

**Resampling.** ``resample_from_infostate`` redeals what a player cannot know. To that player the state is the same.
What the others have seen before is not made up anew: their information states begin at the resampled position.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import importlib
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..game import ILLEGAL, Game, IllegalAction, check_reward
from ..jit import kernel_view
from ..layout import Layout

try:
    import pyspiel
except ImportError as error:
    raise ImportError("OpenSpiel is not installed: pip install 'tabletop-droids[openspiel]'") from error

DIGIT = 256
SEED_DIGITS = 4
_DEAL = [(digit, 1 / DIGIT) for digit in range(DIGIT)]
BUILT_IN = "built-in"
_MOST_POINTS = 10_000
"""Bound of a player's points in a game, or round, that is declared to OpenSpiel: far above what occurs."""


class Position:
    """Where a game stands. It never changes, so that every copy of a state has the same one.

    ``raw`` is the game's record, ``legal`` the actions of the seat ``actor``; ``past`` the position before, which
    ``mover`` left by ``action``.
    """

    __slots__ = ("_seen", "action", "actor", "legal", "mover", "number", "past", "raw", "table")

    def __init__(
        self,
        table: Table,
        raw: bytes,
        actor: int,
        legal: list[int],
        past: Position | None = None,
        mover: int = -1,
        action: int = -1,
        number: int = 0,
        seen: tuple[bytes, ...] | None = None,
    ) -> None:
        self.table = table
        self.raw = raw
        self.actor = actor
        self.legal = legal
        self.past = past
        self.mover = mover
        self.action = action
        self.number = number
        self._seen = seen

    @property
    def seen(self) -> tuple[bytes, ...]:
        """For each player a hash of all that it has seen and done up to here."""
        if self._seen is None:
            line = [self]
            while (before := line[-1].past) is not None and line[-1]._seen is None:
                line.append(before)
            for at in reversed(line):
                if at._seen is None:
                    at._seen = tuple(at._look(player) for player in range(self.table.game.num_players))
                at.past = None
        assert self._seen is not None
        return self._seen

    def _look(self, player: int) -> bytes:
        """A hash of what a player knew and did, and of what it sees now."""
        digest = hashlib.blake2b(digest_size=16)
        if self.past is not None:
            digest.update(self.past.seen[player])
            if self.mover == player:
                digest.update(self.action.to_bytes(4, "little"))
        for array in self.view(player):
            digest.update(array.tobytes())
        return digest.digest()

    def view(self, player: int) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Observation and mask of a player."""
        game = self.table.game
        observation, mask = game.buffers()
        game.loops.look_at_game(self.record(), 0, game.tables, player, observation, mask)
        return observation, mask

    def record(self) -> NDArray[Any]:
        """The record as the kernels take it, to be written to."""
        return kernel_view(np.frombuffer(bytearray(self.raw), self.table.game.record.dtype))

    def game(self) -> Game:
        """A game that stands here."""
        game = copy.copy(self.table.game)
        game.record = self.record()
        return game

    def play(self, action: int) -> Position:
        """The position after a legal action."""
        game = self.table.game
        observation, mask = game.buffers()
        record = self.record()
        actor = int(game.play(record, 0, game.tables, action, observation, mask))
        if actor == ILLEGAL:
            raise IllegalAction(self.game().why_illegal(action))
        legal = mask.nonzero()[0].tolist() if actor >= 0 else []
        return Position(self.table, record.tobytes(), actor, legal, self, self.actor, action, self.number + 1)

    def resampled(self, player: int, seed: int) -> Position:
        """What ``player`` cannot know dealt anew; what the others have seen begins here."""
        game = self.game()
        game.redeal_hidden(player, seed)
        anew = Position(self.table, game.record.tobytes(), self.actor, game.legal_actions(), number=self.number)
        seen = [anew._look(other) for other in range(game.num_players)]
        seen[player] = self.seen[player]
        anew._seen = tuple(seen)
        return anew

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        at = (self.table, self.raw, self.actor, self.legal, None, -1, -1, self.number, self.seen)
        return Position, at


class Table:
    """What all states of a game share."""

    def __init__(self, game: Game, layout: Layout, reward: str) -> None:
        self.game = game
        self.layout = layout
        self.reward = reward
        self.name = ""

    def deal(self, seed: int) -> Position:
        """The first position of a seed."""
        game = self.game.twin(self.game.record)
        game.deal(seed)
        return Position(self, game.record.tobytes(), game.actor, game.legal_actions())

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return table_of, (self.name,)


@functools.lru_cache(maxsize=64)
def table_of(name: str) -> Table:
    """The table of the OpenSpiel game that is loaded by this name and parameters."""
    table: Table = pyspiel.load_game(name).table
    return table


class TabletopGame(pyspiel.Game):
    """A game with its settings, as OpenSpiel loads it."""

    long_name: ClassVar[str]
    short_name: ClassVar[str]
    players: ClassVar[tuple[int, int]]
    defaults: ClassVar[dict[str, Any]]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {name: value for name, value in (params or {}).items() if value != self.defaults[name]}
        table, most, longest = self.make(**{**self.defaults, **given})
        game = table.game
        check_reward(table.reward)
        zero_sum = game.num_players > 1 and table.reward != "score"
        bound = 1.0 if table.reward == "win" else float(most)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=DIGIT,
            num_players=game.num_players,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=longest,
        )
        utility = pyspiel.GameType.Utility
        super().__init__(self.kind(utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM), info, given)
        self.table = table
        table.name = str(self)

    @classmethod
    def make(cls, *_: Any, **settings: Any) -> tuple[Table, float, int]:
        """The table, a bound of a player's points, and the most decisions of a game."""
        raise NotImplementedError

    @classmethod
    def kind(cls, utility: pyspiel.GameType.Utility) -> pyspiel.GameType:
        """What OpenSpiel knows of the game before it is loaded."""
        return pyspiel.GameType(
            short_name=cls.short_name,
            long_name=cls.long_name,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=utility,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            min_num_players=cls.players[0],
            max_num_players=cls.players[1],
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification=cls.defaults,
        )

    def new_initial_state(self) -> TabletopState:
        """A state before the deal."""
        return TabletopState(self)

    def deal(self, seed: int) -> TabletopState:
        """The state after the chance nodes that draw ``seed`` (0 to 2**32 - 1): the game that seed deals everywhere."""
        if not 0 <= seed < DIGIT**SEED_DIGITS:
            raise ValueError(f"seed must lie between 0 and 2**32 - 1, not {seed}")
        state = self.new_initial_state()
        for place in reversed(range(SEED_DIGITS)):
            state.apply_action(seed // DIGIT**place % DIGIT)
        return state

    def max_chance_nodes_in_history(self) -> int:
        """The digits of the seed."""
        return SEED_DIGITS

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> TabletopObserver | None:
        """What OpenSpiel sees a state through; None for a part of what one player sees, which is not to be had."""
        if params:
            raise ValueError(f"observations have no parameters here: {dict(params)}")
        if iig_obs_type is None:
            return TabletopObserver(self.table, perfect_recall=False)
        if not iig_obs_type.public_info or iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return TabletopObserver(self.table, perfect_recall=bool(iig_obs_type.perfect_recall))


class TabletopState(pyspiel.State):
    """A state: so far the digits of the seed, then a position."""

    def __init__(self, game: TabletopGame) -> None:
        super().__init__(game)
        self._table = game.table
        self._digits: tuple[int, ...] = ()
        self._at: Position | None = None

    def current_player(self) -> int:
        if self._at is None:
            return int(pyspiel.PlayerId.CHANCE)
        return self._at.actor if self._at.actor >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return _DEAL

    def is_terminal(self) -> bool:
        return self._at is not None and self._at.actor < 0

    def _legal_actions(self, player: int) -> list[int]:
        return self._at.legal if self._at is not None else []

    def _apply_action(self, action: int) -> None:
        if self._at is not None:
            self._at = self._at.play(action)
            return
        self._digits = (*self._digits, action)
        if len(self._digits) == SEED_DIGITS:
            self._at = self._table.deal(functools.reduce(lambda seed, digit: seed * DIGIT + digit, self._digits))

    def returns(self) -> list[float]:
        if self._at is None or not self.is_terminal():
            return [0.0] * self._table.game.num_players
        game = self._at.game()
        return [0.0] * game.num_players if game.truncated else game.returns(self._table.reward)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> TabletopState:
        """A state that ``player_id`` cannot tell from this one. Its history is this state's, and does not replay."""
        other: TabletopState = self.clone()
        if self._at is not None:
            other._at = self._at.resampled(player_id, int(probability_sampler() * 2**53))
        return other

    def tabletop_game(self) -> Game:
        """A game that stands here, with all that is hidden; ``RuntimeError`` before the deal."""
        if self._at is None:
            raise RuntimeError("the game has not been dealt yet")
        return self._at.game()

    def to_text(self, player: int | None = None) -> str:
        """The table as a player sees it; the one that decides, if none is named."""
        if self._at is None:
            return f"before the deal; digits of the seed in base {DIGIT}: {', '.join(map(str, self._digits)) or 'none'}"
        seat = self._at.actor if player is None else player
        return self._at.game().to_text(seat if seat >= 0 else None)

    def view(self, player: int) -> NDArray[np.float32]:
        """A player's observation; all zero before the deal."""
        if self._at is None:
            return np.zeros(self._table.game.observation_size, np.float32)
        return self._at.view(player)[0]

    def information(self, player: int) -> str:
        """What ``information_state_string`` gives."""
        if self._at is None:
            return f"player_{player} before the deal"
        return f"player_{player} after {self._at.number} decisions: {self._at.seen[player].hex()}"

    def sight(self, player: int) -> str:
        """What ``observation_string`` gives: the table to read, and a hash of the observation."""
        if self._at is None:
            return f"player_{player} before the deal"
        observation, mask = self._at.view(player)
        digest = hashlib.blake2b(observation.tobytes() + mask.tobytes(), digest_size=16).hexdigest()
        return f"player_{player}, observation {digest}\n{self.to_text(player)}"

    def _action_to_string(self, player: int, action: int) -> str:
        return f"digit {action}" if player < 0 else self._table.game.action_to_string(action)

    def __str__(self) -> str:
        """The table as whoever decides sees it, and a hash of all that is hidden."""
        if self._at is None:
            return self.to_text()
        return f"{self.to_text()}\nrecord {hashlib.blake2b(self._at.raw, digest_size=16).hexdigest()}"


class TabletopObserver:
    """The observation as a tensor of named pieces, the sections of its layout; with perfect recall, a string alone."""

    def __init__(self, table: Table, *, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if not perfect_recall:
            self.tensor = np.zeros(table.game.observation_size, np.float32)
            self.dict = table.layout.split(self.tensor)

    def set_from(self, state: TabletopState, player: int) -> None:
        """Write what ``player`` sees into ``tensor``, of which ``dict`` has the pieces."""
        if self.tensor is not None:
            self.tensor[:] = state.view(player)

    def string_from(self, state: TabletopState, player: int) -> str:
        """``information_state_string`` with perfect recall, ``observation_string`` without."""
        return state.information(player) if self.perfect_recall else state.sight(player)


class LastDroidGame(TabletopGame):
    """Last Droid: the settings of ``lastdroid_env.LastDroid`` as parameters, ``cards`` as a file's path."""

    long_name = "Last Droid"
    short_name = "python_last_droid"
    players = (1, 4)
    defaults: ClassVar[dict[str, Any]] = {
        "players": 2,
        "hard": False,
        "table_talk": False,
        "open_deck": False,
        "extension_after_season_3": False,
        "ask_forced": False,
        "cards": BUILT_IN,
        "reward": "win",
    }

    @classmethod
    def make(cls, players: int, cards: str, reward: str, **flags: bool) -> tuple[Table, float, int]:
        package = importlib.import_module("lastdroid_env")
        game = package.LastDroid(players, cards=None if cards == BUILT_IN else cards, **flags)
        longest = importlib.import_module("lastdroid_env.bound").max_decisions(players, game.cards)
        return Table(game, package.layout(players), reward), _MOST_POINTS, longest


class RobotsGame(TabletopGame):
    """Robots!: the settings of ``robots_env.Robots`` as parameters; ``rounds=0`` plays a match."""

    long_name = "Robots!"
    short_name = "python_robots"
    players = (2, 5)
    defaults: ClassVar[dict[str, Any]] = {
        "players": 2,
        "rounds": 0,
        "rules": "source",
        "ask_forced": False,
        "reward": "default",
    }

    @classmethod
    def make(cls, players: int, rounds: int, rules: str, ask_forced: bool, reward: str) -> tuple[Table, float, int]:
        package = importlib.import_module("robots_env")
        game = package.Robots(players, rules=rules, rounds=rounds or None, ask_forced=ask_forced)
        longest = importlib.import_module("robots_env.bound").max_decisions(players, game.rules, rounds)
        if reward == "default":
            reward = "margin" if rounds == 1 else "win"
        return Table(game, package.layout(players), reward), _MOST_POINTS * (rounds or game.rules.max_rounds), longest


for _game in (LastDroidGame, RobotsGame):
    pyspiel.register_game(_game.kind(pyspiel.GameType.Utility.ZERO_SUM), _game)

"""A batch with one learner in each game, among built-in players who move inside ``step``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from .aec import ILLEGAL_ACTIONS, ILLEGAL_REWARD
from .batch import Batch, G, Turn
from .game import Game, ImpossibleState, is_whole
from .loops import HOLD
from .opponents import lineup_for


class LearnerTurn(NamedTuple):
    """What the learners get. All arrays are new ones."""

    observations: NDArray[np.float32]
    """``(num_envs, n)``: what each sees."""
    action_mask: NDArray[np.int8]
    """``(num_envs, num_actions)``: 1 for its legal actions; all 0 in a game that has ended."""
    rewards: NDArray[np.float32]
    """``(num_envs,)``: 0, and at the end of a game the learner's return."""
    terminated: NDArray[np.bool_]
    """``(num_envs,)``: whether the game has just ended by its rules."""
    truncated: NDArray[np.bool_]
    """``(num_envs,)``: whether it has just been cut short."""
    ended: NDArray[np.int64]
    """``(k,)``: the rows whose games have just ended."""
    final_observations: NDArray[np.float32]
    """``(k, n)``: what their learners saw of the end."""


class Learners(Batch[G]):
    """Games for one learner each: the engine of the Gymnasium and SB3 faces.

    Args:
        game: a game of the settings that all are to have; ``agents_of`` is its name as agents know it.
        num_envs: games in the batch, 1 to 1,000,000.
        opponents: who plays the other seats, clockwise from the learner: a name of ``python -m agents list``,
            ``"FILE.py:NAME"``, a policy, or a ``Mixture`` of such; one for all or one for each. None alone at the
            table. Compiled policies move in compiled code; one with a method
            ``act_batch(observations, action_masks) -> actions`` is asked once for all games in which it is to move.
        seat: the learner's, 0 to ``num_players - 1``, or ``"random"``: drawn anew for each game.
        illegal_action: ``"raise"`` an ``IllegalAction`` before any game has moved, or ``"terminate"`` that row's
            episode with reward -1, for clients that sample without the mask.
        max_cycles: truncate an episode after so many actions of the learner. None: never.
        seed, reward, autoreset_mode, threads: as in ``TabletopVecEnv``.

    Row i of ``reset(seed=s)`` is dealt as the AEC environment deals with seed ``s + i``. A game that is over before the
    learner has decided anything is passed over: the next of the stream is dealt. If an opponent fails or chooses what
    is not legal (``PolicyError`` names it), all games have to be dealt anew.
    """

    def __init__(
        self,
        game: G,
        agents_of: str,
        num_envs: int,
        *,
        opponents: Any = "random",
        seat: int | str = 0,
        reward: str = "win",
        illegal_action: str = "raise",
        max_cycles: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        threads: int = 1,
        seed: int | None = None,
    ) -> None:
        if illegal_action not in ILLEGAL_ACTIONS:
            raise ValueError(f"illegal_action must be 'raise' or 'terminate', not {illegal_action!r}")
        if seat != "random" and not (is_whole(seat) and 0 <= int(seat) < game.num_players):
            raise ValueError(f"seat must be 'random' or a number from 0 to {game.num_players - 1}, not {seat!r}")
        self.agents_of = agents_of
        self.seat = seat
        self.opponents = opponents
        self.illegal_action = illegal_action
        super().__init__(
            game,
            num_envs,
            seed=seed,
            reward=reward,
            autoreset_mode=autoreset_mode,
            max_cycles=max_cycles,
            threads=threads,
            lineup=lineup_for(opponents, game.num_players - 1, game, agents_of),
            place=-1 if seat == "random" else int(seat),
        )

    def set_opponents(self, opponents: Any) -> None:
        """Other opponents, from now on, in the games that are under way too; a wrong argument changes nothing."""
        with self._alone():
            self.lineup = lineup_for(opponents, self.num_players - 1, self.game, self.agents_of)
            self.opponents = opponents
            rng = np.random.default_rng(self._streams[:, 0, 0])
            rows = np.arange(self.num_envs)
            for k, line in enumerate(self.lineup.slots):
                seats = (self.learners + 1 + k) % self.num_players
                self._seated["who"][rows, seats] = rng.choice(line, self.num_envs)

    @property
    def learners(self) -> NDArray[np.int64]:
        """``(num_envs,)``: the learner's seat in each game."""
        seats: NDArray[np.int64] = self._seated["learner"].astype(np.int64)
        return seats

    def deal(self, seed: Any = None, *, where: Any = None) -> LearnerTurn:
        """``reset``, as the learners see it."""
        return self._seen(self.reset(seed, where=where), self.learners)

    def go_on_from(self, snapshots: Sequence[Mapping[str, Any]], seed: Any = None) -> LearnerTurn:
        """``restore``, as the learners see it; with ``seed`` what follows is drawn from there, as by ``reset``.

        ``ImpossibleState`` if there is a game in which the learner has nothing more to decide; nothing has changed.
        """
        kept = {name: value.copy() for name, value in self.__dict__.items() if isinstance(value, np.ndarray)}
        turn = self.restore(snapshots, seed=seed)
        over = np.flatnonzero(turn.current_player < 0)
        if len(over):
            for name, value in kept.items():
                getattr(self, name)[...] = value
            raise ImpossibleState(f"game {over[0]}: the learner has nothing more to decide there")
        return self._seen(turn, self.learners)

    def act(self, actions: Any) -> LearnerTurn:
        """``step``, as the learners see it."""
        learners = self.learners
        if self.illegal_action == "raise":
            return self._seen(self.step(actions), learners)
        with self._alone():
            numbers = self._whole(actions)
            live = self._seated["seat"] >= 0
            inside = (numbers >= 0) & (numbers < self.num_actions)
            legal = inside & (self._masks[np.arange(self.num_envs), np.where(inside, numbers, 0)] == 1)
            wrong = np.flatnonzero(live & ~legal)
            numbers[~live] = 0
            numbers[wrong] = HOLD
            turn = self.buffers()
            self._move(numbers, turn)
            self._seated["seat"][wrong] = -1
            self._masks[wrong] = 0
            turn.rewards[wrong, learners[wrong]] = ILLEGAL_REWARD
            turn.terminated[wrong] = True
            self._show(wrong, turn)
            return self._seen(self._finish(turn), learners)

    def action_masks(self) -> NDArray[np.bool_]:
        """``(num_envs, num_actions)``: the legal actions, True for each, in a new array."""
        return self._masks.astype(np.bool_)

    def text(self, row: int) -> str:
        """The table of a row as its learner sees it."""
        return self._one(row).to_text(int(self.learners[row]))

    def snapshot_of(self, row: int) -> dict[str, Any]:
        """The game of a row as a JSON-able dict of readable names."""
        return self._one(row).snapshot()

    def table(self) -> Game:
        """The game of row 0 as it stands: what it shows is always the present position."""
        view = self.game.twin(self.game.record)
        view.record = self.games[:1]
        view.started = bool(self._dealt[0])
        return view

    def _seen(self, turn: Turn, learners: NDArray[np.int64]) -> LearnerTurn:
        """A turn as the learners see it who sat in these seats when it began."""
        rewards = turn.rewards[np.arange(self.num_envs), learners]
        if turn.final is None:
            ended, final = np.zeros(0, np.int64), np.zeros((0, self.observation_size), np.float32)
        else:
            ended = turn.final.rows
            final = turn.final.observations[np.arange(len(ended)), learners[ended]]
        return LearnerTurn(turn.observations, turn.action_mask, rewards, turn.terminated, turn.truncated, ended, final)

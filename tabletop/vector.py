"""The vector face: a batch of games of the same settings, all of whose seats are the caller's."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from .batch import Batch, Final, G, Turn, check_arrays, count_of, no_fault
from .game import is_whole
from .loops import MAX_SEATS
from .opponents import lineup_for
from .policies import machine_code
from .returns import REWARDS
from .spaces import ActionSpace

__all__ = ["Final", "Outcome", "Rollout", "TabletopVecEnv", "Turn"]


class Rollout(NamedTuple):
    """Some decisions in each game of a batch. Line t: what the movers saw and chose, and what came of it."""

    observations: NDArray[np.float32]
    """``(steps, num_envs, n)``: what the mover saw."""
    action_mask: NDArray[np.int8]
    """``(steps, num_envs, num_actions)``: what it might do."""
    current_player: NDArray[np.int64]
    """``(steps, num_envs)``: its seat."""
    actions: NDArray[np.int64]
    """``(steps, num_envs)``: what it did."""
    rewards: NDArray[np.float32]
    """``(steps, num_envs, num_players)``: 0, and where that ended the game each player's return."""
    terminated: NDArray[np.bool_]
    """``(steps, num_envs)``: whether that ended the game by its rules."""
    truncated: NDArray[np.bool_]
    """``(steps, num_envs)``: whether the game was then cut short."""


class Outcome(NamedTuple):
    """What came of whole games."""

    scores: NDArray[np.int64]
    """``(num_envs, seats)``: points; the second column of a solo game is the opponent's."""
    wins: NDArray[np.int64]
    """``(num_envs, seats)``: 1 for each seat that wins or shares the win; none in a game that was cut short."""
    decisions: NDArray[np.int64]
    """``(num_envs,)``: how many there were."""


class TabletopVecEnv(Batch[G]):
    """A batch of games, each with its own generator.

    Args:
        game: a game of the settings that all are to have; ``agents_of`` is its name as agents know it.
        num_envs: games in the batch, 1 to 1,000,000.
        seed: of the first ``reset``; None: from entropy.
        reward: as in ``TabletopEnv``.
        autoreset_mode: Gymnasium's names. ``"same_step"`` (default): a game that ends is dealt anew in the same step;
            the step shows its rewards and flags beside the first decision of the new game, ``Turn.final`` how it
            ended. ``"next_step"``: it shows the end (``current_player`` -1, mask all 0); the next step ignores the
            row's action and deals. ``"disabled"``: ended games must be ``reset`` by the caller.
        max_cycles: truncate a game after so many decisions. None: never.
        threads: split the batch over so many threads, 1 to 256. The games do not depend on it.

    A batch is for one thread at a time. Game i of ``reset(seed=s)`` is the game that the AEC environment deals with
    seed ``s + i`` (modulo 2**64), and so are the games after it, which go on with the generator's stream.
    """

    def __init__(
        self,
        game: G,
        agents_of: str,
        num_envs: int,
        *,
        seed: int | None = None,
        reward: str = "win",
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        max_cycles: int | None = None,
        threads: int = 1,
    ) -> None:
        super().__init__(
            game,
            num_envs,
            seed=seed,
            reward=reward,
            autoreset_mode=autoreset_mode,
            max_cycles=max_cycles,
            threads=threads,
        )
        self.agents_of = agents_of
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        low, high = game.observation_bounds()
        self.single_observation_space = spaces.Box(low, high, dtype=np.float32)
        self.single_action_space = ActionSpace(game.num_actions)

    def sample_actions(self) -> NDArray[np.int64]:
        """A uniformly random legal action for every game, from a generator of its own that ``reset(seed)`` seeds.

        0 where nobody decides.
        """
        self._require_games()
        actions = np.empty(self.num_envs, np.int64)
        sample = self.game.loops.sample_batch
        with self._alone():
            self._in_parts(lambda first, last: sample(self._masks, self._streams, first, last, actions))
        return actions

    def observe(self, seat: int) -> NDArray[np.float32]:
        """What the player in a seat sees of every game, ``(num_envs, n)``."""
        self._require_games()
        if not is_whole(seat) or not 0 <= seat < self.num_players:
            raise ValueError(f"seat must be a number from 0 to {self.num_players - 1}, not {seat!r}")
        seen = np.empty((self.num_envs, self.observation_size), np.float32)
        seats = np.full(self.num_envs, seat, np.int64)
        self.game.loops.view_rows(self.games, self.game.tables, np.arange(self.num_envs), seats, seen)
        return seen

    # ------------------------------------------------------------------------------------------- compiled play

    def rollout(self, policies: Any, steps: int, out: Rollout | None = None) -> Rollout:
        """Let compiled policies make ``steps`` decisions in every game, without returning to Python between them.

        Args:
            policies: one for all seats or one for each: a name of ``python -m agents list``, ``"FILE.py:NAME"`` or a
                compiled policy. Each row's policies draw from the generator that ``sample_actions`` draws from.
            steps: decisions in each game, from 1.
            out: the arrays to fill, from ``rollout_buffers(steps)``. None: new ones.

        Games that end are dealt anew whatever the autoreset mode, and the batch goes on from where this ends
        (``look``). ``PolicyError`` names a policy whose action is not legal; then all games have to be dealt anew.
        """
        steps = count_of("steps", steps, 2**31)
        seating, players, names = self._cast(policies)
        with self._alone():
            self._require_games()
            if (self._seated["seat"] < 0).any():
                row = int(np.argmax(self._seated["seat"] < 0))
                raise RuntimeError(f"the game in row {row} is over: reset it first (where=)")
            if out is not None and not isinstance(out, Rollout):
                kind = type(out).__name__
                raise TypeError(f"out must be a Rollout, as rollout_buffers() makes them, not {kind}")
            rollout = self.rollout_buffers(steps) if out is None else check_arrays(out, self._rollout_shapes(steps))
            cap, kind, seats = self.max_cycles or -1, REWARDS.index(self.reward), self.game.max_seats

            def part(first: int, last: int) -> None:
                work, returns, fault = np.zeros((2, seats), np.int64), np.zeros(seats), no_fault()
                self._run(
                    self.game.loops.rollout_batch,
                    fault,
                    names,
                    self.games,
                    self.game.tables,
                    first,
                    last,
                    seating,
                    self._seated,
                    self._masks,
                    self._streams,
                    self.lineup.slots,
                    players,
                    cap,
                    kind,
                    work,
                    returns,
                    fault,
                    *rollout,
                )

            self._moving = True
            self._in_parts(part)
            self._moving = False
        return rollout

    def play(self, policies: Any) -> Outcome:
        """Deal every game anew, going on with the streams, and let compiled policies play them to their ends.

        ``policies`` as in ``rollout``; ``max_cycles`` does not count here. All games are over then: ``reset`` deals new
        ones.
        """
        seating, players, names = self._cast(policies)
        rows, seats = self.num_envs, self.game.max_seats
        streams = np.ascontiguousarray(self._streams[:, 1:])
        with self._alone():
            scores, wins = np.zeros((rows, seats), np.int64), np.zeros((rows, seats), np.int64)

            def part(first: int, last: int) -> None:
                fault = no_fault()
                self._run(
                    self.game.loops.play_games,
                    fault,
                    names,
                    self.games,
                    self.game.tables,
                    first,
                    last,
                    seating,
                    players,
                    streams,
                    *self.game.buffers(),
                    scores,
                    wins,
                    fault,
                )

            self._dealt[:] = False
            self._in_parts(part)
            self._streams[:, 1:] = streams
        return Outcome(scores[:, : self.game.seats], wins[:, : self.game.seats], self.games["decisions"].astype(int))

    def _cast(self, policies: Any) -> tuple[NDArray[np.int8], Any, list[str]]:
        """Who sits where, the policies and their names."""
        lineup = lineup_for(policies, self.num_players, self.game, self.agents_of, "policies")
        if lineup.python:
            raise TypeError(f"{lineup.python[0][0]!r} runs in Python: a rollout takes compiled policies")
        if lineup.slots.shape[1] > 1:
            raise TypeError("a rollout takes one policy for each seat, no Mixture")
        seating = np.zeros((self.num_envs, MAX_SEATS), np.int8)
        seating[:, : self.num_players] = lineup.slots[:, 0]
        return seating, machine_code(lineup.compiled), lineup.names

    def rollout_buffers(self, steps: int) -> Rollout:
        """Arrays for the ``out=`` of ``rollout``."""
        steps = count_of("steps", steps, 2**31)
        return Rollout(*(np.zeros(shape, dtype) for shape, dtype in self._rollout_shapes(steps)))

    def _rollout_shapes(self, steps: int) -> list[tuple[tuple[int, ...], Any]]:
        shapes: Sequence[tuple[tuple[int, ...], Any]] = self._shapes
        shapes = [*shapes[:3], ((self.num_envs,), np.int64), *shapes[3:]]
        return [((steps, *shape), dtype) for shape, dtype in shapes]

    def __deepcopy__(self, memo: dict[int, Any]) -> TabletopVecEnv[G]:
        twin: TabletopVecEnv[G] = super().__deepcopy__(memo)
        twin.single_action_space = copy.deepcopy(self.single_action_space, memo)
        return twin

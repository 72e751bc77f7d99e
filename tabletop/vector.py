"""The vector face: a batch of games of the same settings, stepped in compiled code, arrays in and arrays out."""

from __future__ import annotations

import contextlib
import copy
import itertools
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from .game import Game, IllegalAction, as_seed, check_reward, fresh_seed, is_whole
from .returns import REWARDS
from .spaces import ActionSpace

G = TypeVar("G", bound=Game)

MAX_ENVS = 1_000_000
MAX_THREADS = 256
_ACTIONS_FROM_SEED = 0x5851F42D4C957F2D  # keeps the generators that sample actions apart from those that deal


class Final(NamedTuple):
    """How the games that have just ended look, before they are dealt anew."""

    rows: NDArray[np.int64]
    """``(k,)``: their rows."""
    observations: NDArray[np.float32]
    """``(k, num_players, n)``: what each player sees."""


class Turn(NamedTuple):
    """What a step of a batch gives. With the default ``out=None`` all arrays are new ones."""

    observations: NDArray[np.float32]
    """``(num_envs, n)``: what the player to decide sees."""
    action_mask: NDArray[np.int8]
    """``(num_envs, num_actions)``: 1 for its legal actions; all 0 in a game that has ended."""
    current_player: NDArray[np.int64]
    """``(num_envs,)``: its seat; -1 in a game that has ended."""
    rewards: NDArray[np.float32]
    """``(num_envs, num_players)``: 0, and at the end of a game each player's return."""
    terminated: NDArray[np.bool_]
    """``(num_envs,)``: whether the game has just ended by its rules."""
    truncated: NDArray[np.bool_]
    """``(num_envs,)``: whether it has just been cut short."""
    final: Final | None = None
    """The ended games of this step, None if there are none; never overwritten."""


class TabletopVecEnv(Generic[G]):
    """A batch of games, each with its own generator.

    Args:
        game: a game of the settings that all are to have.
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
        num_envs: int,
        *,
        seed: int | None = None,
        reward: str = "win",
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        max_cycles: int | None = None,
        threads: int = 1,
    ) -> None:
        self.num_envs = _count("num_envs", num_envs, MAX_ENVS)
        self.threads = _count("threads", threads, MAX_THREADS)
        self.max_cycles = None if max_cycles is None else _count("max_cycles", max_cycles, 2**31)
        self.reward = check_reward(reward)
        self.autoreset_mode = _mode(autoreset_mode)
        self.game = game
        self.num_players = game.num_players
        self.num_actions = game.num_actions
        self.observation_size = game.observation_size
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        low, high = game.observation_bounds()
        self.single_observation_space = spaces.Box(low, high, dtype=np.float32)
        self.single_action_space = ActionSpace(game.num_actions)
        self.games = np.repeat(game.record, self.num_envs)
        self._dealt = np.zeros(self.num_envs, np.bool_)
        self._masks = np.zeros((self.num_envs, self.num_actions), np.int8)
        self._seats = np.full(self.num_envs, -1, np.int64)
        self._steps = np.zeros(self.num_envs, np.int64)
        self._rngs = np.zeros((self.num_envs, 1), np.uint64)
        self._seed_rows(np.arange(self.num_envs), self._seeds(fresh_seed() if seed is None else seed, self.num_envs))
        self._pool: ThreadPoolExecutor | None = None
        self._pool_of = 0
        self._busy = threading.Lock()

    # ------------------------------------------------------------------------------------------- games

    def reset(self, seed: Any = None, *, where: Any = None, out: Turn | None = None) -> Turn:
        """Deal new games: all, or those of ``where`` (rows, or a truth value a row).

        ``seed``: row i is dealt from ``seed + i``; or a seed for each of the rows dealt, in the order of ``where``;
        None: each game goes on with its generator's stream, which begins with the constructor's ``seed``.
        """
        with self._alone():
            return self._reset(seed, where, out)

    def _reset(self, seed: Any, where: Any, out: Turn | None) -> Turn:
        rows = self._rows(where)
        seeds = None
        if is_whole(seed):
            seeds = self._seeds(seed, self.num_envs)[rows]
        elif seed is not None:
            seeds = self._seeds(seed, len(rows))
        turn = self._buffers(out)
        if seeds is not None:
            self._seed_rows(rows, seeds)
        self._dealt[rows] = True
        loops, tables = self.game.loops, self.game.tables
        loops.deal_batch(self.games, tables, rows, self._masks, self._seats, self._steps)
        shown = np.flatnonzero(self._dealt)
        loops.see_batch(self.games, tables, shown, self._masks, self._seats, *turn[:3])
        turn.rewards[:] = 0
        turn.terminated[:] = False
        turn.truncated[:] = False
        return turn

    def step(self, actions: Any, out: Turn | None = None) -> Turn:
        """Make one action in every game; all are checked before any game moves.

        ``actions``: whole numbers, shape ``(num_envs,)``. ``IllegalAction`` names the first row that is wrong.
        ``out``: the arrays to fill, from ``buffers()``.
        """
        with self._alone():
            return self._step(actions, out)

    def _step(self, actions: Any, out: Turn | None) -> Turn:
        actions = self._checked(actions)
        turn = self._buffers(out)
        loops, tables = self.game.loops, self.game.tables
        cap, kind = self.max_cycles or -1, self._reward_kind
        games, masks, seats, steps = self.games, self._masks, self._seats, self._steps

        def part(first: int, last: int) -> None:
            work, returns = np.zeros((2, self.game.max_seats), np.int64), np.zeros(self.game.max_seats)
            loops.step_batch(
                games, tables, first, last, actions, masks, seats, steps, cap, kind, work, returns, *turn[:6]
            )

        self._in_parts(part)
        rows = np.flatnonzero(turn.terminated | turn.truncated)
        if not len(rows):
            return turn
        final = Final(rows, np.empty((len(rows), self.num_players, self.observation_size), np.float32))
        loops.last_views(games, tables, rows, final.observations)
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            loops.deal_batch(games, tables, rows, masks, seats, steps)
            loops.see_batch(games, tables, rows, masks, seats, *turn[:3])
        return turn._replace(final=final)

    def sample_actions(self) -> NDArray[np.int64]:
        """A uniformly random legal action for every game, from a generator of its own that ``reset(seed)`` seeds.

        0 where nobody decides.
        """
        self._require_games()
        actions = np.empty(self.num_envs, np.int64)
        sample = self.game.loops.sample_batch
        with self._alone():
            self._in_parts(lambda first, last: sample(self._masks, self._rngs, first, last, actions))
        return actions

    def buffers(self) -> Turn:
        """Arrays for ``out=``: a step that is given them allocates none, and overwrites what they held."""
        n = self.num_envs
        return Turn(
            np.zeros((n, self.observation_size), np.float32),
            np.zeros((n, self.num_actions), np.int8),
            np.full(n, -1, np.int64),
            np.zeros((n, self.num_players), np.float32),
            np.zeros(n, np.bool_),
            np.zeros(n, np.bool_),
        )

    def observe(self, seat: int) -> NDArray[np.float32]:
        """What the player in a seat sees of every game, ``(num_envs, n)``."""
        self._require_games()
        if not is_whole(seat) or not 0 <= seat < self.num_players:
            raise ValueError(f"seat must be a number from 0 to {self.num_players - 1}, not {seat!r}")
        seen = np.empty((self.num_envs, self.observation_size), np.float32)
        seats = np.full(self.num_envs, seat, np.int64)
        masks, current = np.empty_like(self._masks), np.empty_like(self._seats)
        rows = np.arange(self.num_envs)
        self.game.loops.see_batch(self.games, self.game.tables, rows, self._masks, seats, seen, masks, current)
        return seen

    # ------------------------------------------------------------------------------------------- copies

    def clone(self) -> TabletopVecEnv[G]:
        """An independent copy that plays on identically."""
        return copy.deepcopy(self)

    def snapshot(self) -> list[dict[str, Any]]:
        """Every game as a JSON-able dict of readable names."""
        self._require_games()
        return [self._one(row).snapshot() for row in range(self.num_envs)]

    def restore(self, snapshots: Sequence[Mapping[str, Any]], out: Turn | None = None) -> Turn:
        """Go on from a snapshot for every game; if one is refused (``ImpossibleState``) no game has changed.

        A later ``reset()`` goes on with the snapshots' streams. ``max_cycles`` counts from here.
        """
        given: Any = snapshots
        if not isinstance(given, Sequence) or len(given) != self.num_envs:
            found = len(given) if isinstance(given, Sequence) else repr(given)
            raise ValueError(f"{self.num_envs} games need a list of as many snapshots, not {found}")
        with self._alone():
            return self._restore(snapshots, out)

    def _restore(self, snapshots: Sequence[Mapping[str, Any]], out: Turn | None) -> Turn:
        records = []
        for row, snapshot in enumerate(snapshots):
            try:
                records.append(self.game.record_of(snapshot))
            except ValueError as error:
                raise type(error)(f"game {row}: {error}") from None
        turn = self._buffers(out)
        self.games[:] = np.concatenate(records)
        self._dealt[:] = True
        self._steps[:] = 0
        self._seats[:] = self.games["actor"]
        everywhere = np.arange(self.num_envs)
        for row in range(self.num_envs):
            game = self._one(row)
            self._masks[row] = game.view(max(game.actor, 0))[1]
        self.game.loops.see_batch(self.games, self.game.tables, everywhere, self._masks, self._seats, *turn[:3])
        for array in turn[3:6]:
            array[:] = 0
        return turn

    def _one(self, row: int) -> Game:
        game = self.game.twin(self.games[row : row + 1])
        game.started = True
        return game

    def close(self) -> None:
        """Stop the threads; they start again when needed."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_pool", "_busy")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _pool=None, _busy=threading.Lock())

    def __deepcopy__(self, memo: dict[int, Any]) -> TabletopVecEnv[G]:
        twin = copy.copy(self)  # without the threads and the lock
        memo[id(self)] = twin
        twin.single_action_space = copy.deepcopy(self.single_action_space)
        for name in ("games", "_dealt", "_masks", "_seats", "_steps", "_rngs"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def __repr__(self) -> str:
        settings = {"num_envs": self.num_envs, **self.game.settings()}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in settings.items())})"

    # ------------------------------------------------------------------------------------------- arguments

    @property
    def _reward_kind(self) -> int:
        return REWARDS.index(self.reward)

    def _rows(self, where: Any) -> NDArray[np.int64]:
        if where is None:
            return np.arange(self.num_envs)
        chosen = np.asarray(where)
        if chosen.dtype == np.bool_:
            if chosen.shape != (self.num_envs,):
                raise ValueError(f"where must have a truth value for each of {self.num_envs} games, not {chosen.shape}")
            return np.flatnonzero(chosen)
        if chosen.dtype.kind not in "iu" and chosen.size:
            raise TypeError(f"where must hold rows or truth values, not {chosen.dtype}")
        rows: NDArray[np.int64] = chosen.astype(np.int64).reshape(-1)
        wrong = [int(row) for row in rows if not 0 <= row < self.num_envs]
        if wrong:
            raise ValueError(f"where must hold rows from 0 to {self.num_envs - 1}, not {wrong[0]}")
        if len(set(rows.tolist())) < len(rows):
            raise ValueError(f"where must hold every row once, not {rows.tolist()}")
        return rows

    def _seeds(self, seed: Any, count: int) -> NDArray[np.uint64]:
        """So many seeds: one after the other from a number, or those given."""
        if is_whole(seed):
            return np.uint64(as_seed(seed)) + np.arange(count, dtype=np.uint64)
        if isinstance(seed, str) or not isinstance(seed, Sequence | np.ndarray) or len(seed) != count:
            raise ValueError(f"seed must be a number or {count} numbers from 0 to 2**64 - 1, not {seed!r}")
        return np.array([as_seed(one) for one in seed], np.uint64)

    def _seed_rows(self, rows: NDArray[np.int64], seeds: NDArray[np.uint64]) -> None:
        self.games["rng"][rows] = seeds
        self._rngs[rows, 0] = seeds ^ np.uint64(_ACTIONS_FROM_SEED)

    def _checked(self, actions: Any) -> NDArray[np.int64]:
        self._require_games()
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise ValueError(f"actions must have the shape ({self.num_envs},), one for each game, not {given.shape}")
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions must be whole numbers, not {given.dtype}")
        # A copy: the caller may change its array, or have it filled as ``out``.
        numbers: NDArray[np.int64] = np.minimum(given, 2**31).astype(np.int64)
        if self.autoreset_mode is AutoresetMode.DISABLED and (self._seats < 0).any():
            row = int(np.argmax(self._seats < 0))
            raise RuntimeError(f"the game in row {row} is over: reset it first (where=), or use another autoreset_mode")
        row = int(self.game.loops.first_wrong(numbers, self._masks, self._seats))
        if row >= 0:
            raise IllegalAction(f"row {row}: {self._one(row).why_illegal(int(given[row]))}")
        return numbers

    def _buffers(self, out: Turn | None) -> Turn:
        if out is None:
            return self.buffers()
        if not isinstance(out, Turn):
            raise TypeError(f"out must be a Turn, as buffers() makes them, not {type(out).__name__}")
        for name, wanted in zip(Turn._fields, self._shapes(), strict=False):
            array = getattr(out, name)
            right = isinstance(array, np.ndarray) and (array.shape, array.dtype) == wanted
            if not right or not array.flags.c_contiguous or not array.flags.writeable:
                shape, dtype = wanted
                raise ValueError(f"out.{name} must be a contiguous, writable array of shape {shape} and dtype {dtype}")
        arrays = out[:6]
        if any(np.may_share_memory(a, b) for a, b in itertools.combinations(arrays, 2)):
            raise ValueError("the arrays of out must not share memory")
        return out._replace(final=None)

    def _shapes(self) -> list[tuple[tuple[int, ...], np.dtype[Any]]]:
        n = self.num_envs
        return [
            ((n, self.observation_size), np.dtype(np.float32)),
            ((n, self.num_actions), np.dtype(np.int8)),
            ((n,), np.dtype(np.int64)),
            ((n, self.num_players), np.dtype(np.float32)),
            ((n,), np.dtype(np.bool_)),
            ((n,), np.dtype(np.bool_)),
        ]

    def _require_games(self) -> None:
        if not self._dealt.all():
            raise RuntimeError("there is no game yet in some rows: call reset() first")

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """``RuntimeError`` for a thread that comes while another one moves the games."""
        if not self._busy.acquire(blocking=False):
            raise RuntimeError("another thread is using this batch: give each thread its own, or a lock")
        try:
            yield
        finally:
            self._busy.release()

    def _in_parts(self, part: Any) -> None:
        """Run ``part(first, last)`` over the batch, split evenly over the threads."""
        if self.threads == 1:
            part(0, self.num_envs)
            return
        if self._pool is None or self._pool_of != os.getpid():  # a forked process has none of its parent's threads
            self._pool_of = os.getpid()
            self._pool = ThreadPoolExecutor(min(self.threads, os.cpu_count() or 1), "tabletop")
        edges = np.linspace(0, self.num_envs, self.threads + 1).astype(int).tolist()
        parts = [self._pool.submit(part, first, last) for first, last in itertools.pairwise(edges)]
        for running in parts:
            running.result()


def _count(name: str, value: Any, most: int) -> int:
    if not is_whole(value) or not 1 <= value <= most:
        raise ValueError(f"{name} must be a whole number from 1 to {most:,}, not {value!r}")
    return int(value)


def _mode(mode: Any) -> AutoresetMode:
    if isinstance(mode, AutoresetMode):
        return mode
    names = {known.name.lower(): known for known in AutoresetMode}
    if not isinstance(mode, str) or mode not in names:
        raise ValueError(f"autoreset_mode must be one of {', '.join(map(repr, names))}, not {mode!r}")
    return names[mode]

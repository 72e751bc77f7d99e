"""A batch of games of the same settings, stepped in compiled code: what the vector, Gymnasium and SB3 faces share."""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from .game import Game, IllegalAction, as_seed, check_reward, fresh_seed, is_whole
from .jit import kernel_view
from .loops import HOLD, MAX_SEATS, RESUME, ROW
from .opponents import NOBODY, Asked, Lineup
from .policies import PolicyError, machine_code
from .returns import REWARDS
from .rng import streams_of
from .worlds import Worlds

G = TypeVar("G", bound=Game)

MAX_ENVS = 1_000_000
MAX_THREADS = 256
CORES = os.cpu_count() or 1


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


class Final(NamedTuple):
    """How the games that have just ended look, before they are dealt anew."""

    rows: NDArray[np.int64]
    """``(k,)``: their rows."""
    observations: NDArray[np.float32]
    """``(k, num_players, n)``: what each player sees."""


class Batch(Generic[G]):
    """Games with a generator each, of which the caller decides all seats, or one seat beside those of a line-up."""

    def __init__(
        self,
        game: G,
        num_envs: int,
        *,
        seed: int | None,
        reward: str,
        autoreset_mode: str | AutoresetMode,
        max_cycles: int | None,
        threads: int,
        lineup: Lineup = NOBODY,
        place: int = 0,
    ) -> None:
        """``place``: the caller's seat beside a line-up, -1: drawn for each game."""
        self.num_envs = count_of("num_envs", num_envs, MAX_ENVS)
        self.threads = count_of("threads", threads, MAX_THREADS)
        self.max_cycles = None if max_cycles is None else count_of("max_cycles", max_cycles, 2**31)
        self.reward = check_reward(reward)
        self.autoreset_mode = _mode(autoreset_mode)
        self.game = game
        self.num_players = game.num_players
        self.num_actions = game.num_actions
        self.observation_size = game.observation_size
        self.lineup = lineup
        self.place = place
        self.games = np.repeat(game.record, self.num_envs)
        self._dealt = np.zeros(self.num_envs, np.bool_)
        self._masks = np.zeros((self.num_envs, self.num_actions), np.int8)
        self._seated = kernel_view(np.zeros(self.num_envs, ROW))
        self._seated["seat"] = -1
        self._seated["who"] = -1
        self._streams = np.zeros((self.num_envs, 1 + MAX_SEATS, 1), np.uint64)
        self._seed_rows(np.arange(self.num_envs), self._seeds(fresh_seed() if seed is None else seed, self.num_envs))
        self._out: Turn | None = None
        self._moving = False
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
            which = self._rows(where)
            seeds = None
            if is_whole(seed):
                seeds = self._seeds(seed, self.num_envs)[which]
            elif seed is not None:
                seeds = self._seeds(seed, len(which))
            turn = self._buffers(out)
            if seeds is not None:
                self._seed_rows(which, seeds)
            self._dealt[which] = True
            clear(turn)
            self._deal(which, turn)
            rest = np.ones(self.num_envs, np.bool_)
            rest[which] = False
            self._show(np.flatnonzero(rest & self._dealt), turn)
            return turn

    def step(self, actions: Any, out: Turn | None = None) -> Turn:
        """Make one action in every game; all are checked before any game moves.

        ``actions``: whole numbers, shape ``(num_envs,)``. ``IllegalAction`` names the first row that is wrong.
        ``out``: the arrays to fill, from ``buffers()``.
        """
        with self._alone():
            numbers = self._whole(actions)
            row = int(self.game.loops.first_wrong(numbers, self._masks, self._seated))
            if row >= 0:
                raise IllegalAction(f"row {row}: {self._one(row).why_illegal(int(np.asarray(actions)[row]))}")
            turn = self._buffers(out)
            self._move(numbers, turn)
            return self._finish(turn)

    def _finish(self, turn: Turn) -> Turn:
        """How ended games look; they are dealt anew, if so they are to be in the same step."""
        ended = turn.terminated | turn.truncated
        if not ended.any():
            return turn
        which = np.flatnonzero(ended)
        final = Final(which, self._views(which))
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            self._deal(which, turn)
        return turn._replace(final=final)

    def _move(self, actions: NDArray[np.int64], turn: Turn) -> None:
        """One action a row, and those of the players that are not the caller's."""
        self._moving = True
        self._step_loop(actions, turn)
        if self.lineup.python:
            self._ask_python(turn)
        self._moving = False

    def _step_loop(self, actions: NDArray[np.int64], turn: Turn) -> None:
        cap, kind, seats = self.max_cycles or -1, REWARDS.index(self.reward), self.game.max_seats
        arrays, policies = turn[:6], machine_code(self.lineup.compiled)

        def part(first: int, last: int) -> None:
            work, returns = np.zeros((2, seats), np.int64), np.zeros(seats)
            scratch, fault = np.zeros(self.observation_size, np.float32), no_fault()
            self._run(
                self.game.loops.step_batch,
                fault,
                self.lineup.names,
                self.games,
                self.game.tables,
                first,
                last,
                actions,
                self._seated,
                self._masks,
                self._streams,
                self.lineup.slots,
                self.place,
                policies,
                cap,
                kind,
                work,
                returns,
                scratch,
                fault,
                *arrays,
            )

        self._in_parts(part)

    def _deal(self, which: NDArray[np.int64], turn: Turn) -> None:
        self._moving = True
        scratch, fault = np.zeros(self.observation_size, np.float32), no_fault()
        self._run(
            self.game.loops.deal_rows,
            fault,
            self.lineup.names,
            self.games,
            self.game.tables,
            which,
            self._seated,
            self._masks,
            self._streams,
            self.lineup.slots,
            self.place,
            machine_code(self.lineup.compiled),
            scratch,
            fault,
            *turn[:3],
        )
        if self.lineup.python:
            self._ask_python(turn)
        self._moving = False

    def _show(self, which: NDArray[np.int64], turn: Turn) -> None:
        self.game.loops.see_rows(self.games, self.game.tables, which, self._seated, self._masks, *turn[:3])

    def _ask_python(self, turn: Turn) -> None:
        """Let the players that run in Python move, all games of each at once, until the caller decides everywhere."""
        everywhere = np.arange(self.num_envs)
        while True:
            seats = self._seated["seat"].astype(np.int64)
            players = np.where(seats >= 0, self._seated["who"][everywhere, seats], -1)
            pending = np.flatnonzero(players >= len(self.lineup.compiled))
            if not len(pending):
                return
            actions = np.full(self.num_envs, HOLD, np.int64)
            for number in np.unique(players[pending]):
                which = pending[players[pending] == number]
                actions[which] = self._asked(int(number), which, seats[which], turn)
            self._step_loop(actions, turn)

    def _asked(self, number: int, which: NDArray[np.int64], seats: NDArray[np.int64], turn: Turn) -> NDArray[np.int64]:
        """What a policy in Python chooses in some rows; ``PolicyError`` names one that chooses what is not legal."""
        places = 1 + (seats - self._seated["learner"][which] - 1) % self.num_players
        masks = self._masks[which]
        asked = Asked(
            which,
            seats,
            turn.observations[which],
            masks.copy(),
            self._seated["deals"][which],
            self.games["seed"][which].astype(np.uint64),
            self._streams[which, places, 0],
            lambda k: Worlds(self._one(int(which[k])), int(seats[k])),
        )
        name, player = self.lineup.python[number - len(self.lineup.compiled)]
        try:
            chosen = np.asarray(player.choose(asked))
        except Exception as error:
            raise PolicyError(f"agent {name!r} raised {type(error).__name__}: {error}") from error
        if chosen.shape != which.shape or chosen.dtype.kind not in "iu":
            found = f"{chosen.shape} of {chosen.dtype}"
            raise PolicyError(f"agent {name!r} must choose {len(which)} whole numbers, not {found}")
        actions: NDArray[np.int64] = chosen.astype(np.int64)
        inside = (actions >= 0) & (actions < self.num_actions)
        wrong = np.flatnonzero(~inside | (masks[np.arange(len(which)), np.where(inside, actions, 0)] == 0))
        if len(wrong):
            row = int(which[wrong[0]])
            raise PolicyError(f"agent {name!r}, row {row}: {self._one(row).why_illegal(int(chosen[wrong[0]]))}")
        return actions

    def _run(self, loop: Callable[..., Any], fault: NDArray[np.int64], names: Sequence[str], *arguments: Any) -> None:
        """Run a loop that asks compiled policies; ``PolicyError`` names one that raises or chooses what is not legal,
        as ``fault`` (an argument too) tells of it."""
        try:
            loop(*arguments)
        except Exception as error:
            if fault[0] < 0:
                raise
            raise self._failure(fault, names, f"it raised {type(error).__name__}: {error}") from error
        if fault[2] >= 0:
            raise self._failure(fault, names, self._one(int(fault[0])).why_illegal(int(fault[3])))

    def _failure(self, fault: NDArray[np.int64], names: Sequence[str], why: str) -> PolicyError:
        return PolicyError(f"agent {names[fault[1]]!r}, row {fault[0]}: {why}")

    def _views(self, which: NDArray[np.int64]) -> NDArray[np.float32]:
        """What every player sees of some games, ``(k, num_players, n)``."""
        views = np.empty((len(which) * self.num_players, self.observation_size), np.float32)
        seats = np.tile(np.arange(self.num_players), len(which))
        self.game.loops.view_rows(self.games, self.game.tables, np.repeat(which, self.num_players), seats, views)
        return views.reshape(len(which), self.num_players, self.observation_size)

    def buffers(self) -> Turn:
        """Arrays for ``out=``: a step that is given them allocates none, and overwrites what they held."""
        turn = Turn._make([np.zeros(shape, dtype) for shape, dtype in self._shapes] + [None])
        turn.current_player[:] = -1
        return turn

    @property
    def nbytes(self) -> int:
        """Memory that the batch takes, without the arrays that it returns."""
        return sum(value.nbytes for value in self.__dict__.values() if isinstance(value, np.ndarray))

    def look(self, out: Turn | None = None) -> Turn:
        """The decisions at hand, as the last step or reset showed them, without rewards and flags."""
        with self._alone():
            self._require_games()
            turn = self._buffers(out)
            clear(turn)
            self._show(np.arange(self.num_envs), turn)
        return turn

    # ------------------------------------------------------------------------------------------- copies

    def clone(self) -> Any:
        """An independent copy that plays on identically."""
        return copy.deepcopy(self)

    def snapshot(self) -> list[dict[str, Any]]:
        """Every game as a JSON-able dict of readable names."""
        self._require_games()
        return [self._one(row).snapshot() for row in range(self.num_envs)]

    def restore(self, snapshots: Sequence[Mapping[str, Any]], out: Turn | None = None, *, seed: Any = None) -> Turn:
        """Go on from a snapshot for every game; if one is refused (``ImpossibleState``) no game has changed.

        What is drawn from now on comes from the snapshots' streams, or from ``seed`` as in ``reset``. ``max_cycles``
        counts from here: a game that it had cut short goes on.
        """
        given: Any = snapshots
        if not isinstance(given, Sequence) or len(given) != self.num_envs:
            found = len(given) if isinstance(given, Sequence) else repr(given)
            raise ValueError(f"{self.num_envs} games need a list of as many snapshots, not {found}")
        with self._alone():
            records = []
            for row, snapshot in enumerate(snapshots):
                try:
                    records.append(self.game.record_of(snapshot))
                except ValueError as error:
                    raise type(error)(f"game {row}: {error}") from None
            seeds = None if seed is None else self._seeds(seed, self.num_envs)
            turn = self._buffers(out)
            clear(turn)
            self._take(np.concatenate(records), seeds, turn)
            return turn

    def _take(self, records: NDArray[Any], seeds: NDArray[np.uint64] | None, turn: Turn) -> None:
        """Go on from other games, in seats as if they had been dealt."""
        everywhere = np.arange(self.num_envs)
        if seeds is not None:
            self._seed_rows(everywhere, seeds)
            records["rng"] = seeds
        if self.lineup.seats:
            self._deal(everywhere, turn)
        self.games[:] = records
        self._dealt[:] = True
        self._seated["steps"] = 0
        self._seated["fresh"] = False
        self._seated["deals"] += 1
        self._seated["seat"] = self.games["actor"]
        self._masks[:] = 0
        self._move(np.where(self.games["actor"] < 0, HOLD, RESUME).astype(np.int64), turn)
        self._show(np.flatnonzero(self.games["actor"] < 0), turn)

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
        return {name: value for name, value in self.__dict__.items() if name not in ("_pool", "_busy", "_out")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _pool=None, _busy=threading.Lock(), _out=None)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        twin = copy.copy(self)  # without the threads and the lock
        memo[id(self)] = twin
        for name, value in self.__dict__.items():
            if isinstance(value, np.ndarray):
                setattr(twin, name, value.copy())
        if self.lineup.python:
            twin.lineup = Lineup(self.lineup.compiled, copy.deepcopy(self.lineup.python, memo), self.lineup.slots)
        return twin

    def __repr__(self) -> str:
        settings = {"num_envs": self.num_envs, **self.game.settings()}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in settings.items())})"

    # ------------------------------------------------------------------------------------------- arguments

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
        self._streams[rows, :, 0] = streams_of(seeds, self._streams.shape[1])

    def _whole(self, actions: Any) -> NDArray[np.int64]:
        """Actions as whole numbers, a copy: the caller may change its array, or have it filled as ``out``."""
        self._require_games()
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise ValueError(f"actions must have the shape ({self.num_envs},), one for each game, not {given.shape}")
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions must be whole numbers, not {given.dtype}")
        if self.autoreset_mode is AutoresetMode.DISABLED and (self._seated["seat"] < 0).any():
            row = int(np.argmax(self._seated["seat"] < 0))
            raise RuntimeError(f"the game in row {row} is over: reset it first (where=), or use another autoreset_mode")
        numbers: NDArray[np.int64] = given.astype(np.int64)  # no action is as large as what would be wrapped around
        return numbers

    def _buffers(self, out: Turn | None) -> Turn:
        if out is None:
            return self.buffers()
        if not isinstance(out, Turn):
            raise TypeError(f"out must be a Turn, as buffers() makes them, not {type(out).__name__}")
        check_arrays(out, self._shapes, apart=out is self._out)
        self._out = out
        return out if out.final is None else out._replace(final=None)

    @functools.cached_property
    def _shapes(self) -> list[tuple[tuple[int, ...], Any]]:
        n = self.num_envs
        return [
            ((n, self.observation_size), np.float32),
            ((n, self.num_actions), np.int8),
            ((n,), np.int64),
            ((n, self.num_players), np.float32),
            ((n,), np.bool_),
            ((n,), np.bool_),
        ]

    def _require_games(self) -> None:
        if not self._dealt.all():
            raise RuntimeError("there is no game yet in some rows: call reset() first")

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """``RuntimeError`` for a thread that comes while another one moves the games. If a policy fails in a move, all
        games have to be dealt anew."""
        if not self._busy.acquire(blocking=False):
            raise RuntimeError("another thread is using this batch: give each thread its own, or a lock")
        try:
            yield
        finally:
            if self._moving:  # a policy has failed: opponents' decisions stand where the caller's ought to be
                self._moving = False
                self._dealt[:] = False
            self._busy.release()

    def _in_parts(self, part: Any) -> None:
        """Run ``part(first, last)`` over the batch, split evenly over the threads, at most one a core, of which the
        caller is one."""
        parties = min(self.threads, CORES)
        if parties == 1:
            part(0, self.num_envs)
            return
        if self._pool is None or self._pool_of != os.getpid():  # a forked process has none of its parent's threads
            self._pool_of = os.getpid()
            self._pool = ThreadPoolExecutor(parties - 1, "tabletop")
        edges = np.linspace(0, self.num_envs, parties + 1).astype(int).tolist()
        parts = [self._pool.submit(part, first, last) for first, last in itertools.pairwise(edges[1:])]
        try:
            part(0, edges[1])
        finally:
            wait(parts)  # all, even if one fails: nobody may go on while others still write
        for finished in parts:
            finished.result()


def clear(turn: Turn) -> None:
    """No rewards, no flags."""
    for array in turn[3:6]:
        array[:] = 0


def no_fault() -> NDArray[np.int64]:
    """Where a loop writes whom it asks (row, player), whether the choice was illegal, and the action."""
    return np.full(4, -1, np.int64)


_T = TypeVar("_T", bound=tuple[Any, ...])


def check_arrays(out: _T, shapes: list[tuple[tuple[int, ...], Any]], apart: bool = False) -> _T:
    """A named tuple of arrays to fill; ``ValueError`` unless each has its shape and dtype and a memory of its own (not
    looked at if they are known to be ``apart``)."""
    names: Any = type(out)
    for name, (shape, dtype) in zip(names._fields, shapes, strict=False):
        array = getattr(out, name)
        right = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == dtype
        if not right or not array.flags.c_contiguous or not array.flags.writeable:
            wanted = f"shape {shape} and dtype {np.dtype(dtype)}"
            raise ValueError(f"out.{name} must be a contiguous, writable array of {wanted}")
    if not apart and any(np.may_share_memory(a, b) for a, b in itertools.combinations(out[: len(shapes)], 2)):
        raise ValueError("the arrays of out must not share memory")
    return out


def count_of(name: str, value: Any, most: int) -> int:
    """A whole number from 1 to ``most``; ``ValueError`` otherwise."""
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

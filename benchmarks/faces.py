"""What is measured of ours: every face of both games."""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

import lastdroid_env
import robots_env

from .measure import Case

BATCH = 1024
GAMES: dict[str, Any] = {"last_droid": lastdroid_env, "robots": robots_env}
PLAYERS = {"last_droid": (1, 2, 3, 4), "robots": (2, 3, 4, 5)}

BARE = "choose at random, apply, action mask, new deals, in compiled code"
RAW = "last() with observation and mask, a random legal action by NumPy, step"
LOOP = "last() with observation and mask, action_space.sample(mask), step"
VECTOR = "observation, mask, rewards, flags, autoreset; random legal actions chosen in compiled code"
GIVEN = "the same; actions given from Python as an array"
APART = "what vec includes, in a process for each core with its share of the games: what the cores give without threads"
ROLLED = "the same in compiled code throughout, every step kept"
LEARNER = (
    "observation, mask, reward, autoreset; the greedy opponent's moves inside, not counted; legal actions by NumPy"
)


def compiled_play(name: str, players: int, batch: int, observe: bool) -> Callable[[], int]:
    """Random play without leaving compiled code, a batch of games step by step."""
    game = GAMES[name].env(num_players=players).game
    games = np.repeat(game.record, batch)
    games["rng"] = np.arange(batch)
    masks = np.zeros((batch, game.num_actions), np.int8)
    observations = np.zeros((batch, game.observation_size), np.float32)
    rng = np.array([0], np.uint64)
    game.loops.start_batch(games, game.tables, masks)
    steps = max(1, 8192 // batch)

    def step() -> int:
        game.loops.random_steps(games, game.tables, rng, steps, observations, masks, int(observe))
        return steps * batch

    for _ in range(160 // steps):
        step()  # games at all stages
    return step


def aec_play(make: Callable[[], Any], sample: bool) -> Callable[[], int]:
    """A game of the ordinary AEC loop; ``sample``: by the action space under the mask, else by NumPy."""
    env = make()
    rng = np.random.default_rng(0)
    env.reset(seed=0)

    def step() -> int:
        decisions = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                action = None
            else:
                mask = observation["action_mask"]
                if sample:
                    action = env.action_space(agent).sample(mask)
                else:
                    legal = mask.nonzero()[0]
                    action = int(legal[int(rng.random() * len(legal))])
                decisions += 1
            env.step(action)
        return decisions

    return step


def vector_play(name: str, players: int, batch: int, threads: int = 1) -> Callable[[], int]:
    """Steps of a batch whose actions are drawn in compiled code."""
    vec = GAMES[name].VecEnv(batch, players, seed=0, threads=threads)
    out = vec.buffers()
    vec.reset(out=out)
    _mix(vec)

    def step() -> int:
        vec.step(vec.sample_actions(), out)
        return batch

    return step


def given_play(name: str, players: int, batch: int) -> Callable[[], int]:
    """Steps of a batch with actions that lie ready in Python.

    A clone is played first to find them: the same games are then played again with the actions as arrays, over and
    over from the same start, whose restoring is not counted as decisions but as time.
    """
    vec = GAMES[name].VecEnv(batch, players, seed=0)
    vec.reset()
    _mix(vec)
    start = vec.clone()
    actions = []
    for _ in range(max(4, 16384 // batch)):
        actions.append(vec.sample_actions())
        vec.step(actions[-1])
    out = vec.buffers()

    def step() -> int:
        again = start.clone()
        for chosen in actions:
            again.step(chosen, out)
        return batch * len(actions)

    return step


def rolled_play(name: str, players: int, batch: int, threads: int = 1) -> Callable[[], int]:
    """Rollouts of random policies."""
    vec = GAMES[name].VecEnv(batch, players, seed=0, threads=threads)
    vec.reset()
    _mix(vec)
    steps = max(1, 8192 // batch)
    out = vec.rollout_buffers(steps)

    def step() -> int:
        vec.rollout("random", steps, out)
        return steps * batch

    return step


def _mix(vec: Any) -> None:
    """Games at all stages: their lengths differ by more than a half."""
    out = vec.rollout_buffers(4)
    for _ in range(40):
        vec.rollout("random", 4, out)


def learner_play(reset: Callable[[], Any], act: Callable[[Any], Any], batch: int) -> Callable[[], int]:
    """Steps of learners: ``reset`` and ``act`` give the mask."""
    rng = np.random.default_rng(0)
    mask = [reset()]

    def step() -> int:
        chosen = (mask[0] * rng.random(mask[0].shape, np.float32)).argmax(axis=-1)
        mask[0] = act(chosen)
        return batch

    return step


def gym_play(name: str, players: int) -> Callable[[], int]:
    """Steps of the single environment, dealt anew at the end."""
    env = GAMES[name].GymEnv(players, opponents=_greedy(players))

    def act(action: Any) -> Any:
        _, _, terminated, truncated, info = env.step(int(action))
        return env.reset()[1]["action_mask"] if terminated or truncated else info["action_mask"]

    return learner_play(lambda: env.reset(seed=0)[1]["action_mask"], act, 1)


def gym_vector_play(name: str, players: int, batch: int) -> Callable[[], int]:
    """Steps of Gymnasium's vector face."""
    env = GAMES[name].GymVecEnv(batch, players, opponents=_greedy(players))
    return learner_play(lambda: env.reset(seed=0)[1]["action_mask"], lambda a: env.step(a)[4]["action_mask"], batch)


def sb3_play(name: str, players: int, batch: int) -> Callable[[], int]:
    """Steps of SB3's face, as ``MaskablePPO`` makes them."""
    env = GAMES[name].sb3_env(batch, players, opponents=_greedy(players))

    def act(actions: Any) -> Any:
        env.step(actions)
        return np.stack(env.env_method("action_masks"))

    def reset() -> Any:
        env.seed(0)
        env.reset()
        return np.stack(env.env_method("action_masks"))

    return learner_play(reset, act, batch)


def _greedy(players: int) -> Any:
    return "greedy" if players > 1 else None


def cases(names: list[str], players: Callable[[str], tuple[int, ...]]) -> Iterator[Case]:
    """Every face of some games, with so many players each."""
    for name in names:
        for count in players(name):
            make = functools.partial(GAMES[name].env, num_players=count)
            seen = f"the same and the mover's observation ({GAMES[name].layout(count).size} floats)"

            def case(face: str, batch: int, includes: str, step: Callable[[], int]) -> Case:
                return Case(name, face, count, batch, includes, step)  # noqa: B023

            yield case("compiled", BATCH, BARE, compiled_play(name, count, BATCH, False))
            yield case("compiled, observed", BATCH, seen, compiled_play(name, count, BATCH, True))
            yield case("raw_env", 1, RAW, aec_play(make, False))
            yield case("env", 1, LOOP, aec_play(make, True))
            yield case("vec", BATCH, VECTOR, vector_play(name, count, BATCH))
            yield case("vec, actions given", 4096, GIVEN, given_play(name, count, 4096))
            yield case("vec, rollout", BATCH, ROLLED, rolled_play(name, count, BATCH))
            yield case("gym", 1, LEARNER, gym_play(name, count))
            yield case("gym_vec", BATCH, LEARNER, gym_vector_play(name, count, BATCH))
            try:
                yield case("sb3", BATCH, LEARNER, sb3_play(name, count, BATCH))
            except ImportError:
                continue


def scaling(names: list[str]) -> Iterator[Case]:
    """Two players, by number of games and by threads."""
    for name in names:
        for batch in (1, 16, 64, 256, 1024, 4096, 16384, 65536):
            yield Case(name, "vec", 2, batch, VECTOR, vector_play(name, 2, batch))


def threading(names: list[str], cores: int) -> Iterator[Case]:
    """Two players, one thread beside all cores."""
    for name in names:
        for threads in (1, cores):
            step = vector_play(name, 2, 4096, threads)
            yield Case(name, "vec", 2, 4096, VECTOR, step, cores=threads)
            step = rolled_play(name, 2, 4096, threads)
            yield Case(name, "vec, rollout", 2, 4096, ROLLED, step, cores=threads)
        apart = Apart(name, 4096, cores)
        yield Case(name, "vec, processes", 2, 4096, APART, apart.step, cores=cores, processor_time=apart.processor_time)


class Apart:
    """Batches in processes of their own, which have nothing in common but when they begin."""

    STEPS = 40

    def __init__(self, name: str, games: int, processes: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.games = games // processes
        self.ends: list[Connection] = []
        for _ in range(processes):
            end, theirs = context.Pipe()
            context.Process(target=_steps_on_demand, args=(name, self.games, theirs), daemon=True).start()
            theirs.close()
            self.ends.append(end)
        self.times: list[float] = [end.recv() for end in self.ends]

    def step(self) -> int:
        """Some steps in every process."""
        for end in self.ends:
            end.send(self.STEPS)
        self.times = [end.recv() for end in self.ends]
        return self.STEPS * self.games * len(self.ends)

    def processor_time(self) -> float:
        """Of the processes, as they last said."""
        return sum(self.times)


def _steps_on_demand(name: str, games: int, end: Connection) -> None:
    step = vector_play(name, 2, games)
    end.send(time.process_time())
    with contextlib.suppress(EOFError):  # whoever asks has ended
        while True:
            for _ in range(end.recv()):
                step()
            end.send(time.process_time())

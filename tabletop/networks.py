"""Networks as agents: weights in an npz file, evaluated without the library that trained them.

A file holds arrays and, in ``about``, JSON: the steps of the network (``Network``), the table it was trained for and
how it was made. It is read with ``allow_pickle=False``. As a compiled policy a network takes part wherever one does.
"""

from __future__ import annotations

import functools
import hashlib
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import forward
from .game import Game, is_whole
from .jit import COMPILED

_BROKEN = (zipfile.BadZipFile, zlib.error, RuntimeError, MemoryError, OverflowError)
"""What reading a damaged archive may raise besides."""
FORMAT = 1
OBSERVATION = "observation"
DTYPES = ("float32", "float16", "int8")
TINY = np.float32(1e-12)
"""Least scale of int8 weights, where all are zero."""


@dataclass
class Network:
    """A network: its steps, their arrays, and what it is for.

    ``steps`` are dicts; each writes a vector, or lines of vectors, called ``"to"``, from earlier ones, first of all
    ``"observation"``:

    * ``{"kind": "dense", "from": a, "to": b, "relu": True, "plus": c}``: each line of a times ``arrays["b.weight"]``
      (in, out) plus ``arrays["b.bias"]`` (out; or lines, out), plus the vector c if there is one.
    * ``{"kind": "gather", "from": a, "to": b}``: the elements of a that ``arrays["b.index"]`` (lines, wide) names, 0
      for -1.
    * ``{"kind": "pool", "from": a, "to": b}``: the mean of the lines of a, then the greatest of each element.
    * ``{"kind": "join", "from": [a, ...], "to": b}``: one vector after the other.

    An action's logit is ``arrays["head.weight"]`` (actions, hidden) times the vector ``head`` plus
    ``arrays["head.bias"]``, plus the element of ``scores`` that ``arrays["scores.index"]`` names for it (-1: none);
    either part may be missing.
    """

    steps: list[dict[str, Any]]
    arrays: dict[str, NDArray[Any]]
    head: str | None
    scores: str | None
    table: dict[str, Any]
    """As ``table_of`` gives it."""
    made: dict[str, Any] = field(default_factory=dict)
    """How it came to be, for a reader."""

    def logits(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """``(k, num_actions)`` for ``(k, n)``, by NumPy."""
        known: dict[str, NDArray[np.float32]] = {OBSERVATION: np.asarray(observations, np.float32)}
        rows = len(observations)
        for step in self.steps:
            kind, to = step["kind"], step["to"]
            if kind == "join":
                known[to] = np.concatenate([known[name].reshape(rows, -1) for name in step["from"]], axis=1)
                continue
            given = known[step["from"]]
            if kind == "dense":
                result = given @ self.arrays[f"{to}.weight"] + self.arrays[f"{to}.bias"]
                if step.get("plus"):
                    vector = known[step["plus"]]
                    result += vector[:, None] if result.ndim == 3 else vector
                known[to] = np.maximum(result, 0.0) if step["relu"] else result
            elif kind == "gather":
                index = self.arrays[f"{to}.index"]
                known[to] = np.where(index >= 0, given.reshape(rows, -1)[:, index], np.float32(0.0))
            else:
                known[to] = np.concatenate([given.mean(axis=1), given.max(axis=1)], axis=1)
        logits = np.zeros((rows, self.table["actions"]), np.float32)
        if self.head is not None:
            logits += known[self.head] @ self.arrays["head.weight"].T + self.arrays["head.bias"]
        if self.scores is not None:
            index = self.arrays["scores.index"]
            logits += np.where(index >= 0, known[self.scores].reshape(rows, -1)[:, index], np.float32(0.0))
        return logits

    def weights(self) -> NDArray[np.float32]:
        """The weights as ``forward`` reads them."""
        return np.concatenate([self.arrays[name].ravel() for name in self._weight_names()]).astype(np.float32)

    def _weight_names(self) -> list[str]:
        dense = [step["to"] for step in self.steps if step["kind"] == "dense"]
        names = [f"{to}.{part}" for to in dense for part in ("weight", "bias")]
        return names if self.head is None else [*names, "head.weight", "head.bias"]

    def plan(self) -> NDArray[np.int64]:
        """The steps as ``forward`` reads them."""
        at, size = {OBSERVATION: 1}, 1 + self.table["observation"]
        shapes: dict[str, tuple[int, int]] = {OBSERVATION: (1, self.table["observation"])}
        weights_at: dict[str, int] = {}
        taken = 0
        for name in self._weight_names():
            weights_at[name] = taken
            taken += self.arrays[name].size
        steps: list[NDArray[np.int64]] = []
        gathered: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []  # step, indices

        def add(kind: int, lines: int, wide: int, out: int, source: int, target: int, **more: int) -> None:
            step = np.zeros(forward.STEP, np.int64)
            step[[forward.KIND, forward.LINES, forward.IN, forward.OUT]] = kind, lines, wide, out
            step[[forward.FROM, forward.TO]] = source, target
            step[forward.WEIGHTS] = more.get("weights", -1)
            step[forward.BIASES] = more.get("biases", 0)
            step[forward.PLUS] = more.get("plus", -1)
            step[forward.RELU] = more.get("relu", 0)
            steps.append(step)

        for step in self.steps:
            kind, to = step["kind"], step["to"]
            at[to] = size
            if kind == "join":
                place = size
                for name in step["from"]:
                    lines, wide = shapes[name]
                    add(forward.COPY, lines, wide, wide, at[name], place)
                    place += lines * wide
                shapes[to] = (1, place - size)
            else:
                lines, wide = shapes[step["from"]]
                source = at[step["from"]]
                if kind == "dense":
                    out = self.arrays[f"{to}.weight"].shape[1]
                    plus = at[step["plus"]] if step.get("plus") else -1
                    biases = self.arrays[f"{to}.bias"].ndim - 1
                    more = {"weights": weights_at[f"{to}.weight"], "plus": plus, "relu": int(step["relu"])}
                    add(forward.DENSE, lines, wide, out, source, size, biases=biases, **more)
                    shapes[to] = (lines, out)
                elif kind == "gather":
                    index = self.arrays[f"{to}.index"].astype(np.int64)
                    shapes[to] = (index.shape[0], index.shape[1])
                    add(forward.GATHER, index.shape[0], index.shape[1], index.shape[1], 0, size)
                    gathered.append((steps[-1], np.where(index >= 0, source + index, 0).ravel()))
                else:
                    add(forward.POOL, lines, wide, 2 * wide, source, size)
                    shapes[to] = (1, 2 * wide)
            size += shapes[to][0] * shapes[to][1]

        header = np.full(forward.HEADER, -1, np.int64)
        header[[forward.STEPS, forward.MEMORY, forward.SAMPLE]] = len(steps), size, 0
        if self.head is not None:
            header[[forward.HIDDEN, forward.HIDDEN_SIZE]] = at[self.head], shapes[self.head][1]
            header[[forward.HEAD, forward.HEAD_BIAS]] = weights_at["head.weight"], weights_at["head.bias"]
        end = forward.HEADER + forward.STEP * len(steps)
        for made, indices in gathered:
            made[forward.FROM] = end
            end += len(indices)
        tail = [indices for _, indices in gathered]
        if self.scores is not None:
            header[forward.SCORES] = end
            index = self.arrays["scores.index"].astype(np.int64)
            tail.append(np.where(index >= 0, at[self.scores] + index, 0))
        return np.concatenate([header, *steps, *tail])

    # ------------------------------------------------------------------------------------------- files

    def save(self, file: Path, dtype: str = "float16") -> None:
        """Write an npz file: the weights as ``dtype``, indices as they are. As "int8" they are whole numbers from -127
        to 127 times a scale for each number that a step or the head gives (``NAME.scale``), biases float16."""
        about = {
            "format": FORMAT,
            "steps": self.steps,
            "head": self.head,
            "scores": self.scores,
            "table": self.table,
            "made": self.made,
        }
        arrays: dict[str, NDArray[Any]] = {}
        for name, array in self.arrays.items():
            if array.dtype.kind != "f":
                arrays[name] = array.astype(np.int16)
            elif dtype == "int8" and name.endswith(".weight"):
                scale = np.maximum(np.abs(array).max(axis=_inputs(name), keepdims=True), TINY) / 127
                arrays[name], arrays[f"{name}.scale"] = np.rint(array / scale).astype(np.int8), scale
            else:
                arrays[name] = array.astype(np.float16 if dtype == "int8" else dtype)
        with file.open("wb") as out:
            np.savez_compressed(out, allow_pickle=False, about=np.array(json.dumps(about)), **arrays)

    @classmethod
    def load(cls, file: Path) -> Network:
        """Read what ``save`` wrote; ``ValueError`` says what is wrong with a file."""
        try:
            with np.load(file, allow_pickle=False) as held:
                arrays = {name: held[name] for name in held.files}
            about = json.loads(str(arrays.pop("about")))
            if about["format"] != FORMAT:
                raise ValueError(f"it has format {about['format']!r}, and this version reads {FORMAT}")
            for name in [name for name in arrays if name.endswith(".scale")]:
                scaled = name.removesuffix(".scale")
                arrays[scaled] = arrays[scaled] * arrays.pop(name).astype(np.float32)
            for name, array in arrays.items():
                if array.dtype.kind not in "fiu":
                    raise ValueError(f"{name} must hold numbers, not {array.dtype}")
                arrays[name] = array.astype(np.float32 if array.dtype.kind == "f" else np.int64)
            network = cls(about["steps"], arrays, about["head"], about["scores"], about["table"], about["made"])
            network.check()
            network.plan()
        except (OSError, EOFError, KeyError, ValueError, TypeError, IndexError, *_BROKEN) as error:
            reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise ValueError(f"{file} holds no network: {reason}") from error
        return network

    def check(self) -> None:
        """``ValueError`` unless the arrays fit each other, so that compiled code reads nothing else than them."""
        for name in ("game", "layout", "printed"):
            if not isinstance(self.table[name], str):
                raise ValueError(f"{name} must be a text, not {self.table[name]!r}")
        for name in ("players", "observation", "actions"):
            if not is_whole(self.table[name]):
                raise ValueError(f"{name} must be a whole number, not {self.table[name]!r}")
        for name, array in self.arrays.items():
            if array.dtype.kind == "f" and not np.isfinite(array).all():
                raise ValueError(f"{name} holds numbers that are not finite")
        shapes: dict[str, tuple[int, int]] = {OBSERVATION: (1, self.table["observation"])}
        actions = self.table["actions"]

        def need(name: str, shape: tuple[int, ...]) -> None:
            if self.arrays[name].shape != shape:
                raise ValueError(f"{name} must have the shape {shape}, not {self.arrays[name].shape}")

        def need_index(name: str, size: int) -> None:
            index = self.arrays[name]
            if index.dtype.kind != "i" or index.min() < -1 or index.max() >= size:
                raise ValueError(f"{name} must hold whole numbers from -1 to {size - 1}")

        for step in self.steps:
            kind, to = step["kind"], step["to"]
            if to in shapes:
                raise ValueError(f"two steps write {to!r}")
            if kind == "join":
                shapes[to] = (1, sum(shapes[name][0] * shapes[name][1] for name in step["from"]))
                continue
            lines, wide = shapes[step["from"]]
            if kind == "dense":
                out = self.arrays[f"{to}.weight"].shape[-1]
                need(f"{to}.weight", (wide, out))
                need(f"{to}.bias", (out,) if self.arrays[f"{to}.bias"].ndim == 1 else (lines, out))
                if step.get("plus") and shapes[step["plus"]] != (1, out):
                    raise ValueError(f"{step['plus']} cannot be added to {to}: it is {shapes[step['plus']]}")
                shapes[to] = (lines, out)
            elif kind == "gather":
                need_index(f"{to}.index", lines * wide)
                if self.arrays[f"{to}.index"].ndim != 2:
                    raise ValueError(f"{to}.index must have two axes")
                shapes[to] = (self.arrays[f"{to}.index"].shape[0], self.arrays[f"{to}.index"].shape[1])
            elif kind == "pool":
                shapes[to] = (1, 2 * wide)
            else:
                raise ValueError(f"there is no step of kind {kind!r}")
        if self.head is not None:
            need("head.weight", (actions, shapes[self.head][1]))
            need("head.bias", (actions,))
            if shapes[self.head][0] != 1:
                raise ValueError(f"the head wants one vector, and {self.head} has {shapes[self.head][0]}")
        if self.scores is not None:
            need("scores.index", (actions,))
            need_index("scores.index", shapes[self.scores][0] * shapes[self.scores][1])


def _inputs(name: str) -> int:
    """The axis of a weight matrix along which stands what is summed."""
    return 1 if name == "head.weight" else 0


def table_of(game: Game) -> dict[str, Any]:
    """What a network must know of the table it is trained for, JSON-able."""
    return {
        "game": game.name,
        "players": game.num_players,
        "observation": game.observation_size,
        "actions": game.num_actions,
        "layout": game.layout.fingerprint,
        "printed": game.data.content_hash[:16],
    }


def check_table(name: str, table: Mapping[str, Any], game: Game) -> None:
    """``ValueError``, in a sentence, unless a network for ``table`` can play a game."""
    wanted = table_of(game)
    if table["game"] != wanted["game"]:
        raise ValueError(f"{name} plays {table['game']!r}, not {wanted['game']!r}")
    if table["players"] != wanted["players"]:
        raise ValueError(f"{name} was trained for {table['players']} players, not for {wanted['players']}")
    if any(table[part] != wanted[part] for part in ("observation", "actions", "layout")):
        raise ValueError(f"{name} was trained on another observation or list of actions than this version has")
    if table["printed"] != wanted["printed"]:
        raise ValueError(
            f"{name} was trained with other cards or rules ({table['printed']}) than are played here "
            f"({wanted['printed']})"
        )


class NetworkAgent:
    """A network as a compiled policy: it does what it finds best, or with ``sample`` draws by its probabilities.

    ``update`` changes the weights while it plays: what was compiled stays.
    """

    compiled_policy = True

    def __init__(self, network: Network, name: str, *, sample: bool = False) -> None:
        self.__name__ = name
        self.network = network
        self._plan = network.plan()
        self._plan[forward.SAMPLE] = sample
        self._weights = network.weights()

    def fingerprint(self, players: int | None = None) -> str:
        """A hash of what it does, in 12 hex digits."""
        return hashlib.sha256(self._plan.tobytes() + self._weights.tobytes()).hexdigest()[:12]

    def at_table(self, game: Game) -> NetworkAgent:
        """Itself, if it can play this game; ``ValueError`` says why not."""
        check_table(self.__name__, self.network.table, game)
        return self

    def update(self, network: Network) -> None:
        """Play on with the weights of another network of the same shape."""
        weights, plan = network.weights(), network.plan()
        plan[forward.SAMPLE] = self._plan[forward.SAMPLE]
        if weights.shape != self._weights.shape or not np.array_equal(plan, self._plan):
            raise ValueError("a network can only take over the weights of one of the same shape")
        self._weights[:] = weights
        self.network = network

    @functools.cached_property
    def _code(self) -> tuple[Any, int]:
        code: tuple[Any, int] = forward.compiled_choice(self._plan, self._weights)
        return code

    def address(self) -> int:
        """Where its machine code begins."""
        return self._code[1]

    def __call__(self, observation: NDArray[np.float32], action_mask: NDArray[np.int8], rng: Any) -> int:
        """The action for one observation; ``rng`` as compiled policies have it."""
        if COMPILED:
            return int(self._code[0](observation, action_mask, rng))
        return int(forward.choose(self._plan, self._weights, observation, action_mask, rng))

    def __reduce__(self) -> Any:
        return _agent, (self.network, self.__name__, bool(self._plan[forward.SAMPLE]))


def _agent(network: Network, name: str, sample: bool) -> NetworkAgent:
    return NetworkAgent(network, name, sample=sample)


class SavedNetworks:
    """Networks in files, one for each number of players, as one agent. A file is read when it is first needed."""

    compiled_policy = True

    def __init__(self, name: str, files: Mapping[int, Path], summary: str) -> None:
        self.__name__ = name
        self.__doc__ = summary
        self.files = dict(files)
        self.players = tuple(sorted(files))
        self._agents: dict[int, NetworkAgent] = {}

    def fingerprint(self, players: int | None = None) -> str:
        """A hash of its file for so many players, or of all its files, in 12 hex digits."""
        digest = hashlib.sha256()
        for number in [players] if players in self.files else self.players:
            digest.update(self.files[number].read_bytes())
        return digest.hexdigest()[:12]

    def at_table(self, game: Game) -> NetworkAgent:
        """The one for the game's number of players; ``ValueError`` if there is none, or it cannot play."""
        if game.num_players not in self.files:
            known = ", ".join(map(str, sorted(self.files)))
            raise ValueError(f"{self.__name__} plays with {known} players, not with {game.num_players}")
        if game.num_players not in self._agents:
            network = Network.load(self.files[game.num_players])
            self._agents[game.num_players] = NetworkAgent(network, self.__name__)
        return self._agents[game.num_players].at_table(game)


def greatest_legal(logits: NDArray[np.float32], action_masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """The legal action of the greatest logit for each row, the first of equals."""
    best: NDArray[np.int64] = np.where(action_masks != 0, logits, -np.inf).argmax(axis=1)
    return best

"""What a training run can be told, with a line of explanation under each field."""

from __future__ import annotations

import dataclasses
import math
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NETWORKS = ("mlp", "cards")
POSITIVE = (
    *("minutes", "steps", "num_envs", "rollout", "minibatch", "epochs", "learning_rate", "gate_games", "pool_size"),
    *("snapshot_every", "evaluate_every", "evaluate_games", "checkpoint_every", "threads", "teaching_steps"),
)
SETTINGS = "settings.toml"
NETWORK = "network.npz"
RLLIB = "rllib"
"""How a run's folder holds them, what came of it, and where RLlib keeps its checkpoint."""


@dataclass(frozen=True)
class Settings:
    """A run. All numbers of steps are decisions of the learner, over all games of the batch together."""

    game: str
    """By name: lastdroid or robots."""
    players: int = 2
    """At the table; 1 is Last Droid solo."""
    table: dict[str, Any] = field(default_factory=dict)
    """Settings of the game it learns in, as the environment takes them."""
    seed: int = 0
    """Of the network, of the games and of all chances."""
    minutes: float | None = None
    """How long it trains. A run that is bounded by time cannot be repeated bit for bit."""
    steps: int | None = None
    """How long it trains, in steps. One of the two must be given; with both, whichever ends first."""

    # What it learns from.
    opponents: tuple[str, ...] = ("random", "greedy", "expert")
    """Agents by name that are in the pool from the beginning to the end."""
    self_share: float = 0.5
    """Share of the other seats that the present network takes; earlier snapshots and ``opponents`` share the rest."""
    margin: float = 0.02
    """Besides +1 for a win and -1 for a loss: so much for each point by which the lead grows, as soon as it does."""
    others: float = 1.0
    """How far the others' points count in that lead. 0: it is paid for its own points alone."""
    worth: dict[str, Any] = field(default_factory=dict)
    """Points that a unit of a section of the observation counts in that lead while the game goes on, by the section's
    name: parts = 1.0 lets a part in the own shed count a point, one in another's minus a point. At the end it counts
    nothing, so that over a whole game it neither gives nor takes."""
    win: float = 1.0
    """What a win counts. 0: it learns for points alone."""

    # The network.
    network: str = "mlp"
    """Architecture: "mlp" looks at the observation as it is; "cards" looks at each card with the same weights first."""
    hidden: tuple[int, ...] = (256, 256)
    """Sizes of the hidden layers, which policy and value share."""
    value_hidden: tuple[int, ...] = (128,)
    """Sizes of the value's own hidden layers."""

    # PPO, as in Stable-Baselines3.
    num_envs: int = 128
    """Games side by side."""
    rollout: int = 64
    """Steps in each game between two updates."""
    minibatch: int = 512
    """Steps from which one gradient is computed."""
    epochs: int = 3
    """How often each step is learned from."""
    learning_rate: float = 5e-4
    """Of Adam, at the beginning."""
    learning_rate_end: float = 0.1
    """Its share that is left at the end; it falls evenly."""
    gamma: float = 1.0
    """Discount: 1 counts the end of the game fully."""
    gae_lambda: float = 0.95
    """How far advantages look beyond the value's estimate."""
    clip: float = 0.2
    """How far an update may take the probability of an action, as a share of it."""
    entropy: float = 0.01
    """Weight of the entropy: how much it is kept from deciding early."""
    entropy_end: float = 0.1
    """Its share that is left at the end; it falls evenly."""
    spread: float = 0.0
    """What the mean log probability of the legal actions counts beside the entropy. Entropy lets what is seldom right,
    such as building a certain house, die out before its day comes; this does not."""
    teacher: str = ""
    """A compiled agent by name that says what it would do wherever the network decides; "" for none."""
    teaching: float = 2.0
    """Weight of the log probability of what the teacher would do, at the beginning."""
    teaching_steps: int = 2_400_000
    """Steps after which it counts nothing; it falls evenly until then."""
    value_weight: float = 0.5
    """Weight of the value's error."""
    max_grad_norm: float = 0.5
    """Longest gradient."""

    # The pool.
    snapshot_every: int = 250_000
    """Steps after which the present network asks to be admitted to the pool."""
    gate_games: int = 400
    """Games it then plays against the snapshot that was admitted last."""
    gate: float = 0.5
    """It is admitted if the lower end of the 95 % interval of its win rate is above this. 0.5 stands for what equals
    win: a third of the games of three players, a fifth of those of five."""
    pool_size: int = 8
    """Most snapshots kept: beyond that the one it beats most surely goes."""

    # What is looked at on the way.
    evaluate_every: int = 250_000
    """Steps between two evaluations."""
    evaluate_games: int = 400
    """Games against each agent, always on the same deals."""
    evaluate_against: tuple[str, ...] = ("random", "greedy", "expert")
    """Agents by name."""
    evaluate_table: dict[str, Any] | None = None
    """Settings of the game in which it is evaluated. None: those of ``table``."""
    checkpoint_every: int = 250_000
    """Steps between two checkpoints: a run that is killed loses no more than these."""
    threads: int | None = None
    """Of PyTorch, of the games, of the teacher and of evaluations. None: as many as PyTorch finds right."""

    def __post_init__(self) -> None:
        for name, kind in typing.get_type_hints(type(self)).items():
            object.__setattr__(self, name, _typed(name, getattr(self, name), kind))
        if self.minutes is None and self.steps is None:
            raise ValueError("a run needs an end: give minutes or steps")
        if self.network not in NETWORKS:
            raise ValueError(f"network must be one of {', '.join(NETWORKS)}, not {self.network!r}")
        for name in POSITIVE:
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ValueError(f"{name} must be greater than 0, not {value!r}")
        for name in ("clip", "value_weight", "max_grad_norm"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be greater than 0, not {getattr(self, name)!r}")
        for name in ("hidden", "value_hidden"):
            if any(size < 1 for size in getattr(self, name)):
                raise ValueError(f"{name} must be sizes of layers from 1, not {list(getattr(self, name))}")
        for name in ("self_share", "others", "learning_rate_end", "entropy_end", "gamma", "gae_lambda", "gate"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name} must be from 0 to 1, not {getattr(self, name)!r}")
        if not 0.0 <= self.teaching <= 1000.0:
            raise ValueError(f"teaching must be from 0 to 1000, not {self.teaching!r}")
        if self.num_envs * self.rollout % self.minibatch:
            raise ValueError(
                f"minibatch must divide num_envs x rollout = {self.num_envs * self.rollout}, not be {self.minibatch}"
            )

    @property
    def update(self) -> int:
        """Steps between two updates."""
        return self.num_envs * self.rollout

    def progress(self, steps: int, seconds: float) -> float:
        """The share of the run that is over after so many steps and seconds."""
        by_steps = steps / self.steps if self.steps else 0.0
        by_time = seconds / (60.0 * self.minutes) if self.minutes else 0.0
        return min(1.0, max(by_steps, by_time))

    def to_toml(self) -> str:
        """The settings as a file that ``read_settings`` reads."""
        return "".join(
            f"{spec.name} = {_toml(value)}\n"
            for spec in dataclasses.fields(self)
            if (value := getattr(self, spec.name)) is not None
        )


PRESETS: dict[str, dict[str, Any]] = {
    # What exchanges and houses are for is found out late by playing alone.
    "lastdroid": {
        **{"win": 0.2, "margin": 0.06, "spread": 1.0, "network": "cards", "learning_rate": 1e-3, "epochs": 2},
        "teacher": "expert",
    },
    # A match is won by the points of its rounds: it learns in single rounds, and is judged by whole matches.
    "robots": {
        **{"win": 0.2, "margin": 0.01, "spread": 3.0, "network": "cards", "learning_rate": 1e-3, "epochs": 2},
        **{"table": {"rounds": 1}, "evaluate_table": {}, "evaluate_games": 200},
    },
}
"""What is better for a game than what stands above; the command line begins with it."""


def passed(every: int, before: int, now: int) -> bool:
    """Whether a multiple of ``every`` steps lies after ``before`` and not after ``now``."""
    return now // every > before // every


def preset(game: str, named: Mapping[str, Any]) -> dict[str, Any]:
    """The game's preset with ``named`` settings over it. Who names a ``table`` is judged at that table too."""
    base = dict(PRESETS[game])
    if "table" in named:
        base = {name: value for name, value in base.items() if not name.endswith("table")}
    return {**base, **named}


def fields() -> dict[str, Any]:
    """The names of the settings, and their types."""
    return typing.get_type_hints(Settings)


def read_settings(file: Path) -> dict[str, Any]:
    """The settings of a TOML file; ``ValueError`` says what is wrong."""
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{file}: {error}") from error
    unknown = sorted(set(found) - set(fields()))
    if unknown:
        raise ValueError(f"{file}: there is no setting {unknown[0]!r}; there are {', '.join(fields())}")
    return found


def parse_overrides(texts: Sequence[str]) -> dict[str, Any]:
    """``["epochs=2", "hidden=[128, 128]"]``: values as in TOML; a bare word is a text, ``a,b`` two of them."""
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or name not in fields():
            raise ValueError(f"a setting is written NAME=VALUE with a NAME among {', '.join(fields())}, not {text!r}")
        try:
            found[name] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            found[name] = value.strip()
    return found


def _typed(name: str, value: Any, kind: Any) -> Any:
    """A value as the field wants it; ``ValueError`` if it is of another kind."""
    options = typing.get_args(kind) if typing.get_origin(kind) in (typing.Union, types.UnionType) else (kind,)
    if value is None and type(None) in options:
        return None
    wanted = next(option for option in options if option is not type(None))
    origin = typing.get_origin(wanted) or wanted
    if origin is tuple:
        item = typing.get_args(wanted)[0]
        listed = [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value
        if isinstance(listed, Sequence) and all(isinstance(part, item) for part in listed):
            return tuple(listed)
    elif origin is dict and isinstance(value, Mapping):
        return dict(value)
    elif origin is float and isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    elif origin in (int, str) and isinstance(value, origin) and not isinstance(value, bool):
        return value
    described = {tuple: "a list", dict: "a table", float: "a finite number", int: "a whole number", str: "a text"}
    raise ValueError(f"{name} must be {described[origin]}, not {value!r}")


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_toml(part)}" for name, part in value.items()) + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return repr(value)

"""Training with RLlib on a Ray cluster: PPO with action masks, one network for all seats, games on many processes.

The settings are those of ``settings``, as far as they have a meaning here (``MEANT``). Workers that die are replaced,
and training goes on. It ends with the same files as ``run``: CSV, curve, ``network.npz``.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import ray
from numpy.typing import NDArray

from tabletop.bridges.rllib import POLICY, ppo_config
from tabletop.game import Game
from tabletop.networks import OBSERVATION, Network, table_of

from ..arena import check_players, find_arena
from .evaluation import Examination, in_words
from .log import Log, draw
from .settings import NETWORK, RLLIB, Settings, passed, preset

COUNTERS = "counters.json"
PATIENCE = 600.0
"""Seconds that workers are waited for: their first games may have to be compiled."""
MEANT = (
    *("game", "players", "table", "seed", "minutes", "steps", "hidden", "num_envs", "rollout", "minibatch", "epochs"),
    *("learning_rate", "gamma", "gae_lambda", "clip", "entropy", "value_weight", "max_grad_norm"),
    *("win", "margin"),
    *("evaluate_every", "evaluate_games", "evaluate_against", "evaluate_table", "checkpoint_every"),
)
"""The settings that RLlib's run follows; it plays against itself."""


class RllibRun:
    """A run in its folder, as ``run.Run``.

    ``address``: of a Ray cluster, "auto" for the one this machine belongs to, None for one of this process's own.
    ``workers``: processes that play (RLlib's env runners), which share ``num_envs`` games. ``learners``: processes that
    compute gradients; 0: this one does.
    """

    def __init__(
        self, settings: Settings, folder: Path, *, address: str | None = None, workers: int = 2, learners: int = 0
    ) -> None:
        self.settings = settings
        self.folder = folder
        self.arena = find_arena(settings.game)
        check_players(self.arena, settings.players)
        _check_meant(settings)
        if workers < 0 or learners < 0:
            raise ValueError(f"workers and learners are numbers of processes, not {workers} and {learners}")
        self.examination = Examination(settings, self.arena)
        self.game = self.arena.make(settings.players, **settings.table)
        folder.mkdir(parents=True, exist_ok=True)
        if not ray.is_initialized():
            try:
                ray.init(address=address, logging_level="ERROR", log_to_driver=False)
            except ConnectionError as error:
                raise ValueError(f"there is no Ray cluster at {address!r}: {error}") from error
        self.algorithm: Any = self._config(workers, learners).build_algo()
        self.seconds = 0.0
        self.steps = 0
        self.restarts = 0
        """Workers that died and were replaced."""

    def _config(self, workers: int, learners: int) -> Any:
        settings = self.settings
        table = {"num_players": settings.players, "win": settings.win, "margin": settings.margin, **settings.table}
        model = {"fcnet_hiddens": list(settings.hidden), "fcnet_activation": "relu", "head_fcnet_hiddens": []}
        return (
            ppo_config(settings.game, model_config=model, **table)
            .env_runners(
                num_env_runners=workers,
                num_envs_per_env_runner=max(1, settings.num_envs // max(1, workers)),
                rollout_fragment_length="auto",
                sample_timeout_s=PATIENCE,
            )
            .learners(num_learners=learners)
            .training(
                lr=settings.learning_rate,
                train_batch_size_per_learner=settings.update // max(1, learners),
                minibatch_size=settings.minibatch,
                num_epochs=settings.epochs,
                gamma=settings.gamma,
                lambda_=settings.gae_lambda,
                clip_param=settings.clip,
                entropy_coeff=settings.entropy,
                vf_loss_coeff=settings.value_weight,
                grad_clip=settings.max_grad_norm,
                use_kl_loss=False,
            )
            .fault_tolerance(restart_failed_env_runners=True, max_num_env_runner_restarts=1000)
            .debugging(seed=settings.seed, log_level="ERROR")
        )

    @property
    def progress(self) -> float:
        """The share of the run that is over."""
        return self.settings.progress(self.steps, self.seconds)

    def resume(self) -> bool:
        """Go on from the folder's checkpoint; False if there is none."""
        kept = self.folder / RLLIB
        if not kept.exists():
            return False
        self.algorithm.restore_from_path(str(kept.resolve()))
        counters = json.loads((kept / COUNTERS).read_text(encoding="utf-8"))
        self.steps, self.seconds = int(counters["steps"]), counters["seconds"]
        return True

    def network(self) -> Network:
        """What it has learned so far."""
        made = {"settings": self.settings.to_toml(), "engine": "rllib", "steps": self.steps}
        module = self.algorithm.get_module(POLICY)
        return network_of(module.state_dict(), self.game, {**made, "seconds": round(self.seconds)})

    def train(self, told: Callable[[Any, str], None] = lambda run, news: None) -> dict[str, float]:
        """Train to the end; ``told`` hears of every update, and of what else happens. Returns the last evaluation."""
        settings = self.settings
        log = Log(self.folder, self.steps)
        began = time.perf_counter() - self.seconds
        found: dict[str, float] = {}
        while self.progress < 1.0:
            before = self.steps
            result = self.algorithm.train()
            self.steps = int(result["env_runners"]["num_env_steps_sampled_lifetime"])
            self.seconds = time.perf_counter() - began
            self._tell_restarts(told)
            log.update(self.steps, _numbers(result["learners"][POLICY]))
            if passed(settings.evaluate_every, before, self.steps) or self.progress >= 1.0:
                found = self.examination.of(self.network())
                self.seconds = time.perf_counter() - began
                log.evaluation(self.steps, {"seconds": self.seconds, **found})
                told(self, in_words(found))
            if passed(settings.checkpoint_every, before, self.steps) or self.progress >= 1.0:
                self._save()
            told(self, "")
        log.close()
        draw(self.folder, f"{self.arena.title}, {settings.players} players, seed {settings.seed}, RLlib")
        return found

    def stop(self) -> None:
        """End the workers."""
        self.algorithm.stop()

    def _tell_restarts(self, told: Callable[[Any, str], None]) -> None:
        restarts = int(self.algorithm.env_runner_group.num_remote_worker_restarts())
        if restarts > self.restarts:
            told(self, f"{restarts - self.restarts} of the workers died and came back")
        self.restarts = restarts

    def _save(self) -> None:
        """A checkpoint that takes the earlier one's place once it is complete, and the network."""
        kept, part = self.folder / RLLIB, self.folder / f"{RLLIB}.part"
        old = self.folder / f"{RLLIB}.old"
        for rest in (part, old):
            shutil.rmtree(rest, ignore_errors=True)
        self.algorithm.save_to_path(str(part.resolve()))
        counters = {"steps": self.steps, "seconds": self.seconds}
        (part / COUNTERS).write_text(json.dumps(counters), encoding="utf-8")
        if kept.exists():
            kept.replace(old)
        part.replace(kept)
        shutil.rmtree(old, ignore_errors=True)
        self.network().save(self.folder / NETWORK, "float32")


def network_of(state: Mapping[str, Any], game: Game, made: Mapping[str, Any]) -> Network:
    """The network of RLlib's module, from its state; the value's part is left out."""
    body = "encoder.actor_encoder.net.mlp"
    layers = sorted({int(name.removeprefix(f"{body}.").split(".")[0]) for name in state if name.startswith(body)})
    arrays: dict[str, Any] = {}
    steps: list[dict[str, Any]] = []
    before = OBSERVATION
    for k, layer in enumerate(layers):
        to = f"hidden{k}"
        arrays[f"{to}.weight"] = _array(state[f"{body}.{layer}.weight"]).T.copy()
        arrays[f"{to}.bias"] = _array(state[f"{body}.{layer}.bias"])
        steps.append({"kind": "dense", "from": before, "to": to, "relu": True})
        before = to
    arrays["head.weight"], arrays["head.bias"] = (_array(state[f"pi.net.mlp.0.{part}"]) for part in ("weight", "bias"))
    return Network(steps, arrays, before, None, table_of(game), dict(made))


def _array(tensor: Any) -> NDArray[np.float32]:
    return np.array(tensor.detach().cpu() if hasattr(tensor, "detach") else tensor, np.float32)


def _numbers(learned: Mapping[str, Any]) -> dict[str, float]:
    """What the learner says of an update, as far as it is numbers."""
    return {
        f"train/{name}": float(value) for name, value in learned.items() if isinstance(value, int | float | np.floating)
    }


def _check_meant(settings: Settings) -> None:
    """``ValueError`` for a setting that RLlib's run would pass over."""
    least: dict[str, Any] = {"game": settings.game, "steps": 1}
    usual = Settings(**preset(settings.game, least)), Settings(**least)
    for spec in dataclasses.fields(settings):
        if spec.name not in MEANT and getattr(settings, spec.name) not in [getattr(one, spec.name) for one in usual]:
            raise ValueError(f"{spec.name} means nothing to the engine rllib, which knows {', '.join(MEANT)}")

"""A training run from beginning to end: MaskablePPO against a pool of opponents in which the learner meets itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import FloatSchedule

from tabletop.batch import MAX_THREADS
from tabletop.game import Game
from tabletop.networks import Network, NetworkAgent
from tabletop.policies import find_agent
from tabletop.sb3 import TabletopSB3

from ..arena import check_players, find_arena
from . import checkpoint
from .architecture import BlueprintPolicy, export, mlp
from .cards import cards
from .evaluation import Examination, in_words, win_rate
from .log import Log, draw
from .pool import Pool
from .settings import NETWORK, Settings, passed
from .tables import TrainingTables
from .teacher import Teacher

POOL, MODEL = "pool", "model.zip"


class Run:
    """A run in its folder. ``train`` does all; it can be called again after ``resume``."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.arena = find_arena(settings.game)
        check_players(self.arena, settings.players)
        if settings.threads is not None:
            torch.set_num_threads(settings.threads)
        self.threads = torch.get_num_threads()
        self.examination = Examination(settings, self.arena, self.threads)
        torch.distributions.Distribution.set_default_validate_args(False)

        game = self.arena.make(settings.players, **settings.table)
        self.tables = self._tables(game, settings.num_envs)
        self.model: Any = self._model(game)
        (folder / POOL).mkdir(parents=True, exist_ok=True)
        self.pool = Pool(settings, folder / POOL, export(self.model.policy))
        self.seconds = 0.0
        self.games = 0

    def _tables(self, game: Game, num_envs: int) -> TrainingTables:
        settings = self.settings
        return TrainingTables(
            game,
            settings.game,
            num_envs,
            opponents=None if settings.players == 1 else "random",
            seat="random",
            win=settings.win,
            margin=settings.margin,
            others=settings.others,
            worth=settings.worth,
            threads=min(self.threads, MAX_THREADS),
            seed=settings.seed,
        )

    def _compile(self) -> None:
        """Let what is used for the first time be compiled, so that it does not count as time of training."""
        tables = self._tables(self.tables.game, 2)
        if self.settings.players > 1:
            tables.set_opponents(self.pool.mixture())
        turn = tables.deal()
        if self.model.policy.teacher is not None:
            self.model.policy.teacher(torch.from_numpy(turn.observations), torch.from_numpy(turn.action_mask))
        tables.act(turn.action_mask.argmax(axis=1))
        self.examination.of(export(self.model.policy), games=1)

    def _model(self, game: Game) -> MaskablePPO:
        settings = self.settings
        blueprint = {"mlp": mlp, "cards": cards}[settings.network](game, settings.hidden)
        model = MaskablePPO(
            BlueprintPolicy,
            TabletopSB3(self.tables),
            n_steps=settings.rollout,
            batch_size=settings.minibatch,
            n_epochs=settings.epochs,
            gamma=settings.gamma,
            gae_lambda=settings.gae_lambda,
            clip_range=settings.clip,
            ent_coef=1.0,  # the policy weighs the entropy
            vf_coef=settings.value_weight,
            max_grad_norm=settings.max_grad_norm,
            policy_kwargs={"blueprint": blueprint, "value_hidden": settings.value_hidden, "spread": settings.spread},
            seed=settings.seed,
            device="cpu",
        )
        if settings.teacher:
            model.policy.teacher = Teacher(find_agent(settings.teacher, settings.game), game, self.threads)
        model.set_logger(Logger(None, []))
        return model

    @property
    def steps(self) -> int:
        """Decisions of the learner so far."""
        return int(self.model.num_timesteps)

    @property
    def progress(self) -> float:
        """The share of the run that is over."""
        return self.settings.progress(self.steps, self.seconds)

    def resume(self, network_alone: bool = False) -> bool:
        """Go on from the folder's checkpoint, or take no more than the network from it; False if there is none."""
        file = self.folder / checkpoint.NAME
        if not file.exists():
            return False
        counters = checkpoint.restore(file, self.model, *(() if network_alone else (self.tables, self.pool)))
        self.seconds, self.games = counters["seconds"], counters["games"]
        return True

    def network(self) -> Network:
        """What it has learned so far."""
        return export(self.model.policy, self.made())

    def train(self, told: Callable[[Run, str], None] = lambda run, news: None) -> dict[str, Any]:
        """Train to the end; ``told`` hears of every update, and of what else happens. Returns the last evaluation."""
        settings = self.settings
        log = Log(self.folder, self.steps)
        self._seat_pool()
        self._compile()
        began = time.perf_counter() - self.seconds
        found: dict[str, Any] = {}
        while self.progress < 1.0:
            self._set_rates()
            self.model.learn(settings.update, log_interval=None, reset_num_timesteps=False)
            self.seconds = time.perf_counter() - began
            self._count()
            ratings = {f"pool/{member.name}": member.rating for member in self.pool.members}
            log.update(self.steps, {**self._values(), **ratings})

            if settings.players > 1 and self._due(settings.snapshot_every):
                admitted = self.pool.ask(export(self.model.policy), self._against_snapshot)
                told(self, f"{'admitted to' if admitted else 'not good enough for'} the pool")
            self._seat_pool()
            if self._due(settings.evaluate_every) or self.progress >= 1.0:
                found = self.evaluate()
                self.seconds = time.perf_counter() - began
                log.evaluation(self.steps, {"seconds": self.seconds, "games": self.games, **found, **self._values()})
                told(self, in_words(found))
            if self._due(settings.checkpoint_every) or self.progress >= 1.0:
                self.seconds = time.perf_counter() - began
                counters = {"seconds": self.seconds, "games": self.games}
                checkpoint.save(self.folder / checkpoint.NAME, self.model, self.tables, self.pool, counters)
            told(self, "")
        self.model.save(self.folder / MODEL)
        self.network().save(self.folder / NETWORK, "float32")
        log.close()
        title = f"{self.arena.title}, {settings.players} players, seed {settings.seed}"
        draw(self.folder, title)
        return found

    def evaluate(self) -> dict[str, float]:
        """How the network stands now."""
        return self.examination.of(export(self.model.policy))

    def made(self) -> dict[str, Any]:
        """How the network came to be, for its file."""
        return {
            "settings": self.settings.to_toml(),
            "steps": self.steps,
            "games": self.games,
            "seconds": round(self.seconds),
        }

    def _against_snapshot(self, candidate: NetworkAgent, against: NetworkAgent) -> Any:
        settings = self.settings
        return win_rate(
            self.arena,
            settings.players,
            candidate,
            against,
            settings.gate_games,
            settings.table,
            seed=self.steps,
            threads=self.threads,
        )

    def _seat_pool(self) -> None:
        """Let the pool, with what the learner is now, play from the next games on."""
        if self.settings.players > 1:
            self.pool.itself.policy.update(export(self.model.policy))
            self.tables.set_opponents(self.pool.mixture())

    def _set_rates(self) -> None:
        """The learning rate, the weight of the entropy and that of the teacher fall evenly."""
        settings = self.settings
        left = 1.0 - self.progress
        rate = settings.learning_rate * (settings.learning_rate_end + (1 - settings.learning_rate_end) * left)
        self.model.lr_schedule = FloatSchedule(rate)
        policy = self.model.policy
        policy.entropy_weight = settings.entropy * (settings.entropy_end + (1 - settings.entropy_end) * left)
        policy.teaching = settings.teaching * max(0.0, 1.0 - self.steps / settings.teaching_steps)

    def _values(self) -> dict[str, float]:
        """What PPO last said of itself."""
        return {name: float(value) for name, value in self.model.logger.name_to_value.items()}

    def _count(self) -> None:
        self.games += self.tables.games_over
        self.tables.games_over = 0
        self.pool.count(self.tables.count())

    def _due(self, every: int) -> bool:
        """Whether the last update has passed a multiple of so many steps."""
        return passed(every, self.steps - self.settings.update, self.steps)

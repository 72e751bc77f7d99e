"""What RLlib's parts take on one core, and what 10, 100 and 1,000 cores would make of them.

    python -m benchmarks.cluster lastdroid

needs the extra ``rllib``. Each part is measured by itself: the environment behind the bridge, a worker that plays
(environment, network, RLlib's own bookkeeping), the learner; bytes are counted. The rest is arithmetic: PPO plays, then
learns, then sends its weights round, one after the other (``seconds_of``). What the one process takes that starts and
awaits all others is not in it.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import typer

from tabletop.bridges.rllib import POLICY, TurnEnv, ppo_config

HIDDEN = (256, 256)
GAMES, STEPS, EPOCHS, MINIBATCH = 64, 4096, 3, 512
RUNS = 3
LINK = 125e6
"""Bytes a second between two machines: 1 Gbit/s."""
CORES = (10, 100, 1000)


@dataclass(frozen=True)
class Parts:
    """What was measured."""

    environment: float
    """Steps a second of the bridge's environment, random legal actions."""
    worker: float
    """Steps a second of a worker."""
    learner: float
    """Steps a second that are learned from, all epochs."""
    step_bytes: int
    """What a worker sends of a step."""
    weights_bytes: int
    """What it gets back each time."""


def measure(game: str, players: int) -> Parts:
    """Medians of a few runs, after one that is not counted."""
    config = (
        ppo_config(game, num_players=players, model_config={"fcnet_hiddens": list(HIDDEN), "fcnet_activation": "relu"})
        .env_runners(num_env_runners=0, num_envs_per_env_runner=GAMES)
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=STEPS, minibatch_size=MINIBATCH, num_epochs=EPOCHS)
        .debugging(seed=0, log_level="ERROR")
    )
    algorithm = config.build_algo()
    try:
        playing, learning = [], []
        for _ in range(RUNS + 1):
            began = time.perf_counter()
            episodes = algorithm.env_runner.sample(num_timesteps=STEPS)
            played = time.perf_counter()
            algorithm.learner_group.update(
                episodes=episodes,
                timesteps={"num_env_steps_sampled_lifetime": STEPS},
                num_epochs=EPOCHS,
                minibatch_size=MINIBATCH,
                shuffle_batch_per_epoch=True,
            )
            steps = sum(len(episode) for episode in episodes)
            playing.append(steps / (played - began))
            learning.append(steps / (time.perf_counter() - played))
        module = algorithm.get_module(POLICY)
        weights = sum(int(np.prod(value.shape)) * 4 for value in module.state_dict().values())
    finally:
        algorithm.stop()
    environment = TurnEnv({"game": game, "num_players": players})
    seen: Any = environment.observation_spaces["player_0"]
    numbers = seen["observations"].shape[0] * 4 + seen["action_mask"].shape[0]
    return Parts(
        environment=statistics.median(_random_play(environment) for _ in range(RUNS)),
        worker=statistics.median(playing[1:]),
        learner=statistics.median(learning[1:]),
        step_bytes=numbers + 4 * (2 + seen["action_mask"].shape[0]),  # action, reward, the logits it was drawn from
        weights_bytes=weights,
    )


def _random_play(environment: TurnEnv, steps: int = 5000) -> float:
    rng = np.random.default_rng(0)
    observations, _ = environment.reset(seed=0)
    began = time.perf_counter()
    for _ in range(steps):
        ((agent, seen),) = observations.items()
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        observations, _, terminated, truncated, _ = environment.step({agent: action})
        if terminated["__all__"] or truncated["__all__"]:
            observations, _ = environment.reset()
    return steps / (time.perf_counter() - began)


def seconds_of(parts: Parts, batch: int, workers: int, learners: int) -> dict[str, float]:
    """How long each part of an iteration takes, over a batch of so many steps: playing, bringing the batch to the
    learners over one link each, learning, agreeing on each gradient (a ring: twice the weights over each link), and
    sending the weights to all workers over the learners' links."""
    gradients = -(-batch * EPOCHS // (learners * MINIBATCH))
    return {
        "play": batch / (workers * parts.worker),
        "bring": batch * parts.step_bytes / (LINK * learners),
        "learn": batch / (learners * parts.learner),
        "agree": gradients * 2 * parts.weights_bytes * (1 - 1 / learners) / LINK,
        "send": workers * parts.weights_bytes / (LINK * learners),
    }


def best_split(parts: Parts, cores: int) -> tuple[int, int, dict[str, float]]:
    """Workers, learners, seconds: the split of the cores that makes the most steps a second. A batch is 1,000 steps a
    worker."""
    found = []
    for learners in range(1, cores):
        workers = cores - learners
        seconds = seconds_of(parts, 1000 * workers, workers, learners)
        found.append((1000 * workers / sum(seconds.values()), workers, learners, seconds))
    _, workers, learners, seconds = max(found, key=lambda split: split[0])
    return workers, learners, seconds


def table(parts: Parts) -> str:
    """Both tables, as Markdown."""
    lines = [
        "| part, on one core | |",
        "| --- | --- |",
        f"| environment behind the bridge | {parts.environment:,.0f} steps/s |",
        f"| a worker: environment, network, RLlib | {parts.worker:,.0f} steps/s |",
        f"| learner, {EPOCHS} epochs | {parts.learner:,.0f} steps/s |",
        f"| a step on the way to the learner | {parts.step_bytes:,} bytes |",
        f"| the weights | {parts.weights_bytes:,} bytes |",
        "",
        "| cores | workers | learners | steps/s | play | bring | learn | agree | send |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for cores in CORES:
        workers, learners, seconds = best_split(parts, cores)
        total = sum(seconds.values())
        shares = " | ".join(f"{100 * part / total:.0f} %" for part in seconds.values())
        lines.append(f"| {cores:,} | {workers} | {learners} | {1000 * workers / total:,.0f} | {shares} |")
    return "\n".join(lines)


def main(
    game: Annotated[str, typer.Argument(help="lastdroid or robots")],
    players: Annotated[int, typer.Option(help="at the table")] = 2,
) -> None:
    """Measure the parts and print both tables."""
    import ray

    ray.init(logging_level="ERROR", log_to_driver=False)
    result: Any = measure(game, players)
    print(table(result))


if __name__ == "__main__":
    typer.run(main)

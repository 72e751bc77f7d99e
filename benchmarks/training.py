"""Training speed: MaskablePPO on our SB3 face beside PettingZoo's connect-four set-up; learning by steps and by time.

    python -m benchmarks.training speed                  environment steps a second, the environment's share of the time
    python -m benchmarks.training curves robots          learning with SB3's default sizes and with large ones
    python -m benchmarks.training curves robots --plot FILE.png

The set-up of the comparison is the one of PettingZoo's tutorial: connect_four_v3, one environment whose two seats are
played by the one learner, sb3-contrib's default settings. All cores are used by both.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import gymnasium
import numpy as np
import typer

from .faces import GAMES

OPPONENT = "random"
app = typer.Typer(add_completion=False, help=__doc__, no_args_is_help=True)


@dataclass(frozen=True)
class Sizes:
    """How much MaskablePPO does between two updates, and in how large pieces it learns from it."""

    num_envs: int
    n_steps: int
    batch_size: int
    n_epochs: int
    learning_rate: float


SIZES = {
    "default": Sizes(1, 2048, 64, 10, 3e-4),
    "large": Sizes(256, 64, 2048, 4, 1e-3),
}


class Timed:
    """Adds up the time spent in an environment's methods."""

    def __init__(self, env: Any, methods: tuple[str, ...]) -> None:
        self.spent = 0.0
        for name in methods:
            setattr(env, name, self._timed(getattr(env, name)))

    def _timed(self, method: Any) -> Any:
        def timed(*arguments: Any, **more: Any) -> Any:
            began = time.perf_counter()
            try:
                return method(*arguments, **more)
            finally:
                self.spent += time.perf_counter() - began

        return timed


class ConnectFour(gymnasium.Env[Any, Any]):
    """PettingZoo's connect four as a single-agent environment whose learner plays whoever is to move."""

    def __init__(self) -> None:
        from pettingzoo.classic import connect_four_v3

        self.aec = connect_four_v3.env()
        self.aec.reset()
        agent = self.aec.possible_agents[0]
        self.observation_space = self.aec.observation_space(agent)["observation"]
        self.action_space = self.aec.action_space(agent)
        self.mask: Any = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a game."""
        super().reset(seed=seed)
        self.aec.reset(seed=seed)
        return self._seen(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """A move of whoever is to move, who gets the reward."""
        mover = self.aec.agent_selection
        self.aec.step(int(action))
        over = self.aec.terminations[mover], self.aec.truncations[mover]
        return self._seen(), float(self.aec.rewards[mover]), *over, {}

    def _seen(self) -> Any:
        seen = self.aec.observe(self.aec.agent_selection)
        self.mask = seen["action_mask"]
        return seen["observation"]

    def action_masks(self) -> Any:
        """The legal moves."""
        return self.mask.astype(bool)


def learner(env: Any, sizes: Sizes, seed: int) -> Any:
    """MaskablePPO with an MLP."""
    from sb3_contrib import MaskablePPO

    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=sizes.n_steps,
        batch_size=sizes.batch_size,
        n_epochs=sizes.n_epochs,
        learning_rate=sizes.learning_rate,
        seed=seed,
        device="cpu",
    )


def steps_a_second(model: Any, timed: Timed, updates: int) -> dict[str, Any]:
    """Environment steps a second over some rounds of collecting and learning, after one that is not counted."""
    round_length = model.n_steps * model.env.num_envs
    model.learn(round_length)
    timed.spent = 0.0
    began = time.perf_counter()
    model.learn(updates * round_length)
    passed = time.perf_counter() - began
    return {
        "steps_per_s": round(updates * round_length / passed),
        "environment_share": round(timed.spent / passed, 3),
    }


@app.command()
def speed(runs: Annotated[int, typer.Option(min=1, help="Rounds, in turns.")] = 3) -> None:
    """Environment steps a second, one JSON object a line."""
    setups: list[tuple[str, str, Any, Timed]] = []
    peer: Any = ConnectFour()
    timed = Timed(peer, ("step", "reset", "action_masks"))
    setups.append(("connect_four_v3", "default", learner(peer, SIZES["default"], 0), timed))
    for name, package in GAMES.items():
        sizes = SIZES["large"]
        env = package.sb3_env(sizes.num_envs, opponents=OPPONENT, seat="random")
        timed = Timed(env, ("step_wait", "reset", "env_method"))
        setups.append((name, "large", learner(env, sizes, 0), timed))
    for _ in range(runs):
        for name, size, model, timed in setups:
            found = steps_a_second(model, timed, 2)
            print(json.dumps({"game": name, **SIZES[size].__dict__, **found}), flush=True)


@app.command()
def curves(
    game: Annotated[str, typer.Argument(help=f"One of {', '.join(GAMES)}.")] = "robots",
    minutes: Annotated[float, typer.Option(min=0.1, help="For each of the two.")] = 4.0,
    seed: Annotated[int, typer.Option(help="Of the network and the games.")] = 0,
    opponent: Annotated[str, typer.Option(help="Who is learned and played against.")] = OPPONENT,
    picture: Annotated[Path | None, typer.Option("--plot", help="Draw the curves into this file.")] = None,
) -> None:
    """Win rate against an agent by steps and by time, one JSON object a line. The two learn in turns."""
    if game not in GAMES:
        raise typer.BadParameter(f"no game is called {game!r}; known are {', '.join(GAMES)}")
    models, spent = {}, dict.fromkeys(SIZES, 0.0)
    for name, sizes in SIZES.items():
        env = GAMES[game].sb3_env(sizes.num_envs, opponents=opponent, seat="random")
        env.seed(seed)
        models[name] = learner(env, sizes, seed)
    points = []
    while min(spent.values()) < 60 * minutes:
        name = min(spent, key=lambda sizes: spent[sizes])
        sizes, model = SIZES[name], models[name]
        rounds = max(1, round(16384 / (sizes.n_steps * sizes.num_envs)))
        began = time.perf_counter()
        model.learn(rounds * sizes.n_steps * sizes.num_envs, reset_num_timesteps=False)
        spent[name] += time.perf_counter() - began
        point = {
            "game": game,
            "sizes": name,
            "steps": int(model.num_timesteps),
            "seconds": round(spent[name], 1),
            "win_rate": win_rate(model, game, opponent),
        }
        points.append(point)
        print(json.dumps(point), flush=True)
    if picture is not None:
        draw(points, opponent, picture)


def win_rate(model: Any, game: str, opponent: str, games: int = 400) -> float:
    """Share of games that the policy, choosing what it finds best, wins against an agent; a draw is half."""
    env = GAMES[game].learners(games, opponents=opponent, seat="random", seed=12345, autoreset_mode="next_step")
    turn = env.deal()
    returns = np.full(games, np.nan)
    while np.isnan(returns).any():
        masks = np.where(turn.action_mask.any(axis=1, keepdims=True), turn.action_mask, 1).astype(bool)
        actions, _ = model.predict(turn.observations, action_masks=masks, deterministic=True)
        turn = env.act(actions)
        fresh = (turn.terminated | turn.truncated) & np.isnan(returns)
        returns[fresh] = turn.rewards[fresh]
    return round(float(((np.sign(returns) + 1) / 2).mean()), 3)


def draw(points: list[dict[str, Any]], opponent: str, file: Path) -> None:
    """Two pictures side by side: by steps, by seconds."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    picture, both = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True)
    for axes, by in zip(both, ("steps", "seconds"), strict=True):
        for name, sizes in SIZES.items():
            line = [(point[by], point["win_rate"]) for point in points if point["sizes"] == name]
            label = f"{name}: {sizes.num_envs} games, minibatch {sizes.batch_size}"
            axes.plot(*zip(*line, strict=True), label=label)
        axes.set(xlabel=by, xscale="log")
    both[0].set(ylabel=f"games won against {opponent}")
    both[1].legend()
    picture.tight_layout()
    picture.savefig(file, dpi=110)


if __name__ == "__main__":
    sys.exit(app())

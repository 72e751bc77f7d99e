"""A masked DQN on Stable-Baselines3, as a second example: SB3's own DQN knows no masks.

    python -m agents.train.dqn lastdroid --players 2 --steps 500000 --seed 0

The mask travels in the observation, behind what the player sees. The Q network cuts it off and gives what is not legal
a value that no legal action has. So masks hold everywhere at once: for the greedy action, and, which is forgotten most
easily, for the greatest value of the next position, from which DQN learns. Random actions are legal ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3 import DQN
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.dqn.policies import DQNPolicy, QNetwork

from tabletop.game import Game
from tabletop.networks import OBSERVATION, Network, NetworkAgent, table_of
from tabletop.policies import GAMES, find_agent
from tabletop.sb3 import TabletopSB3

from ..arena import check_players, find_arena
from .evaluation import win_rate
from .tables import TrainingTables

ILLEGAL = -1e8
HIDDEN = (256, 256)


class MaskInObservation(VecEnvWrapper):
    """Observations with the mask behind them."""

    def __init__(self, venv: TabletopSB3) -> None:
        seen: Any = venv.observation_space
        actions = venv.batch.num_actions
        low = np.concatenate([seen.low, np.zeros(actions, np.float32)])
        high = np.concatenate([seen.high, np.ones(actions, np.float32)])
        super().__init__(venv, spaces.Box(low, high, dtype=np.float32))
        self.masks = venv.action_masks
        self.num_actions = actions

    def reset(self) -> NDArray[np.float32]:
        """Deal all games."""
        return self._with_masks(self.venv.reset())

    def step_wait(self) -> Any:
        """As SB3 has it. At a game's end everything counts as legal, so that no value is that of an illegal action."""
        observations, rewards, dones, infos = self.venv.step_wait()
        for row in np.flatnonzero(dones):
            last = infos[row]["terminal_observation"]
            infos[row]["terminal_observation"] = np.concatenate([last, np.ones(self.num_actions, np.float32)])
        return self._with_masks(observations), rewards, dones, infos

    def _with_masks(self, observations: Any) -> NDArray[np.float32]:
        return np.concatenate([observations, self.masks().astype(np.float32)], axis=1)


class WithoutMask(BaseFeaturesExtractor):
    """What the player sees."""

    def __init__(self, observation_space: spaces.Box, actions: int) -> None:
        super().__init__(observation_space, observation_space.shape[0] - actions)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """All but the mask."""
        return observations[:, : self.features_dim]


class MaskedQNetwork(QNetwork):
    """Values of the legal actions; the greatest value and the best action are always a legal one's."""

    def forward(self, obs: torch.Tensor) -> torch.Tensor:
        """``(k, actions)``."""
        return torch.where(obs[:, -int(self.action_space.n) :] > 0.5, super().forward(obs), ILLEGAL)


class MaskedDQNPolicy(DQNPolicy):
    """DQN's policy over masked Q networks."""

    def make_q_net(self) -> QNetwork:
        """One network; DQN makes two, that which learns and the target."""
        arguments = self._update_features_extractor(self.net_args, features_extractor=None)
        network: QNetwork = MaskedQNetwork(**arguments).to(self.device)
        return network


class MaskedDQN(DQN):
    """DQN that explores among the legal actions, in each game for itself."""

    def _sample_action(
        self, learning_starts: int, action_noise: Any = None, n_envs: int = 1
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        seen: Any = self._last_obs
        space: Any = self.action_space
        actions, _ = self.policy.predict(seen, deterministic=True)
        share = 1.0 if self.num_timesteps < learning_starts else self.exploration_rate
        explores = np.random.random(n_envs) < share  # noqa: NPY002 (the generator that SB3 seeds)
        masks = seen[:, -int(space.n) :]
        drawn = (masks * np.random.random(masks.shape)).argmax(axis=1)  # noqa: NPY002
        actions = np.where(explores, drawn, actions)
        return actions, actions


def export(model: Any, game: Game, made: dict[str, Any]) -> Network:
    """The Q network as an agent that does what has the greatest value."""
    layers = [layer for layer in model.q_net.q_net if isinstance(layer, torch.nn.Linear)]
    arrays, steps, before = {}, [], OBSERVATION
    for k, layer in enumerate(layers[:-1]):
        name = f"hidden{k}"
        arrays[f"{name}.weight"] = layer.weight.detach().numpy().T.copy()
        arrays[f"{name}.bias"] = layer.bias.detach().numpy().copy()
        steps.append({"kind": "dense", "from": before, "to": name, "relu": True})
        before = name
    arrays["head.weight"] = layers[-1].weight.detach().numpy().copy()
    arrays["head.bias"] = layers[-1].bias.detach().numpy().copy()
    return Network(steps, arrays, before, None, table_of(game), made)


class Evaluation(BaseCallback):
    """Says now and then how many games are won against bots."""

    def __init__(self, name: str, game: Game, every: int) -> None:
        super().__init__()
        self.name, self.game, self.every, self.due = name, game, every, every

    def _on_step(self) -> bool:
        if self.num_timesteps >= self.due:
            self.due += self.every
            print(f"{self.num_timesteps:,} steps: won {self.found()}", flush=True)
        return True

    def found(self) -> str:
        """Win rates with their intervals."""
        candidate = NetworkAgent(export(self.model, self.game, {}), "candidate")
        arena, won = find_arena(self.name), []
        for name in ("random", "greedy"):
            result = win_rate(arena, self.game.num_players, candidate, find_agent(name, self.name).policy, 200, {})
            won.append(
                f"{100 * result.rate:.1f} ({100 * result.low:.0f}-{100 * result.high:.0f}) of 100 against {name}"
            )
        return ", ".join(won)


def make_model(game: str, players: int, seed: int, num_envs: int = 64, **more: Any) -> tuple[MaskedDQN, Game]:
    """A learner among greedy and random players, with nothing learned yet."""
    arena = find_arena(game)
    table = arena.make(check_players(arena, players))
    opponents = None if players == 1 else "greedy"
    rewards: dict[str, Any] = {"win": 0.2, "margin": 0.05, "others": 1.0, "worth": {}}
    tables = TrainingTables(table, game, num_envs, opponents=opponents, seat="random", seed=seed, **rewards)
    env = MaskInObservation(TabletopSB3(tables))
    arguments: dict[str, Any] = {
        "learning_rate": 3e-4,
        "buffer_size": 100_000,
        "learning_starts": 10_000,
        "batch_size": 512,
        "gamma": 0.99,
        "train_freq": 1,
        "gradient_steps": 1,
        "target_update_interval": 2_000,
        "exploration_fraction": 0.3,
        "exploration_final_eps": 0.02,
        **more,
    }
    network = {"net_arch": list(HIDDEN), "features_extractor_class": WithoutMask}
    network["features_extractor_kwargs"] = {"actions": table.num_actions}
    model = MaskedDQN(MaskedDQNPolicy, env, policy_kwargs=network, seed=seed, device="cpu", **arguments)
    return model, table


def main(
    game: Annotated[str, typer.Argument(help=f"one of {', '.join(GAMES)}")],
    players: Annotated[int, typer.Option(help="at the table")] = 2,
    steps: Annotated[int, typer.Option(min=1, help="decisions of the learner")] = 500_000,
    seed: Annotated[int, typer.Option(help="of the network, the games and all chances")] = 0,
    out: Annotated[Path, typer.Option(help="the network file to write")] = Path("dqn.npz"),
) -> None:
    """Masked DQN against the greedy bot."""
    try:
        model, table = make_model(game, players, seed)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    model.learn(steps, callback=Evaluation(game, table, 50_000))
    made = {"by": "agents.train.dqn", "seed": seed, "steps": model.num_timesteps}
    export(model, table, made).save(out)


if __name__ == "__main__":
    typer.run(main)

"""Masked PPO in one file, on ``VecEnv``, with PyTorch alone: one network learns from every seat of its own games.

    python -m agents.train.ppo_plain lastdroid --players 2 --steps 2000000 --seed 0

``VecEnv`` asks each seat of each game in turn, and pays all seats when the game ends. So what follows a seat's decision
is not the next line of the row, but the next line in which the same seat decides: advantages are computed along these.
"""

from __future__ import annotations

import importlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from torch import nn

from tabletop.game import Game
from tabletop.networks import OBSERVATION, Network, NetworkAgent, table_of
from tabletop.policies import find_agent

from ..arena import find_arena
from .evaluation import win_rate

PACKAGES = {"lastdroid": "lastdroid_env", "robots": "robots_env"}


@dataclass
class Settings:
    """How it learns."""

    num_envs: int = 128
    """Games side by side."""
    rollout: int = 128
    """Decisions in each game, of all its seats, between two updates."""
    minibatch: int = 512
    """Decisions from which one gradient is computed."""
    epochs: int = 4
    """How often each decision is learned from."""
    learning_rate: float = 5e-4
    """Of Adam; it falls to nothing."""
    gamma: float = 1.0
    """Discount."""
    gae_lambda: float = 0.95
    """How far advantages look beyond the value's estimate."""
    clip: float = 0.2
    """How far an update may take the probability of an action, as a share of it."""
    entropy: float = 0.01
    """Weight of the entropy."""
    value_weight: float = 0.5
    """Weight of the value's error."""
    hidden: int = 256
    """Size of the two hidden layers."""
    scale: float = 0.02
    """The reward is the final lead in points ("margin") times this."""
    evaluate_every: int = 250_000
    """Decisions between two evaluations."""


class ActorCritic(nn.Module):
    """Two hidden layers, from which logits and value are read."""

    def __init__(self, observation: int, actions: int, hidden: int) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(observation, hidden), nn.Linear(hidden, hidden)
        self.policy, self.value = nn.Linear(hidden, actions), nn.Linear(hidden, 1)
        for layer, gain in ((self.first, 1.4), (self.second, 1.4), (self.policy, 0.01), (self.value, 1.0)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log probabilities of the actions, the illegal ones very small, and the value."""
        hidden = torch.relu(self.second(torch.relu(self.first(observations))))
        logits = torch.where(masks, self.policy(hidden), -1e8)
        return torch.log_softmax(logits, dim=1), self.value(hidden).squeeze(1)

    def network(self, game: Game, made: dict[str, Any]) -> Network:
        """The policy as an agent's network."""
        arrays = {}
        for name, layer in (("first", self.first), ("second", self.second)):
            arrays[f"{name}.weight"] = layer.weight.detach().numpy().T.copy()
            arrays[f"{name}.bias"] = layer.bias.detach().numpy().copy()
        arrays["head.weight"] = self.policy.weight.detach().numpy().copy()
        arrays["head.bias"] = self.policy.bias.detach().numpy().copy()
        steps = [
            {"kind": "dense", "from": OBSERVATION, "to": "first", "relu": True},
            {"kind": "dense", "from": "first", "to": "second", "relu": True},
        ]
        return Network(steps, arrays, "second", None, table_of(game), made)


class Rollout:
    """Decisions in each game, line by line, and what came of them."""

    def __init__(self, lines: int, vec: Any) -> None:
        rows = vec.num_envs
        self.observations = torch.zeros(lines, rows, vec.observation_size)
        self.masks = torch.zeros(lines, rows, vec.num_actions, dtype=torch.bool)
        self.actions = torch.zeros(lines, rows, dtype=torch.int64)
        self.log_probs, self.values = torch.zeros(lines, rows), torch.zeros(lines, rows)
        self.seats = np.zeros((lines, rows), np.int64)
        self.rewards = np.zeros((lines, rows, vec.num_players), np.float32)
        """The returns of the games that ended with the line."""
        self.ends = np.zeros((lines, rows), np.bool_)


def collect(
    rollout: Rollout, vec: Any, turn: Any, net: ActorCritic, settings: Settings, rng: np.random.Generator
) -> Any:
    """Fill a rollout by the network's probabilities, from ``turn`` on; returns the turn after it."""
    for line in range(len(rollout.actions)):
        observations, masks = torch.from_numpy(turn.observations), torch.from_numpy(turn.action_mask.astype(np.bool_))
        with torch.no_grad():
            log_probs, values = net(observations, masks)
        noise = rng.gumbel(size=log_probs.shape).astype(np.float32)
        actions = np.where(masks, log_probs.numpy() + noise, -np.inf).argmax(axis=1)
        rollout.observations[line], rollout.masks[line] = observations, masks
        rollout.actions[line], rollout.values[line] = torch.from_numpy(actions), values
        rollout.log_probs[line] = log_probs.gather(1, rollout.actions[line][:, None]).squeeze(1)
        rollout.seats[line] = turn.current_player
        turn = vec.step(actions)
        rollout.rewards[line] = turn.rewards * settings.scale
        rollout.ends[line] = turn.terminated | turn.truncated
    return turn


def advantages(rollout: Rollout, last_values: NDArray[np.float32], gamma: float, gae_lambda: float) -> torch.Tensor:
    """By GAE, along the decisions of each seat of each game. ``last_values`` (rows, seats): what each seat expects
    where the rollout ends."""
    values = rollout.values.numpy()
    found = np.zeros_like(values)
    rows = np.arange(values.shape[1])
    ahead_value, ahead_advantage = last_values.copy(), np.zeros_like(last_values)
    paid = np.zeros_like(last_values)  # to a seat, since its decision before
    for line in range(len(values) - 1, -1, -1):
        over = rollout.ends[line]
        ahead_value[over], ahead_advantage[over] = 0.0, 0.0
        paid[over] = rollout.rewards[line, over]
        at = rows, rollout.seats[line]
        found[line] = paid[at] + gamma * ahead_value[at] - values[line] + gamma * gae_lambda * ahead_advantage[at]
        ahead_value[at], ahead_advantage[at], paid[at] = values[line], found[line], 0.0
    return torch.from_numpy(found)


def update(
    net: ActorCritic,
    optimizer: torch.optim.Optimizer,
    rollout: Rollout,
    gained: torch.Tensor,
    settings: Settings,
    rng: np.random.Generator,
) -> None:
    """PPO's update: several passes over the rollout in minibatches."""
    observations, masks = rollout.observations.flatten(0, 1), rollout.masks.flatten(0, 1)
    actions, old = rollout.actions.flatten(), rollout.log_probs.flatten()
    gains, returns = gained.flatten(), (gained + rollout.values).flatten()
    for _ in range(settings.epochs):
        order = rng.permutation(len(actions))
        for first in range(0, len(order), settings.minibatch):
            part = torch.from_numpy(order[first : first + settings.minibatch])
            log_probs, values = net(observations[part], masks[part])
            ratio = torch.exp(log_probs.gather(1, actions[part, None]).squeeze(1) - old[part])
            gain = (gains[part] - gains[part].mean()) / (gains[part].std() + 1e-8)
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            policy_loss = -torch.min(ratio * gain, clipped * gain).mean()
            value_loss = nn.functional.mse_loss(values, returns[part])
            probs = log_probs.exp()
            entropy = -torch.where(masks[part], probs * log_probs, 0.0).sum(dim=1).mean()
            loss = policy_loss + settings.value_weight * value_loss - settings.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()


def train(game: str, players: int, steps: int, seed: int, settings: Settings, told: Any = print) -> Network:
    """Train a network in so many decisions, of all seats together, and let it play against bots now and then."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    vec = importlib.import_module(PACKAGES[game]).VecEnv(settings.num_envs, players, seed=seed, reward="margin")
    net = ActorCritic(vec.observation_size, vec.num_actions, settings.hidden)
    optimizer = torch.optim.Adam(net.parameters(), lr=settings.learning_rate, eps=1e-5)
    rollout, turn = Rollout(settings.rollout, vec), vec.reset()
    began, made, due = time.perf_counter(), 0, settings.evaluate_every
    while made < steps:
        optimizer.param_groups[0]["lr"] = settings.learning_rate * (1.0 - made / steps)
        turn = collect(rollout, vec, turn, net, settings, rng)
        made += settings.rollout * settings.num_envs
        masks = torch.ones(settings.num_envs, vec.num_actions, dtype=torch.bool)
        with torch.no_grad():
            seen = [torch.from_numpy(vec.observe(seat)) for seat in range(players)]
            last = np.stack([net(observations, masks)[1].numpy() for observations in seen], axis=1)
        update(net, optimizer, rollout, advantages(rollout, last, settings.gamma, settings.gae_lambda), settings, rng)
        if made >= min(due, steps):
            due += settings.evaluate_every
            told(f"{made:,} decisions, {time.perf_counter() - began:.0f} s: {evaluate(net, vec.game, game)}")
    made_by = {"by": "agents.train.ppo_plain", "seed": seed, "steps": made, **vars(settings)}
    return net.network(vec.game, made_by)


def evaluate(net: ActorCritic, table: Game, game: str) -> str:
    """Games won against bots, on deals of their own."""
    candidate = NetworkAgent(net.network(table, {}), "candidate")
    arena, won = find_arena(game), []
    for name in ("random", "greedy"):
        result = win_rate(arena, table.num_players, candidate, find_agent(name, game).policy, 200, {})
        won.append(f"{100 * result.rate:.1f} ({100 * result.low:.0f}-{100 * result.high:.0f}) of 100 against {name}")
    return "won " + ", ".join(won)


def main(
    game: Annotated[str, typer.Argument(help=f"one of {', '.join(PACKAGES)}")],
    players: Annotated[int, typer.Option(min=2, help="at the table")] = 2,
    steps: Annotated[int, typer.Option(min=1, help="decisions, of all seats together")] = 2_000_000,
    seed: Annotated[int, typer.Option(help="of the network, the games and all chances")] = 0,
    out: Annotated[Path, typer.Option(help="the network file to write")] = Path("plain.npz"),
) -> None:
    """Masked PPO by self-play, in one file."""
    if game not in PACKAGES:
        raise typer.BadParameter(f"no game is called {game!r}; known are {', '.join(PACKAGES)}")
    train(game, players, steps, seed, Settings()).save(out)


if __name__ == "__main__":
    typer.run(main)

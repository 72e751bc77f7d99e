"""Networks for MaskablePPO, built from a blueprint, and their export as ``tabletop.networks``.

A blueprint is a dict of JSON values: the steps of ``tabletop.networks.Network`` with sizes in place of weights. The
torch module does what the steps say, so that what is exported is what was trained.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from tabletop.game import Game
from tabletop.networks import OBSERVATION, Network, table_of


def mlp(game: Game, hidden: Sequence[int]) -> dict[str, Any]:
    """Layers one after the other."""
    steps: list[dict[str, Any]] = []
    before, wide = OBSERVATION, game.observation_size
    for k, size in enumerate(hidden):
        steps.append({"kind": "dense", "from": before, "to": f"hidden{k}", "in": wide, "out": size, "relu": True})
        before, wide = f"hidden{k}", size
    return {"steps": steps, "head": before, "hidden": wide, "scores": None, "table": table_of(game)}


ILLEGAL = -1e8
"""The logit of an action that is not legal."""


class Body(BaseFeaturesExtractor):
    """The steps of a blueprint: gives the vector before the head, and the actions' scores if there are any."""

    def __init__(self, observation_space: spaces.Box, blueprint: Mapping[str, Any]) -> None:
        super().__init__(observation_space, blueprint["hidden"] + blueprint.get("scores_size", 0))
        self.blueprint = blueprint
        self.dense = nn.ModuleDict(
            {
                step["to"]: nn.Linear(step["in"], step["out"], bias="biases" not in step)
                for step in blueprint["steps"]
                if step["kind"] == "dense"
            }
        )
        self.biases = nn.ParameterDict()
        for step in blueprint["steps"]:
            if "biases" in step:
                self.biases[step["to"]] = nn.Parameter(torch.zeros(max(step["biases"]) + 1, step["out"]))
            if step["kind"] == "gather":
                index = torch.as_tensor(step["index"], dtype=torch.int64)
                self.register_buffer(f"index_{step['to']}", torch.where(index >= 0, index, step["size"]))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """``(k, features)``."""
        known = {OBSERVATION: observations}
        for step in self.blueprint["steps"]:
            kind, to = step["kind"], step["to"]
            if kind == "join":
                known[to] = torch.cat([known[name].flatten(1) for name in step["from"]], dim=1)
                continue
            given = known[step["from"]]
            if kind == "dense":
                result = self.dense[to](given)
                if "biases" in step:
                    result = result + self.biases[to][step["biases"]]
                if step.get("plus"):
                    vector = known[step["plus"]]
                    result = result + (vector[:, None] if result.dim() == 3 else vector)
                known[to] = torch.relu(result) if step["relu"] else result
            elif kind == "gather":
                padded = nn.functional.pad(given.flatten(1), (0, 1))
                known[to] = padded[:, getattr(self, f"index_{to}")]
            else:
                known[to] = torch.cat([given.mean(dim=1), given.amax(dim=1)], dim=1)
        hidden = known[self.blueprint["head"]]
        scores = self.blueprint["scores"]
        return hidden if scores is None else torch.cat([hidden, known[scores].flatten(1)], dim=1)


class Head(nn.Module):
    """Logits from the hidden vector, plus the scores of the actions that have one."""

    def __init__(self, blueprint: Mapping[str, Any]) -> None:
        super().__init__()
        self.hidden = blueprint["hidden"]
        self.linear = nn.Linear(self.hidden, blueprint["table"]["actions"])
        self.scored = blueprint["scores"] is not None
        if self.scored:
            index = torch.as_tensor(blueprint["scores_index"], dtype=torch.int64)
            self.register_buffer("index", torch.where(index >= 0, index, blueprint["scores_size"]))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """``(k, actions)``."""
        logits = self.linear(features[:, : self.hidden])
        if self.scored:
            logits = logits + nn.functional.pad(features[:, self.hidden :], (0, 1))[:, self.index]
        return logits


class BlueprintPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy over a blueprint: body, head, and a value of its own hidden layers."""

    def __init__(
        self,
        *arguments: Any,
        blueprint: Mapping[str, Any],
        value_hidden: Sequence[int],
        spread: float = 0.0,
        **more: Any,
    ) -> None:
        self.blueprint = blueprint
        self.spread = spread
        self.value_hidden = list(value_hidden)
        self.teacher: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] | None = None
        self.teaching = 0.0
        self.entropy_weight = 1.0
        super().__init__(
            *arguments,
            **{
                **more,
                "net_arch": {"pi": [], "vf": self.value_hidden},
                "activation_fn": nn.ReLU,
                "features_extractor_class": Body,
                "features_extractor_kwargs": {"blueprint": blueprint},
            },
        )

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = Head(self.blueprint)
        self.action_net.linear.apply(lambda module: self.init_weights(module, gain=0.01))
        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr_schedule(1), eps=1e-5, fused=True)

    # SB3's own versions of these two make three distributions, and check each of them, where one will do.

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, values, log probabilities of the actions."""
        values, log_probs = self._values_and_log_probs(obs, action_masks)
        if deterministic:
            actions = log_probs.argmax(dim=1)
        else:
            actions = (log_probs - torch.empty_like(log_probs).exponential_().log()).argmax(dim=1)
        return actions, values, log_probs.gather(1, actions[:, None]).squeeze(1)

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Values, log probabilities of the actions, entropies: these with ``spread`` times the mean log probability of
        the legal actions, and weighed; to them is added ``teaching`` times that of what the teacher would do."""
        values, log_probs = self._values_and_log_probs(obs, action_masks)
        probs = log_probs.clamp(min=-80.0).exp()  # what would be no normal number is slow to compute
        entropy = -(log_probs * probs).sum(dim=1)
        if self.spread:
            legal = torch.as_tensor(action_masks, dtype=torch.bool)
            entropy += self.spread * torch.where(legal, log_probs, 0.0).sum(dim=1) / legal.sum(dim=1)
        entropy *= self.entropy_weight
        if self.teacher is not None and self.teaching:
            told = self.teacher(obs, action_masks)
            entropy += self.teaching * log_probs.gather(1, told[:, None]).squeeze(1)
        return values, log_probs.gather(1, actions[:, None]).squeeze(1), entropy

    def _values_and_log_probs(self, obs: torch.Tensor, masks: Any) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.extract_features(obs)
        values = self.value_net(self.mlp_extractor.forward_critic(features))
        logits = self.action_net(features)
        if masks is not None:
            logits = torch.where(torch.as_tensor(masks, dtype=torch.bool), logits, ILLEGAL)
        return values, torch.log_softmax(logits, dim=1)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        found = super()._get_constructor_parameters()
        return {**found, "blueprint": self.blueprint, "value_hidden": self.value_hidden, "spread": self.spread}


def export(policy: Any, made: Mapping[str, Any] | None = None) -> Network:
    """A trained ``BlueprintPolicy`` as a network."""
    blueprint = policy.blueprint
    arrays: dict[str, Any] = {}

    def numbers(tensor: torch.Tensor) -> Any:
        return tensor.detach().cpu().numpy().copy()

    steps = []
    for step in blueprint["steps"]:
        to = step["to"]
        if step["kind"] == "dense":
            linear = policy.features_extractor.dense[to]
            arrays[f"{to}.weight"] = numbers(linear.weight.T)
            shared = "biases" in step
            bias = policy.features_extractor.biases[to][step["biases"]] if shared else linear.bias
            arrays[f"{to}.bias"] = numbers(bias)
        elif step["kind"] == "gather":
            arrays[f"{to}.index"] = np.asarray(step["index"], np.int64)
        kept = ("kind", "from", "to", "relu", "plus")
        steps.append({name: step[name] for name in kept if name in step})
    head = policy.action_net.linear
    arrays["head.weight"], arrays["head.bias"] = numbers(head.weight), numbers(head.bias)
    if blueprint["scores"] is not None:
        arrays["scores.index"] = np.asarray(blueprint["scores_index"], np.int64)
    return Network(steps, arrays, blueprint["head"], blueprint["scores"], dict(blueprint["table"]), dict(made or {}))

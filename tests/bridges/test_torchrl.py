"""The environments in TorchRL's own wrapper, as they are: no bridge is needed."""

from __future__ import annotations

import pytest

pytest.importorskip("torchrl", reason="TorchRL is not installed: extra 'torchrl'")

import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import MarlGroupMapType, PettingZooWrapper, SerialEnv
from torchrl.envs.utils import check_env_specs
from torchrl.modules import MaskedCategorical, ProbabilisticActor

import lastdroid_env
import robots_env

MAKERS = {
    "last droid": lambda **more: lastdroid_env.env(num_players=3, **more),
    "last droid solo": lambda **more: lastdroid_env.env(num_players=1, **more),
    "robots": lambda **more: robots_env.env(num_players=2, rounds=1, reward="win", **more),
}
torch.set_num_threads(1)


def wrapped(make, **more):
    return PettingZooWrapper(make(**more), use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP)


def masked_actor(game):
    """A network for all seats that takes legal actions only; with ``flat=True`` the observation has its plain key."""
    network = TensorDictModule(
        torch.nn.Linear(game.observation_size, game.num_actions),
        in_keys=[("agents", "observation")],
        out_keys=[("agents", "logits")],
    )
    return ProbabilisticActor(
        network,
        in_keys={"logits": ("agents", "logits"), "mask": ("agents", "action_mask")},
        out_keys=[("agents", "action")],
        distribution_class=MaskedCategorical,
    )


def check_play(steps):
    """Legal actions of one agent at a time, everybody's reward at the end."""
    acting = steps["agents", "mask"]
    assert (acting.sum(-1) == 1).all()
    actions = steps["agents", "action"]
    assert steps["agents", "action_mask"].gather(-1, actions.unsqueeze(-1)).squeeze(-1)[acting].all()
    rewards, done = steps["next", "agents", "reward"], steps["next", "done"].squeeze(-1)
    assert not rewards[~done].any()
    assert (steps["next", "agents", "done"].squeeze(-1).all(-1) == done).all()
    return rewards[done].squeeze(-1)


@pytest.mark.parametrize(
    ("make", "flat"),
    [
        pytest.param(MAKERS["last droid"], True, id="last droid, flat"),
        pytest.param(MAKERS["last droid solo"], False, id="last droid solo, dict"),
        pytest.param(MAKERS["robots"], True, id="robots, flat"),
        pytest.param(MAKERS["robots"], False, id="robots, dict"),
    ],
)
def test_specs_and_a_random_game(make, flat):
    env = wrapped(make, flat=flat)
    check_env_specs(env)
    torch.manual_seed(0)
    env.set_seed(5)
    returns = check_play(env.rollout(2000))
    assert returns.any() or len(returns) == 1
    torch.manual_seed(0)
    env.set_seed(5)
    assert torch.equal(check_play(env.rollout(2000)), returns)


def test_default_groups_are_one_for_each_agent():
    env = PettingZooWrapper(lastdroid_env.env(num_players=2), use_mask=True)
    assert env.group_map == {"player_0": ["player_0"], "player_1": ["player_1"]}
    steps = env.rollout(50)
    acting = torch.cat([steps[agent, "mask"] for agent in env.group_map], -1)
    assert (acting.sum(-1) == 1).all()


@pytest.mark.parametrize("make", [MAKERS["last droid"], MAKERS["robots"]], ids=["last droid", "robots"])
def test_a_masked_actor_in_a_collector(make):
    """Seeded before it comes into the collector, whose own ``set_seed`` deals anew under the observation it holds."""
    env = wrapped(make, flat=True, max_cycles=60)
    env.set_seed(2**32 - 2)
    collector = Collector(
        env,
        masked_actor(make().game),
        frames_per_batch=80,
        total_frames=160,
        auto_register_policy_transforms=True,
    )
    seen = 0
    for batch in collector:
        check_play(batch)
        seen += batch.numel()
    collector.shutdown()
    assert seen == 160


def test_several_environments_at_once():
    """They need a policy: TorchRL's random actions know no mask in a batch."""
    env = SerialEnv(3, lambda: wrapped(MAKERS["last droid"], flat=True))
    env.set_seed(1)
    steps = env.rollout(40, masked_actor(lastdroid_env.LastDroid(3)), break_when_any_done=False)
    assert steps.shape == (3, 40)
    check_play(steps)
    assert not torch.equal(steps["agents", "observation"][0], steps["agents", "observation"][1])
    env.close()

"""The two further examples: PPO in one file on ``VecEnv``, and a masked DQN on Stable-Baselines3."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra train")
pytest.importorskip("stable_baselines3", reason="needs the extra train")

import lastdroid_env
from agents.train import dqn, ppo_plain
from tabletop.networks import NetworkAgent, greatest_legal

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")


def naive_advantages(rollout, last, gamma, gae_lambda):
    """For each decision the plain sum: what its seat was paid and expected at its own later decisions."""
    lines, rows = rollout.actions.shape
    values, found = rollout.values.numpy(), np.zeros((lines, rows))
    for row in range(rows):
        for line in range(lines):
            seat = rollout.seats[line, row]
            weight, at = 1.0, line
            while True:
                paid, ended, after = 0.0, False, None
                for later in range(at, lines):
                    if later > at and rollout.seats[later, row] == seat:
                        after = later
                        break
                    if rollout.ends[later, row]:
                        paid, ended = float(rollout.rewards[later, row, seat]), True
                        break
                expected = 0.0 if ended else last[row, seat] if after is None else values[after, row]
                found[line, row] += weight * (paid + gamma * expected - values[at, row])
                weight *= gamma * gae_lambda
                if after is None:
                    break
                at = after
    return found


def test_advantages_run_along_the_decisions_of_each_seat():
    vec = lastdroid_env.VecEnv(3, 3, seed=2, reward="margin", max_cycles=9)
    rollout, rng = ppo_plain.Rollout(40, vec), np.random.default_rng(0)
    net = ppo_plain.ActorCritic(vec.observation_size, vec.num_actions, 8)
    ppo_plain.collect(rollout, vec, vec.reset(), net, ppo_plain.Settings(), rng)
    rollout.rewards[rollout.ends] = rng.normal(size=(int(rollout.ends.sum()), 3))
    rollout.values[:] = torch.from_numpy(rng.normal(size=(40, 3)))
    last = rng.normal(size=(3, 3)).astype(np.float32)
    found = ppo_plain.advantages(rollout, last, 0.97, 0.9)
    assert rollout.ends.sum() >= 9
    assert np.allclose(found, naive_advantages(rollout, last, 0.97, 0.9), atol=1e-4)


def test_plain_ppo_trains_the_same_network_for_the_same_seed():
    settings = ppo_plain.Settings(num_envs=8, rollout=16, minibatch=32, epochs=1, hidden=16, evaluate_every=10**9)
    told: list[str] = []
    first, second, other = (
        ppo_plain.train("lastdroid", 2, 3 * 128, seed, settings, told.append).weights() for seed in (0, 0, 1)
    )
    assert np.array_equal(first, second) and not np.array_equal(first, other)
    assert len(told) == 3 and "against greedy" in told[0]


@pytest.fixture(scope="module")
def learner():
    small = {"buffer_size": 2000, "learning_starts": 200, "batch_size": 32, "target_update_interval": 200}
    model, game = dqn.make_model("lastdroid", 2, 0, num_envs=8, **small)
    model.learn(800)
    return model, game


def test_dqn_stores_legal_actions_only_and_values_no_illegal_one(learner):
    model, game = learner
    buffer, actions = model.replay_buffer, game.num_actions
    stored = buffer.size()
    masks = buffer.observations[:stored, :, -actions:]
    chosen = buffer.actions[:stored, :, 0]
    assert stored * 8 == 800
    assert (np.take_along_axis(masks, chosen[:, :, None], axis=2) == 1).all()
    later = torch.from_numpy(buffer.next_observations[:stored].reshape(stored * 8, -1))
    with torch.no_grad():
        values = model.q_net_target(later)
    legal = later[:, -actions:] > 0.5
    assert legal.any(dim=1).all() and (values[~legal] < -1e7).all()
    assert values.max(dim=1).values.abs().max() < 1e3
    assert np.isfinite(float(model.logger.name_to_value.get("train/loss", 0.0)))


def test_dqn_explores_among_the_legal_actions(learner):
    model, game = learner
    seen = model._last_obs
    drawn = {tuple(model._sample_action(10**9, None, 8)[0].tolist()) for _ in range(20)}
    assert len(drawn) > 1
    for actions in drawn:
        assert (seen[np.arange(8), game.observation_size + np.array(actions)] == 1).all()


def test_dqn_is_exported_as_it_chooses(learner):
    model, game = learner
    network = dqn.export(model, game, {})
    seen = model._last_obs
    wanted, _ = model.policy.predict(seen, deterministic=True)
    masks = seen[:, game.observation_size :].astype(np.int8)
    observations = np.ascontiguousarray(seen[:, : game.observation_size])
    assert greatest_legal(network.logits(observations), masks).tolist() == wanted.tolist()
    agent, rng = NetworkAgent(network, "dqn"), np.zeros(1, np.uint64)
    assert [agent(*row, rng) for row in zip(observations, masks, strict=True)] == wanted.tolist()

"""Networks that look at cards: what their lines are made of, and that what is exported is what was trained."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")
torch = pytest.importorskip("torch", reason="needs the extra train")

import lastdroid_env
import robots_env
from agents.train.architecture import BlueprintPolicy, export, mlp
from agents.train.cards import cards
from lastdroid_env import LastDroid
from lastdroid_env.constants import PARTS
from robots_env import Robots
from tabletop.networks import NetworkAgent, greatest_legal

PACKAGES = {"lastdroid": lastdroid_env, "robots": robots_env}
TABLES = [*(("lastdroid", players) for players in (1, 2, 3, 4)), *(("robots", players) for players in (2, 5))]


def policy_for(vec, blueprint, spread=0.0):
    """A policy with random weights, also in the last layers, which begin near zero."""
    torch.manual_seed(3)
    space = vec.single_observation_space
    actions = vec.single_action_space
    policy = BlueprintPolicy(space, actions, lambda _: 1e-3, blueprint=blueprint, value_hidden=(8,), spread=spread)
    with torch.no_grad():
        for weights in policy.parameters():
            weights += 0.1 * torch.randn_like(weights)
    return policy


def decisions(vec):
    """Observations and masks of random play, some way into the games."""
    turn = vec.reset()
    for _ in range(40):
        turn = vec.step(vec.sample_actions())
    return turn.observations, turn.action_mask


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize("network", [mlp, cards])
def test_what_is_exported_gives_the_logits_of_what_was_trained(game, players, network):
    vec = PACKAGES[game].VecEnv(32, players, seed=1)
    policy = policy_for(vec, network(vec.game, (24, 16)))
    observations, masks = decisions(vec)
    with torch.no_grad():
        features = policy.extract_features(torch.from_numpy(observations))
        wanted = policy.action_net(features).numpy()
    found = export(policy)
    found.check()
    assert np.allclose(found.logits(observations), wanted, atol=1e-4)
    agent, rng = NetworkAgent(found, "net"), np.zeros(1, np.uint64)
    chosen = [agent(seen, mask, rng) for seen, mask in zip(observations, masks, strict=True)]
    assert chosen == greatest_legal(wanted, masks).tolist()


@pytest.mark.parametrize(("players", "exchanges"), [(2, 21), (3, 32), (4, 38)])
def test_an_exchange_is_seen_with_the_kinds_it_trades(players, exchanges):
    """Those with the supply, and those of the market droids in the game."""
    game = LastDroid(players)
    blueprint = cards(game, (8, 8))
    steps = {step["to"]: step for step in blueprint["steps"]}
    lines, scores = steps["exchanges"]["index"], blueprint["scores_index"]
    parts = game.layout.offsets["parts"]
    known = [action for action in range(10, 94) if scores[action] >= 0]
    assert len(known) == len(lines) == exchanges
    for line, action in zip(lines, known, strict=True):
        said = game.action_to_string(action)
        ((gives, gets),) = re.findall(r"\d (\w+)(?:, \d \w+)? for \d (\w+)", said)
        assert line[:2] == [parts + PARTS.index(gives), parts + PARTS.index(gets)], said
        assert scores[action] == scores[known[0]] + known.index(action)


def test_each_card_of_robots_has_scores_of_its_own():
    game = Robots(2)
    blueprint = cards(game, (8, 8))
    scored = [score for score in blueprint["scores_index"] if score >= 0]
    assert len(scored) == len(set(scored)) == 70 + 71 + 71
    assert max(scored) < blueprint["scores_size"]


def test_spread_adds_the_mean_log_probability_of_what_is_legal():
    vec = lastdroid_env.VecEnv(32, 2, seed=1)
    blueprint = mlp(vec.game, (16,))
    plain, spread = policy_for(vec, blueprint), policy_for(vec, blueprint, spread=2.0)
    observations, masks = decisions(vec)
    seen, legal = torch.from_numpy(observations), torch.from_numpy(masks.astype(bool))
    with torch.no_grad():
        actions, _, _ = plain(seen, action_masks=legal.numpy())
        _, same, entropy = plain.evaluate_actions(seen, actions, legal)
        _, log_probs, more = spread.evaluate_actions(seen, actions, legal)
        logits = plain.get_distribution(seen, legal.numpy()).distribution.logits
    assert torch.equal(same, log_probs)
    means = [row[mask].mean() for row, mask in zip(logits, legal, strict=True)]
    assert torch.allclose(more, entropy + 2.0 * torch.stack(means), atol=1e-4)

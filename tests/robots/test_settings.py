"""Robots!'s settings and returns."""

from __future__ import annotations

import pytest

import robots_env
from robots_env import Robots
from tests.robots.games import SETTINGS, decisions


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("reward", ["win", "margin", "score"])
def test_returns_follow_from_points(setting, reward):
    game = Robots(**SETTINGS[setting])
    for seed in range(3):
        for _ in decisions(game, seed):
            pass
        points, won = game.result()
        assert points == game.record["scores"][0][: len(points)].tolist()
        if game.truncated:  # E6
            continue
        assert won == [p == max(points) for p in points]
        if reward == "win":
            expected = [1 / sum(won) if w else -1 / (len(won) - sum(won)) for w in won] if not all(won) else [0.0] * 5
        else:
            means = [(sum(points) - p) / (len(points) - 1) for p in points]
            expected = [p if reward == "score" else p - m for p, m in zip(points, means, strict=True)]
        assert game.returns(reward) == pytest.approx(expected[: len(points)])


def test_a_round_alone_is_played_for_the_margin():
    assert robots_env.env(rounds=1).reward == "margin"
    assert robots_env.env().reward == robots_env.env(rounds=2).reward == "win"
    assert robots_env.env(rounds=1, reward="score").reward == "score"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_players": 1}, "num_players must be 2, 3, 4 or 5, not 1"),
        ({"num_players": 6}, "num_players must be 2, 3, 4 or 5, not 6"),
        ({"rounds": 0}, "rounds must be None or a whole number from 1 to 1000, not 0"),
        ({"rounds": True}, "rounds must be None or a whole number from 1 to 1000, not True"),
        ({"rounds": 1.0}, "rounds must be None or a whole number from 1 to 1000, not 1.0"),
        ({"rules": {"star_high": 13}}, "star_high: found 13; allowed: 14 or 15"),
        ({"rules": "nonsense"}, "'nonsense': cannot be read"),
    ],
)
def test_wrong_settings_are_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        robots_env.env(**arguments)


def test_rounds():
    """A match of so many rounds ends with scores that are the rounds' sum."""
    game = Robots(3, rounds=3)
    totals, last = [0, 0, 0], 1
    for _ in decisions(game, 5):
        if game.record["round_number"][0] != last:
            last = int(game.record["round_number"][0])
            totals = [t + int(s) for t, s in zip(totals, game.record["round_scores"][0], strict=False)]
            assert game.record["scores"][0][:3].tolist() == totals
    totals = [t + int(s) for t, s in zip(totals, game.record["round_scores"][0], strict=False)]
    assert last == 3 and not game.truncated and game.result()[0] == totals

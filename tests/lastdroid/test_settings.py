"""Last Droid's settings and returns."""

from __future__ import annotations

import numpy as np
import pytest

import lastdroid_env
from lastdroid_env import LastDroid
from tests.lastdroid.games import SETTINGS, decisions


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("reward", ["win", "margin", "score"])
def test_returns_follow_from_points(setting, reward):
    """A team's score is its lower player's; solo the Auto-Ecomechanic is the other player."""
    game = LastDroid(**SETTINGS[setting])
    for seed in range(3):
        for _ in decisions(game, seed):
            pass
        points, won = game.result()
        n = game.num_players
        if reward == "win":
            expected = [1 / sum(won) if w else -1 / (len(won) - sum(won)) for w in won]
            expected = [0.0] * n if all(won) else expected[:n]
        elif n == 4:
            one, other = min(points[0], points[3]), min(points[1], points[2])
            teams = [(one, other), (other, one), (other, one), (one, other)]
            expected = [float(own if reward == "score" else own - others) for own, others in teams]
        else:
            means = [(sum(points) - p) / (len(points) - 1) for p in points]
            expected = [p if reward == "score" else p - m for p, m in zip(points, means, strict=True)][:n]
        assert game.returns(reward) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_players": 0}, "num_players must be 1 .solo., 2, 3 or 4, not 0"),
        ({"num_players": 5}, "num_players must be 1 .solo., 2, 3 or 4, not 5"),
        ({"hard": True}, "hard is a setting of the solo game"),
        ({"table_talk": "yes"}, "table_talk must be True or False, not 'yes'"),
        ({"wild_type_houses": (45,)}, "wild_type_houses may hold 47, 48, 49, 50, 52, 55, not 45"),
        ({"wild_type_houses": 49.5}, "wild_type_houses may hold 47, 48, 49, 50, 52, 55, not 49.5"),
        ({"wild_type_houses": "49"}, "wild_type_houses may hold 47, 48, 49, 50, 52, 55, not '4'"),
        ({"wild_type_houses": [True]}, "wild_type_houses may hold 47, 48, 49, 50, 52, 55, not True"),
        ({"wild_type_houses": np.array([[49]])}, r"wild_type_houses may hold .*, not array\(\[49\]\)"),
        ({"wild_type_houses": [[49], {}]}, r"wild_type_houses may hold .*, not \[49\]"),
    ],
)
def test_wrong_settings_are_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        lastdroid_env.env(**arguments)


def test_houses_may_be_given_in_any_collection():
    for houses in ([49, 47], {47, 49}, np.array([49, 47, 47]), (n for n in (47, 49))):
        assert LastDroid(wild_type_houses=houses).settings()["wild_type_houses"] == [47, 49]
    assert LastDroid(wild_type_houses=49).settings()["wild_type_houses"] == [49]  # type: ignore[arg-type]

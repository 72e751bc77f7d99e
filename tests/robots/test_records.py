"""Text records of Robots!: their settings."""

from __future__ import annotations

import pytest

import robots_env
from robots_env import load_rules
from tests.games.records import played, refused, with_setting
from tests.games.tables import TABLES

TABLE = next(table for table in TABLES if table.package is robots_env and table.name == "2 players")


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("num_players", 6),
        ("num_players", "2"),
        ("num_players", 3),
        ("rounds", 0),
        ("rounds", 1),
        ("rounds", None),
        ("rounds", "two"),
        ("ask_forced", 1),
        ("rules", "publisher"),
        ("rules", 5),
        ("rules", ["source"]),
        ("rules", {"star_high": 13}),
        ("rules", {"max_refills": 3}),
        ("rules", "no such rules"),
        ("speed", 1),
    ],
)
def test_wrong_settings_are_refused(setting, value):
    refused(TABLE, with_setting(TABLE, setting, value))


def test_the_rule_set_is_in_the_record():
    for table in TABLES:
        if table.package is robots_env:
            replayed = robots_env.replay(played(table, 2, 5).game_record()).game
            assert isinstance(replayed, robots_env.Robots)
            assert replayed.rules == load_rules(table.settings.get("rules"))

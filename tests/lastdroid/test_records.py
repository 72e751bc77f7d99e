"""Text records of Last Droid: their settings and card file."""

from __future__ import annotations

import pytest

import lastdroid_env
from lastdroid_env.cards import BUILT_IN
from tests.games.records import refused, with_setting
from tests.games.tables import TABLES

TABLE = next(table for table in TABLES if table.package is lastdroid_env and table.name == "2 players")


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("num_players", 5),
        ("num_players", "2"),
        ("num_players", 3),
        ("hard", True),
        ("hard", 0),
        ("open_deck", None),
        ("table_talk", True),
        ("wild_type_houses", [44]),
        ("wild_type_houses", "all"),
        ("wild_type_houses", None),
        ("cards", "none"),
        ("speed", 1),
    ],
)
def test_wrong_settings_are_refused(setting, value):
    message = refused(TABLE, with_setting(TABLE, setting, value))
    assert message.startswith(("line 3: ", "line 4: ")) and setting in message


def test_a_game_with_other_cards_needs_them(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text(BUILT_IN.read_text().replace("rp = 10", "rp = 11"))
    env = lastdroid_env.env(cards=mine)
    env.reset(seed=3)
    env.step(env.game.legal_actions()[0])
    text = env.game_record()
    assert "give the card file as cards=" in refused(TABLE, text, 3)
    assert lastdroid_env.replay(text, cards=mine).game.record.tobytes() == env.game.record.tobytes()

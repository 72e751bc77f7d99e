"""Text records: they replay exactly, and one that was changed is refused with the line that is wrong."""

from __future__ import annotations

import json
import zlib

import numpy as np
import pytest

import lastdroid_env
from lastdroid_env.cards import BUILT_IN
from tabletop.record import BadRecord
from tests.lastdroid.games import SETTINGS, anything, builder


def played(setting: str, seed: int, most: int | None = None) -> lastdroid_env.LastDroidEnv:
    """An environment after so many decisions of a random game, or after all."""
    env = lastdroid_env.env(**SETTINGS[setting])
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    choose = (anything, builder)[seed % 2]
    while env.game.actor >= 0 and most != 0:
        env.step(choose(env.game.legal_actions(), rng))
        most = None if most is None else most - 1
    return env


def refused(text: str, line: int | None = None) -> str:
    with pytest.raises(BadRecord) as refusal:
        lastdroid_env.replay(text)
    message = str(refusal.value)
    if line is None:
        assert message.startswith("line "), message
    else:
        assert message.startswith(f"line {line}: "), message
    assert len(message) < 1500
    return message


@pytest.mark.parametrize("most", [0, 1, 57, None])
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_record_replays_exactly(setting, most):
    for seed in (4, 5):
        env = played(setting, seed, most)
        replay = lastdroid_env.replay(env.game_record())
        assert replay.game.record.tobytes() == env.game.record.tobytes()
        assert replay.game.settings() == env.game.settings()
        game = replay.game.twin(replay.start)
        for seat, action in replay.actions:
            assert game.actor == seat
            game.act(action)
        assert game.record.tobytes() == env.game.record.tobytes()


def test_a_record_is_readable():
    env = played("2 players", 5)
    lines = env.game_record().splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["tabletop", "game", "settings", "start"]
    assert lines[1] == "game last_droid"
    assert all(line.startswith(("player_0 ", "player_1 ")) for line in lines[4:-1])
    points, wins = env.game.result()
    assert json.loads(lines[-1].removeprefix("end "))["result"] == {"points": points, "wins": wins}


def test_a_record_begins_where_the_environment_did():
    """After a restore with the snapshot, after a resample with what was redealt."""
    env = played("3 players", 4, 40)
    other = lastdroid_env.env(num_players=3)
    other.restore(env.snapshot())
    other.step(other.game.legal_actions()[0])
    assert len(lastdroid_env.replay(other.game_record()).actions) == 1
    env.resample("player_0", 3)
    env.step(env.game.legal_actions()[0])
    assert lastdroid_env.replay(env.game_record()).game.record.tobytes() == env.game.record.tobytes()


def test_ends_of_lines_and_trailing_blank_lines_do_not_matter():
    text = played("2 players", 4).game_record()
    for same in (text.replace("\n", "\r\n"), text.rstrip("\n"), text + "\n \n"):
        assert len(lastdroid_env.replay(same).actions) == len(text.splitlines()) - 5


@pytest.mark.parametrize("most", [57, None])
@pytest.mark.parametrize("setting", ["solo", "2 players, everything on", "3 players", "4 players"])
def test_lines_lost_doubled_or_swapped_are_noticed(setting, most):
    lines = played(setting, 4, most).game_record().splitlines()
    last = len(lines) - 1
    for i in (*range(8), *range(8, last - 2, 1 if most else 7), last - 2, last - 1, last):
        refused("\n".join(lines[:i] + lines[i + 1 :]))
        refused("\n".join(lines[: i + 1] + lines[i:]))
        if i and lines[i] != lines[i - 1]:
            refused("\n".join([*lines[: i - 1], lines[i], lines[i - 1], *lines[i + 1 :]]))
        if i:
            refused("\n".join(lines[:i]))


def test_a_text_that_breaks_off_is_noticed():
    text = played("3 players", 5, 30).game_record()
    rng = np.random.default_rng(0)
    for end in (*range(1, 60), *rng.integers(60, len(text) - 1, 200)):
        refused(text[: int(end)])
    with pytest.raises(BadRecord, match="the text is empty"):
        lastdroid_env.replay("")


def test_any_changed_character_is_noticed():
    text = played("2 players", 4, 30).game_record().rstrip("\n")
    rng = np.random.default_rng(0)
    for at in rng.integers(0, len(text), 300):
        new = chr(int(rng.integers(33, 127)))
        changed = text[:at] + new + text[at + 1 :]
        if changed != text and changed.split() != text.split():
            refused(changed)


def with_checksum(lines: list[str]) -> str:
    """The record with a checksum that fits, so that only what the lines say can be wrong."""
    end = json.loads(lines[-1].removeprefix("end "))
    end["checksum"] = f"{zlib.crc32(chr(10).join(lines[:-1]).encode()):08x}"
    return "\n".join([*lines[:-1], f"end {json.dumps(end)}"])


def test_another_action_is_refused_where_it_stands():
    env = played("3 players", 5)
    lines = env.game_record().splitlines()
    names = [env.action_to_string(action) for action in range(env.game.num_actions)]
    replay = lastdroid_env.replay(env.game_record())
    game = replay.game.twin(replay.start)
    for i, (seat, action) in enumerate(replay.actions):
        legal = game.legal_actions()
        wrong = next(a for a in range(7 * i % 151, 302) if a % 151 not in legal) % 151
        for text in (
            f"player_{seat} {names[wrong]}",
            f"player_{(seat + 1) % 3} {names[action]}",
            f"player_{seat} sing",
        ):
            refused(with_checksum([*lines[: 4 + i], text, *lines[5 + i :]]), 5 + i)
        for other in legal:  # a legal one leads elsewhere: noticed there, or at the end at the latest
            if other != action:
                refused("\n".join([*lines[: 4 + i], f"player_{seat} {names[other]}", *lines[5 + i :]]))
        game.act(action)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (1, "tabletop record 2"),
        (2, "game robots"),
        (2, "game"),
        (3, "settings"),
        (3, "settings {"),
        (3, "settings []"),
        (3, "settings null"),
        (3, "settings " + "[" * 100_000),
        (3, 'settings {"num_players": ' + "9" * 5000 + "}"),
        (3, 'settings {"cards": "none"}'),
        (3, "settings {}"),
        (4, "start {}"),
        (4, "start null"),
        (4, 'start {"game": NaN}'),
        (4, "start " + '{"a":' * 50_000),
        (-1, "end null"),
        (-1, "end {}"),
        (-1, 'end {"result": null}'),
        (-1, "end [1]"),
        (-1, "player_0 pass"),
    ],
)
def test_a_wrong_head_or_end_is_refused_by_its_line(line, text):
    lines = played("2 players", 4).game_record().splitlines()
    at = line - 1 if line > 0 else len(lines) - 1
    lines[at] = text
    refused("\n".join(lines), at + 1)


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
        ("speed", 1),
    ],
)
def test_wrong_settings_are_refused(setting, value):
    lines = played("2 players", 4).game_record().splitlines()
    settings = json.loads(lines[2].removeprefix("settings "))
    lines[2] = f"settings {json.dumps({**settings, setting: value})}"
    message = refused(with_checksum(lines))
    assert message.startswith(("line 3: ", "line 4: ")) and setting in message


@pytest.mark.parametrize(
    "change",
    [
        lambda result: {**result, "points": [p + 1 for p in result["points"]]},
        lambda result: {**result, "wins": [not won for won in result["wins"]]},
        lambda result: None,
    ],
)
def test_a_wrong_result_is_refused(change):
    lines = played("2 players", 5).game_record().splitlines()
    end = json.loads(lines[-1].removeprefix("end "))
    end["result"] = change(end["result"])
    lines[-1] = f"end {json.dumps(end)}"
    assert "result" in refused("\n".join(lines), len(lines))


def test_a_game_with_other_cards_needs_them(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text(BUILT_IN.read_text().replace("rp = 10", "rp = 11"))
    env = lastdroid_env.env(cards=mine)
    env.reset(seed=3)
    env.step(env.game.legal_actions()[0])
    text = env.game_record()
    assert "give the card file as cards=" in refused(text, 3)
    assert lastdroid_env.replay(text, cards=mine).game.record.tobytes() == env.game.record.tobytes()


@pytest.mark.parametrize("text", [None, 5, b"tabletop record 1", ["tabletop record 1"]])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(BadRecord, match="a record is a text"):
        lastdroid_env.replay(text)

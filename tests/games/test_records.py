"""Text records: they replay exactly, and one that was changed is refused with the line that is wrong."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tabletop.record import BadRecord

from .records import played, refused, with_checksum
from .tables import each_game, each_table


@each_table
@pytest.mark.parametrize("most", [0, 1, 57, None])
def test_a_record_replays_exactly(table, most):
    for seed in (4, 5):
        env = played(table, seed, most)
        replay = table.package.replay(env.game_record())
        assert replay.game.record.tobytes() == env.game.record.tobytes()
        assert replay.game.settings() == env.game.settings()
        game = replay.game.twin(replay.start)
        for seat, action in replay.actions:
            assert game.actor == seat
            game.act(action)
        assert game.record.tobytes() == env.game.record.tobytes()


@each_table
def test_a_record_is_readable(table):
    env = played(table, 5)
    lines = env.game_record().splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["tabletop", "game", "settings", "start"]
    assert lines[1] == f"game {env.game.name}"
    assert all(line.startswith("player_") for line in lines[4:-1])
    points, wins = env.game.result()
    assert json.loads(lines[-1].removeprefix("end "))["result"] == {"points": points, "wins": wins}


@each_table
def test_a_record_begins_where_the_environment_did(table):
    """After a restore with the snapshot, after a resample with what was redealt."""
    env = played(table, 4, 40)
    other = table.env()
    other.restore(env.snapshot())
    other.step(other.game.legal_actions()[0])
    assert len(table.package.replay(other.game_record()).actions) == 1
    for agent in env.possible_agents:
        env.resample(agent, 3)
        env.step(env.game.legal_actions()[0])
        assert table.package.replay(env.game_record()).game.record.tobytes() == env.game.record.tobytes()


@each_game
def test_ends_of_lines_and_trailing_blank_lines_do_not_matter(table):
    text = played(table, 4).game_record()
    for same in (text.replace("\n", "\r\n"), text.rstrip("\n"), text + "\n \n"):
        assert len(table.package.replay(same).actions) == len(text.splitlines()) - 5


@each_game
@pytest.mark.parametrize("most", [57, None])
def test_lines_lost_doubled_or_swapped_are_noticed(table, most):
    lines = played(table, 4, most).game_record().splitlines()
    last = len(lines) - 1
    for i in (*range(8), *range(8, last - 2, 3 if most else 37), last - 2, last - 1, last):
        refused(table, "\n".join(lines[:i] + lines[i + 1 :]))
        refused(table, "\n".join(lines[: i + 1] + lines[i:]))
        if i and lines[i] != lines[i - 1]:
            refused(table, "\n".join([*lines[: i - 1], lines[i], lines[i - 1], *lines[i + 1 :]]))
        if i:
            refused(table, "\n".join(lines[:i]))


@each_game
def test_a_text_that_breaks_off_is_noticed(table):
    text = played(table, 5, 30).game_record()
    rng = np.random.default_rng(0)
    for end in (*range(1, 60), *rng.integers(60, len(text) - 1, 100)):
        refused(table, text[: int(end)])
    with pytest.raises(BadRecord, match="the text is empty"):
        table.package.replay("")


@each_game
def test_any_changed_character_is_noticed(table):
    text = played(table, 4, 30).game_record().rstrip("\n")
    rng = np.random.default_rng(0)
    for at in rng.integers(0, len(text), 150):
        new = chr(int(rng.integers(33, 127)))
        changed = text[:at] + new + text[at + 1 :]
        if changed != text and changed.split() != text.split():
            refused(table, changed)


@each_game
def test_another_action_is_refused_where_it_stands(table):
    env = played(table, 5)
    lines = env.game_record().splitlines()
    names = [env.action_to_string(action) for action in range(env.game.num_actions)]
    replay = table.package.replay(env.game_record())
    game = replay.game.twin(replay.start)
    for i, (seat, action) in enumerate(replay.actions):
        legal = game.legal_actions()
        if i % 16 == 0:
            wrong = next(a % len(names) for a in range(7 * i, 7 * i + len(names)) if a % len(names) not in legal)
            for text in (
                f"player_{seat} {names[wrong]}",
                f"player_{(seat + 1) % 3} {names[action]}",
                f"player_{seat} sing",
            ):
                refused(table, with_checksum([*lines[: 4 + i], text, *lines[5 + i :]]), 5 + i)
            for other in legal[:6]:  # a legal one leads elsewhere: noticed there, or at the end at the latest
                if other != action:
                    refused(table, "\n".join([*lines[: 4 + i], f"player_{seat} {names[other]}", *lines[5 + i :]]))
        game.act(action)


@each_game
@pytest.mark.parametrize(
    ("line", "text"),
    [
        (1, "tabletop record 2"),
        (2, "game chess"),
        (2, "game"),
        (3, "settings"),
        (3, "settings {"),
        (3, "settings []"),
        (3, "settings null"),
        (3, "settings " + "[" * 100_000),
        (3, 'settings {"num_players": ' + "9" * 5000 + "}"),
        (3, 'settings {"num_players": 7}'),
        (3, 'settings {"unheard": 1}'),
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
def test_a_wrong_head_or_end_is_refused_by_its_line(table, line, text):
    lines = played(table, 4).game_record().splitlines()
    at = line - 1 if line > 0 else len(lines) - 1
    lines[at] = text
    refused(table, "\n".join(lines), at + 1)


@each_game
@pytest.mark.parametrize(
    "change",
    [
        lambda result: {**result, "points": [p + 1 for p in result["points"]]},
        lambda result: {**result, "wins": [not won for won in result["wins"]]},
        lambda result: None,
    ],
)
def test_a_wrong_result_is_refused(table, change):
    lines = played(table, 5).game_record().splitlines()
    end = json.loads(lines[-1].removeprefix("end "))
    end["result"] = change(end["result"])
    lines[-1] = f"end {json.dumps(end)}"
    assert "result" in refused(table, "\n".join(lines), len(lines))


@each_game
@pytest.mark.parametrize("text", [None, 5, b"tabletop record 1", ["tabletop record 1"]])
def test_what_is_no_text_is_refused(table, text):
    with pytest.raises(BadRecord, match="a record is a text"):
        table.package.replay(text)

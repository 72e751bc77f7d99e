"""Watched games are those that matches play, and what is written down of them is what the rules say."""

from __future__ import annotations

import numpy as np
import pytest

from agents.arena import find_arena
from agents.match import deals_for, play_match
from agents.report import games as watching
from agents.report.games import Cell
from agents.report.watching import ACTION, HELD, KIND, LAID, LEFT, LEGAL, ROBOTS, ROUND, SEAT, TARGET, TURN, TURNS
from robots_env.constants import NOBODY
from tabletop.policies import find_agent
from tests.robots.reading import cards_in

CELLS = [(game, players) for game in ("lastdroid", "robots") for players in find_arena(game).players]
ROUNDS = {"lastdroid": {}, "robots": {"rounds": 2}}


def cell(game, players, agent="random", **settings):
    return Cell(find_arena(game), players, find_agent(agent, game), {**ROUNDS[game], **settings})


def seen(watched):
    return [array.tobytes() for array in (watched.games, watched.lines, watched.notes, watched.scores, watched.wins)]


@pytest.mark.parametrize(("game", "players"), CELLS)
@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_they_are_the_games_of_matches(game, players, agent):
    deals, generators = deals_for(4, 12)
    seats = np.zeros((12, players), np.int8)
    policies = {agent: find_agent(agent, game).policy}
    expected = play_match(find_arena(game), players, policies, seats, deals, generators, settings=ROUNDS[game])
    (watched,) = cell(game, players, agent).watch(12, 4)
    assert np.array_equal(watched.scores, expected.scores) and np.array_equal(watched.wins, expected.wins)
    asked = np.bincount(watched.game_of_line()[watched.lines[:, LEGAL] > 1], minlength=12)
    assert asked.tolist() == expected.decisions.tolist()


@pytest.mark.parametrize(("game", "players"), CELLS)
def test_lines_are_the_decisions(game, players):
    one = cell(game, players)
    (watched,) = one.watch(3, 7)
    for number in range(3):
        lines = watched.lines[watched.first[number] : watched.last[number]]
        notes = watched.notes[watched.first[number] : watched.last[number]]
        table = None
        for table, line in zip(one.replayed(watched, number), lines, strict=True):
            legal = table.legal_actions()
            assert line[SEAT] == table.actor and line[KIND] == table.record["decision"][0]
            assert line[LEGAL] == len(legal) and line[ACTION] in legal
        assert table is not None and table.actor == NOBODY  # the last action has been made
        scores, wins = table.result()
        assert watched.scores[number, : len(scores)].tolist() == scores
        assert watched.wins[number, : len(wins)].tolist() == wins
        assert (np.diff(notes[:, TURN if game == "lastdroid" else ROUND]) >= 0).all()


def test_notes_of_last_droid():
    one = cell("lastdroid", 3)
    (watched,) = one.watch(2, 1)
    for table, line, note in zip(one.replayed(watched, 0), watched.lines, watched.notes, strict=False):
        assert note[TURN] == table.record["turn"][0]
        if table.action_to_string(line[ACTION]) in ("repair", "dismantle"):
            offered = table.record["given_to"][0].tolist().index(table.actor)
            assert note[TARGET] == table.record["offer"][0][offered]


def test_notes_of_robots_are_of_the_table_right_after_the_action():
    """What they say of a round at its last line is what its score is made of."""
    one = cell("robots", 3, "greedy")
    (watched,) = one.watch(8, 1)
    for number in range(8):
        part = slice(watched.first[number], watched.last[number])
        notes = watched.notes[part]
        total = np.zeros(3, np.int64)
        for round_number in (1, 2):
            last = notes[notes[:, ROUND] == round_number][-1]
            total += last[LAID : LAID + 3] - last[HELD : HELD + 3]
        assert total.tolist() == watched.scores[number, :3].tolist()
        before = None
        for table, line, note in zip(one.replayed(watched, number), watched.lines[part], notes, strict=True):
            if table.record["round_number"][0] == 1:
                assert note[TURNS] == table.record["turns"][0]
                if before is not None and before[0] == "play" and table.decision_to_string() == "play":
                    assert before[1] == len(cards_in(table.record["hand"][0][table.actor]))
                robots = table.record["robot"][0]
                before = (table.decision_to_string(), note[LEFT])
                if line[KIND] == 0:  # a draw: the table is as it was
                    assert note[ROBOTS : ROBOTS + 3].tolist() == [int((robots == seat).sum()) for seat in range(3)]


def test_neither_room_nor_pieces_matter(monkeypatch):
    whole = [seen(watched) for watched in cell("lastdroid", 2).watch(6, 3)]
    monkeypatch.setattr(watching, "ROOM", 50)
    assert [seen(watched) for watched in cell("lastdroid", 2).watch(6, 3)] == whole
    monkeypatch.setattr(watching, "CHUNK", 4)
    told: list[int] = []
    pieces = list(cell("lastdroid", 2).watch(6, 3, told.append))
    assert told == [4, 2] and b"".join(piece.lines.tobytes() for piece in pieces) == whole[0][1]


def test_an_agent_in_python_is_refused(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def mine(observation, action_mask, rng):\n    return 0\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"agent 'mine.mine' is not compiled"):
        cell("robots", 2, f"{file}:mine")

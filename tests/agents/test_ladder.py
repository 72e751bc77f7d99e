"""Ladders: what they say of games, teams and a table for one, and who may join."""

from __future__ import annotations

import json

import numpy as np
import pytest

from agents import Agent, policy, run_ladder
from agents.tournament import read_ladder
from agents.tournament.plot import plot

from .entrants import each_arena

SHORT = {"rounds": 1}


def rated(*arguments, **options):
    """The ladder; untyped, for much of it may be None."""
    return run_ladder(*arguments, **options)


def first_legal(observation, action_mask, rng):
    """A Python policy"""
    return int(np.flatnonzero(action_mask)[0])


@policy
def last_legal(observation, action_mask, rng):
    """A compiled one"""
    for action in range(action_mask.shape[0] - 1, -1, -1):
        if action_mask[action] != 0:
            return action
    return 0


def by_name(ladder):
    return {standing.agent: standing for standing in ladder.standings}


@each_arena
def test_the_better_agent_stands_above_random(arena):
    for num_players in arena.players:
        sides = len(arena.sides(num_players))
        agents = ["greedy", "random", *[Agent(f"last{i}", last_legal) for i in range(sides - 2)]]
        ladder = rated(arena.name, agents, num_players, games=10)
        standings = by_name(ladder)
        names = [standing.agent for standing in ladder.standings]
        assert names[0] == "greedy" and ladder.missing == 0
        if num_players == 1:
            assert standings["greedy"].rating is None and ladder.deals == 10
            continue
        assert standings["random"].rating.value == 0 and standings["greedy"].rating.value > 0
        assert standings["greedy"].openskill[0] > standings["random"].openskill[0]
        ahead = np.array([[0.5 if cell is None else cell.value for cell in row] for row in ladder.ahead])
        assert ahead + ahead.T == pytest.approx(np.ones((len(names), len(names))))
        total = sum(standing.games * standing.win_rate.value for standing in ladder.standings)
        if sides == len(agents) and num_players > 2:  # one line-up, so that all games weigh the same
            assert total == pytest.approx(ladder.games)
        assert sum(ladder.side_win_rates) == pytest.approx(1)


def test_twins_are_not_apart_and_win_half():
    """Agents that play alike in turned seats: whatever the deal gives to one it gives to the other."""
    twins = [Agent("one", last_legal), Agent("other", last_legal)]
    ladder = rated("robots", twins, 2, games=40, settings=SHORT)
    one, other = ladder.standings
    assert one.win_rate.value == pytest.approx(0.5) and other.win_rate.value == pytest.approx(0.5)
    assert one.rating.value == pytest.approx(other.rating.value, abs=0.01)
    assert not one.next.apart and other.next is None
    assert ladder.anchor is None and one.rating.value + other.rating.value == pytest.approx(0, abs=0.01)


def test_whoever_is_first_in_the_list_plays_the_same_games():
    one = rated("robots", ["greedy", "random"], 2, games=20, settings=SHORT)
    other = rated("robots", ["random", "greedy"], 2, games=20, settings=SHORT)
    assert by_name(one)["greedy"].score == by_name(other)["greedy"].score
    assert by_name(one)["greedy"].win_rate.value == pytest.approx(by_name(other)["greedy"].win_rate.value)


def test_games_that_are_cut_short_are_draws():
    rules = {"max_rounds": 1, "max_turns": 2}
    ladder = rated("robots", ["random", "greedy", "racer"], 3, games=12, settings={"rules": rules})
    assert ladder.draws == 1 and all(standing.draws == 1 for standing in ladder.standings)
    assert [standing.win_rate.value for standing in ladder.standings] == pytest.approx([1 / 3] * 3)
    assert [cell.value for row in ladder.ahead for cell in row if cell] == [0.5] * 6
    assert [standing.rating.value for standing in ladder.standings] == pytest.approx([0, 0, 0], abs=0.01)


def test_a_team_is_rated_as_one():
    ladder = rated("lastdroid", ["auto", "greedy", "random"], 4, games=8)
    assert [standing.agent for standing in ladder.standings] == ["greedy", "auto", "random"]
    assert ladder.games == 3 * 8 and all(standing.games == 2 * 8 for standing in ladder.standings)
    assert all(len(standing.by_side) == 2 for standing in ladder.standings)
    text = ladder.text()
    assert "team score" in text and "seats 0, 3" in text


def test_alone_win_shares_stand_for_ratings():
    ladder = rated("lastdroid", ["auto", "planner"], 1, games=30)
    planner, auto = ladder.standings
    assert (planner.agent, auto.agent) == ("planner", "auto")
    assert planner.next.value == pytest.approx(planner.win_rate.value - auto.win_rate.value)
    assert planner.next.apart and auto.score.value < auto.opponent_score.value
    assert "beats Auto" in ladder.text() and "rating" not in ladder.text()


def test_json_and_markdown(tmp_path):
    ladder = rated("robots", ["greedy", "random"], 2, games=1, settings=SHORT)
    found = json.loads(json.dumps(ladder.to_dict(), allow_nan=False))
    assert found["standings"][0]["rating"]["interval"] is None  # of a single deal
    assert found["standings"][0]["next"]["apart"] is False and found["settings"] == SHORT
    ladder = rated("robots", ["greedy", "random"], 2, games=20, settings=SHORT)
    table = ladder.markdown().split("\n\n")[1].splitlines()
    assert table[0].startswith("|  | agent | rating |") and len({row.count("|") for row in table}) == 1
    plot([ladder, ladder], tmp_path / "ratings.png")
    assert (tmp_path / "ratings.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"no plot can be written to .*ratings\.text: its name must end in"):
        plot([ladder], tmp_path / "ratings.text")


def test_who_joins_later_plays_everybody_and_changes_no_game(tmp_path):
    file = tmp_path / "ladder.jsonl"
    before = rated("robots", ["greedy", "random"], 2, games=40, settings=SHORT, results=file)
    lines = file.read_bytes()
    mine = Agent("first", first_legal)
    after = rated("robots", join=[mine], games=10, results=file)
    assert file.read_bytes().startswith(lines)
    assert after.games == before.games + 2 * 10
    assert by_name(after)["first"].games == 20 and by_name(after)["greedy"].games == 50
    order = [standing.agent for standing in after.standings]
    pair = after.ahead[order.index("greedy")][order.index("random")]
    assert pair == before.ahead[0][1]
    assert read_ladder(file) == after
    assert rated("robots", ["greedy", "random", mine], results=file) == after


def test_every_opponent_counts_the_same(tmp_path):
    """Greedy beats random nearly always and draws even with itself: the mean is over opponents, not over games."""
    file = tmp_path / "ladder.jsonl"
    rated("robots", ["greedy", "random"], 2, games=100, settings=SHORT, results=file)
    twin = Agent("twin", last_legal)
    ladder = rated("robots", join=[twin], games=10, results=file)
    order = [standing.agent for standing in ladder.standings]
    greedy = order.index("greedy")
    against = [cell.value for cell in ladder.ahead[greedy] if cell is not None]
    assert by_name(ladder)["greedy"].win_rate.value == pytest.approx(np.mean(against))
    assert by_name(ladder)["greedy"].games == 110


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"agents": ["greedy", "random"], "num_players": 3}, "a ladder of 3 players needs at least 3 agents, not 2"),
        ({"agents": ["greedy", "greedy"]}, "'greedy' is named twice"),
        ({"join": ["greedy"]}, "agents join a results file that is there"),
        ({"games": 0}, "games must be a whole number from 1 to 1,000,000, not 0"),
        ({"workers": 0}, "workers must be a whole number from 1, not 0"),
        ({"workers": 2, "ray": "local"}, "not both"),
        ({"num_players": 9}, "not by 9 players"),
        ({"settings": {"house": 1}}, "Robots! has no setting 'house'"),
    ],
)
def test_what_cannot_be_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        rated("robots", **arguments)

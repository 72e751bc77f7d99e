"""Tournaments and the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from agents import Agent, UnknownAgent, agents_for, find_agent, policy, register, run_tournament
from agents.tournament.intervals import mean_interval, rate_interval
from agents.tournament.schedule import line_ups, seatings

from .entrants import each_arena


@policy
def last_legal(observation, action_mask, rng):
    """The last legal action: a user's own compiled policy"""
    for action in range(action_mask.shape[0] - 1, -1, -1):
        if action_mask[action] != 0:
            return action
    return 0


def command(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "agents", *arguments], capture_output=True, text=True, check=False, timeout=300
    )


def test_line_ups_and_seatings():
    assert line_ups(3, 2) == [(0, 1), (0, 2), (1, 2)]
    assert line_ups(2, 3) == [(0, 0, 1), (0, 1, 1)]
    assert line_ups(1, 4) == [(0, 0, 0, 0)]
    assert seatings((0, 0, 1)) == [(0, 0, 1), (0, 1, 0), (1, 0, 0)]


@each_arena
def test_everybody_sits_everywhere_equally_often(arena):
    for num_players in arena.players:
        result = run_tournament(arena.name, ("random", "greedy"), num_players, games=20, seed=0)
        assert {row.games for row in result.rows} == {result.rows[0].games}
        assert result.rows[0].agent == "greedy"
        if num_players > 1:
            assert sum(row.wins for row in result.rows) == pytest.approx(result.games)


def test_a_match_that_is_cut_short_is_a_draw():
    rules = {"max_rounds": 1, "max_turns": 2}
    result = run_tournament("robots", ["random", "greedy"], 3, games=6, settings={"rules": rules})
    assert [row.win_rate for row in result.rows] == pytest.approx([1 / 3, 1 / 3])
    assert "mean score" in result.columns()


def test_a_lost_solo_game_is_no_win():
    result = run_tournament("lastdroid", ["random"], 1, games=20, seed=0)
    assert result.rows[0].wins == 0 and result.rows[0].mean_score < (result.rows[0].opponent_score or 0)


def test_an_agent_against_itself_wins_half():
    result = run_tournament("lastdroid", ["random"], 2, games=50, seed=0)
    assert result.rows[0].win_rate == pytest.approx(0.5)


def test_a_users_policies_take_part():
    def first_legal(observation, action_mask, rng):
        return int(np.flatnonzero(action_mask)[0])

    mine = [Agent("last", last_legal), Agent("first", first_legal)]
    result = run_tournament("lastdroid", [*mine, "random"], 2, games=4, seed=0)
    assert {row.agent for row in result.rows} == {"last", "first", "random"}


def test_json_is_one_object_and_no_progress_bar_in_a_pipe():
    done = command("tournament", "lastdroid", "--agents", "random,auto", "--games", "20", "--seed", "3", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["seed"] == 3 and {row["agent"] for row in found["agents"]} == {"random", "auto"}
    assert "\r" not in done.stderr and "━" not in done.stderr
    table = command("tournament", "lastdroid", "--players", "1", "--agents", "random", "--games", "10")
    assert table.returncode == 0 and "beats Auto" in table.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("lastdroid", "--agents", "gredy"), "no agent for lastdroid is called 'gredy'; known are"),
        (("chess",), "no game is called 'chess'; known are lastdroid, robots"),
        (("lastdroid", "--players", "5"), "not by 5 players"),
        (("robots", "--players", "1"), "Robots! is played by 2, 3, 4, 5; not by 1 players"),
        (("robots", "--setting", "num_players=3"), "Robots! has no setting 'num_players'; its settings are rules"),
        (("robots", "--setting", "rules=house"), "'house': cannot be read"),
        (("lastdroid", "--setting", "cards=5"), "cards: found 5; allowed: the path of a card file"),
        (("lastdroid", "--games", "99999999999"), "games must be a whole number from 1 to 1,000,000"),
        (("lastdroid", "--games", "0"), "games must be a whole number from 1"),
        (("lastdroid", "--setting", "hard"), "a setting is written NAME=VALUE"),
    ],
)
def test_errors_say_what_is_known(arguments, message):
    done = command("tournament", *arguments)
    assert done.returncode == 2
    text = " ".join(line.strip("│ ") for line in done.stderr.splitlines())
    assert message in " ".join(text.split())


MINE = """
from agents import policy

@policy
def last(observation, action_mask, rng):
    for action in range(len(action_mask) - 1, -1, -1):
        if action_mask[action]:
            return action
    return 0

class Bot:
    def act(self, observation, action_mask, rng):
        return int(action_mask.argmax())

not_a_policy = 5
"""


def test_agents_of_a_file(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    result = run_tournament("robots", [f"{file}:last", f"{file}:Bot"], 2, games=2, settings={"rounds": 1})
    assert {row.agent for row in result.rows} == {"mine.last", "mine.Bot"}
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0")
    for name, message in {
        f"{file}:Best": "mine.py has no 'Best'",
        f"{file}:not_a_policy": "mine.py has 'not_a_policy', but a policy is a function",
        f"{broken}:last": "broken.py cannot be imported: ZeroDivisionError",
        f"{tmp_path}/none.py:last": "is no Python file",
    }.items():
        with pytest.raises(UnknownAgent, match=message):
            run_tournament("robots", [name, "random"], 2)


REGISTERED = """
from agents import register
from tabletop.search import Search

@register("whatever", game="robots", aliases=["what"])
def _bot(observation, action_mask, rng):
    return int(action_mask.argmax())

deep = 5
register("deep", game="robots")(Search("robots", 7))
"""


def test_an_agent_of_a_file_may_be_named_as_it_is_registered(tmp_path):
    file, other = tmp_path / "named.py", tmp_path / "other.py"
    file.write_text(REGISTERED)
    other.write_text(REGISTERED.replace("whatever", "random"))
    assert find_agent(f"{file}:what", "robots").policy is find_agent(f"{file}:_bot", "robots").policy
    assert find_agent(f"{file}:deep", "robots").policy.simulations == 7
    for name, game in ((f"{file}:whatever", "lastdroid"), (f"{file}:greedy", "robots")):
        with pytest.raises(UnknownAgent, match=r"named\.py has no"):
            find_agent(name, game)
    known = find_agent("random", "robots").policy
    assert find_agent(f"{other}:random", "robots").policy is not known is find_agent("random", "robots").policy
    assert {"whatever", "deep"}.isdisjoint(agents_for("robots"))


def test_what_a_broken_file_registered_is_forgotten(tmp_path):
    file = tmp_path / "half.py"
    file.write_text(REGISTERED + "1 / 0\n")
    with pytest.raises(UnknownAgent, match="ZeroDivisionError"):
        find_agent(f"{file}:deep", "robots")
    file.write_text(REGISTERED)
    assert find_agent(f"{file}:deep", "robots").policy.simulations == 7
    assert "deep" not in agents_for("robots")


@pytest.mark.slow
def test_an_agent_of_a_file_is_found_compiled_again(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    code = (
        "from tabletop.policies import find_agent; import numpy as np;"
        f"policy = find_agent({f'{file}:last'!r}, 'robots').policy;"
        "print(policy(np.zeros(3, np.float32), np.ones(3, np.int8), np.zeros(1, np.uint64)))"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
        assert done.stdout.strip() == "2", done.stderr


def test_agents_are_known_without_a_tournament():
    code = "from agents import agents_for; print(sorted(agents_for('lastdroid')), sorted(agents_for('robots')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    searching = ["search-100", "search-1000", "search-30", "search-300"]
    lastdroid = ["auto", "denial", "economy", "greedy", "planner", "ppo", "random", "rusher", *searching]
    robots = ["balanced", "collector", "greedy", "holder", "novice", "ppo", "racer", "random", *searching]
    assert done.stdout.strip() == f"{lastdroid} {robots}"


def test_names_and_numbers_are_checked():
    names: list[Any] = [5, "", "a,b", "a:b"]
    for name in names:
        with pytest.raises(ValueError, match="an agent's name is a word"):
            register(name)
    for arguments in ({"chunk": 0}, {"seed": -1}, {"games": True}):
        with pytest.raises(ValueError, match="must be a whole number from"):
            run_tournament("robots", ["random"], 2, **arguments)


def test_an_alias_is_a_name_of_its_own():
    result = run_tournament("lastdroid", ["expert", "random"], 2, games=2, seed=0)
    assert {row.agent for row in result.rows} == {"expert", "random"}
    shown = command("list", "lastdroid").stdout
    assert "planner or expert" in shown
    for taken in ("expert", "planner"):
        with pytest.raises(ValueError, match=f"there is an agent called '{taken}' already for lastdroid"):
            register(taken, game="lastdroid")(last_legal)
    with pytest.raises(ValueError, match="an agent's name is a word"):
        register("mine", aliases=["a,b"])


def test_unknown_agents_are_refused_in_python_too():
    known = "known are auto, denial, economy, expert, greedy, planner, ppo, random, rusher"
    with pytest.raises(UnknownAgent, match=known):
        run_tournament("lastdroid", ["best"], 2)


def test_a_single_deal_gives_json_too():
    result = run_tournament("lastdroid", ["random", "auto"], 2, games=1, seed=0)
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["agents"][0]["mean_score_interval"] is None


def test_intervals():
    low, high = mean_interval(np.array([1.0, 2.0, 3.0, 4.0]))
    assert (low + high) / 2 == pytest.approx(2.5) and 0.4 < low < 0.5
    low, high = rate_interval(np.full(100, 0.5), 100)
    assert low == pytest.approx(0.404, abs=0.001) and high == pytest.approx(0.596, abs=0.001)

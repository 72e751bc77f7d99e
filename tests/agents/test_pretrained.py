"""The trained agents that come with the games: that their files fit, and play as well as their page says, roughly."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import find_agent, run_tournament
from agents.arena import find_arena
from tabletop.networks import Network, SavedNetworks

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "agents").glob("*/networks/*.npz"))
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")


def test_there_are_some():
    assert {file.parts[-3] for file in FILES} == {"lastdroid", "robots"}


@each_file
def test_a_file_is_small_fits_its_table_and_says_how_it_was_made(file):
    game = file.parts[-3]
    name, _, players = file.stem.rpartition("-")
    network = Network.load(file)
    assert file.stat().st_size < 600_000
    assert network.made["steps"] > 1e6 and f'game = "{game}"' in network.made["settings"]
    agent = find_agent(name, game)
    assert isinstance(agent.policy, SavedNetworks) and agent.players is not None and int(players) in agent.players
    table = find_arena(game).make(int(players))
    assert agent.policy.at_table(table).network.table == network.table


@each_file
def test_its_page_names_it_with_its_size(file):
    page = (ROOT / "docs" / "networks.md").read_text(encoding="utf-8")
    path = f"../{file.relative_to(ROOT).as_posix()}"
    assert f"[{file.name}]({path}), {file.stat().st_size / 1000:.0f} KB" in page


@each_file
def test_it_beats_random_and_holds_its_own_against_greedy(file):
    game, name = file.parts[-3], file.stem.rpartition("-")[0]
    players = int(file.stem.rpartition("-")[2])
    if players == 1:
        rates = {row.agent: row.win_rate for row in run_tournament(game, [name, "expert"], 1, games=100, seed=3).rows}
        assert rates[name] >= max(0.6, rates["expert"] - 0.05)
        return
    for opponent, least in (("random", 0.97), ("greedy", 0.4)):
        result = run_tournament(game, [name, opponent], players, games=60, seed=3)
        (row,) = (row for row in result.rows if row.agent == name)
        assert row.win_rate >= least, opponent

"""The commands ``ladder`` and ``leaderboard``, and the page that is committed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agents.__main__ import app
from agents.tournament import leaderboard
from agents.tournament.store import content_of, packed

from .entrants import ARENAS

DOCS = Path(__file__).parents[2] / "docs"
LADDER = ("ladder", "robots", "--setting", "rounds=1")


def command(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def sentence(done):
    """What is said on the error stream, without the box around it."""
    return " ".join(" ".join(line.strip("│ ") for line in done.stderr.splitlines()).split())


@pytest.mark.slow
def test_the_page_is_what_the_results_say():
    found = leaderboard.ladders(DOCS / "leaderboard")
    assert leaderboard.page(found, "leaderboard") == (DOCS / "leaderboard.md").read_text(encoding="utf-8"), (
        "out of date: run python -m agents leaderboard"
    )
    for name, ladders in found.items():
        assert [ladder.num_players for ladder in ladders] == list(ARENAS[name].players)
        assert all(ladder.missing == 0 and ladder.settings == {} for ladder in ladders)
        assert (DOCS / "leaderboard" / f"{name}.png").exists()


def test_results_are_small_enough_to_be_committed():
    assert sum(file.stat().st_size for file in (DOCS / "leaderboard").iterdir()) < 2_000_000


def test_a_page_of_ones_own(tmp_path):
    results = tmp_path / "results" / "robots-2.jsonl"
    results.parent.mkdir()
    empty = command("leaderboard", "--folder", results.parent, "--page", tmp_path / "page.md")
    assert empty.exit_code == 2 and "has no results file" in sentence(empty)
    assert command(*LADDER, "--agents", "greedy,random", "--games", 10, "--results", results).exit_code == 0
    content = results.read_bytes()
    assert command("leaderboard", "--folder", results.parent, "--page", tmp_path / "page.md").exit_code == 0
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| 1 | greedy |" in page and "(results/robots-2.jsonl.gz)" in page and "### Robots!: 2 players" in page
    assert not results.exists() and packed(results).exists() and content_of(results) == content
    joined = command("ladder", "robots", "--results", results, "--join", "racer", "--games", 4)
    assert joined.exit_code == 0 and results.read_bytes().startswith(content)


def test_the_ladder_command(tmp_path):
    arguments = (*LADDER, "--agents", "greedy, random", "--games", 10)
    table = command(*arguments, "--markdown", tmp_path / "t.md", "--plot", tmp_path / "t.svg", "--workers", 1)
    assert table.exit_code == 0, table.output
    assert table.stdout.startswith("Robots!, 2 players, rounds=1: 10 games on 5 deals, seed 0\n   agent   rating")
    assert table.stderr == ""  # no progress bar in a pipe, and nothing to say
    assert "| greedy |" in (tmp_path / "t.md").read_text(encoding="utf-8")
    assert "<svg" in (tmp_path / "t.svg").read_text(encoding="utf-8")
    found = json.loads(command(*arguments, "--json").stdout)
    assert [standing["agent"] for standing in found["standings"]] == ["greedy", "random"]


@pytest.mark.parametrize("name", ["ladder", "tournament"])
def test_who_plays_is_said_when_nobody_is_named(name):
    shown = command(name, "robots", "--setting", "rounds=1", "--games", 1)
    assert shown.exit_code == 0
    text = " ".join(shown.stderr.split())
    assert "8 agents play that do not search (--agents chooses): random, balanced, collector, greedy" in text
    assert "racer; 56 games" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--agents", "gredy,random"), "no agent for robots is called 'gredy'"),
        (("--players", 1), "not by 1 players"),
        (("--games", 0), "games must be a whole number from 1"),
        (("--agents", "greedy", "--players", 2), "needs at least 2 agents, not 1"),
        (("--join", "greedy"), "agents join a results file that is there"),
        (("--results", "/no/such/folder/ladder.jsonl"), "cannot be written"),
        (
            ("--agents", "greedy,random", "--games", 1, "--plot", "/no/such/folder/plot.png"),
            "there is no folder /no/such/folder",
        ),
        (("--markdown", "/no/such/folder/table.md"), "there is no folder /no/such/folder"),
        (("--markdown", "/"), "/ is a folder"),
        (("--plot", "ladder.text"), "its name must end in one of"),
    ],
)
def test_errors_are_sentences(arguments, message):
    done = command(*LADDER, *arguments)
    assert done.exit_code == 2 and message in sentence(done)

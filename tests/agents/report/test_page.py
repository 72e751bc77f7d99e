"""Pages are made of the figures alone; the committed ones are those of the committed figures."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from agents.__main__ import app
from agents.arena import find_arena
from agents.report import command
from agents.report.collect import AGENTS, GAMES, report
from agents.report.page import between, markdown, number, percent, picture

GAME_NAMES = ("lastdroid", "robots")


def call(*arguments, code=0):
    done = CliRunner().invoke(app, ["report", *map(str, arguments)])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.output
    return done.output


def shape(value):
    """The keys of figures, of what there is always."""
    if not isinstance(value, dict):
        return None
    return {key: shape(inner) for key, inner in value.items() if key not in ("kinds", "phases", "droids", "houses")}


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_committed_page_is_that_of_the_committed_figures(game):
    folder = command.DOCS / game
    figures = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert (folder / "report.md").read_text(encoding="utf-8") == markdown(figures)
    assert (folder / "report.png").read_bytes()[:4] == b"\x89PNG"
    assert figures["seed"] == 0 and tuple(figures["agents"]) == AGENTS and figures["settings"] == {}
    for players in find_arena(game).players:
        for agent in AGENTS:
            found = figures["players"][str(players)][agent]
            assert found["ends"]["games"] == GAMES == found["length"]["decisions"]["n"]
    small = report(game, [2], AGENTS, games=3)
    assert shape(small["players"]["2"]["random"]) == shape(figures["players"]["2"]["random"])


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_page_shows_what_it_should(game):
    figures = report(game, None, ["greedy", "random"], games=4)
    text = markdown(figures)
    assert text == markdown(json.loads(json.dumps(figures)))
    for heading in (
        "Length",
        "Choices",
        "Size of the tree",
        "What is hidden",
        "Seats",
        "Scores",
        "What goes with winning",
    ):
        assert f"\n## {heading}\n" in text
    assert "Association, not cause" in text and "nan" not in text and "None" not in text
    tables = re.split(r"\n\n", text)
    for table in (table for table in tables if table.startswith("| ")):
        assert len({line.count("|") for line in table.strip().split("\n")}) == 1, table
    assert max(map(len, (line for line in text.split("\n") if not line.startswith("|")))) <= 120
    for players in figures["players"]:
        assert f"\n| {players} | greedy | 4 |" in text
    image = picture(figures)
    assert image[:4] == b"\x89PNG" and image == picture(figures) and len(image) < 150_000


def test_numbers():
    assert [number(value) for value in (None, 3.0, 1234.5, 3.14159, 12.345)] == ["–", "3", "1,234.5", "3.14", "12.3"]
    assert percent(0.1234) == "12.3 %" and percent(None) == "–"
    assert (
        between([0.1, 0.25], 100) == "10.0 to 25.0"
        and between([None, 1]) == "–"
        and between([-0.001, 2]) == "0.00 to 2.00"
    )


def test_the_command_prints_markdown_or_json():
    text = call("lastdroid", "--players", "1,2", "--agents", "random", "--games", 3, "--seed", 2)
    assert text.startswith("# Last Droid: a report") and "\n| 1 | random | 3 |" in text and "\n| 3 | random" not in text
    found = json.loads(
        call("robots", "--players", 2, "--agents", "greedy", "--games", 2, "--json", "--setting", "rounds=1")
    )
    assert found["settings"] == {"rounds": 1} and found["players"]["2"]["greedy"]["length"]["rounds"]["max"] == 1


def test_write_fills_the_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "DOCS", tmp_path)
    assert "there is no folder" in " ".join(call("robots", "--games", 1, "--write", code=2).replace("│", "").split())
    (tmp_path / "robots").mkdir()
    call("robots", "--agents", "greedy", "--games", 1, "--write")
    figures = json.loads((tmp_path / "robots" / "report.json").read_text(encoding="utf-8"))
    assert (tmp_path / "robots" / "report.md").read_text(encoding="utf-8") == markdown(figures)
    assert (tmp_path / "robots" / "report.png").read_bytes() == picture(figures)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "no game is called 'chess'"),
        (("lastdroid", "--players", "9"), "not by 9 players"),
        (("lastdroid", "--players", "x"), "numbers of players are written 2,3, not 'x'"),
        (("lastdroid", "--agents", ","), "at least one agent"),
        (("lastdroid", "--write", "--players", "2"), "--write goes without --players"),
        (("lastdroid", "--setting", "hard"), "a setting is written NAME=VALUE"),
    ],
)
def test_mistakes_are_explained(arguments, message):
    text = call(*arguments, code=2)
    assert message in " ".join(" ".join(line.strip("│ ") for line in text.splitlines()).split())

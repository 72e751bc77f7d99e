"""``python -m agents play``: whole games by typing, orders, files, mistakes."""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import signal
import sys

import pytest
from typer.testing import CliRunner

import lastdroid_env
import robots_env
from agents.__main__ import app
from agents.play.lastdroid import LastDroidWording
from agents.play.table import AtTable
from agents.play.terminal import Terminal
from tests.games.tables import GAMES, each_game

REPLAYS = {"lastdroid": lastdroid_env.replay, "robots": robots_env.replay}
ONE_ROUND = ("--setting", "rounds=1")


def play(*arguments, typed="", code=0):
    """What the command prints when this is typed."""
    done = CliRunner().invoke(app, ["play", *map(str, arguments)], input=typed)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.output
    return done.output


def game_of(table):
    return table.package.__name__.removesuffix("_env")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("lastdroid", "--players", 1), marks=pytest.mark.long),
        ("lastdroid", "--agents", "greedy"),
        ("lastdroid", "--me", 1, "--agents", "random,greedy"),
        ("lastdroid", "--me", "0,1", "--players", 4, "--agents", "greedy"),
        ("lastdroid", "--me", "0,1,2,3", "--players", 4, "--setting", "table_talk=true"),
        pytest.param(("robots", "--agents", "greedy"), marks=pytest.mark.long),
        ("robots", "--me", 2, "--agents", "greedy,random", *ONE_ROUND),
        ("robots", "--me", "0,1,2,3", "--players", 4, *ONE_ROUND),
        ("robots", "--players", 5, "--agents", "greedy,random", *ONE_ROUND),
    ],
    ids=lambda arguments: " ".join(map(str, arguments)),
)
def test_a_whole_game_by_always_the_first_choice(arguments, tmp_path):
    file = tmp_path / "game.txt"
    text = play(*arguments, "--seed", 5, "--record", file, typed="1\n" * 6000)
    assert re.search(r"^(You have won|You have lost; won by |Won by )", text, re.M)
    before_path = text.split("The record is in")[0]
    assert "\x1b" not in text and max(map(len, before_path.splitlines())) <= 80
    assert "The score" in text and "The input has ended" not in text
    replayed = REPLAYS[arguments[0]](file.read_text(encoding="utf-8"))
    assert replayed.game.actor < 0
    persons = {int(seat) for seat in str(dict(itertools.pairwise(arguments)).get("--me", 0)).split(",")}
    first = replayed.game.twin(replayed.start)
    for seat, action in replayed.actions:
        if seat in persons and arguments[0] == "lastdroid":
            assert action == first.legal_actions()[0]
        first.act(action)
    steps = play("--replay", file, "--at", len(replayed.actions))
    assert "Won by " in steps and f"After {len(replayed.actions)} of {len(replayed.actions)} decisions" in steps


def test_a_seed_plays_the_same_game():
    one, two, other = (
        play("robots", "--agents", "random", "--seed", seed, *ONE_ROUND, typed="1\n" * 20) for seed in (1, 1, 2)
    )
    assert one == two != other and "The input has ended, and with it the game." in one


def test_words_and_numbers_choose():
    text = play("robots", "--agents", "greedy", "--seed", 1, typed="the factory\ndiscard\nfoo\n0\n99\n\nquit\n")
    assert "You draw " in text and "'discard' fits several choices; which one?" in text
    assert "No choice has 'foo' in its text: type a number from 1 to " in text
    assert "There is no choice 0: type" in text and "There is no choice 99: type" in text
    assert "Type a number from 1 to " in text and "Until next time." in text
    raw = play("lastdroid", "--agents", "greedy", "--seed", 3, typed="pass\nREPAIR\nquit\n")
    assert "You repair droid" in raw


def test_orders():
    orders = [
        "help",
        "help 52",
        "help 200",
        "hint greedy",
        "hint nobody",
        "score",
        "log",
        "log 1",
        "log -1",
        "table",
        "undo",
    ]
    orders += ["hlep", "undo sideways", "save", "quit"]
    text = play("lastdroid", "--agents", "greedy", "--seed", 3, typed="\n".join(orders) + "\n")
    flat = " ".join(text.split())
    assert "take your last choice back" in flat and "House 52. Building it costs" in flat
    assert "There is no card '200'; cards are called by their number" in flat
    assert re.search(r"greedy would take \d: ", flat) and "No agent for lastdroid is called 'nobody'" in flat
    assert "most leaves" not in flat and re.search(r"RP +player_0 +player_1", text)
    assert "log takes a number of lines from 1, not '-1'" in flat
    assert flat.count("Houses between player_0 and player_1") == 2
    assert "There is nothing to take back yet" in flat and "Did you mean help?" in flat
    assert '"undo" takes one choice back' in flat and "save needs the name of a file" in flat


def test_undo_at_the_prompt():
    typed = "2\n2\nundo\nundo all\nundo\n1\nundo\nquit\n"
    text = play("lastdroid", "--agents", "greedy", "--seed", 3, typed=typed)
    assert text.count("You exchange 1 energy for 1 nut.") == 2
    assert "nut 3/3" in text and "Taken back." in text and "nut 2/3" in text.split("Taken back.")[1]
    assert "There is nothing to take back" in text.split("Taken back.")[2]


def test_hands_are_hidden_between_persons():
    text = play("robots", "--me", "0,1", "--seed", 3, "--agents", "", typed="\n" + "1\n" * 60, code=0)
    pauses = [m.start() for m in re.finditer("press Enter when only you see the screen", text)]
    assert len(pauses) > 5
    for start, end in itertools.pairwise(pauses):
        seat = text[text.rindex("player_", 0, start) :][:8]
        part = text[start:end]
        lines = part.splitlines()
        for i, line in enumerate(lines):
            if line.startswith("    hand: "):
                assert lines[i - 1].startswith(f"  {seat}:") or lines[i - 2].startswith(f"  {seat}:")
    assert "press Enter" not in play("lastdroid", "--me", "0,1", "--seed", 3, typed="1\n" * 30)


@each_game
def test_a_saved_game_goes_on_as_it_would_have(table, tmp_path):
    """With a compiled agent that draws numbers and one of a file that draws them in Python."""
    game = game_of(table)
    mine = tmp_path / "mine.py"
    mine.write_text(
        "import numpy as np\n\n\nclass Mine:\n    def act(self, observation, action_mask, rng):\n"
        "        return int(rng.choice(np.flatnonzero(action_mask)))\n",
        encoding="utf-8",
    )
    file, whole, parts = tmp_path / "saved.json", tmp_path / "whole.txt", tmp_path / "parts.txt"
    arguments = (
        game,
        "--me",
        1,
        "--agents",
        f"random,{mine}:Mine",
        "--seed",
        8,
        *(ONE_ROUND if game == "robots" else ()),
    )
    play(*arguments, "--record", whole, typed="1\n" * 6000)
    text = play(*arguments, typed="1\n" * 7 + f"save {file}\n" + "1\n1\n" + f"save {file}\nquit\n")
    assert text.count("Saved. Go on with:") == 2
    saved = json.loads(file.read_text(encoding="utf-8"))
    assert saved["seats"] == ["random", "person", f"{mine}:Mine"] and saved["generators"][1] is None
    more = play("--resume", file, "--record", parts, typed="log\n" + "1\n" * 6000)
    assert whole.read_text(encoding="utf-8") == parts.read_text(encoding="utf-8")
    assert "after" in more.splitlines()[0]
    saved["record"] = saved["record"].replace("player_1", "player_2", 3)
    file.write_text(json.dumps(saved), encoding="utf-8")
    assert "line" in play("--resume", file, code=2)


def test_a_file_that_is_no_saved_game_stays(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("mine", encoding="utf-8")
    text = play("lastdroid", "--agents", "random", "--seed", 1, typed=f"save {file}\nsave {tmp_path}/no/where\nquit\n")
    flat = " ".join(text.split())
    assert "is there already and is no saved game" in flat and "cannot be written: No such file" in flat
    assert file.read_text(encoding="utf-8") == "mine"


def test_a_record_is_looked_through(tmp_path):
    file = tmp_path / "game.txt"
    play("robots", "--agents", "random", "--seed", 3, *ONE_ROUND, "--record", file, typed="1\n" * 12 + "quit\n")
    orders = "next\n\nprevious\n5\nlast\nnext\nfirst\nprevious\njump 999\njump\neyes 0\neyes none\neyes 4\nwhat\nhelp\n"
    text = play("--replay", file, typed=orders + "help wild\nscore\nquit\nnever read\n")
    flat = " ".join(text.split())
    places = [int(n) for n in re.findall(r"After (\d+) of \d+ decisions", text)]
    end = max(places)
    assert places == [0, 1, 2, 1, 5, end, 0, 0, 0] and end >= 12
    assert "This is the last decision of the record." in flat and "This is the start of the record." in flat
    assert f"The record has {end} decisions: go to one from 0 to {end}, not 999." in flat
    assert "Jump takes the number of a decision" in flat and "Eyes are those of a seat, 0 to 1" in flat
    assert "'what' is not known here" in flat and "wild: 15 points" in flat and "The record ends here." in flat
    sections = text.split("After ")[1:]
    assert "player_1 holds " in sections[0] and "player_0 holds " in sections[0]
    seen_by_0, seen_by_none = sections[-2:]
    assert "    hand: " in seen_by_0 and " holds " not in seen_by_0
    assert "    hand: " not in seen_by_none and " holds " not in seen_by_none
    # Nothing typed at all: the first page, and a polite end.
    assert "After 0 of" in play("--replay", file) and "After 3 of" in play(
        "--replay", file, "--at", 3, "--eyes", "none"
    )


def test_no_command_ends_the_game(tmp_path):
    broken = tmp_path / "broken.npz"
    broken.touch()
    mistakes = {
        "save ~nosuchuser/x": "there is no home folder '~nosuchuser'",
        f"save {tmp_path}/{'x' * 300}": "cannot be written: File name too long",
        f"save {tmp_path}/a\0b": "cannot be written: embedded null byte",
        f"save {tmp_path}": "is there already and is no saved game",
        f"log {'9' * 5000}": "log takes a number of lines",
        f"hint {broken}": "No data left in file",
        f"hint {tmp_path}/none.npz": "There is no file",
        f"hint {tmp_path}/a\0.py:b": "is no Python file",
        f"help {'9' * 5000}": "There is no card",
    }
    for typed, complaint in mistakes.items():
        text = play("lastdroid", "--agents", "random", "--seed", 1, typed=f"{typed}\nquit\n")
        complained = text.partition("player_0> ")[2].replace(typed, "", 1)
        assert complaint in " ".join(complained.split()) and "Until next time." in text, typed
    assert [file.name for file in tmp_path.iterdir()] == ["broken.npz"]


def test_a_command_that_fails_is_told(monkeypatch):
    def failing(*_):
        raise EOFError("nothing there")

    monkeypatch.setattr("agents.play.table.find_agent", failing)
    text = play("lastdroid", "--agents", "random", "--seed", 1, typed="hint\nscore\nquit\n")
    assert "hint did not work: EOFError: nothing there" in text and "Until next time." in text


def test_bytes_that_are_no_text_are_no_choice(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\nquit\n"), encoding="utf-8"))
    assert Terminal().ask("") == "\ufffd\ufffd"


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_game_that_is_stopped_leaves_its_record(sent, code, tmp_path, monkeypatch):
    file, asked, before = tmp_path / "game.txt", itertools.count(), signal.getsignal(signal.SIGTERM)

    def stopped(*_):
        if next(asked) == 3:
            os.kill(os.getpid(), sent)
        return "1"

    monkeypatch.setattr(Terminal, "ask", stopped)
    heeded = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets the background ignore it
    try:
        text = play("lastdroid", "--agents", "random", "--seed", 3, "--record", file, code=code)
    finally:
        signal.signal(signal.SIGINT, heeded)
    assert "The game has been stopped." in text and f"--replay{file}" in "".join(text.split())
    replayed = lastdroid_env.replay(file.read_text(encoding="utf-8"))
    assert [seat for seat, _ in replayed.actions].count(0) >= 3 and replayed.game.actor >= 0
    assert signal.getsignal(signal.SIGTERM) == before


@each_game
def test_all_help_fits_the_window(table, tmp_path):
    file = tmp_path / "game.txt"
    cards = "help 31\nhelp 50\nhelp green 7\nhelp laser\nhelp wild\n"
    game = game_of(table)
    text = play(game, "--agents", "random", "--seed", 3, "--record", file, typed=f"help\n{cards}quit\n")
    assert "explain a card, called by" in text and max(map(len, text.split("The record is in")[0].splitlines())) <= 80
    assert max(map(len, play("--replay", file, typed=f"help\n{cards}").splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "which game? One of lastdroid, robots"),
        (("chess",), "no game is called 'chess'"),
        (("lastdroid", "--me", "2"), "seats are numbered 0 to 1, not 2"),
        (("lastdroid", "--me", "x"), "--me takes seats' numbers"),
        (("lastdroid", "--me", ","), "--me needs the number of at least one seat"),
        (("lastdroid", "--me", "0,0"), "--me names seat 0 twice"),
        (("lastdroid", "--players", "6"), "the game is played by 1, 2, 3, 4; not by 6 players"),
        (("robots", "--players", "1"), "the game is played by 2, 3, 4, 5; not by 1 players"),
        (("lastdroid", "--players", "2", "--agents", "random,greedy"), "2 agents do not fit: of 2 players, 1 seat"),
        (("lastdroid", "--agents", "gredy"), "no agent for lastdroid is called 'gredy'"),
        (("lastdroid", "--setting", "hurd=true"), "Last Droid has no setting 'hurd'"),
        (("lastdroid", "--seed", "-1"), "seed must lie between 0"),
        (("lastdroid", "--at", "3"), "--at needs --replay"),
        (("lastdroid", "--record", "no/such/folder/x.txt"), "there is no folder 'no/such/folder'"),
        (("lastdroid", "--agents", "random", "--record", "tests"), "--record: tests cannot be written: Is a directory"),
        (("lastdroid", "--record", "~nosuchuser/x.txt"), "there is no home folder '~nosuchuser'"),
        (("--resume", "nothing.json"), "nothing.json cannot be read: No such file"),
        (("--resume", "~nosuchuser/x.json"), "there is no home folder '~nosuchuser'"),
        (("--replay", "nothing.txt", "--at", "1"), "nothing.txt cannot be read: No such file"),
        (("--resume", "pyproject.toml"), "pyproject.toml is no saved game"),
        (("--resume", "x.json", "--seed", "3"), "--resume and --seed do not go together"),
        (("--replay", "pyproject.toml"), "pyproject.toml is no record of a game"),
        (("--replay", "x.txt", "--agents", "random"), "--replay and --agents do not go together"),
    ],
)
def test_mistakes_are_explained(arguments, message):
    text = play(*arguments, code=2)
    assert message in " ".join(" ".join(line.strip("│ ") for line in text.splitlines()).split())


def test_an_agent_that_fails_is_named(tmp_path):
    file = tmp_path / "bad.py"
    file.write_text("def bad(observation, action_mask, rng):\n    return -3\n", encoding="utf-8")
    text = play(GAMES[0].package.__name__[:-4], "--agents", f"{file}:bad", "--seed", 3, typed="1\n" * 9, code=1)
    assert "bad.bad" in text and "not -3" in text


@each_game
def test_an_agent_that_searches_plays_and_hints(table):
    text = play(
        game_of(table), "--agents", "search-30", "--seed", 3, typed="hint search-30\nhint search-30\n1\n1\nquit\n"
    )
    hints = re.findall(r"search-30 would take \d+: .*", text)
    assert len(hints) == 2 and hints[0] == hints[1] and "search-30 raised" not in text


def test_one_waits_knowingly():
    """A hint of an agent that has not played says that it may take a while, once; points are compiled beforehand."""
    text = play("lastdroid", "--agents", "random", "--seed", 3, typed="score\nhint random\nhint greedy\nhint greedy\n")
    assert text.count("One moment: greedy is made ready") == text.count("One moment") == 1
    assert text.count("greedy would take") == 2


def test_points_are_compiled_before_the_game(monkeypatch):
    done = []
    for of, name, function in ((AtTable, "run", AtTable.run), (LastDroidWording, "score", LastDroidWording.score)):

        def noting(*how, name=name, act=function):
            done.append(name)
            return act(*how)

        monkeypatch.setattr(of, name, noting)
    play("lastdroid", "--agents", "random", "--seed", 3, typed="quit\n")
    assert done == ["score", "run"]

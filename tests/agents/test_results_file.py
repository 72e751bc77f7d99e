"""The results file: a run that stops anywhere goes on to the same bytes, and no other run writes to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import msgspec
import numpy as np
import pytest

from agents import Agent, find_agent, run_ladder, run_tournament
from agents.tournament import store
from agents.tournament.ladder import read_ladder
from agents.tournament.store import Unfit
from tabletop.policies import PolicyError

AGENTS = ["greedy", "random", "racer"]
SETTINGS = {"rounds": 1}


def played(file, **how):
    return run_ladder("robots", AGENTS, 3, games=24, seed=5, settings=SETTINGS, results=file, **how)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The bytes of a finished file, and the ladder."""
    file = tmp_path_factory.mktemp("finished") / "ladder.jsonl"
    ladder = played(file)
    return file.read_bytes(), ladder


def test_what_the_file_says(finished):
    content, ladder = finished
    header, entry, first, *_ = map(json.loads, content.splitlines())
    assert header == {
        "format": 1,
        "kind": "ladder",
        "game": "robots",
        "players": 3,
        "settings": SETTINGS,
        "seed": 5,
    }
    assert entry["agents"] == AGENTS and entry["games"] == 24
    assert set(entry["versions"]) == {"tabletop-droids", "python", "numpy", "numba", "rules"}
    assert first["deal"] == 0 and len(first["scores"]) == len(first["decisions"]) == 3
    assert content.count(b"\n") == 2 + 8 and ladder.games == 24


def test_the_example_in_the_docs_is_such_a_file():
    page = (Path(__file__).parents[2] / "docs" / "tournaments.md").read_text(encoding="utf-8")
    header, entry, line = page.split("```json\n")[1].split("\n```")[0].splitlines()
    msgspec.json.decode(header, type=store.Header)
    agents = msgspec.json.decode(entry, type=store.Entry).agents
    seats = np.array(msgspec.json.decode(line, type=store.Line).seats)
    assert seats.shape == (2, 2) and seats.max() == len(agents) - 1


def test_a_game_can_be_played_again_from_its_line(finished):
    from agents.arena import find_arena
    from agents.match import deals_for, play_match
    from tabletop.policies import find_agent

    line = json.loads(finished[0].splitlines()[5])
    deals, generators = deals_for(5, line["deal"] + 1)
    policies = {name: find_agent(name, "robots").policy for name in AGENTS}
    seats = np.array(line["seats"][1:2])
    again = play_match(find_arena("robots"), 3, policies, seats, deals[-1:], generators[-1:], settings=SETTINGS)
    assert again.scores[0, :3].tolist() == line["scores"][1]
    assert again.decisions.tolist() == line["decisions"][1:2]


def test_a_run_goes_on_wherever_it_was_cut_off(finished, tmp_path):
    content, ladder = finished
    file = tmp_path / "ladder.jsonl"
    ends = [i + 1 for i, byte in enumerate(content) if byte == ord("\n")]
    cuts = {0, 1, ends[0] - 1, ends[0], ends[0] + 7, ends[1], ends[4], ends[4] + 1, ends[5] - 1, len(content) - 1}
    for cut in sorted(cuts):
        file.write_bytes(content[:cut])
        assert played(file) == ladder
        assert file.read_bytes() == content, cut


def test_whoever_finishes_first_the_file_is_the_same(finished, tmp_path):
    content, ladder = finished
    lines = content.splitlines(keepends=True)
    file = tmp_path / "ladder.jsonl"
    for part in (lines[:2] + lines[:4:-1], lines[:2] + lines[6:4:-1]):
        file.write_bytes(b"".join(part))
        assert played(file) == ladder
        assert file.read_bytes() == content


def test_more_games_are_those_of_a_longer_ladder(finished, tmp_path):
    content, _ = finished
    file, whole = tmp_path / "ladder.jsonl", tmp_path / "whole.jsonl"
    file.write_bytes(content)
    run_ladder("robots", join=["holder"], games=6, results=file)
    joined = file.read_bytes()
    grown = run_ladder("robots", games=48, results=file)
    assert file.read_bytes().startswith(joined)
    longer = run_ladder("robots", AGENTS, 3, games=48, seed=5, settings=SETTINGS, results=whole)
    assert grown.games == longer.games + 2 * 2 * 3
    tables = {line for line in file.read_bytes().splitlines() if line.startswith(b'{"deal"')}
    assert tables >= {line for line in whole.read_bytes().splitlines() if line.startswith(b'{"deal"')}
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-3]))
    assert run_ladder("robots", games=48, results=file) == grown and file.read_bytes() == b"".join(lines)


def test_what_is_done_is_not_played_again(finished, tmp_path):
    """A missing table is, from the same deal; a finished one keeps what the file says."""
    lines = finished[0].splitlines(keepends=True)
    file = tmp_path / "ladder.jsonl"
    odd = lines[3].replace(b'"decisions":[', b'"decisions":[9')
    file.write_bytes(b"".join([*lines[:3], odd, *lines[5:]]))
    told = []
    played(file, progress=lambda *numbers: told.append(numbers))
    assert told[0] == (21, 24) and told[-1] == (24, 24)
    assert file.read_bytes().splitlines(keepends=True) == [*lines[:3], odd, *lines[4:]]


def test_python_policies_play_the_same_after_a_stop(tmp_path):
    def chancy(observation, action_mask, rng):
        return int(rng.choice(np.flatnonzero(action_mask)))

    agents: list[str | Agent] = [Agent("chancy", chancy), "random"]
    whole, stopped = tmp_path / "whole.jsonl", tmp_path / "stopped.jsonl"
    ladder = run_ladder("robots", agents, 2, games=12, settings=SETTINGS, results=whole)
    lines = whole.read_bytes().splitlines(keepends=True)
    stopped.write_bytes(b"".join([*lines[:3], lines[6]]))
    assert run_ladder("robots", agents, 2, games=12, settings=SETTINGS, results=stopped) == ladder
    assert stopped.read_bytes() == whole.read_bytes()


def test_ctrl_c_keeps_what_is_done(finished, tmp_path):
    file = tmp_path / "ladder.jsonl"
    calls = 0

    def impatient(observation, action_mask, rng):
        nonlocal calls
        calls += 1
        if calls == 200:
            raise KeyboardInterrupt
        return int(np.flatnonzero(action_mask)[0])

    agents: list[str | Agent] = [Agent("impatient", impatient), "random"]
    with pytest.raises(KeyboardInterrupt):
        run_ladder("robots", agents, 2, games=12, settings=SETTINGS, results=file)
    kept = file.read_bytes().count(b'"deal"')
    assert 0 < kept < 6
    assert run_ladder("robots", agents, 2, games=12, settings=SETTINGS, results=file).games == 12


@pytest.mark.slow
def test_a_killed_run_goes_on(tmp_path):
    """By a signal that nothing can be done about, in the middle; and the last line is half written."""
    (tmp_path / "slow.py").write_text(
        "import time\n"
        "def slow(observation, action_mask, rng):\n"
        "    time.sleep(0.002)\n"
        "    return int(rng.choice(action_mask.nonzero()[0]))\n"
    )
    agents = [f"{tmp_path / 'slow.py'}:slow", "random"]
    file, whole = tmp_path / "ladder.jsonl", tmp_path / "whole.jsonl"
    command = [sys.executable, "-m", "agents", "ladder", "robots", "--agents", ",".join(agents), "--games", "30"]
    command += ["--setting", "rounds=1", "--results", str(file)]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    before = time.monotonic() + 240
    while not (file.exists() and file.read_bytes().count(b"\n") >= 5) and time.monotonic() < before:
        assert run.poll() is None, run.communicate()
        time.sleep(0.01)
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    assert 5 <= file.read_bytes().count(b"\n") < 17
    with file.open("r+b") as torn:
        torn.truncate(file.stat().st_size - 9)
    uninterrupted = run_ladder("robots", agents, 2, games=30, settings=SETTINGS, results=whole)
    assert run_ladder("robots", agents, 2, games=30, settings=SETTINGS, results=file) == uninterrupted
    assert file.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 6}, "was made with seed 5, not 6"),
        ({"num_players": 2}, "was made with players 3, not 2"),
        ({"settings": {}}, r"was made with settings \{'rounds': 1\}, not \{\}"),
        ({"games": 12}, "holds a ladder of 24 games: for 12, fewer, take another file"),
        ({"agents": ["greedy", "random"]}, "has agents racer too"),
        ({"game": "lastdroid", "agents": None, "settings": None}, "was made with game 'robots', not 'lastdroid'"),
    ],
)
def test_files_of_other_runs_are_refused(finished, tmp_path, changes, message):
    file = tmp_path / "ladder.jsonl"
    file.write_bytes(finished[0])
    usual = {"game": "robots", "agents": AGENTS, "num_players": 3, "games": 24, "seed": 5, "settings": SETTINGS}
    with pytest.raises(Unfit, match=message):
        run_ladder(**(usual | changes), results=file)
    assert file.read_bytes() == finished[0]


def test_a_ladder_is_no_tournament(finished, tmp_path):
    file = tmp_path / "results.jsonl"
    file.write_bytes(finished[0])
    with pytest.raises(Unfit, match="was made with kind 'ladder', not 'tournament'"):
        run_tournament("robots", AGENTS, 3, seed=5, settings=SETTINGS, results=file)
    file.unlink()
    result = run_tournament("robots", AGENTS, 3, games=12, settings=SETTINGS, results=file)
    assert run_tournament("robots", AGENTS, 3, games=12, settings=SETTINGS) == result
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:3]))
    assert run_tournament("robots", AGENTS, 3, games=12, settings=SETTINGS, results=file) == result
    with pytest.raises(Unfit, match="holds 12 games of each line-up of greedy, random, racer, not 18"):
        run_tournament("robots", AGENTS, 3, games=18, settings=SETTINGS, results=file)
    with pytest.raises(Unfit, match="holds the results of a tournament"):
        read_ladder(file)


@pytest.mark.parametrize("name", ["numba", "rules", "tabletop-droids"])
def test_games_of_other_versions_are_not_mixed(finished, tmp_path, name):
    lines = finished[0].splitlines(keepends=True)
    entry = json.loads(lines[1])
    entry["versions"][name] = "other"
    odd = json.dumps(entry, separators=(",", ":")).encode() + b"\n"
    file = tmp_path / "ladder.jsonl"
    file.write_bytes(b"".join([lines[0], odd, *lines[2:]]))
    assert played(file) == finished[1]  # nothing is left to play
    file.write_bytes(b"".join([lines[0], odd, *lines[2:-1]]))
    with pytest.raises(Unfit, match=f"was played with {name} other, and this is"):
        played(file)
    assert played(file, any_versions=True) == finished[1]


def test_an_agent_of_the_same_name_is_not_the_same(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def bot(observation, action_mask, rng):\n    return int(action_mask.argmax())\n")
    file = tmp_path / "ladder.jsonl"
    run_ladder("robots", [f"{mine}:bot", "random"], 2, games=4, settings=SETTINGS, results=file)
    with pytest.raises(Unfit, match=r"no agent for robots is called 'mine.bot'.*FILE.py:NAME"):
        run_ladder("robots", join=["greedy"], results=file)
    run_ladder("robots", [f"{mine}:bot", "random", "greedy"], results=file)
    mine.write_text("def bot(observation, action_mask, rng):\n    return int(action_mask.nonzero()[0][-1])\n")
    with pytest.raises(Unfit, match=r"the file that defines agent 'mine\.bot' is not the one"):
        run_ladder("robots", [f"{mine}:bot", "random", "greedy", "racer"], results=file)
    with pytest.raises(Unfit, match=r"the file that defines agent 'mine\.bot' is not the one"):
        run_ladder("robots", [f"{mine}:bot", "random", "greedy"], results=file)  # though nothing is left to play
    run_ladder("robots", [f"{mine}:bot", "random", "greedy"], results=file, any_versions=True)


def test_a_search_in_a_file_is_known_by_its_guide_too(tmp_path):
    """Its file stays as it is when the guide changes."""
    guides = Path(tmp_path / "guides.py")
    guides.write_text("from agents import policy\n\n@policy\ndef guide(seen, mask, rng):\n    return mask.argmax()\n")
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from pathlib import Path\n"
        "from tabletop.policies import find_agent\nfrom tabletop.search import Search\n"
        f"deep = Search('robots', 5, guide=find_agent({f'{guides}:guide'!r}, 'robots').policy)\n"
    )
    name = f"{mine}:deep"
    before = store.source(name, find_agent(name, "robots").policy, 2)
    assert before == store.source(name, find_agent(name, "robots").policy, 2) != ""
    guides.write_text(guides.read_text() + "\n")
    assert store.source(name, find_agent(name, "robots").policy, 2) != before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: [b"not json\n", *lines[1:]], "line 1: "),
        (lambda lines: [*lines[:4], b"{}\n", *lines[4:]], "line 5: .*missing required field"),
        (lambda lines: [*lines, lines[1].replace(b'["greedy","random","racer"]', b"[]")], "line 11: nobody enters"),
        (lambda lines: [*lines, lines[3]], "line 11: the table of deal 1 .* for the second time"),
        (lambda lines: [*lines[:-1], lines[-1].replace(b'"deal":7', b'"deal":70')], "no table of deal 70 "),
        (lambda lines: [*lines[:-1], lines[-1].replace(b'"wins":[[', b'"wins":[[0],[')], "do not fit the seats"),
        (
            lambda lines: [
                *lines[:-1],
                lines[-1].replace(b'"wins":[[1', b'"wins":[[-1').replace(b'"wins":[[0', b'"wins":[[2'),
            ],
            "wins must be",
        ),
        (
            lambda lines: [lines[0], lines[1].replace(b'"games":24', b'"games":1000000001'), *lines[2:]],
            "line 2: games must",
        ),
        (lambda lines: [lines[0].replace(b'"format":1', b'"format":2'), *lines[1:]], "made with format 2, not 1"),
        (lambda lines: [b"my precious notes"], "holds something else than results"),
    ],
)
def test_spoilt_files_are_refused_and_left_alone(finished, tmp_path, change, message):
    content = b"".join(change(finished[0].splitlines(keepends=True)))
    file = tmp_path / "ladder.jsonl"
    file.write_bytes(content)
    with pytest.raises(Unfit, match=message):
        played(file)
    assert file.read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="has no such locks")
def test_two_runs_do_not_share_a_file(finished, tmp_path):
    file = tmp_path / "ladder.jsonl"
    file.write_bytes(finished[0])
    with file.open("a+b") as held:
        store._lock(held, file)
        with pytest.raises(Unfit, match="another run is writing to"):
            played(file)
        with pytest.raises(Unfit, match="another run is writing to"):
            store.pack(file)
        assert file.read_bytes() == finished[0] and not store.packed(file).exists()
    assert played(file) == finished[1]


@pytest.mark.skipif(sys.platform == "win32", reason="has no such locks")
def test_a_file_that_is_replaced_before_the_lock_is_opened_again(tmp_path, monkeypatch):
    file, lock = tmp_path / "ladder.jsonl", store._lock
    seen: list[IO[bytes]] = []
    file.write_bytes(b"old")

    def late(opened, path):
        if not seen:
            store._replace(path, [b"new"])
        seen.append(opened)
        lock(opened, path)

    monkeypatch.setattr(store, "_lock", late)
    with store._locked(file, "rb") as opened:
        assert opened.read() == b"new"
    assert len(seen) == 2 and seen[0].closed


def test_an_empty_file_hides_no_packed_one(tmp_path):
    file = tmp_path / "ladder.jsonl"
    file.write_bytes(b"results\n")
    store.pack(file)
    file.touch()
    assert store.content_of(file) == b"results\n"


def test_packed_results_are_the_same_and_unpacked_to_go_on(finished, tmp_path):
    file = tmp_path / "ladder.jsonl"
    file.write_bytes(finished[0])
    packed = store.pack(file)
    assert not file.exists() and read_ladder(file) == finished[1]
    first = packed.read_bytes()
    assert played(file) == finished[1] and not file.exists() and packed.read_bytes() == first
    with pytest.raises(Unfit, match="was made with seed"):
        run_ladder("robots", seed=99, results=file)
    assert not file.exists()
    run_ladder("robots", join=["holder"], games=6, results=file)
    assert file.read_bytes().startswith(finished[0])
    file.unlink()
    packed.write_bytes(first[:50])
    with pytest.raises(Unfit, match="cannot be read"):
        read_ladder(file)


def test_whoever_has_no_finished_game_is_left_out(finished, tmp_path):
    """As where a run is killed as soon as an agent has joined, or has finished a table or none."""
    file, before = tmp_path / "ladder.jsonl", finished[1]
    file.write_bytes(finished[0])
    run_ladder("robots", join=["holder"], games=6, results=file)
    lines = file.read_bytes().splitlines(keepends=True)
    joined = len(finished[0].splitlines()) + 1
    file.write_bytes(b"".join(lines[:joined]))
    ladder = read_ladder(file)
    assert ladder.standings == before.standings and ladder.ahead == before.ahead
    assert ladder.waiting == ("holder",)
    assert ladder.missing == sum(len(json.loads(line)["seats"]) for line in lines[joined:]) > 0
    assert f"; {ladder.missing} games are missing, among them all of holder" in ladder.text()
    file.write_bytes(b"".join(lines[: joined + 1]))
    assert read_ladder(file).waiting == () and "holder" in read_ladder(file).text()
    file.write_bytes(b"".join(lines[:2]))
    with pytest.raises(Unfit, match=r"no game is finished yet in .*ladder\.jsonl"):
        read_ladder(file)


@pytest.mark.filterwarnings("error")
def test_alone_agents_may_have_played_other_deals(tmp_path):
    file = tmp_path / "ladder.jsonl"
    run_ladder("lastdroid", ["auto", "random", "greedy"], 1, games=2, results=file)
    lines = file.read_bytes().splitlines(keepends=True)
    agents = [json.loads(line)["seats"][0][0] for line in lines[2:]]
    assert sorted(agents[:3]) == sorted(agents[3:]) == [0, 1, 2]
    file.write_bytes(b"".join([*lines[:2], lines[2 + agents.index(0)], lines[5 + agents[3:].index(1)]]))
    ladder = read_ladder(file)
    assert {standing.agent for standing in ladder.standings} == {"auto", "random"}
    assert ladder.waiting == ("greedy",) and ladder.missing == 4
    assert [standing.next for standing in ladder.standings] == [None, None]
    assert "greedy" not in [row[1] for row in ladder.sheets()[0].rows]


def test_who_cannot_play_does_not_enter(tmp_path):
    """Else the file would wait for games that nobody can play."""
    mine = tmp_path / "mine.py"
    mine.write_text("def one(observation, action_mask, rng):\n    return int(action_mask.argmax())\n\n\ntwo = one\n")
    file = tmp_path / "ladder.jsonl"
    run_ladder("robots", ["greedy", "random"], 2, games=2, settings=SETTINGS, results=file)
    run_ladder("robots", join=[f"{mine}:one"], games=2, results=file)
    before = file.read_bytes()
    with pytest.raises(Unfit, match=r"mine\.one.*an agent of a file is written as"):
        run_ladder("robots", join=[f"{mine}:two"], games=2, results=file)
    assert file.read_bytes() == before
    mine.write_text(mine.read_text() + "\n")
    with pytest.raises(Unfit, match=r"the file that defines agent 'mine\.one' is not the one"):
        run_ladder("robots", join=[f"{mine}:one", "racer"], games=2, results=file)
    assert file.read_bytes() == before


def test_who_fails_in_the_first_game_has_not_entered(tmp_path):
    """Else nobody could join any more: neither a mended agent, whose file is another, nor any other."""
    mine = tmp_path / "mine.py"
    mine.write_text("def bot(observation, action_mask, rng):\n    return 1 / 0\n")
    file = tmp_path / "ladder.jsonl"
    run_ladder("robots", ["greedy", "random"], 2, games=2, settings=SETTINGS, results=file)
    before = file.read_bytes()
    with pytest.raises(PolicyError, match=r"mine\.bot"):
        run_ladder("robots", join=[f"{mine}:bot"], games=2, results=file)
    assert file.read_bytes() == before
    run_ladder("robots", join=["racer"], games=2, results=file)
    mine.write_text("def bot(observation, action_mask, rng):\n    return int(action_mask.argmax())\n")
    ladder = run_ladder("robots", join=[f"{mine}:bot"], games=2, results=file)
    assert sorted(standing.agent for standing in ladder.standings) == ["greedy", "mine.bot", "racer", "random"]


@pytest.mark.parametrize("name", ["workers", "chunk", "games"])
@pytest.mark.parametrize("run", [run_ladder, run_tournament])
def test_a_refused_run_writes_no_file(tmp_path, run, name):
    file = tmp_path / "results.jsonl"
    with pytest.raises(ValueError, match=f"{name} must be a whole number from 1.*, not 0"):
        run("robots", ["greedy", "random"], 2, results=file, **{name: 0})
    assert not file.exists()

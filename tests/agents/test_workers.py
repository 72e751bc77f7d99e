"""Processes and Ray play the same games as one process, and outlive the death of a worker."""

from __future__ import annotations

import contextlib
import importlib.util
import multiprocessing
import os
import signal
import subprocess
import sys
import time

import pytest

from agents import Agent, run_ladder, run_tournament
from agents.match import PolicyError
from agents.tournament.play import WorkerDied

SETTINGS = {"rounds": 1}
MINE = """
import os, pathlib

def chancy(observation, action_mask, rng):
    return int(rng.choice(action_mask.nonzero()[0]))

def mortal(observation, action_mask, rng):
    '''Ends the first process that plays it'''
    grave = pathlib.Path(__file__).with_name("grave")
    if not grave.exists():
        grave.touch()
        os._exit(7)
    return int(rng.choice(action_mask.nonzero()[0]))

def deadly(observation, action_mask, rng):
    os._exit(7)

def faulty(observation, action_mask, rng):
    return 1 / 0
"""

pytestmark = pytest.mark.slow  # to start a process takes seconds


@pytest.fixture
def mine(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    return file


def played(agents, file=None, **how):
    return run_ladder("robots", agents, 2, games=40, seed=2, settings=SETTINGS, results=file, **how)


def test_two_processes_play_what_one_plays(mine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the agent is named from here
    agents = ["mine.py:chancy", "greedy", "random"]
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    told = []
    assert played(agents, one) == played(agents, two, workers=2, progress=lambda *numbers: told.append(numbers))
    assert one.read_bytes() == two.read_bytes()
    assert told[0] == (0, 120) and told[-1] == (120, 120) and told == sorted(told)
    assert not multiprocessing.active_children()
    alike = [
        run_tournament("robots", ["greedy", "racer"], 3, games=12, settings=SETTINGS, workers=workers)
        for workers in (1, 2)
    ]
    assert alike[0] == alike[1]


def test_a_worker_that_dies_is_replaced(mine, tmp_path):
    agents = [f"{mine}:mortal", f"{mine}:chancy"]
    died = played(agents, tmp_path / "died.jsonl", workers=2)
    assert (tmp_path / "grave").exists()
    assert died == played(agents)


def test_who_ends_every_worker_is_named(mine):
    with pytest.raises(WorkerDied, match=r"died 3 times while agents 'mine\.deadly', 'random' played deal 0"):
        played([f"{mine}:deadly", "random"], workers=2)
    assert not multiprocessing.active_children()


def test_a_faulty_agent_is_named_in_a_process_too(mine):
    with pytest.raises(PolicyError, match=r"agent 'mine\.faulty', in the game with seed \d+, decision \d+: it raised"):
        played([f"{mine}:faulty", "random"], workers=2)


def test_what_cannot_be_sent_is_refused():
    lock = multiprocessing.Lock()

    def locked(observation, action_mask, rng):
        return int(lock is None)

    with pytest.raises(ValueError, match="an agent or a setting cannot be sent to another process"):
        played([Agent("locked", locked), "random"], workers=2)


def started(file, *more):
    """A ladder at the command line that takes minutes, once it has begun."""
    (file.parent / "slow.py").write_text(
        "import time\n"
        "def slow(observation, action_mask, rng):\n"
        "    time.sleep(0.05)\n"
        "    return int(action_mask.argmax())\n"
    )
    command = [sys.executable, "-m", "agents", "ladder", "robots", "--agents", f"{file.parent / 'slow.py'}:slow,random"]
    command += ["--games", "400", "--setting", "rounds=1", "--results", str(file), *more]

    def heed_ctrl_c():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # which a shell ignores for what runs in the background

    run = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_ctrl_c,
    )
    before = time.monotonic() + 240
    while not (file.exists() and file.read_bytes().count(b"\n") >= 3) and time.monotonic() < before:
        assert run.poll() is None, run.communicate()
        time.sleep(0.05)
    return run


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_says_what_is_kept(tmp_path, workers):
    file = tmp_path / "ladder.jsonl"
    run = started(file, "--workers", workers)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130, errors
    kept = file.read_bytes().count(b'{"deal"')
    assert f"Stopped after {2 * kept} of 400 games: what is finished is in " in " ".join(errors.split())
    assert "Traceback" not in errors


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")
def test_processes_end_with_the_one_that_started_them(tmp_path):
    run = started(tmp_path / "ladder.jsonl", "--workers", "2")
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    before = time.monotonic() + 60
    while left := [number for number in filter(str.isdigit, os.listdir("/proc")) if _session(number) == run.pid]:
        assert time.monotonic() < before, left
        time.sleep(0.1)


def _session(number):
    """The session of a process that runs."""
    with contextlib.suppress(OSError), open(f"/proc/{number}/stat") as stat:
        state, _, _, session = stat.read().rpartition(")")[2].split()[:4]
        return None if state == "Z" else int(session)
    return None


ray_there = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed: extra 'ray'")


@ray_there
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_ray_plays_what_one_process_plays(mine, tmp_path):
    agents = [f"{mine}:chancy", "greedy", "random"]
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    assert played(agents, here) == played(agents, there, ray="local")
    assert here.read_bytes() == there.read_bytes()


@ray_there
@pytest.mark.filterwarnings("ignore")
def test_workers_of_ray_may_die_and_agents_be_faulty(mine, tmp_path, request):
    """On a cluster that is there, and stays."""
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    request.addfinalizer(ray.shutdown)
    mortal = [f"{mine}:mortal", f"{mine}:chancy"]
    died = played(mortal, ray="local")
    assert (tmp_path / "grave").exists() and died == played(mortal)
    with pytest.raises(PolicyError, match=r"agent 'mine\.faulty', in the game with seed"):
        played([f"{mine}:faulty", "random"], ray="local")
    assert ray.is_initialized()


@ray_there
def test_an_address_where_no_cluster_is():
    with pytest.raises(ValueError, match=r"no Ray cluster answers at '127\.0\.0\.1:1'"):
        played(["greedy", "random"], ray="127.0.0.1:1")


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed")
def test_ray_is_asked_for_by_its_extra():
    with pytest.raises(ImportError, match=r"playing on Ray needs pip install 'tabletop-droids\[ray\]'"):
        played(["greedy", "random"], ray="local")

"""The benchmarks run and report what they say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import faces, peers
from benchmarks.measure import Case, measure
from benchmarks.throughput import COLUMNS, rows

ROOT = Path(__file__).resolve().parent.parent
FIELDS = {"game", "face", "players", "batch", "cores", "includes", "decisions_per_s", "peer"}


def test_cases_take_turns_and_figures_are_medians():
    order = []

    def step(name):
        def one():
            order.append(name)
            return 7

        return one

    cases = [Case("a", "x", 2, 1, "nothing", step("a")), Case("b", "x", 2, 1, "nothing", step("b"), peer=True)]
    one, other = measure(cases, seconds=0.002, runs=3)
    changes = [name for i, name in enumerate(order) if i == 0 or order[i - 1] != name]
    assert changes == ["a", "b"] * 4
    assert one.slowest <= one.decisions_per_s <= one.fastest and one.peer is None and other.peer == "b"


@pytest.mark.long
def test_every_face_and_the_peer_are_measured():
    cases = [*faces.cases(["last_droid", "robots"], lambda name: (2,)), *peers.cases(quick=True)]
    for case in cases:
        assert case.step() > 0
    known = {(case.game, case.face) for case in cases}
    wanted = {"compiled", "compiled, observed", "raw_env", "env", "vec", "vec, actions given", "vec, rollout"}
    for game in ("last_droid", "robots"):
        assert wanted | {"gym", "gym_vec"} <= {face for name, face in known if name == game}
    assert {("connect_four_v3", "raw_env"), ("connect_four_v3", "env")} <= known
    figures = measure([case for case in cases if case.face == "env"], seconds=0.01, runs=1)
    assert all(len(row) == len(COLUMNS) for row in rows(figures))


@pytest.mark.long
def test_threads_are_reported_as_json_lines():
    command = [sys.executable, "-m", "benchmarks.throughput", "robots", "--threads", "--quick", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=300)
    figures = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(figure.keys() >= FIELDS for figure in figures)
    assert {figure["face"] for figure in figures} == {"vec", "vec, rollout", "vec, processes"}
    assert {figure["cores"] for figure in figures} == {1, os.cpu_count()}


def run(module, *arguments):
    command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=300)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_balance_counts_whole_games():
    reports = run("balance", "--games", "4", "--json")
    assert [report["players"] for report in reports] == [2, 3, 4, 1]
    for report in reports:
        shares = [report[f"{name}_percent"] for name in ("repair", "dismantle", "build")]
        assert sum(shares) == pytest.approx(100, abs=0.2) and min(shares) > 0
        assert report["mean_score"] > 20


@pytest.mark.long
def test_strength_of_a_search_is_drawn(tmp_path):
    picture = tmp_path / "search.png"
    options = ("--opponent", "random", "--simulations", "4,8", "--games", "2", "--plot", str(picture))
    points = run("search", "strength", "robots", *options)
    assert [point["simulations"] for point in points] == [4, 8] and picture.stat().st_size > 1000
    assert all(point["interval"][0] <= point["win_rate"] <= point["interval"][1] for point in points)

"""Networks as agents: files, refusals, and that compiled code and NumPy find the same."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lastdroid_env
import robots_env
from agents import Agent, find_agent, run_tournament
from agents.arena import find_arena
from agents.lastdroid.judge import judge
from agents.tournament.store import Unfit
from lastdroid_env import LastDroid
from robots_env import Robots
from tabletop.networks import Network, NetworkAgent, SavedNetworks, greatest_legal, table_of
from tabletop.policies import UnknownAgent
from tabletop.search import Search

ROOT = Path(__file__).resolve().parents[2]
GAMES = {"lastdroid": LastDroid, "robots": Robots}


def network(game, seed=0, wide=16):
    """A network with every kind of step, and random weights."""
    rng = np.random.default_rng(seed)
    size, actions = game.observation_size, game.num_actions
    shapes = {"plain": (size, wide), "lines0": (6, 8), "back": (wide, 8), "lines1": (8, 8), "score": (8, 2)}
    shapes["hidden"] = (wide + 16, wide)
    arrays: dict[str, Any] = {}
    for name, shape in shapes.items():
        arrays[f"{name}.weight"] = rng.normal(size=shape).astype(np.float32)
        arrays[f"{name}.bias"] = rng.normal(size=shape[1]).astype(np.float32)
    arrays["lines0.bias"] = rng.normal(size=(9, 8)).astype(np.float32)
    arrays["lines.index"] = rng.integers(-1, size, (9, 6))
    arrays["head.weight"] = rng.normal(size=(actions, wide)).astype(np.float32)
    arrays["head.bias"] = rng.normal(size=actions).astype(np.float32)
    arrays["scores.index"] = rng.integers(-1, 18, actions)
    steps: list[dict[str, Any]] = [
        {"kind": "dense", "from": "observation", "to": "plain", "relu": True},
        {"kind": "gather", "from": "observation", "to": "lines"},
        {"kind": "dense", "from": "lines", "to": "lines0", "relu": True},
        {"kind": "pool", "from": "lines0", "to": "pooled"},
        {"kind": "join", "from": ["plain", "pooled"], "to": "all"},
        {"kind": "dense", "from": "all", "to": "hidden", "relu": True},
        {"kind": "dense", "from": "hidden", "to": "back", "relu": False},
        {"kind": "dense", "from": "lines0", "to": "lines1", "relu": True, "plus": "back"},
        {"kind": "dense", "from": "lines1", "to": "score", "relu": False},
    ]
    return Network(steps, arrays, "hidden", "score", table_of(game), {"seed": seed})


def decisions(package, number, players=2):
    """Some observations and masks of random play."""
    vec = package.VecEnv(number, players, seed=3)
    turn = vec.reset()
    for _ in range(30):
        turn = vec.step(vec.sample_actions())
    return turn.observations, turn.action_mask


@pytest.mark.parametrize("package", [lastdroid_env, robots_env], ids=["lastdroid", "robots"])
def test_compiled_code_finds_what_numpy_finds(package):
    observations, masks = decisions(package, 64)
    net = network(package.VecEnv(1).game)
    agent = NetworkAgent(net, "net")
    logits = net.logits(observations)
    rng = np.zeros(1, np.uint64)
    chosen = [agent(seen, mask, rng) for seen, mask in zip(observations, masks, strict=True)]
    assert chosen == greatest_legal(logits, masks).tolist()
    assert len(set(chosen)) > 3 and rng[0] == 0  # it draws nothing


def test_numpy_does_what_the_steps_say():
    game = LastDroid(2)
    net = network(game)
    seen = decisions(lastdroid_env, 2)[0]
    a = {name: array.astype(np.float64) for name, array in net.arrays.items() if array.dtype.kind == "f"}
    for row, found in zip(seen, net.logits(seen), strict=True):
        plain = np.maximum(row @ a["plain.weight"] + a["plain.bias"], 0)
        index = net.arrays["lines.index"]
        lines = np.array([[row[i] if i >= 0 else 0.0 for i in line] for line in index])
        lines0 = np.maximum(lines @ a["lines0.weight"] + a["lines0.bias"], 0)
        everything = np.concatenate([plain, lines0.mean(axis=0), lines0.max(axis=0)])
        hidden = np.maximum(everything @ a["hidden.weight"] + a["hidden.bias"], 0)
        back = hidden @ a["back.weight"] + a["back.bias"]
        lines1 = np.maximum(lines0 @ a["lines1.weight"] + a["lines1.bias"] + back, 0)
        scores = (lines1 @ a["score.weight"] + a["score.bias"]).ravel()
        logits = a["head.weight"] @ hidden + a["head.bias"]
        logits += [scores[i] if i >= 0 else 0.0 for i in net.arrays["scores.index"]]
        assert np.allclose(found, logits, rtol=1e-4, atol=1e-3)


def test_drawn_actions_have_the_probabilities_of_the_logits():
    observations, masks = decisions(lastdroid_env, 64)
    row = int(masks.sum(axis=1).argmax())
    net = network(LastDroid(2))
    for name in ("head.weight", "head.bias", "score.weight", "score.bias"):
        net.arrays[name] *= 0.05
    agent = NetworkAgent(net, "net", sample=True)
    rng = np.array([7], np.uint64)
    draws = 4000
    counts = np.bincount([agent(observations[row], masks[row], rng) for _ in range(draws)], minlength=masks.shape[1])
    logits = np.where(masks[row] != 0, net.logits(observations[row : row + 1])[0], -np.inf)
    wanted = np.exp(logits - logits.max())
    wanted /= wanted.sum()
    assert counts[masks[row] == 0].sum() == 0
    assert np.abs(counts / draws - wanted).max() < 4 * np.sqrt(0.25 / draws)


@pytest.mark.parametrize("game", GAMES)
def test_a_file_plays_by_its_path(game, tmp_path):
    file = tmp_path / "mine.npz"
    network(GAMES[game](2)).save(file, "float32")
    settings = {"rounds": 1} if game == "robots" else {}
    result = run_tournament(game, [find_agent(str(file), game), "random"], games=10, settings=settings)
    assert "mine" in result.table()


def test_weights_are_kept_by_a_file_and_halved_by_float16(tmp_path):
    net = network(LastDroid(2), wide=64)
    whole, half = tmp_path / "whole.npz", tmp_path / "half.npz"
    net.save(whole, "float32")
    net.save(half)
    for name, array in Network.load(whole).arrays.items():
        assert np.array_equal(array, net.arrays[name])
    assert half.stat().st_size < 0.6 * whole.stat().st_size
    assert all(np.allclose(a, net.arrays[n], rtol=1e-3, atol=1e-3) for n, a in Network.load(half).arrays.items())
    assert Network.load(half).made == {"seed": 0} and Network.load(half).table == table_of(LastDroid(2))


def test_weights_as_int8_are_nearly_the_same_and_decide_nearly_the_same(tmp_path):
    net = network(LastDroid(2), wide=64)
    half, quarter = tmp_path / "half.npz", tmp_path / "quarter.npz"
    net.save(half)
    net.save(quarter, "int8")
    assert quarter.stat().st_size < 0.6 * half.stat().st_size
    loaded = Network.load(quarter)
    assert sorted(loaded.arrays) == sorted(net.arrays)
    for name, array in net.arrays.items():
        if name.endswith(".weight"):
            greatest = np.abs(array).max(axis=1 if name == "head.weight" else 0, keepdims=True)
            assert (np.abs(loaded.arrays[name] - array) <= greatest / 250).all()
    observations, masks = decisions(lastdroid_env, 256)
    same = greatest_legal(loaded.logits(observations), masks) == greatest_legal(net.logits(observations), masks)
    assert same.mean() > 0.95


def test_a_network_is_refused_where_it_does_not_fit():
    agent = NetworkAgent(network(LastDroid(2)), "net")
    with pytest.raises(ValueError, match="net was trained for 2 players, not for 3"):
        lastdroid_env.learners(2, 3, opponents=agent)
    with pytest.raises(ValueError, match="net plays 'last_droid', not 'robots'"):
        robots_env.VecEnv(2).play(agent)
    with pytest.raises(ValueError, match="trained for 2 players, not for 4"):
        run_tournament("lastdroid", [Agent("net", agent, "lastdroid"), "greedy"], 4, games=4)
    other = network(Robots(2))
    with pytest.raises(ValueError, match="other cards or rules"):
        robots_env.learners(2, 2, rules="publisher", opponents=NetworkAgent(other, "net"))
    strange = network(LastDroid(2))
    strange.table["layout"] = "0" * 16
    with pytest.raises(ValueError, match="another observation"):
        NetworkAgent(strange, "net").at_table(LastDroid(2))
    agent.at_table(LastDroid(2, open_deck=True))


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda about, arrays: arrays.pop("plain.weight"), "it has no 'plain.weight'"),
        (lambda about, arrays: arrays.update({"hidden.bias": np.zeros(3, np.float32)}), "hidden.bias must have"),
        (lambda about, arrays: arrays["lines.index"].__setitem__((0, 0), 9999), "lines.index must hold"),
        (lambda about, arrays: arrays["scores.index"].__setitem__(0, 18), "scores.index must hold"),
        (lambda about, arrays: about.update(format=9), "format 9"),
        (lambda about, arrays: about["steps"].append({"kind": "magic", "from": "all", "to": "x"}), "kind 'magic'"),
        (lambda about, arrays: about["steps"][7].update(plus="plain"), "cannot be added"),
        (lambda about, arrays: about.update(head="lines1"), "head"),
        (lambda about, arrays: about["steps"].append(about["steps"][0]), "two steps write"),
        (lambda about, arrays: about["table"].pop("players"), "it has no 'players'"),
        (lambda about, arrays: about["table"].update(layout=3), "layout must be a text"),
        (lambda about, arrays: about["steps"][0].update(relu=10**30), "holds no network"),
        (lambda about, arrays: about["table"].update(observation=5.9), "observation must be a whole number"),
        (
            lambda about, arrays: arrays["plain.weight"].__setitem__((0, 0), np.nan),
            "plain.weight holds numbers that are",
        ),
        (lambda about, arrays: arrays.update({"hidden.bias": np.zeros(3, complex)}), "hidden.bias must hold numbers"),
    ],
)
def test_spoilt_files_are_refused(spoil, says, tmp_path):
    file = tmp_path / "spoilt.npz"
    network(LastDroid(2)).save(file)
    with np.load(file) as held:
        arrays = {name: held[name] for name in held.files}
    about = json.loads(str(arrays.pop("about")))
    spoil(about, arrays)
    np.savez(file, about=np.array(json.dumps(about)), **arrays)
    with pytest.raises(ValueError, match=says):
        Network.load(file)


def test_other_files_are_refused(tmp_path):
    text, pickled, empty, torn = (tmp_path / f"{name}.npz" for name in ("text", "pickled", "empty", "torn"))
    text.write_text("not a network")
    empty.write_bytes(b"")
    network(LastDroid(2)).save(torn)
    whole = torn.read_bytes()
    torn.write_bytes(whole[:200] + bytes(len(whole) - 5000) + whole[-4800:])
    np.savez(pickled, about=np.array({"a": 1}, dtype=object))
    for file in (text, pickled, empty, torn):
        with pytest.raises(UnknownAgent, match="holds no network"):
            find_agent(str(file), "lastdroid")
    with pytest.raises(UnknownAgent, match="there is no file"):
        find_agent("nowhere.npz", "lastdroid")


def test_weights_change_while_it_plays():
    observations, masks = decisions(lastdroid_env, 32)
    first, second = network(LastDroid(2), 0), network(LastDroid(2), 1)
    for name in ("lines.index", "scores.index"):
        second.arrays[name] = first.arrays[name]
    agent = NetworkAgent(first, "net")
    address = agent.address()
    agent.update(second)
    assert agent.address() == address
    rng = np.zeros(1, np.uint64)
    chosen = [agent(seen, mask, rng) for seen, mask in zip(observations, masks, strict=True)]
    assert chosen == greatest_legal(second.logits(observations), masks).tolist()
    with pytest.raises(ValueError, match="of the same shape"):
        agent.update(network(LastDroid(2), wide=8))


def test_batches_with_a_network_are_pickled_and_play_on():
    agent = NetworkAgent(network(LastDroid(2)), "net", sample=True)
    batch = lastdroid_env.learners(8, opponents=agent, seat="random", seed=1)
    batch.deal()
    twin = pickle.loads(pickle.dumps(batch))
    for _ in range(60):
        actions = batch.action_masks().argmax(axis=1)
        turn, same = batch.act(actions), twin.act(actions)
        assert np.array_equal(turn.observations, same.observations)


def test_one_name_for_several_numbers_of_players(tmp_path):
    files = {}
    for players in (2, 3):
        files[players] = tmp_path / f"net-{players}.npz"
        network(LastDroid(players)).save(files[players])
    saved = SavedNetworks("net", files, "Two networks")
    assert saved.players == (2, 3)
    assert saved.at_table(LastDroid(3)).network.table["players"] == 3
    with pytest.raises(ValueError, match="net plays with 2, 3 players, not with 4"):
        saved.at_table(LastDroid(4))
    for players in (2, 3):
        outcome = lastdroid_env.VecEnv(4, players, seed=0).play([saved, *["random"] * (players - 1)])
        assert (outcome.decisions > 0).all()
    assert find_arena("lastdroid").players == (1, 2, 3, 4)


def test_networks_play_without_pytorch(tmp_path):
    file = tmp_path / "mine.npz"
    network(LastDroid(2)).save(file)
    code = f"""
import sys
from agents import run_tournament
print(run_tournament("lastdroid", [{str(file)!r}, "greedy"], games=4).table())
assert not {{"torch", "stable_baselines3", "matplotlib"}} & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "mine" in done.stdout


def test_a_search_may_be_guided_by_a_network():
    first, second = (NetworkAgent(network(LastDroid(2), seed), "net") for seed in (0, 1))
    guided = [Search("lastdroid", 5, guide=net, judge=judge) for net in (first, second)]
    assert guided[0].fingerprint() != guided[1].fingerprint()
    assert guided[0].fingerprint() == Search("lastdroid", 5, guide=first, judge=judge).fingerprint()
    tournament = run_tournament("lastdroid", [Agent("guided", guided[0]), "random"], games=2)
    assert tournament.rows[0].agent == "guided"


def test_a_search_may_be_guided_by_networks_in_files(tmp_path):
    files = {2: tmp_path / "net-2.npz", 3: tmp_path / "net-3.npz"}
    for players, file in files.items():
        network(LastDroid(players)).save(file)
    saved = SavedNetworks("net", files, "Two networks")
    search = Search("lastdroid", 5, guide=saved, judge=judge)
    known, known_for_two = search.fingerprint(), search.fingerprint(2)
    played = run_tournament("lastdroid", [Agent("guided", search), "random"], 3, games=6)
    assert {row.agent for row in played.rows} == {"guided", "random"}
    with pytest.raises(ValueError, match="plays with 2, 3 players, not with 4"):
        run_tournament("lastdroid", [Agent("guided", search), "random"], 4, games=2)
    network(LastDroid(3), seed=1).save(files[3])
    changed = Search("lastdroid", 5, guide=saved, judge=judge)
    assert changed.fingerprint() != known and changed.fingerprint(2) == known_for_two


def test_results_know_a_network_by_its_weights(tmp_path):
    first, second = (NetworkAgent(network(LastDroid(2), seed), "net") for seed in (0, 1))
    file = tmp_path / "results.jsonl"
    run_tournament("lastdroid", [Agent("net", first), "random"], games=2, results=file)
    lines = file.read_text().splitlines()
    file.write_text("\n".join(lines[:-1]) + "\n")  # something is left to play
    with pytest.raises(Unfit, match="agent 'net'"):
        run_tournament("lastdroid", [Agent("net", second), "random"], games=2, results=file)

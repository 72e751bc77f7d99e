"""Training runs: what they learn, leave behind, and how they go on after they were killed."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

pytest.importorskip("sb3_contrib", reason="needs the extra train")
torch = pytest.importorskip("torch", reason="needs the extra train")
pytest.importorskip("tensorboard", reason="needs the extra train")

import lastdroid_env
from agents.__main__ import app
from agents.arena import find_arena
from agents.train import checkpoint
from agents.train.command import export as export_command
from agents.train.evaluation import WinRate, win_rate
from agents.train.pool import Pool
from agents.train.run import Run
from agents.train.settings import SETTINGS, Settings, read_settings
from agents.train.teacher import Teacher
from tabletop.networks import Network, NetworkAgent, greatest_legal
from tabletop.policies import Agent, PolicyError, find_agent, policy

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")

TINY: dict[str, Any] = {
    "num_envs": 16,
    "rollout": 16,
    "minibatch": 64,
    "epochs": 1,
    "hidden": (16, 16),
    "value_hidden": (8,),
    "opponents": ("random", "greedy"),
    "snapshot_every": 512,
    "gate_games": 8,
    "gate": 0.0,
    "pool_size": 2,
    "evaluate_every": 512,
    "evaluate_games": 8,
    "evaluate_against": ("random",),
    "checkpoint_every": 512,
    "threads": 1,
}
UPDATE = 16 * 16


def weights(run):
    return {name: value.numpy().copy() for name, value in run.model.policy.state_dict().items()}


def lines(folder, but=("seconds",)):
    with (folder / "progress.csv").open() as found:
        return [{name: value for name, value in line.items() if name not in but} for line in csv.DictReader(found)]


@pytest.mark.parametrize(
    ("game", "more"),
    [
        ("lastdroid", {"network": "mlp"}),
        ("lastdroid", {"network": "mlp", "players": 1}),
        ("robots", {"network": "cards", "table": {"rounds": 1}, "teacher": "greedy", "threads": 2}),
    ],
    ids=["lastdroid", "lastdroid solo", "robots with a teacher, two threads"],
)
def test_a_run_that_was_interrupted_ends_as_if_it_had_not_been(game, more, tmp_path):
    settings = Settings(game, steps=8 * UPDATE, **{**TINY, **more})
    whole = Run(settings, tmp_path / "whole")
    whole.train()

    class Killed(BaseException):
        pass

    def kill(run, news):
        if run.steps == 5 * UPDATE:  # the last checkpoint was an update before
            raise Killed

    with pytest.raises(Killed):
        Run(settings, tmp_path / "parts").train(kill)
    rest = Run(settings, tmp_path / "parts")
    assert rest.resume() and rest.steps == 4 * UPDATE
    rest.train()

    assert rest.steps == whole.steps == 8 * UPDATE and rest.games == whole.games
    for name, value in weights(whole).items():
        assert np.array_equal(value, weights(rest)[name]), name
    assert rest.pool.state() == whole.pool.state()
    assert len(whole.pool.snapshots) == (2 if settings.players > 1 else 0)
    assert lines(tmp_path / "whole") == lines(tmp_path / "parts") and len(lines(tmp_path / "whole")) == 4
    for member in whole.pool.snapshots:
        ours, theirs = (Network.load(tmp_path / part / "pool" / member.file) for part in ("whole", "parts"))
        assert np.array_equal(ours.weights(), theirs.weights())


def test_a_teacher_is_imitated_until_it_has_faded(tmp_path):
    more = {"learning_rate": 3e-3, "teacher": "greedy", "teaching_steps": 20 * UPDATE}
    run = Run(Settings("lastdroid", steps=24 * UPDATE, **{**TINY, **more}), tmp_path)
    vec = lastdroid_env.VecEnv(256, 2, seed=3)
    turn = vec.reset()
    for _ in range(25):
        turn = vec.step(vec.sample_actions())
    seen, legal = torch.from_numpy(turn.observations), turn.action_mask.astype(bool)
    told = run.model.policy.teacher(seen, legal)
    weights = []

    def agreement():
        with torch.no_grad():
            return run.model.policy.evaluate_actions(seen, told, legal)[1].exp().mean()

    before = agreement()
    run.train(lambda run, news: weights.append(run.model.policy.teaching))
    assert weights[0] == pytest.approx(run.settings.teaching) and weights[-1] == 0.0
    assert weights == sorted(weights, reverse=True)
    assert agreement() > 1.5 * before


def test_a_teacher_says_on_any_number_of_threads_what_it_would_do():
    vec = lastdroid_env.VecEnv(32, 2, seed=3)
    turn = vec.reset()
    expert = find_agent("expert", "lastdroid")
    teachers = [Teacher(expert, vec.game, threads) for threads in (1, 3)]
    for _ in range(40):
        turn = vec.step(vec.sample_actions())
        seen, legal = torch.from_numpy(turn.observations), turn.action_mask.astype(bool)
        rows = zip(turn.observations, turn.action_mask, strict=True)
        choices = [expert.policy(*row, np.zeros(1, np.uint64)) for row in rows]
        assert all(teacher(seen, legal).tolist() == choices for teacher in teachers)


def test_a_teacher_that_chooses_what_is_not_legal_is_named():
    game = lastdroid_env.LastDroid(2)
    last = Agent("last", policy(lambda observation, action_mask, rng: len(action_mask) - 1), None, "")
    teacher = Teacher(last, game, threads=2)
    game.deal(0)
    observation, mask = game.view(game.actor)
    with pytest.raises(PolicyError, match="the teacher 'last' chose 150, which is not a legal action"):
        teacher(torch.from_numpy(observation[None]), mask[None])


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A short run, finished."""
    folder = tmp_path_factory.mktemp("trained")
    settings = Settings("lastdroid", steps=6 * UPDATE, **{**TINY, "hidden": (64,), "epochs": 2})
    run = Run(settings, folder)
    before = weights(run)
    run.train()
    assert any(not np.array_equal(value, before[name]) for name, value in weights(run).items())
    return run


def test_the_exported_network_chooses_what_the_trained_policy_finds_best(trained):
    turn = trained.tables.deal()
    agent = find_agent(str(trained.folder / "network.npz"), "lastdroid").policy
    rng, other = np.zeros(1, np.uint64), np.random.default_rng(0)
    for _ in range(20):
        masks = turn.action_mask.astype(bool)
        wanted, _ = trained.model.predict(turn.observations, action_masks=masks, deterministic=True)
        found = [agent(seen, mask, rng) for seen, mask in zip(turn.observations, turn.action_mask, strict=True)]
        assert found == wanted.tolist()
        assert greatest_legal(agent.network.logits(turn.observations), masks).tolist() == wanted.tolist()
        turn = trained.tables.act((masks * other.random(masks.shape)).argmax(axis=1))


def test_probabilities_are_those_of_sb3s_own_policy(trained):
    """The shorter way to them gives the same numbers."""
    policy = trained.model.policy
    turn = trained.tables.deal()
    seen, masks = torch.from_numpy(turn.observations), turn.action_mask.astype(bool)
    with torch.no_grad():
        actions, values, log_probs = policy(seen, action_masks=masks)
        again, same, entropy = policy.evaluate_actions(seen, actions, torch.from_numpy(masks))
        theirs = policy.get_distribution(seen, masks)
        assert masks[np.arange(len(masks)), actions.numpy()].all()
        assert torch.allclose(log_probs, theirs.log_prob(actions), atol=1e-5)
        assert torch.allclose(same, log_probs, atol=1e-6) and torch.equal(again, values)
        assert torch.allclose(entropy, policy.entropy_weight * theirs.entropy(), atol=1e-5)


def test_what_a_run_leaves_behind(trained):
    folder = trained.folder
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert any((folder / "tensorboard").iterdir())
    found = lines(folder, but=())
    assert [int(line["steps"]) for line in found] == [2 * UPDATE, 4 * UPDATE, 6 * UPDATE]
    for line in found:
        assert 0 <= float(line["random low"]) <= float(line["random"]) <= float(line["random high"]) <= 1
    network = Network.load(folder / "network.npz")
    assert network.made["steps"] == 6 * UPDATE and "lastdroid" in network.made["settings"]
    model = find_agent(str(folder / "model.zip"), "lastdroid").policy
    turn = trained.tables.deal()
    masks = turn.action_mask
    wanted, _ = trained.model.predict(turn.observations, action_masks=masks.astype(bool), deterministic=True)
    assert model.act_batch(turn.observations, masks).tolist() == wanted.tolist()


def test_checkpoints_of_another_run_are_refused(trained, tmp_path):
    other = Run(Settings("lastdroid", steps=UPDATE, **{**TINY, "hidden": (8,)}), tmp_path)
    (tmp_path / checkpoint.NAME).write_bytes((trained.folder / checkpoint.NAME).read_bytes())
    with pytest.raises(ValueError, match="is no checkpoint of this run"):
        other.resume()
    for rest in (b"half a file", b""):
        (tmp_path / checkpoint.NAME).write_bytes(rest)
        with pytest.raises(ValueError, match="is no checkpoint of this run"):
            other.resume()
    for state in ([1, 2], {"policy": 3}):
        torch.save(state, tmp_path / checkpoint.NAME)
        with pytest.raises(ValueError, match="is no checkpoint of this run"):
            other.resume()


def test_rewards_add_up_to_the_win_and_the_final_lead():
    from agents.train.tables import TrainingTables
    from lastdroid_env import LastDroid

    shared = {"opponents": "greedy", "seat": "random", "seed": 4, "autoreset_mode": "same_step"}
    paid = TrainingTables(LastDroid(2), "lastdroid", 8, win=2.0, margin=0.5, others=1.0, worth={"parts": 2.0}, **shared)
    plain = [find_tables(reward, shared) for reward in ("win", "margin")]
    turns = [batch.deal() for batch in (paid, *plain)]
    at_start = paid.leads.copy()
    totals, seen = np.zeros(8), 0
    for _ in range(400):
        actions = turns[0].action_mask.argmax(axis=1)
        turns = [batch.act(actions) for batch in (paid, *plain)]
        totals += turns[0].rewards
        for row in turns[0].ended:
            wanted = 2.0 * turns[1].rewards[row] + 0.5 * (turns[2].rewards[row] - at_start[row])
            assert totals[row] == pytest.approx(wanted, abs=1e-4)
            totals[row], at_start[row] = 0.0, paid.leads[row]
            seen += 1
    assert seen > 8
    won, played = paid.count()["greedy"]
    assert played == seen and 0 <= won <= played and paid.count() == {}


def find_tables(reward, shared):
    import lastdroid_env

    return lastdroid_env.learners(8, 2, reward=reward, **shared)


def test_opponents_change_without_disturbing_who_plays_on():
    from agents.train.tables import TrainingTables, opponents_of
    from lastdroid_env import LastDroid

    greedy, auto, random = (find_agent(name, "lastdroid").policy for name in ("greedy", "auto", "random"))
    tables = TrainingTables(
        LastDroid(2),
        "lastdroid",
        64,
        opponents=opponents_of([greedy, auto], [1, 1]),
        win=1.0,
        margin=0.0,
        others=1.0,
        worth={},
    )
    tables.deal(seed=1)

    def seated():
        players = [player for _, player in tables.lineup.compiled]
        return [players[tables._seated["who"][row, 1]] for row in range(64)]

    before = seated()
    tables.set_opponents(opponents_of([random, greedy], [1, 3]))
    after = seated()
    assert {player for player in before} == {greedy, auto}
    assert all(now is greedy for was, now in zip(before, after, strict=True) if was is greedy)
    assert all(now in (random, greedy) for now in after) and random in after


def test_win_rates_count_every_seat_and_mirror_each_other():
    arena = find_arena("lastdroid")
    greedy, auto, rusher = (find_agent(name, "lastdroid").policy for name in ("greedy", "auto", "rusher"))
    ours, theirs = win_rate(arena, 2, greedy, rusher, 60, {}), win_rate(arena, 2, rusher, greedy, 60, {})
    assert ours.rate == pytest.approx(1 - theirs.rate) and 0.2 < ours.rate < 0.8
    assert ours.lead == pytest.approx(-theirs.lead) and ours.low < ours.rate < ours.high
    assert win_rate(arena, 4, greedy, auto, 40, {}).rate > 0.8  # with a team mate who plays the same
    assert 0.0 <= win_rate(arena, 1, greedy, None, 20, {}).rate <= 1.0
    assert win_rate(arena, 2, greedy, rusher, 60, {}, threads=2) == ours
    three = win_rate(arena, 3, greedy, greedy, 30, {})
    assert three.rate == pytest.approx(1 / 3) == three.fair
    assert win_rate(arena, 4, greedy, greedy, 8, {}).fair == 0.5


@pytest.mark.parametrize(
    ("players", "low", "admitted"), [(2, 0.51, True), (2, 0.49, False), (3, 0.34, True), (3, 0.33, False)]
)
def test_a_snapshot_is_admitted_if_it_wins_more_than_equals_do(players, low, admitted, trained, tmp_path):
    pool = Pool(Settings("robots", steps=1, opponents=()), tmp_path, trained.network())
    asked = []

    def rate(candidate, against):
        asked.append((candidate.__name__, against.__name__))
        return WinRate(low + 0.1, low, low + 0.2, 1.0, 1 / players)

    assert pool.ask(trained.network(), rate) and not asked
    assert pool.ask(trained.network(), rate) == admitted
    assert asked == [("snapshot-0002", "snapshot-0001")] and len(pool.snapshots) == 1 + admitted


def test_solo_and_teams_train_and_are_exported(tmp_path):
    for players in (1, 4):
        run = Run(Settings("lastdroid", players=players, steps=2 * UPDATE, **TINY), tmp_path / str(players))
        found = run.train()
        assert run.steps == 2 * UPDATE and all(np.isfinite(value) for value in found.values())
        (run.folder / SETTINGS).write_text(run.settings.to_toml())
        file = tmp_path / f"net-{players}.npz"
        export_command(run.folder, file, "float32")
        assert np.array_equal(Network.load(file).weights(), run.network().weights())
        NetworkAgent(Network.load(file), "net").at_table(run.tables.game)


def test_a_run_against_an_agent_of_a_file_is_told_of_in_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("from agents import find_agent\nbot = find_agent('greedy', 'lastdroid').policy\n")
    named = {"opponents": "mine.py:bot", "evaluate_against": "mine.py:bot"}
    given = {**TINY, "snapshot_every": 10**6, **named}
    options = [word for name, value in given.items() for word in ("--set", f"{name}={_written(value)}")]
    done = CliRunner().invoke(app, ["train", "lastdroid", "--steps", str(UPDATE), "--out", "run", *options])
    assert done.exit_code == 0, done.output
    monkeypatch.chdir(tmp_path / "run")
    kept = read_settings(Path(SETTINGS))
    assert kept["opponents"] == kept["evaluate_against"] == [f"{tmp_path / 'mine.py'}:bot"]
    assert "mine.bot low" in lines(Path())[0]
    (tmp_path / "mine.py").unlink()
    export_command(Path(), tmp_path / "net.npz", "int8")
    assert "mine.py:bot" in Network.load(tmp_path / "net.npz").made["settings"]


@pytest.mark.long
def test_killed_on_the_command_line_and_gone_on_with(tmp_path):
    out = tmp_path / "run"
    tiny = [f"--set={name}={_written(value)}" for name, value in TINY.items() if name not in ("opponents",)]
    command = [sys.executable, "-m", "agents", "train", "lastdroid"]
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen([*command, "--steps", str(400 * UPDATE), "--out", str(out), *tiny], cwd=root)
    while not (out / checkpoint.NAME).exists():
        assert process.poll() is None, "it ended by itself"
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    steps = torch.load(out / checkpoint.NAME, weights_only=True)["steps"]
    end = steps + 2 * UPDATE
    done = subprocess.run(
        [*command, "--resume", str(out), "--steps", str(end)], cwd=root, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert torch.load(out / checkpoint.NAME, weights_only=True)["steps"] == end
    made = subprocess.run(
        [sys.executable, "-m", "agents", "export", str(out), str(tmp_path / "net.npz")],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    assert Network.load(tmp_path / "net.npz").made["steps"] == end


def _written(value):
    return str(list(value)).replace("'", '"') if isinstance(value, tuple) else str(value)

"""Training with RLlib on a Ray cluster of this machine: that it learns, survives the death of a worker, and goes on."""

from __future__ import annotations

import csv
import os
import signal
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="RLlib is not installed: extra 'rllib'", exc_type=ImportError)

import ray
from ray.cluster_utils import Cluster

from agents.train.rllib import RllibRun
from agents.train.settings import Settings
from tabletop.networks import Network, greatest_legal
from tabletop.policies import find_agent

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

TINY: dict[str, Any] = {
    "num_envs": 8,
    "rollout": 64,
    "minibatch": 128,
    "epochs": 1,
    "hidden": (32, 32),
    "win": 1.0,
    "evaluate_every": 512,
    "evaluate_games": 8,
    "evaluate_against": ("random",),
    "checkpoint_every": 512,
}


@pytest.fixture(scope="module")
def address():
    """Of a cluster of two nodes, each with a core for a worker, beside one for what coordinates them."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=2)
    yield cluster.address
    ray.shutdown()
    cluster.shutdown()


def lines(folder):
    with (folder / "progress.csv").open() as found:
        return list(csv.DictReader(found))


def test_a_worker_that_dies_is_replaced_and_training_goes_on(address, tmp_path):
    settings = Settings("lastdroid", steps=3000, **TINY)
    run = RllibRun(settings, tmp_path, address=address, workers=2)
    told: list[str] = []
    pids: set[int] = set()

    def watch(run, news):
        told.append(news)
        now = run.algorithm.env_runner_group.foreach_env_runner(lambda _: os.getpid(), local_env_runner=False)
        if not pids:
            os.kill(now[0], signal.SIGKILL)
        pids.update(now)

    try:
        found = run.train(watch)
        assert run.steps >= 3000
        assert len(pids) == 3, "two workers, and the one that came for the dead one"
        assert "1 of the workers died and came back" in told
        assert len(lines(tmp_path)) >= 3
        assert 0.0 <= found["random low"] <= found["random"] <= found["random high"] <= 1.0
    finally:
        run.stop()


def test_a_run_goes_on_from_its_checkpoint(address, tmp_path):
    first = RllibRun(Settings("robots", steps=1000, table={"rounds": 1}, **TINY), tmp_path, address=address, workers=1)
    try:
        first.train()
        before = first.network()
    finally:
        first.stop()
    rest = RllibRun(Settings("robots", steps=2000, table={"rounds": 1}, **TINY), tmp_path, address=address, workers=1)
    try:
        assert rest.resume()
        assert rest.steps == first.steps
        same = rest.network()
        assert all(np.array_equal(array, same.arrays[name]) for name, array in before.arrays.items())
        rest.train()
        assert rest.steps >= 2000
        assert not np.array_equal(before.arrays["head.weight"], rest.network().arrays["head.weight"])
        assert [float(line["steps"]) for line in lines(tmp_path)] == sorted(
            {float(x["steps"]) for x in lines(tmp_path)}
        )
    finally:
        rest.stop()


def test_the_exported_network_decides_as_rllibs_module_does(address, tmp_path):
    run = RllibRun(Settings("lastdroid", steps=500, **TINY), tmp_path, address=address, workers=1)
    try:
        run.train()
        import torch
        from ray.rllib.core.columns import Columns

        env = run.arena.make(2)
        env.deal(3)
        rng = np.array([1], np.uint64)
        seen: list[Any] = []
        masks: list[Any] = []
        random = find_agent("random", "lastdroid").policy
        while env.actor >= 0 and len(seen) < 40:
            observation, mask = env.view(env.actor)
            seen.append(observation.copy())
            masks.append(mask.copy())
            env.act(int(random(observation, mask, rng)))
        module = run.algorithm.get_module("player")
        batch = {"observations": torch.from_numpy(np.array(seen)), "action_mask": torch.from_numpy(np.array(masks))}
        logits = module.forward_inference({Columns.OBS: batch})[Columns.ACTION_DIST_INPUTS].detach().numpy()
        network = Network.load(tmp_path / "network.npz")
        assert greatest_legal(network.logits(np.array(seen)), np.array(masks)).tolist() == logits.argmax(1).tolist()
    finally:
        run.stop()


def test_settings_that_mean_nothing_here_are_refused(tmp_path):
    with pytest.raises(ValueError, match="self_share means nothing to the engine rllib"):
        RllibRun(Settings("lastdroid", steps=1, self_share=0.1), tmp_path)
    with pytest.raises(ValueError, match="numbers of processes"):
        RllibRun(Settings("lastdroid", steps=1), tmp_path, workers=-1)

"""The command line of training: what it refuses, and how. That it trains is in test_run."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

pytest.importorskip("sb3_contrib", reason="needs the extra train")

from agents.__main__ import app
from agents.train.settings import Settings

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")


def refused(says, *arguments):
    """Whether a command is refused with these words, however the screen breaks them."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    words = "".join(result.output.replace("\u2502", " ").split())
    return result.exit_code == 2 and "".join(says.split()) in words


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chess"], "no game is called 'chess'; known are lastdroid, robots"),
        (["lastdroid", "--players", "7"], "Last Droid is played by 1, 2, 3, 4; not by 7 players"),
        (["lastdroid", "--opponents", "gredy"], "is called 'gredy'"),
        (["lastdroid", "--set", "epoch=3"], "a setting is written NAME=VALUE"),
        (["lastdroid", "--set", "minibatch=100"], "minibatch must divide"),
        (["lastdroid", "--set", "worth={partz=1}"], "not to 'partz'"),
        (["lastdroid", "--teacher", "gredy"], "is called 'gredy'"),
        (["lastdroid", "--set", "teacher=search-100"], "teacher must be a compiled agent, which"),
        (["lastdroid", "--minutes", "0"], "minutes must be greater than 0"),
        (["lastdroid", "--set", "hidden=[64, 0]"], "hidden must be sizes of layers from 1, not [64, 0]"),
        (["lastdroid", "--set", "clip=-1"], "clip must be greater than 0"),
        (["robots", "--config", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_train_refuses(arguments, says, tmp_path):
    assert refused(says, "train", *arguments, "--out", tmp_path / "run")
    assert not (tmp_path / "run" / "settings.toml").exists()


def test_a_run_needs_a_folder_of_its_own(tmp_path):
    (tmp_path / "file").write_text("")
    assert refused(f"'{tmp_path / 'file' / 'pool'}'", "train", "robots", "--steps", 1, "--out", tmp_path / "file")


def test_a_run_is_not_begun_over_another(tmp_path):
    (tmp_path / "settings.toml").write_text(Settings("robots", steps=1).to_toml())
    assert refused("go on with it", "train", "robots", "--steps", 1, "--out", tmp_path)
    assert refused("is a run of robots, not of lastdroid", "train", "lastdroid", "--resume", tmp_path)
    assert refused("settings.toml", "train", "lastdroid", "--resume", tmp_path / "nowhere")
    assert refused("has no checkpoint yet", "export", tmp_path, tmp_path / "net.npz")


def test_export_refuses(tmp_path):
    assert refused("called NAME.npz", "export", tmp_path, tmp_path / "net.zip")
    assert refused("one of float32, float16, int8", "export", tmp_path, tmp_path / "net.npz", "--dtype", "int4")
    assert refused("there is no run in", "export", tmp_path, tmp_path / "net.npz")

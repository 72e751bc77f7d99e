"""Settings of a training run: files, the command line, and what they refuse."""

from __future__ import annotations

import pytest

from agents.train.settings import PRESETS, Settings, parse_overrides, preset, read_settings


def test_a_file_gives_back_what_was_written(tmp_path):
    settings = Settings(
        "robots", players=3, minutes=0.5, table={"rounds": 1, "rules": "publisher"}, hidden=(64, 32), opponents=("a b",)
    )
    file = tmp_path / "settings.toml"
    file.write_text(settings.to_toml())
    assert Settings(**read_settings(file)) == settings


def test_overrides_are_read_as_toml():
    found = parse_overrides(["epochs=2", "hidden=[128, 128]", "network=cards", "table={rounds = 1}", "opponents=a,b"])
    settings = Settings(**{"game": "robots", "steps": 1, **found})
    assert (settings.epochs, settings.hidden, settings.network) == (2, (128, 128), "cards")
    assert settings.table == {"rounds": 1} and settings.opponents == ("a", "b")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({}, "minutes or steps"),
        ({"steps": 0}, "steps must be greater than 0"),
        ({"steps": 1.5}, "steps must be a whole number, not 1.5"),
        ({"minutes": "ten"}, "minutes must be a finite number"),
        ({"steps": 1, "learning_rate": float("nan")}, "learning_rate must be a finite number, not nan"),
        ({"steps": 1, "hidden": 64}, "hidden must be a list"),
        ({"steps": 1, "hidden": ("a",)}, "hidden must be a list"),
        ({"steps": 1, "network": "transformer"}, "network must be one of mlp, cards"),
        ({"steps": 1, "minibatch": 100}, "minibatch must divide"),
        ({"steps": 1, "teaching": -5}, "teaching must be from 0 to 1000"),
        ({"steps": 1, "teaching_steps": 0}, "teaching_steps must be greater than 0"),
        ({"steps": 1, "gamma": 1.5}, "gamma must be from 0 to 1"),
        ({"steps": 1, "epochs": True}, "epochs must be a whole number"),
        ({"steps": 1, "table": 3}, "table must be a table"),
    ],
)
def test_what_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        Settings("lastdroid", **change)


@pytest.mark.parametrize(("text", "says"), [("epochs", "NAME=VALUE"), ("epoch=2", "NAME=VALUE")])
def test_overrides_that_are_none(text, says):
    with pytest.raises(ValueError, match=says):
        parse_overrides([text])


def test_files_that_are_none(tmp_path):
    file = tmp_path / "settings.toml"
    with pytest.raises(ValueError, match=r"settings\.toml"):
        read_settings(file)
    file.write_text("epochs = ")
    with pytest.raises(ValueError, match=r"settings\.toml"):
        read_settings(file)
    file.write_text("epoch = 3")
    with pytest.raises(ValueError, match="no setting 'epoch'"):
        read_settings(file)


def test_presets_give_way_to_what_is_named():
    for game in PRESETS:
        Settings(**preset(game, {"game": game, "steps": 1}))
    robots = Settings(**preset("robots", {"game": "robots", "steps": 1, "win": 0.7}))
    assert robots.table == {"rounds": 1} and robots.evaluate_table == {} and robots.win == 0.7
    other = Settings(**preset("robots", {"game": "robots", "steps": 1, "table": {"rules": "publisher"}}))
    assert other.table == {"rules": "publisher"} and other.evaluate_table is None

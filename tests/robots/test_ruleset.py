"""Rule sets: presets, files, and what is refused by name."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from robots_env.constants import RECYCLE, WILD, card_number
from robots_env.ruleset import RuleSetError, load_rules, rule_set_names


def test_presets():
    source, publisher = load_rules(), load_rules("publisher")
    assert rule_set_names() == ("source", "publisher")
    assert load_rules("source") is source and load_rules(source) is source
    assert (source.star_high, publisher.star_high) == (14, 15)
    assert publisher == source.replace(star_high=15) == load_rules({"star_high": 15})
    assert publisher.content_hash != source.content_hash
    assert source.powers == {
        "3": "recycle",
        "5": "extra parts",
        "7": "tractor beam",
        "9": "laser",
        "11": "short circuit",
    }


def test_tables():
    tables = load_rules({"card_points": {"star": 20, 13: 10}, "powers": {14: "recycle"}}).tables
    row = tables[0]
    assert not tables.flags.writeable
    assert row["points"][card_number(3, 1)] == 20 and row["points"][card_number(2, 13)] == 10
    assert row["points"][card_number(4, 12)] == 12 and row["points"][WILD] == 15
    assert row["power"][card_number(0, 14)] == RECYCLE and np.count_nonzero(row["power"]) == 5
    assert row["high"] == 13 and load_rules("publisher").tables[0]["high"] == 14


def test_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('base = "publisher"\ntarget_score = 100\n[powers]\n9 = "laser"\n')
    rules = load_rules(file)
    assert rules == load_rules(str(file)) == load_rules("publisher").replace(target_score=100, powers={9: "laser"})
    assert load_rules(rules.as_dict()) == rules == pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"star_high": 13}, ["star_high", "13", "14 or 15"]),
        ({"star_high": True}, ["star_high", "true", "14 or 15"]),
        ({"discard_taken_card": 1}, ["discard_taken_card", "1", "true or false"]),
        ({"max_refills": -1}, ["max_refills", "-1", "0 to"]),
        ({"max_turns": 0}, ["max_turns", "0", "1 to"]),
        ({"max_rounds": 2.5}, ["max_rounds", "2.5"]),
        ({"target_score": 10**30}, ["target_score", "huge"]),
        ({"robot_bonus": "25"}, ["robot_bonus", "'25'"]),
        ({"powers": {"15": "laser"}}, ["powers", "'15'", "2, 3"]),
        ({"powers": {3: "lasers"}}, ["powers.3", "'lasers'", "'laser'"]),
        ({"powers": ["laser"]}, ["powers", "a list"]),
        ({"card_points": {"star": -1}}, ["card_points.star", "-1"]),
        ({"card_points": {"joker": 1}}, ["card_points", "'joker'", "wild"]),
        ({"stars_high": 15}, ["'stars_high'", "star_high"]),
        ({"base": "mine"}, ["base", "'mine'", "'publisher'"]),
    ],
)
def test_wrong_fields(fields, words):
    with pytest.raises(RuleSetError) as error:
        load_rules(fields)
    assert all(word in str(error.value) for word in words), str(error.value)


@pytest.mark.parametrize(
    "content", [b"star_high = ", b"\xff", b"a" * 40_000, b"[" * 5_000, b"a" + b".a" * 20 + b" = 1"]
)
def test_wrong_files(tmp_path, content):
    file = tmp_path / "wrong.toml"
    file.write_bytes(content)
    with pytest.raises(RuleSetError, match=r"wrong\.toml: found"):
        load_rules(file)
    with pytest.raises(RuleSetError, match="cannot be read"):
        load_rules(tmp_path)
    with pytest.raises(RuleSetError, match="'source', 'publisher' or the path"):
        load_rules("nonsense")


def test_nothing_in_a_rule_set_changes():
    """All games share it."""
    rules = load_rules()
    table: Any = rules.powers
    for change in (
        lambda: table.update({"3": "laser"}),
        lambda: table.clear(),
        lambda: table.__setitem__("3", "laser"),
    ):
        with pytest.raises(TypeError, match="a rule set does not change"):
            change()
    assert pickle.loads(pickle.dumps(rules)) == rules and load_rules(rules.as_dict()) == rules
    with pytest.raises(RuleSetError, match="found a key twice"):
        load_rules({"powers": {7: "laser", "7": "recycle"}})

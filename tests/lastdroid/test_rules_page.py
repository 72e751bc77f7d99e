"""Every rule has a function that keeps it and a test that proves it, and the generated pages say so."""

from __future__ import annotations

import re

import pytest

from docs import build
from lastdroid_env import actions

CHAPTERS = {
    "C": range(1, 10),
    "S": range(1, 10),
    "T": range(1, 3),
    "D": range(1, 6),
    "X": range(1, 7),
    "A": range(1, 8),
    "E": range(1, 4),
    "N": range(1, 6),
    "G": range(1, 9),
    "F": range(1, 13),
    "H": range(45, 59),
    "O": range(1, 13),
}
IDS = [f"{letter}{number}" for letter, numbers in CHAPTERS.items() for number in numbers]
DATA = build.load()
RULES = {rule["id"]: rule for rule in DATA["rule"]}


def test_the_page_lists_every_rule_once_and_in_order():
    assert [rule["id"] for rule in DATA["rule"]] == IDS
    assert list(DATA["chapters"]) == list(CHAPTERS)


def test_every_rule_has_a_test():
    assert [rule for rule in IDS if rule not in build.proofs()] == []


def test_no_test_is_named_by_a_rule_that_does_not_exist():
    assert sorted(set(build.proofs()) - set(IDS)) == []


def test_every_rule_is_kept_by_a_function_or_a_named_place():
    kept = build.keepers()
    assert [rule for rule in IDS if rule not in kept and "also" not in RULES[rule]] == []


def test_no_function_names_a_rule_that_does_not_exist():
    assert sorted(set(build.keepers()) - set(IDS)) == []


@pytest.mark.parametrize("place", sorted({place for rule in RULES.values() for place in rule.get("also", [])}))
def test_places_named_besides_functions_exist(place):
    file, name = place.split(": ")
    assert re.search(rf"\b{name}\b", (build.PACKAGE / file).read_text(encoding="utf-8"))


def test_tags_and_settings_are_those_there_are():
    from lastdroid_env import LastDroid

    assert {rule["tag"] for rule in RULES.values()} <= set(build.TAGS)
    assert {rule["setting"] for rule in RULES.values() if "setting" in rule} <= set(LastDroid(2).settings())
    assert all("why" in rule for rule in RULES.values() if rule["tag"] == "A")


def test_rulings_name_rules():
    assert all(set(ruling["rules"]) <= set(IDS) and ruling["rules"] for ruling in DATA["ruling"])


def test_ranges_and_lists_of_rules_are_read():
    text = "Something [D1-D3, X2] and another [C2; D5: position 1, then 2] but not D4 or [S9x]."
    assert build.ids_in(text) == ["D1", "D2", "D3", "X2", "C2", "D5"]


@pytest.mark.parametrize("page", build.PAGES)
def test_pages_are_up_to_date(page):
    text = (build.FOLDER / page).read_text(encoding="utf-8")
    assert text == build.PAGES[page](), f"docs/lastdroid/{page} is out of date: make docs"


def test_the_groups_of_actions_cover_the_list():
    starts = [first for first, *_ in build._GROUPS]
    assert starts == sorted(set(starts)) and starts[0] == 0 and starts[-1] == actions.NUM_ACTIONS

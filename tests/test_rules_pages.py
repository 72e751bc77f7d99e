"""Every rule has a function that keeps it and a test that proves it, and the generated pages say so."""

from __future__ import annotations

import re
from typing import Any

import pytest

import lastdroid_env.actions
import robots_env.actions
from docs.book import Book
from docs.build import BOOKS

CHAPTERS = {
    "lastdroid": {
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
    },
    "robots": {
        "C": range(1, 8),
        "D": range(1, 6),
        "P": range(1, 8),
        "K": range(1, 5),
        "W": range(1, 12),
        "E": range(1, 7),
    },
}
NUM_ACTIONS = {"lastdroid": lastdroid_env.actions.NUM_ACTIONS, "robots": robots_env.actions.NUM_ACTIONS}
both = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.game)


def ids(book: Book) -> list[str]:
    return [f"{letter}{number}" for letter, numbers in CHAPTERS[book.game].items() for number in numbers]


def rules(book: Book) -> dict[str, dict[str, Any]]:
    return {rule["id"]: rule for rule in book.data["rule"]}


def test_both_games_are_there():
    assert [book.game for book in BOOKS] == list(CHAPTERS)


@both
def test_the_page_lists_every_rule_once_and_in_order(book):
    assert [rule["id"] for rule in book.data["rule"]] == ids(book)
    assert list(book.data["chapters"]) == list(CHAPTERS[book.game])


@both
def test_every_rule_has_a_test(book):
    assert [rule for rule in ids(book) if rule not in book.proved()] == []


@both
def test_no_test_is_named_by_a_rule_that_does_not_exist(book):
    assert sorted(set(book.proved()) - set(ids(book))) == []


@both
def test_every_rule_is_kept_by_a_function_or_a_named_place(book):
    kept = book.kept()
    assert [rule for rule in ids(book) if rule not in kept and "also" not in rules(book)[rule]] == []


@both
def test_no_function_names_a_rule_that_does_not_exist(book):
    assert sorted(set(book.kept()) - set(ids(book))) == []


@both
def test_places_named_besides_functions_exist(book):
    for rule in rules(book).values():
        for place in rule.get("also", []):
            file, name = place.split(": ")
            assert re.search(rf"\b{name}\b", (book.source / file).read_text(encoding="utf-8")), place


@both
def test_tags_and_settings_are_those_there_are(book):
    assert {rule["tag"] for rule in rules(book).values()} <= set(book.tags)
    assert {rule["setting"] for rule in rules(book).values() if "setting" in rule} <= book.settings
    assert all("why" in rule for rule in rules(book).values() if rule["tag"] == "A")


@both
def test_rulings_name_rules(book):
    assert all(set(ruling["rules"]) <= set(ids(book)) and ruling["rules"] for ruling in book.data["ruling"])


def test_every_point_of_a_rule_set_belongs_to_a_rule():
    book = next(book for book in BOOKS if book.game == "robots")
    assert {rule["setting"] for rule in rules(book).values() if "setting" in rule} == book.settings


def test_ranges_and_lists_of_rules_are_read():
    lastdroid, robots = BOOKS
    text = "Something [D1-D3, X2] and another [C2; D5: position 1, then 2] but not D4 or [S9x]."
    assert lastdroid.ids_in(text) == ["D1", "D2", "D3", "X2", "C2", "D5"]
    assert robots.ids_in(text) == ["D1", "D2", "D3", "C2", "D5"]


@both
def test_pages_are_up_to_date(book):
    for page, text in book.pages().items():
        found = (book.folder / page).read_text(encoding="utf-8")
        assert found == text, f"docs/{book.game}/{page} is out of date: make docs"


@both
def test_the_groups_of_actions_cover_the_list(book):
    starts = [first for first, *_ in book.groups]
    assert starts == sorted(set(starts)) and starts[0] == 0 and starts[-1] == NUM_ACTIONS[book.game]

"""The figures of docs/robots/actions.md: whole spreads are counted right, and the file has what the page shows."""

from __future__ import annotations

import json

import pytest

from benchmarks.branching import OUTPUT, figures, whole_spreads
from robots_env.constants import CARD_NAMES
from tests.robots.positions import cards

NUMBERS = {name: card for card, name in CARD_NAMES.items()}


@pytest.mark.parametrize(
    ("hand", "star_high", "count"),
    [
        ("green 2 3 4 5", 14, 3),  # 2-4, 3-5, 2-5
        ("green 8, purple 8, white 8, red 8", 14, 5),
        ("green 8, purple 8, white 8, red 8, blue 8", 14, 16),
        ("green 8 9, purple 8", 14, 0),
        ("green star, purple star, white star", 15, 2),  # 1s and 15s
        ("green star 2 3 12 13 14", 14, 3),  # 1-3, 12-14 with either
        ("green star 2 3 12 13 14", 15, 4),  # 1-3, 12-14, 13-15, 12-15
        ("green 4 5, wild", 14, 2),
        ("green 4 6, wild", 14, 1),
        ("green 4 5 6, wild", 14, 8),  # plainly, one of them wild, 3-5, 5-7 with the 7, 3-6, 4-7
        ("green 8, wild, wild", 14, 3 + 6),  # runs that hold the 8, sets with two other suits
        ("wild, wild, wild", 14, 0),
    ],
)
def test_whole_spreads(hand, star_high, count):
    names = cards(hand)
    held = {NUMBERS[name] for name in names if name != "wild"}
    assert whole_spreads(held, names.count("wild"), star_high) == count


def test_the_file_has_the_figures():
    written, now = json.loads(OUTPUT.read_text(encoding="utf-8")), figures(rounds=1)
    assert written["lists"] == now["lists"] and written["additions"] == now["additions"]
    for name, found in now["choosers"].items():
        for key, row in found.items():
            assert row.keys() == written["choosers"][name][key].keys()
            assert row["max"] <= written["choosers"][name][key]["max"]  # the written rounds begin with this one

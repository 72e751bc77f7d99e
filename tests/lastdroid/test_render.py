"""The table as text: all that lies open, nothing that is hidden, within 110 columns."""

from __future__ import annotations

import numpy as np
import pytest

import lastdroid_env
from lastdroid_env import LastDroid
from lastdroid_env.cards import DROIDS, HOUSES, load_cards
from lastdroid_env.constants import PARTS, SEASONS
from lastdroid_env.render.texts import droid_brief, droid_effect, droid_line, house_effect
from tests.lastdroid.games import SETTINGS, anything, builder, decisions


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_text_follows_the_game(setting):
    game = LastDroid(**SETTINGS[setting])
    for seed, choose in enumerate((builder, anything)):
        for legal, _ in decisions(game, seed, choose):
            text = game.to_text()
            lines = text.splitlines()
            record = game.record[0]
            assert text.isascii() and max(map(len, lines)) < 110
            assert f"turn {record['turn']} of 22 | season {'I' * int(record['season'])} |" in lines[0]
            assert f"player_{game.actor} decides: {game.decision_to_string()}" in text
            may = lines.index(f"player_{game.actor} may")
            offered = " ".join(line.strip() for line in lines[may + 1 :])
            assert offered == " ".join(f"{action}: {game.action_to_string(action)}" for action in legal)
            for card in record["offer"][: max(2, game.num_players)]:
                assert f"droid {card}, " in text
            scores, _ = game.result()
            for seat in range(game.num_players):
                assert f"  player_{seat}: {scores[seat]} RP as it stands" in text
                columns = zip(PARTS, record["parts"][seat], record["extensions"][seat], strict=True)
                assert ", ".join(f"{part} {n}/{3 + more}" for part, n, more in columns) in text
        winners = [f"player_{seat}" for seat, won in enumerate(game.result()[1]) if won]
        over = f"The game is over. Won by {' and '.join(winners).replace('player_1', _second(game))}."
        assert over in game.to_text() and " may\n" not in game.to_text()


def _second(game: LastDroid) -> str:
    return "auto" if game.num_players == 1 else "player_1"


@pytest.mark.parametrize("open_deck", [False, True])
@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_nothing_hidden_is_shown(num_players, open_deck):
    """Another order of the decks, another generator, another seed: the same text [S9]."""
    game = LastDroid(num_players, open_deck=open_deck)
    shown = 0
    for i, _ in enumerate(decisions(game, 8, anything)):
        if i % 4:
            continue
        other = game.twin(game.record)
        other.redeal_hidden(0, 1)
        other.record["seed"] += np.uint64(1)
        assert other.to_text() == game.to_text()
        shown += "  on deck 1: " in game.to_text()
    assert (shown > 0) == open_deck


def test_under_an_interseason_card_nothing_is_seen():
    game = LastDroid(2, open_deck=True)
    for _ in decisions(game, 8, anything):
        season = int(game.record["season"][0])
        following = game.record["deck"][0, 0, int(game.record["drawn"][0, 0])]
        if game.tables["card"]["season"][0, following] > season:
            assert "  on deck 1: the interseason card" in game.to_text()
            return
    raise AssertionError("no season ended")


def test_tokens_houses_and_stored_parts_are_shown():
    seen = set()
    for seed in range(30):
        game = LastDroid(3)
        for _ in decisions(game, seed, builder):
            text = game.to_text()
            record = game.record[0]
            if record["token_house"] >= 0:
                assert f"[tokens of player_{record['token_owner']}: 3 more" in " ".join(text.split())
                seen.add("tokens")
            if record["place"][65] >= 8:
                assert "on droid 65: " in text
                seen.add("stored")
            if (record["builder"] >= 0).any():
                assert "[built by player_" in " ".join(text.split()).replace("[built by ", "[built by ")
                seen.add("built")
            if record["task"]:
                assert f" {record['target']}" in text.split("\n")[1]
                seen.add("task")
        if len(seen) == 4:
            return
    raise AssertionError(seen)


def test_every_card_has_a_text():
    cards = load_cards()
    for number in DROIDS:
        card = cards.droids[number]
        line, effect = droid_line(cards, number), droid_effect(cards, number, (49,))
        assert line.startswith(f"droid {number}, {card.type}; cost {card.cost}; dismantle {card.dismantle}; ")
        assert droid_brief(cards, number).startswith(f"{number} {card.type} ({card.rp} RP")
        assert bool(effect) == (card.type not in ("water", "harvest")), number
    for number in HOUSES:
        assert "RP" in house_effect(cards, number, 2) or number == 46


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "and 1 RP for each communication droid lying face up beside its owner"),
        (33, "or 1 RP for each communication droid lying face up beside its owner, if that is more"),
        (7, "1 more nut when dismantling gives nut"),
        (96, "1 more base part of choice when dismantling gives any"),
        (10, "exchange once a phase: 1 nut -> 1 circuit or 1 oil -> 1 circuit"),
        (20, "exchange any number of times: 2 same -> 1 energy"),
        (13, "take extensions: 2 circuit, 1 ?, then take 3 circuit"),
        (25, "take 2 nut, 1 circuit or 1 nut, 2 circuit"),
        (36, "take extensions: 1 ?, then counts as one other type too for the houses 49, 50"),
        (42, "every later repair costs 1 energy less"),
    ],
)
def test_effects_in_words(number, text):
    assert droid_effect(load_cards(), number, (49, 50)) == text


def test_houses_in_words():
    cards = load_cards()
    assert house_effect(cards, 50, 2) == "exactly 5 / 4 / 3 / 2 droid types: 6 / 12 / 18 / 24 RP"
    assert house_effect(cards, 54, 4) == "12 RP with more leaves than the opponent faced"
    assert house_effect(cards, 48, 1) == "4 RP for each market droid; interest: market +8"


def test_what_is_left_is_counted_by_season_and_type():
    env = lastdroid_env.env(num_players=2, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text is not None and text.count("Left of season ") == SEASONS
    left = [line for line in text.splitlines() if line.startswith("Left of season ")]
    counts = [sum(int(word) for word in line.split() if word.isdigit()) for line in left]
    assert counts == [12, 14, 16]

"""A second way to redeal, written without ``resample``: single hidden cards change places and no player notices; and
``resample`` itself deals every hidden card as often to every hidden place."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import lastdroid_env
from robots_env.constants import NUM_PLACES, WILD
from tests.games.test_env import steps
from tests.games.test_hidden import all_that

from .tables import GAMES, each_game, each_table


def swap_in_deck(record, seat, rng):
    """Last Droid: two cards of one season that have not been drawn, in one deck."""
    deck = record["deck"][int(rng.integers(2 if record["num_players"] == 4 else 1))]
    drawn = int(record["drawn"][0]) + int(record["open_deck"])
    seasons = lastdroid_env.load_cards().tables["card"]["season"][0, deck]
    left = [i for i in range(drawn, len(deck)) if deck[i]]
    pairs = [(i, j) for i in left for j in left if i < j and seasons[i] == seasons[j]]
    if pairs:
        i, j = pairs[int(rng.integers(len(pairs)))]
        deck[[i, j]] = deck[[j, i]]
    return bool(pairs)


def swap_with_factory(record, seat, rng):
    """Robots!: a card that another player holds unknown to all, and one from the unknown part of the factory. Both were
    shuffled last by the same refill, or by none."""
    others = [s for s in range(record["num_players"]) if s != seat]
    other = others[int(rng.integers(len(others)))]
    hidden = record["hand"][other] & ~record["known"][other]
    held = [c for c in range(WILD) if c % 16 < NUM_PLACES and int(hidden[c // 64]) >> (c % 64) & 1]
    places = [i for i in range(record["under"], record["factory_size"]) if record["factory"][i] != WILD]
    held = [c for c in held if record["shuffled"][c] == record["refills"]]
    if not held or not places:
        return False
    card, place = held[int(rng.integers(len(held)))], places[int(rng.integers(len(places)))]
    drawn = int(record["factory"][place])
    record["hand"][other, card // 64] -= np.int64(1) << np.int64(card % 64)
    record["hand"][other, drawn // 64] += np.int64(1) << np.int64(drawn % 64)
    record["factory"][place] = card
    return True


SWAPS = {"lastdroid_env": swap_in_deck, "robots_env": swap_with_factory}


@each_table
def test_hidden_cards_change_places_unseen(table):
    env = table.env(render_mode="ansi")
    swap = SWAPS[table.package.__name__]
    rng = np.random.default_rng(6)
    swapped = n = 0
    for _ in steps(env, 6):
        n += 1
        if n % 5 or env.game.actor < 0:
            continue
        for seat, agent in enumerate(env.possible_agents):
            twin, same = env.clone(), env.clone()
            if swap(twin.game.record[0], seat, rng):
                swapped += 1
                assert twin.state().tobytes() != env.state().tobytes()
                assert all_that(twin, agent) == all_that(same, agent)
    assert swapped > 5


@pytest.mark.parametrize("table", [t for t in GAMES if t.package.__name__ == "robots_env"], ids=str)
def test_whoever_holds_a_card_sees_the_swap(table):
    """What changes for a player is visible to it."""
    env = table.env()
    env.reset(seed=3)
    twin = env.clone()
    assert swap_with_factory(twin.game.record[0], 0, np.random.default_rng(1))
    assert not np.array_equal(twin.observe("player_1")["observation"], env.observe("player_1")["observation"])
    assert np.array_equal(twin.observe("player_0")["observation"], env.observe("player_0")["observation"])


@each_game
def test_resample_is_uniform(table):
    """The next card, and with hands that of the other player, by a chi-square test over 4,000 redeals."""
    game = table.game()
    game.deal(5)
    seat, tries = game.actor, 4000
    found: dict[str, list[int]] = {"next card": [], "a card of the other hand": []}
    for seed in range(tries):
        game.redeal_hidden(seat, seed)
        record = game.record[0]
        if table.package.__name__ == "lastdroid_env":
            found["next card"].append(int(record["deck"][0, record["drawn"][0]]))
        else:
            found["next card"].append(int(record["factory"][record["factory_size"] - 1]))
            hand = record["hand"][1 - seat]
            cards = [c for c in range(WILD) if int(hand[c // 64]) >> (c % 64) & 1]
            found["a card of the other hand"].append(cards[seed % len(cards)])
    for what, cards in found.items():
        if cards:
            suited = [card for card in cards if card != WILD]  # the four wilds are alike
            _, counts = np.unique(suited, return_counts=True)
            assert stats.chisquare(counts).pvalue > 1e-4, what
            assert len(counts) > 10

"""What a redeal moves and what it leaves alone: see ``robots_env.rules.hidden`` [W11]."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from robots_env import Robots, resampling
from robots_env.constants import (
    CARD_NAMES,
    DECISIONS,
    DECK,
    NO_CARD,
    NO_SPREAD,
    TO_CALL,
    TO_PLACE,
    TO_PLAY,
    TO_SUBSTITUTE,
    WILD,
)
from tests.robots.games import SETTINGS, anything, decisions, layer, scavenger
from tests.robots.positions import Position, listed
from tests.robots.reading import cards_in
from tests.robots.test_invariants import check_table

MOVED = {"hand", "factory", "wilds_since", "rng", "seed"}


def hidden(g: Any, seat: int) -> Counter[int]:
    """A hand's cards that nobody else knows of."""
    return Counter(cards_in(g["hand"][seat])) - Counter(cards_in(g["known"][seat]))


def by_refill(g: Any, seat: int) -> Counter[int]:
    """How many of them were drawn after which refill."""
    cards = hidden(g, seat)
    wilds = Counter(g["wilds_since"][seat, : cards[WILD]].tolist())
    return Counter(int(g["shuffled"][card]) for card in cards if card != WILD) + wilds


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("choose", [anything, layer, scavenger])
def test_only_hidden_cards_move(settings, choose):
    game = Robots(**settings)
    moved = 0
    for i, _ in enumerate(decisions(game, 3, choose)):
        if i % 20 and game.record["decision"][0] not in (TO_PLACE, TO_SUBSTITUTE):
            continue
        before = game.record[0]
        for seat in range(game.num_players):
            twin = game.twin(game.record)
            twin.redeal_hidden(seat, i)
            after = twin.record[0]
            for name in before.dtype.names:
                assert name in MOVED or np.array_equal(before[name], after[name]), name
            check_table(after, game.rules)
            under = int(before["under"])
            assert np.array_equal(before["factory"][:under], after["factory"][:under])
            assert np.array_equal(before["hand"][seat], after["hand"][seat])
            for other in range(game.num_players):
                assert by_refill(before, other) == by_refill(after, other)
            if before["refills"]:
                for card in after["factory"][under : after["factory_size"]].tolist():
                    assert card == WILD or before["shuffled"][card] == before["refills"]
            moved += before["hand"].tobytes() != after["hand"].tobytes()
    assert moved


def test_every_hidden_card_may_lie_in_every_hidden_place():
    """And equally often, by five standard deviations."""
    game = Robots(3)
    game.deal(1)
    me, tries = game.actor, 3000
    other = (me + 1) % 3
    held: Counter[int] = Counter()
    tops: Counter[int] = Counter()
    for seed in range(tries):
        game.redeal_hidden(me, seed)
        g = game.record[0]
        held.update(cards_in(g["hand"][other]))
        tops[int(g["factory"][g["factory_size"] - 1])] += 1
    mine, heap = cards_in(g["hand"][me]), g["heap"][: g["heap_size"]].tolist()
    unseen = Counter(DECK) - Counter(mine) - Counter(heap)
    assert set(held) == set(tops) == set(unseen)
    places = sum(unseen.values())
    for card, copies in unseen.items():
        for found, chance in ((held[card], 7 * copies / places), (tops[card], copies / places)):
            assert abs(found - chance * tries) < 5 * (chance * tries) ** 0.5, CARD_NAMES[card]


def after_two_refills(generator: int) -> Position:
    """Of the other players each holds one card from the beginning, one drawn after the first refill and one drawn after
    the second, whose third card lies in the factory. The observer, player_0, holds all the rest."""
    hands, heap = ("", "blue 2, blue 4, wild", "blue 6, blue 8, blue 12"), "green 2, green 4, wild, red 13"
    p = Position(*hands, heap=heap, rest=0, turn=1, turns=180, max_refills=2, powers={})
    snapshot = p.game.snapshot()
    p.game.restore({**snapshot, "generator": generator})
    p.act("draw", "discard blue 2", "draw", "discard blue 6", "draw", "discard red 12")
    return p.act("draw", "discard blue 4", "draw", "discard blue 8")


@pytest.mark.parametrize("generator", range(3))
def test_after_two_refills_all_deals_that_an_attentive_player_holds_possible(generator):
    """And equally often. What can be where is told from the play, not from what the record keeps."""
    p = after_two_refills(generator)
    mine, g = p.hand(0), p.record
    (drawn,) = {"green 2", "green 4", "wild"} & set(mine.split(", ")) - ({"wild"} if mine.count("wild") == 2 else set())
    first = ["blue 12", "wild"]
    second = sorted({"green 2", "green 4", "wild"} - {drawn})
    third = ["red 13", "blue 2", "blue 6"]
    deals: Counter[tuple[str, ...]] = Counter()
    for a, b, c in itertools.product(*map(itertools.permutations, (first, second, third))):
        deals[listed([a[0], b[0], c[0]]), listed([a[1], b[1], c[1]]), c[2]] += 1
    found: Counter[tuple[str, ...]] = Counter()
    for seed in range(60 * sum(deals.values())):
        p.game.redeal_hidden(0, seed)
        hands = [listed([CARD_NAMES[card] for card in cards_in(g["hand"][seat])]) for seat in range(3)]
        assert hands[0] == mine
        found[hands[1], hands[2], CARD_NAMES[int(g["factory"][0])]] += 1
    assert set(found) == set(deals) and g["factory_size"] == 1
    counts = [found[deal] for deal in deals]
    assert stats.chisquare(counts, [60 * copies for copies in deals.values()]).pvalue > 1e-3


def test_who_decides_has_come_to_its_decision():
    """Redealt for another player: the cards of the play under way are there, a card that is due can be played, and
    what the player could have exchanged in a spread it could still have."""
    met: Counter[str] = Counter()
    rng = np.random.default_rng(0)
    for settings in SETTINGS.values():
        game = Robots(**settings)
        for seed, choose in enumerate((scavenger, anything)):
            for _ in decisions(game, seed, choose):
                g, actor = game.record[0], game.actor
                announced = g["adding"] != NO_CARD or g["laying"] != NO_SPREAD or g["must_play"] != NO_CARD
                if g["decision"] == TO_CALL or not announced:
                    continue
                met[DECISIONS[g["decision"]]] += 1
                twin = game.twin(game.record)
                twin.redeal_hidden((actor + 1) % game.num_players, int(rng.integers(2**32)))
                assert twin.legal_actions()
                while twin.actor == actor and twin.record["decision"][0] in (TO_PLAY, TO_SUBSTITUTE, TO_PLACE):
                    twin.act(int(rng.choice(twin.legal_actions())))
                    check_table(twin.record[0], game.rules)
    assert set(met) >= {"play", "substitute", "place"}, met


def test_a_hand_that_is_not_found_stays(monkeypatch):
    """Where no other hand is found that leads here, the deciding player keeps its own."""
    game = Robots(2)
    game.deal(3)
    monkeypatch.setattr(resampling, "leads_here", lambda *_: False)
    monkeypatch.setattr(resampling, "TRIES", 3)
    before = game.record.copy()
    game.redeal_hidden(1 - game.actor, 5)
    assert np.array_equal(game.record["hand"], before["hand"])
    assert not np.array_equal(game.record["factory"], before["factory"])

"""What holds at every decision of Robots!: 74 cards in their places, spreads that are spreads, tallies that tally."""

from __future__ import annotations

from collections import Counter

import pytest

from robots_env import Robots
from robots_env.actions import ACTION_NAMES, PASS, PICK_WILD
from robots_env.constants import (
    CALLING,
    DECISIONS,
    DECK,
    FINISHED,
    LANE,
    MAX_SEATS,
    NO_CARD,
    NO_SPREAD,
    NOBODY,
    OVER,
    TO_AIM,
    TO_CALL,
    TO_LAY,
    TO_SUBSTITUTE,
    WILD,
)
from tests.robots.games import SETTINGS, anything, decisions, layer, scavenger
from tests.robots.reading import cards_in, last_shuffled, spreads_of

each_setting = pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
each_way = pytest.mark.parametrize("choose", [anything, layer, scavenger])


def positions(settings, choose):
    """Many decisions and every end of some games."""
    game = Robots(**settings)
    for seed in range(2):
        for i, _ in enumerate(decisions(game, seed, choose)):
            if i % 3 == 0:
                yield game
        yield game


def check_table(g, rules):
    """Every card is in one place, spreads are spreads, tallies count what they say, what is known is so."""
    places = list(g["factory"][: g["factory_size"]]) + list(g["heap"][: g["heap_size"]])
    assert (g["factory"][g["factory_size"] :] == NO_CARD).all() and (g["heap"][g["heap_size"] :] == NO_CARD).all()
    for seat in range(5):
        hand = cards_in(g["hand"][seat])
        places += hand
        assert not Counter(cards_in(g["known"][seat])) - Counter(hand)
        if seat >= g["num_players"]:
            assert not hand
    assert 0 <= g["under"] <= g["factory_size"]
    high = rules.star_high
    gaps = [0] * 5
    owned: Counter[int] = Counter()
    played: Counter[int] = Counter()
    for slot, owner, number, suit, cards in spreads_of(g):
        places += cards.values()
        owned[owner] += 1
        assert len(cards) >= 3 and any(card != WILD for card in cards.values())
        played.update(card for card in cards.values() if card != WILD)
        assert sum(int(g["wilds_by"][slot][seat]) for seat in range(5)) == g["wild_cells"][slot]
        for cell, card in cards.items():
            value = cell + 1 if number == 0 else number
            if card != WILD:
                assert card // LANE == (suit if number == 0 else cell)
                assert card % LANE + 1 == value or (card % LANE == 0 and value in (1, high))
        cells = sorted(cards)
        if number == 0:
            assert cells == list(range(cells[0], cells[0] + len(cells))) and cells[-1] < max(14, high)
            gaps[suit] |= (1 << cells[0] >> 1) | (1 << cells[-1] + 1 if cells[-1] + 1 < max(14, high) else 0)
        else:
            assert 1 <= number <= max(14, high) and cells[-1] < 5
            for missing in set(range(5)) - set(cells):
                gaps[missing] |= 1 << number - 1
        kinds = set(cards.values())
        whole = number in range(2, 15) and len(cards) == 5 and all(card % LANE for card in kinds - {WILD})
        assert (g["robot"][slot] != NOBODY) == (whole and (WILD not in kinds or rules.wild_completes_robot))
    assert sorted(places) == sorted(DECK)
    assert played == Counter(card for seat in range(5) for card in cards_in(g["played"][seat]))
    assert [int(g["owned"][seat]) for seat in range(5)] == [owned[seat] for seat in range(5)]
    assert [int(g["gaps"][s // 4]) >> LANE * (s % 4) & 0x7FFF for s in range(5)] == gaps


@each_setting
@each_way
def test_every_card_is_in_exactly_one_place(settings, choose):
    for game in positions(settings, choose):
        check_table(game.record[0], game.rules)


@each_setting
@each_way
def test_counts_stay_in_range(settings, choose):
    for game in positions(settings, choose):
        g, n, rules = game.record[0], game.num_players, game.rules
        for field in ("dealer", "player"):
            assert 0 <= g[field] < n
        assert (0 <= g["actor"] < n) == (g["decision"] != OVER) == (g["stage"] != FINISHED)
        assert g["actor"] in (g["player"], NOBODY) or g["stage"] == CALLING
        assert 1 <= g["round_number"] <= (g["rounds"] or rules.max_rounds)
        assert 0 <= g["turns"] <= rules.max_turns * n and (g["turns"] < rules.max_turns * n or g["actor"] < 0)
        assert 0 <= g["refills"] <= rules.max_refills
        assert (g["refills"] > 0) == bool(last_shuffled(g))
        assert g["shuffled"].min() >= 0 and g["shuffled"].max() <= g["refills"]
        assert not g["scores"][n:].any() and not g["barred"][n:].any() and not g["owned"][n:].any()
        for seat in range(MAX_SEATS):
            wilds = (cards_in(g["hand"][seat]) if seat < n else []).count(WILD)
            hidden = wilds - cards_in(g["known"][seat]).count(WILD)
            since = g["wilds_since"][seat].tolist()
            assert since[:hidden] == sorted(since[:hidden]) and not any(since[hidden:])
            assert all(0 <= refill <= g["refills"] for refill in since)
        # The play under way.
        hand = cards_in(g["hand"][g["actor"]]) if g["actor"] >= 0 else []
        if g["decision"] == TO_CALL:
            assert g["adding"] == NO_CARD and g["discarded"] == 1
        assert g["must_play"] == NO_CARD or g["must_play"] in cards_in(g["known"][g["player"]])
        assert g["adding"] == NO_CARD or g["adding"] in hand or g["adding"] == g["heap"][g["heap_size"] - 1]
        assert (g["laying"] != NO_SPREAD) == (g["laying_cells"] != 0) == (g["decision"] == TO_SUBSTITUTE)
        laying, special = int(g["laying_cells"]), int(g["laying_wilds"] | g["laying_stars"])
        assert bin(laying).count("1") in (0, 3) and not special & ~laying and 0 <= g["laying_from"] <= 3
        assert not g["laying_wilds"] & g["laying_stars"]
        assert (g["lays"] > 0) >= (g["decision"] == TO_LAY) and g["skip"] in (0, 1)


def happenings(game, seed, choose, happened):
    """Play a match and count what happens in it."""
    for _, action in decisions(game, seed, choose):
        g, name = game.record[0], ACTION_NAMES[action]
        spreads, robots = len(spreads_of(g)), int((g["robot"] != NOBODY).sum())
        due, decision = int(g["must_play"]), int(g["decision"])
        happened.update([DECISIONS[decision], name.split()[0]])
        happened["the wild is due"] += due == WILD
        happened["a star is due"] += due not in (NO_CARD, WILD) and due % LANE == 0
        happened["a turn is skipped"] += int(g["skip"])
        happened["a player is barred"] += bool(g["barred"].any())
        happened["cards are known to lie under the factory"] += int(g["under"] > 0)
        happened["the heap was shuffled"] += int(g["refills"] > 0)
        happened["it was shuffled again"] += int(g["refills"] > 1)
        happened["a star stands for a 14"] += name.startswith("star as")
        after = game.twin(game.record)
        after.act(action)
        if after.record["round_number"][0] != g["round_number"]:
            continue
        more = int((after.record["robot"][0] != NOBODY).sum()) > robots
        happened["a robot is completed"] += more
        happened["a robot is completed by a call"] += more and name == "call"
        if decision == TO_AIM and action != PASS:
            left = len(spreads_of(after.record[0]))
            happened["a wild is hit"] += action >= PICK_WILD
            happened["a run is cut in two"] += left > spreads
            happened["a spread is gone"] += left < spreads
    happened["a match is cut short"] += int(game.truncated)
    happened["a match is won"] += not game.truncated
    happened["a score is negative"] += min(game.result()[0]) < 0


def test_everything_happens():
    """The random games of these tests reach every kind of decision and action, and the rare turns of the rules."""
    happened: Counter[str] = Counter()
    for seed, settings in enumerate(SETTINGS.values()):
        happenings(Robots(**settings), seed, (anything, layer, scavenger)[seed % 3], happened)
    lasers = Robots(3, rules={"powers": {**dict.fromkeys(range(2, 10), "laser"), 10: "recycle"}}, rounds=4)
    happenings(lasers, 1, layer, happened)
    happenings(Robots(2, rules={"max_refills": 3}, rounds=2), 1, scavenger, happened)
    assert not [what for what, times in happened.items() if times == 0], happened
    verbs = {name.split()[0] for name in ACTION_NAMES}
    assert verbs | set(DECISIONS[:-1]) <= set(happened), happened

"""Every section of the observation against the match itself, read in words and without the encoder's tricks."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from robots_env import Robots, decode_observation, layout
from robots_env.constants import CARD_NAMES, CARDS, DECISIONS, LANE, NO_CARD, NO_SPREAD, NOBODY, RUN, SUITS, WILD
from robots_env.observation import role_names
from tests.robots.games import SETTINGS, anything, decisions, layer, scavenger
from tests.robots.reading import cards_in, spreads_of

SUITED = [CARD_NAMES[card] for card in CARDS]
KINDS = [*SUITED, "wild"]
PILED = [*SUITED, "wild 1", "wild 2", "wild 3", "wild 4"]


def named(cards: list[int]) -> list[str]:
    return [CARD_NAMES[int(card)] for card in cards]


def counted(cards: Counter[str]) -> dict[str, int]:
    """How many there are of each kind."""
    return {kind: cards[kind] for kind in KINDS}


def flags(names: list[str], of: list[str]) -> list[str]:
    """Names in the order of the labels."""
    assert set(names) <= set(of)
    return [label for label in of if label in names]


def depths(cards: list[str]) -> dict[str, int]:
    """Where each card of a pile lies, 1 for the first; the wilds in their order."""
    found, wilds = dict.fromkeys(PILED, 0), 0
    for depth, card in enumerate(cards, 1):
        wilds += card == "wild"
        found[f"wild {wilds}" if card == "wild" else card] = depth
    return found


class Seen:
    """What a seat ought to see, section by section."""

    def __init__(self, game: Robots, me: int) -> None:
        self.g: Any = game.record[0]
        self.me, self.n, self.rules = me, game.num_players, game.rules
        self.order = [(me + i) % self.n for i in range(self.n)]
        self.roles = dict(zip(self.order, role_names(self.n), strict=True))
        self.hands = [Counter(named(cards_in(words))) for words in self.g["hand"]]
        self.known = [Counter(named(cards_in(words))) for words in self.g["known"]]
        self.heap = named(self.g["heap"][: self.g["heap_size"]][::-1])
        self.under = named(self.g["factory"][: self.g["under"]][::-1])
        self.laid = spreads_of(self.g)
        self.laying_unseen = self.g["laying"] != NO_SPREAD and self.g["actor"] != me

    def by_role(self, values: Any) -> dict[str, Any]:
        return {self.roles[seat]: values[seat] for seat in self.order}

    def role(self, seat: Any) -> str | None:
        return self.roles.get(int(seat))

    def match(self) -> dict[str, Any]:
        g, r = self.g, self.rules
        settings = {
            "star_high is 15": r.star_high == 15,
            "wild_completes_robot": r.wild_completes_robot,
            "discard_taken_card": r.discard_taken_card,
            "power_on_last_discard": r.power_on_last_discard,
        }
        sizes = [sum(hand.values()) for hand in self.hands]
        return {
            "settings": [name for name, on in settings.items() if on],
            "round": g["round_number"],
            "turns": g["turns"],
            "scores": self.by_role(g["scores"]),
            "dealer": self.role(g["dealer"]),
            "player": self.role(g["player"]),
            "actor": self.role(g["actor"]),
            "decision": "play" if self.laying_unseen else DECISIONS[g["decision"]],
            "hand_sizes": self.by_role(sizes),
            "piles": {"factory": g["factory_size"], "heap": g["heap_size"], "refills": g["refills"]},
            "due": ["must be played at once"] * int(g["must_play"] != NO_CARD),
            "skip": ["the next player is skipped"] * int(g["skip"]),
            "lays": g["lays"],
            "barred": [self.roles[seat] for seat in self.order if g["barred"][seat]],
            "skipped": [self.roles[seat] for seat in self.order if g["skipped"][seat]],
        }

    def card(self) -> str | None:
        """The card in question."""
        g, what = self.g, DECISIONS[self.g["decision"]]
        if g["adding"] != NO_CARD:
            return CARD_NAMES[int(g["adding"])]
        if what == "call":
            return self.heap[0]
        if g["must_play"] != NO_CARD:
            return CARD_NAMES[int(g["must_play"])]
        if what in ("play", "substitute") and not self.rules.discard_taken_card and g["taken"] != NO_CARD:
            return CARD_NAMES[int(g["taken"])]
        return None

    def play(self) -> dict[str, Any]:
        g = self.g
        seen: dict[str, Any] = {
            "card": self.card(),
            "acted": flags(named(cards_in(g["acted"])), SUITED),
            "laying_suits": [],
            "laying_places": [],
            "laying_wilds": [],
            "laying_stars": [],
            "laying_next": None,
            "target": g["target"] + 1,
        }
        if g["laying"] != NO_SPREAD and not self.laying_unseen:
            cells = [cell for cell in range(15) if g["laying_cells"] >> cell & 1]
            run = g["laying"] == RUN
            seen["laying_suits"] = [SUITS[g["laying_suit"]]] if run else [SUITS[cell] for cell in cells]
            seen["laying_places"] = [str(cell + 1) for cell in cells] if run else [str(g["laying_number"])]
            for what in ("wilds", "stars"):
                those = [i for i, cell in enumerate(cells) if g[f"laying_{what}"] >> cell & 1]
                seen[f"laying_{what}"] = [f"card {i + 1}" for i in those]
            if g["laying_from"] < 3:
                seen["laying_next"] = f"card {g['laying_from'] + 1}"
        return seen

    def piles(self) -> dict[str, Any]:
        above = int(self.g["factory_size"] - self.g["under"])
        come = {card: depth and depth + above for card, depth in depths(self.under).items()}
        return {"heap": depths(self.heap), "top": self.heap[0] if self.heap else None, "under": come}

    def spreads(self) -> dict[str, Any]:
        g = self.g
        slots = [f"spread {i + 1}" for i in range(24)]
        robots: dict[str, list[str]] = {self.roles[seat]: [] for seat in self.order}
        seen: dict[str, Any] = {
            "wild_suit": dict.fromkeys(PILED[-4:]),
            "wild_place": dict.fromkeys(PILED[-4:], 0),
            "wild_by": dict.fromkeys(PILED[-4:]),
            "wild_spread": dict.fromkeys(PILED[-4:], 0),
            "star_as": dict.fromkeys(SUITS),
            "star_spread": dict.fromkeys(SUITS, 0),
            "spread_owner": dict.fromkeys(slots),
            "spread_ends": {slot: {"low": 0, "high": 0} for slot in slots},
            "spread_suits": {slot: [] for slot in slots},
        }
        wilds = 0
        for slot, owner, number, suit, cards in self.laid:
            values = [number] if number else [cell + 1 for cell in cards]
            seen["spread_owner"][slots[slot]] = self.roles[owner]
            seen["spread_ends"][slots[slot]] = {"low": min(values), "high": max(values)}
            seen["spread_suits"][slots[slot]] = [SUITS[cell] for cell in cards] if number else [SUITS[suit]]
            if g["robot"][slot] != NOBODY:
                robots[self.roles[int(g["robot"][slot])]].append(str(number))
            for cell, card in sorted(cards.items()):
                stands_for, value = SUITS[cell if number else suit], number or cell + 1
                if card == WILD:
                    wilds += 1
                    (by,) = (seat for seat in range(self.n) if g["wilds_by"][slot][seat] >> cell & 1)
                    seen["wild_suit"][f"wild {wilds}"] = stands_for
                    seen["wild_place"][f"wild {wilds}"] = value
                    seen["wild_by"][f"wild {wilds}"] = self.roles[by]
                    seen["wild_spread"][f"wild {wilds}"] = slot + 1
                elif card % LANE == 0:
                    seen["star_as"][stands_for] = "1" if value == 1 else "star_high"
                    seen["star_spread"][stands_for] = slot + 1
        order = [str(number) for number in range(2, 15)]
        return {"robots": {role: flags(those, order) for role, those in robots.items()}, **seen}

    def places(self) -> dict[str, list[str]]:
        """What could be added, as places of each suit [P2-P4]."""
        top = max(14, self.rules.star_high)
        gaps: dict[str, set[int]] = {suit: set() for suit in SUITS}
        for _, _, number, suit, cards in self.laid:
            if number:
                for cell in set(range(5)) - set(cards):
                    gaps[SUITS[cell]].add(number)
            else:
                gaps[SUITS[suit]] |= {min(cards), max(cards) + 2} & set(range(1, top + 1))
        return {suit: [str(place) for place in sorted(places)] for suit, places in gaps.items()}

    def knowledge(self) -> dict[str, Any]:
        """All 74 cards, less those the observer can place, are unseen."""
        unseen = Counter([*SUITED, *["wild"] * 4])
        for placed in (self.heap, self.under, *(named(list(cards.values())) for *_, cards in self.laid)):
            unseen -= Counter(placed)
        for seat in range(self.n):
            unseen -= self.hands[seat] if seat == self.me else self.known[seat]
        shuffled = {name: int(self.g["shuffled"][card]) for card, name in CARD_NAMES.items() if card != WILD}
        reshuffled = {name: shuffled.get(name, 0) for name in unseen} | {
            "wild": min(unseen["wild"], int(self.g["shuffled_wilds"]))
        }
        played = {self.roles[seat]: named(cards_in(self.g["played"][seat])) for seat in self.order}
        return {
            "reshuffled": counted(Counter(reshuffled)),
            "hand": counted(self.hands[self.me]),
            "known": {self.roles[seat]: counted(self.known[seat]) for seat in self.order},
            "played": {role: flags(cards, SUITED) for role, cards in played.items()},
            "unseen": counted(unseen),
            "gaps": self.places(),
        }

    def all(self) -> dict[str, Any]:
        return {**self.match(), **self.play(), **self.piles(), **self.spreads(), **self.knowledge()}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("choose", [anything, layer, scavenger])
def test_every_section_says_what_is_so(settings, choose):
    game = Robots(**settings)
    n = game.num_players
    for i, _ in enumerate(decisions(game, 6, choose)):
        if i % 8 == 0 or DECISIONS[game.record["decision"][0]] in ("substitute", "place", "name the suit", "call"):
            check(game, i % n)
    for seat in range(n):
        check(game, seat)


def check(game: Robots, seat: int) -> None:
    decoded = decode_observation(game.view(seat)[0], game.num_players)
    expected = Seen(game, seat).all()
    assert list(decoded) == list(expected) == [section.name for section in layout(game.num_players)]
    for name, value in expected.items():
        assert decoded[name] == value, name


def test_every_section_is_used():
    """Each shows something else than zero somewhere in these games."""
    used: set[str] = set()
    for seed, settings in enumerate(SETTINGS.values()):
        game = Robots(**settings)
        sections = layout(game.num_players)
        for _ in decisions(game, seed, (anything, layer, scavenger)[seed % 3]):
            used |= {name for name, part in sections.split(game.view(game.actor)[0]).items() if part.any()}
    assert used == {section.name for section in layout(2)}

"""The rules twice: the compiled kernel and the naive reference play the same matches and are held against each other.

Both are given the same seed and make the same random actions, and at every decision they must name the same actor,
the same legal actions and the same table.

By default a sample is played. ``DIFFERENTIAL_GAMES=2000`` (``make differential``) plays that many games for each
number of players and setting.
"""

from __future__ import annotations

import os
import random
from typing import Any

import numpy as np
import pytest

from robots_env import actions as act
from robots_env import constants as const
from robots_env.observation import layout
from robots_env.rollout import judge_game, play_game
from robots_env.ruleset import load_rules
from robots_env.state import GAME
from tabletop.game import DEAL, ILLEGAL, RESUME
from tabletop.jit import kernel_view
from tests.reference.robots import SUITS, WILD, Reference, card_named, is_number, name_of

GAMES = int(os.environ.get("DIFFERENTIAL_GAMES", "2"))  # for each number of players and setting
CLOSELY_EVERY = 32  # decisions

PLAYERS = (2, 3, 4, 5)
SIX = ("recycle", "extra parts", "tractor beam", "extra parts", "laser", "short circuit")
CHAINING = {number: SIX[number % 6] for number in range(2, 15)}
SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "stars as 15": {"star_high": 15},
    "robots with wilds": {"wild_completes_robot": True},
    "taken card kept": {"discard_taken_card": False},
    "power on the last discard": {"power_on_last_discard": True},
    "no refill": {"max_refills": 0},
    "three refills": {"max_refills": 3},
    "short rounds": {"max_turns": 3, "rounds": 3},
    "a match": {"max_turns": 12, "target_score": 30, "max_rounds": 5, "rounds": 0},
    "a long match": {"max_turns": 2, "target_score": 20, "max_rounds": 12, "rounds": 0},
    "forced decisions asked": {"ask_forced": True},
    "powers everywhere": {"powers": CHAINING, "max_refills": 2},
    "powers everywhere, on the last discard too": {"powers": CHAINING, "power_on_last_discard": True, "max_refills": 3},
    "lasers and few refills": {"powers": dict.fromkeys(range(2, 15, 2), "laser"), "max_refills": 0},
    "all at once": {
        "base": "publisher",
        "wild_completes_robot": True,
        "discard_taken_card": False,
        "power_on_last_discard": True,
        "max_refills": 3,
        "powers": CHAINING,
        "ask_forced": True,
        "card_points": {"star": 0, "wild": 40, "7": 1},
        "robot_bonus": 100,
        "rounds": 0,
        "max_rounds": 2,
    },
}
OPTIONS = {"rounds": 1, "ask_forced": False}  # settings that are no rules, and what they are unless a row says else


class Chance:
    """SplitMix64, as the record's generator has it."""

    def __init__(self, seed):
        self.state = seed

    def draw(self, n):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        z ^= z >> 31
        return (z >> 32) * n >> 32

    def shuffle(self, cards):
        for i in range(len(cards) - 1, 0, -1):
            j = self.draw(i + 1)
            cards[i], cards[j] = cards[j], cards[i]


# Both tables in the same words.


def card_of(number):
    return card_named(const.CARD_NAMES[number])


def bits(word):
    found = []
    while word:
        found.append((word & -word).bit_length() - 1)
        word &= word - 1
    return found


def cards_of(words):
    """The cards of a set of cards, sorted by name."""
    first, second = words
    suited = bits(first) + [64 + bit for bit in bits(second % 2**const.LANE)]
    return sorted([const.CARD_NAMES[card] for card in suited] + [WILD] * (second >> const.LANE))


def gaps_of(words):
    """What could be added to some spread: a bit a place, in its suit's lane."""
    return {(SUITS[b // const.LANE], b % const.LANE + 1) for b in bits(words[0]) + [64 + b for b in bits(words[1])]}


def pile_of(cards, size):
    return [const.CARD_NAMES[card] for card in cards[:size]]


def name_or_none(card):
    return None if card == const.NO_CARD else const.CARD_NAMES[card]


def names(cards):
    return sorted(map(name_of, cards))


def kernel_table(g, num_players):
    """``g`` is a record's fields as plain numbers and lists."""
    seats = range(num_players)
    played = {card: seat for seat in seats for card in cards_of(g["played"][seat])}
    spreads = {}
    for slot in range(const.MAX_SPREADS):
        if g["owner"][slot] == const.NOBODY:
            continue
        suit, number = g["suit"][slot], g["number"][slot]
        assert (suit >= 0) != (number > 0)
        wilds = {cell: seat for seat in seats for cell in bits(g["wilds_by"][slot][seat])}
        cells = []
        for cell in bits(g["cells"][slot]):
            card_suit, value = (SUITS[suit], cell + 1) if suit >= 0 else (SUITS[cell], number)
            card, by = WILD, wilds.get(cell)
            if by is None:
                card = f"{card_suit} {'star' if g['star_cells'][slot] >> cell & 1 else value}"
                by = played.pop(card)
            cells.append((card, value if suit >= 0 else card_suit, by))
        spreads[slot] = (g["owner"][slot], SUITS[suit] if suit >= 0 else number, cells, g["robot"][slot])
    assert not played
    taken = name_or_none(g["taken"])  # it may have been played
    shuffled = {const.CARD_NAMES[card]: g["shuffled"][card] for card in const.CARDS}
    hidden_wilds = [(g["hand"][seat][1] >> 16) - (g["known"][seat][1] >> 16) for seat in seats]
    assert all(not any(g["wilds_since"][seat][n:]) for seat, n in enumerate(hidden_wilds))
    return {
        "hands": [cards_of(g["hand"][seat]) for seat in seats],
        "known": [cards_of(g["known"][seat]) for seat in seats],
        "factory": pile_of(g["factory"], g["factory_size"]),
        "under": g["under"],
        "refills": g["refills"],
        "reshuffled": {card: n for card, n in shuffled.items() if n},
        "shuffled_wilds": g["shuffled_wilds"],
        "wilds_since": [since[:n] for since, n in zip(g["wilds_since"], hidden_wilds, strict=False)],
        "gaps": gaps_of(g["gaps"]),
        "heap": pile_of(g["heap"], g["heap_size"]),
        "spreads": spreads,
        "scores": g["scores"][:num_players],
        "round_scores": g["round_scores"][:num_players],
        "round": g["round_number"],
        "dealer": g["dealer"],
        "truncated": bool(g["truncated"]),
        "stage": const.STAGES[g["stage"]],
        "decision": const.DECISIONS[g["decision"]],
        "actor": None if g["actor"] == const.NOBODY else g["actor"],
        "turn_of": g["player"],
        "turns": g["turns"],
        "due": name_or_none(g["must_play"]),
        "taken": taken if taken in cards_of(g["hand"][g["player"]]) else None,
        "acted": cards_of(g["acted"]),
        "skip": bool(g["skip"]),
        "barred": [bool(barred) for barred in g["barred"][:num_players]],
        "skipped": [bool(skipped) for skipped in g["skipped"][:num_players]],
        "rng": g["rng"],
    }


def stage_of(reference):
    if reference.over:
        return "finished"
    if reference.actor != reference.turn_of:
        return "calling"
    if reference.decision in ("recycle", "extra parts", "lay", "aim"):
        return "resolving"
    return "drawing" if reference.decision == "draw" else "playing"


def reference_table(reference, chance):
    spreads = {}
    for slot, spread in sorted(reference.spreads.items()):
        cells = [(name_of(card), stands_for, by) for card, stands_for, by in spread.cells]
        robot = const.NOBODY if spread.robot_of is None else spread.robot_of
        spreads[slot] = (spread.owner, spread.suit or spread.number, cells, robot)
    shuffled = {name_of(card): n for n, cards in enumerate(reference.refilled, 1) for card in cards if card != WILD}
    gaps: set[tuple[str, int]] = set()
    for spread in reference.spreads.values():
        if spread.suit is None:
            gaps |= {(suit, spread.number) for suit in SUITS if suit not in spread.held}
        else:
            gaps |= {(spread.suit, place) for place in (min(spread.held) - 1, max(spread.held) + 1)}
    gaps = {(suit, place) for suit, place in gaps if 1 <= place <= reference.star_high}
    return {
        "hands": [names(hand) for hand in reference.hands],
        "known": [names(known) for known in reference.known],
        "factory": [name_of(card) for card in reference.factory],
        "under": reference.under,
        "refills": reference.refills,
        "reshuffled": shuffled,
        "shuffled_wilds": reference.refilled[-1].count(WILD) if reference.refilled else 0,
        "wilds_since": [sorted(since) for since in reference.wilds_since],
        "gaps": gaps,
        "heap": [name_of(card) for card in reference.heap],
        "spreads": spreads,
        "scores": list(reference.scores),
        "round_scores": list(reference.round_scores),
        "round": reference.round,
        "dealer": reference.dealer,
        "truncated": reference.truncated,
        "stage": stage_of(reference),
        "decision": reference.decision,
        "actor": reference.actor,
        "turn_of": reference.turn_of,
        "turns": reference.turns,
        "due": None if reference.due is None else name_of(reference.due),
        "taken": None if reference.taken is None else name_of(reference.taken),
        "acted": names(reference.acted),
        "skip": reference.skip,
        "barred": list(reference.barred),
        "skipped": list(reference.skipped),
        "rng": chance.state,
    }


def differences(kernel, reference):
    """What differs, as ``name: kernel, reference``."""
    return "; ".join(f"{name}: {mine}, {reference[name]}" for name, mine in kernel.items() if mine != reference[name])


def stacked(rng, num_players):
    """Hands, heap and factory as no shuffling makes them: most cards lie beside others of their suit or number.

    Seats hold none, few or many cards. The first player has a choice: heap and factory hold a card at least.
    """
    cards = sorted(const.CARDS, key=lambda card: (card // const.LANE, (card + 7) % const.LANE))  # stars beside 14s
    if rng.random() < 0.4:
        cards.sort(key=lambda card: card % const.LANE)
    for _ in range(rng.randrange(15)):
        i, j = rng.randrange(len(cards)), rng.randrange(len(cards))
        cards[i], cards[j] = cards[j], cards[i]
    start = rng.randrange(len(cards))
    cards = cards[start:] + cards[:start]
    within = rng.choice([8, 20, len(cards)])  # where the wilds are: often in the first hands
    for _ in range(const.WILDS):
        cards.insert(rng.randrange(within), const.WILD)
    hands = []
    for _ in range(num_players):
        size = rng.randrange(rng.choice([2, 8, 14]))
        hands.append(cards[:size])
        cards = cards[size:]
    size = rng.randint(1, rng.choice([3, len(cards) - 1]))
    rest = [cards[size:], cards[:size]]
    rng.shuffle(rest)
    heap, factory = rest
    if rng.random() < 0.5:
        heap.reverse()
    if const.WILD in heap and rng.random() < 0.5:
        heap.remove(const.WILD)
        heap.insert(rng.choice([0, len(heap)]), const.WILD)
    return hands, heap, factory


class Stacked(Reference):
    """The reference, with a first round that begins otherwise."""

    def __init__(self, position, *args, **settings):
        self.position = position
        super().__init__(*args, **settings)

    def _deal(self):
        super()._deal()
        if self.position is not None and self.round == 1:
            hands, heap, factory = self.position
            self.hands = [[card_of(card) for card in hand] for hand in hands]
            self.wilds_since = [[0] * hand.count(WILD) for hand in self.hands]
            self.heap = [card_of(card) for card in heap]
            self.factory = [card_of(card) for card in factory]


class Both:
    """One match in the kernel and in the reference; its first round may begin with a ``stacked`` position."""

    def __init__(self, seed, num_players, settings, position=None):
        options = {name: settings.get(name, value) for name, value in OPTIONS.items()}
        rules = load_rules({name: value for name, value in settings.items() if name not in OPTIONS})
        self.where = ""
        self.num_players = num_players
        self.tables = rules.tables
        games = np.zeros(1, GAME)
        games["rng"], games["num_players"] = seed, num_players
        for name, value in options.items():
            games[name] = value
        self.games = kernel_view(games)
        self.observation = np.zeros(layout(num_players).size, np.float32)
        self.mask = np.zeros(act.NUM_ACTIONS, np.int8)
        self.play(self.games, DEAL)
        if position is not None:
            self.arrange(*position)
        self.chance = Chance(seed)
        chance = {"draw": self.chance.draw, "shuffle": self.chance.shuffle}
        self.reference = Stacked(position, rules.as_dict(), num_players=num_players, **chance, **options)

    def arrange(self, hands, heap, factory):
        for seat, hand in enumerate(hands):
            suited = sum(1 << card for card in hand if card != const.WILD)
            wilds = hand.count(const.WILD)
            self.games["hand"][0][seat] = suited % 2**64, (suited >> 64) + (wilds << const.LANE)
        for name, pile in (("heap", heap), ("factory", factory)):
            self.games[name][0][:] = pile + [const.NO_CARD] * (const.NUM_CARDS - len(pile))
            self.games[f"{name}_size"] = len(pile)
        assert self.play(self.games, RESUME) == self.games["actor"][0]

    def play(self, games, action):
        return play_game(games, 0, self.tables, action, self.observation, self.mask)

    def legal(self):
        return np.flatnonzero(self.mask).tolist()

    def compare(self):
        """The same actor, decision and legal actions, and the same table."""
        record = {name: self.games[name][0].tolist() for name in GAME.names or ()}
        kernel = kernel_table(record, self.num_players)
        reference = reference_table(self.reference, self.chance)
        assert kernel == reference, f"{self.where}: {differences(kernel, reference)}"
        legal, names = self.legal(), self.reference.legal_names()
        assert [act.ACTION_NAMES[action] for action in legal] == names, (
            f"{self.where}: only the kernel {set(act.ACTION_NAMES[a] for a in legal) - set(names)}, "
            f"only the reference {set(names) - set(act.ACTION_NAMES[a] for a in legal)}"
        )

    def compare_closely(self):
        """Whatever the mask lists is accepted, all else refused with nothing changed; the result as the table lies."""
        games, mask = self.games.tobytes(), self.mask.copy()
        for action in (*range(DEAL + 1, act.NUM_ACTIONS + 3), 10_000):
            if 0 <= action < act.NUM_ACTIONS and mask[action]:
                assert self.play(self.games.copy(), action) != ILLEGAL, f"{self.where}: action {action}"
                self.mask[:] = mask
            else:
                assert self.play(self.games, action) == ILLEGAL, f"{self.where}: action {action}"
        assert self.games.tobytes() == games and np.array_equal(self.mask, mask), self.where
        self.compare_result()

    def compare_result(self):
        scores, wins = np.zeros((2, const.MAX_SEATS), np.int64)
        judge_game(self.games, 0, self.tables, scores, wins)
        reference = self.reference
        standing = list(reference.scores)
        if not reference.over:
            standing = [standing[seat] + reference._round_score(seat) for seat in reference.seats]
        leaders = {seat for seat in reference.seats if standing[seat] == max(standing)}
        assert scores[: self.num_players].tolist() == standing, self.where
        assert set(np.flatnonzero(wins).tolist()) == leaders, self.where
        if reference.over and not reference.truncated:
            assert reference.winners == leaders, self.where

    def apply(self, action):
        actor = self.play(self.games, action)
        self.reference.apply(action)
        assert actor == self.games["actor"][0], self.where


# How the random players choose.


def is_power(reference, name):
    card = card_named(name.split(" ", 1)[1])
    return is_number(card) and int(card[1]) in reference.powers


def some(rng, legal, wanted, chance):
    found = [name for name in legal if name.startswith(wanted)]
    return rng.choice(found) if found and rng.random() < chance else None


def choose(rng, both, style):
    """A random action. The eager lay and add whenever they can, the hoarder digs deep into the heap and seldom plays,
    the fighter discards powers and uses them, the joker plays and takes wilds."""
    legal = both.reference.legal_names()
    decision = both.reference.decision
    choice = None
    if style == "eager":
        choice = some(rng, legal, ("lay", "add", "call"), 0.95) or some(rng, legal, ("draw",), 0.4)
    elif style == "hoarder":
        if decision == "draw" and len(legal) > 1 and rng.random() < 0.7:
            pile = {name: index for index, name in both.reference._heap_names().items()}
            choice = min(legal, key=lambda name: pile.get(name, 100))
        elif decision == "play":
            choice = some(rng, legal, ("discard",), 0.6)
        elif decision == "substitute":
            choice = some(rng, legal, ("wild", "star"), 0.7)
    elif style == "fighter":
        if decision in ("play", "lay"):
            powers = [name for name in legal if name.startswith("discard") and is_power(both.reference, name)]
            choice = some(rng, legal, ("lay", "add"), 0.5) or (powers and rng.random() < 0.8 and rng.choice(powers))
        elif decision in ("recycle", "aim", "extra parts"):
            choice = some(rng, legal, ("pick", "draw"), 0.9)
    elif style == "joker":
        choice = some(rng, legal, ("wild as", "star as", "add wild", "pick wild"), 0.8)
        choice = choice or some(rng, legal, ("lay",), 0.5) or some(rng, legal, ("pick",), 0.5)
    return act.ACTION_NAMES.index(choice or rng.choice(legal))


STYLES = ("random", "eager", "hoarder", "fighter", "joker")


def play(both, rng, style, name):
    decisions = 0
    while not both.reference.over:
        both.where = f"{name}, decision {decisions} ({both.reference.decision})"
        both.compare()
        if rng.randrange(CLOSELY_EVERY) == 0:
            both.compare_closely()
        both.apply(choose(rng, both, style))
        decisions += 1
    both.where = f"{name}, at the end"
    both.compare()
    both.compare_closely()


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("players", PLAYERS)
def test_kernel_and_reference_agree(players, setting):
    row = list(SETTINGS).index(setting)
    for game in range(GAMES):
        seed = 1_000_000 * players + 10_000 * row + game
        rng = random.Random(seed)
        position = stacked(rng, players) if game % 2 else None
        style = STYLES[(game // 2 + players + row) % len(STYLES)]
        name = f"game {seed}, {style} actions, {'stacked' if position else 'dealt'}"
        play(Both(seed, players, SETTINGS[setting], position), rng, style, name)

"""From names to numbers: a snapshot of sound structure into a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tabletop.jit import kernel_view
from tabletop.snapshots import (
    check_game,
    check_setting,
    check_word_of_64_bits,
    refuse,
    shown,
    word,
    word_or_none,
)

from .constants import (
    CARD_NAMES,
    CARDS,
    DECISIONS,
    LANE,
    NO_CARD,
    NOBODY,
    NUM_PLACES,
    NUM_SUITS,
    POWERS,
    RUN,
    SET,
    SPREAD,
    STAGES,
    SUIT_CARDS,
    SUITS,
    WILD,
    WILDS,
)
from .position import gaps_of, seat_names
from .ruleset import RuleSetError, load_rules, rule_set_names
from .schema import Laid, Snapshot, Spread
from .state import GAME

if TYPE_CHECKING:
    from .game import Robots

KINDS = ("run", "set")
CARD_NUMBERS_BY_NAME = {name: card for card, name in CARD_NAMES.items()}
_STANDS_FOR = {
    f"{suit} {place + 1}": (number, place) for number, suit in enumerate(SUITS) for place in range(NUM_PLACES)
}


def _bit(card: int) -> np.int64:
    return np.int64(1) << np.int64(card & 63)


class Reader:
    """Names to numbers: a snapshot of sound structure into a record."""

    def __init__(self, game: Robots, snapshot: Snapshot) -> None:
        self.game = game
        self.snapshot = snapshot
        self.names = seat_names(game.num_players)
        self.lies_in: dict[int, list[str]] = {card: [] for card in CARD_NAMES}

    def seat(self, field: str, name: str) -> int:
        return word(field, name, self.names)

    def card(self, field: str, name: str) -> int:
        if name not in CARD_NUMBERS_BY_NAME:
            suits = ", ".join(SUITS)
            refuse(field, shown(name), f'a card: one of {suits} with 2 to 14 or "star", like "green 5"; or "wild"')
        return CARD_NUMBERS_BY_NAME[name]

    def card_or_none(self, field: str, name: str | None) -> int:
        return NO_CARD if name is None else self.card(field, name)

    def put(self, field: str, name: str) -> int:
        """A card that lies here; each may lie in one place only."""
        card = self.card(field, name)
        where = self.lies_in[card]
        if len(where) == (WILDS if card == WILD else 1):
            also = ", ".join(where)
            refuse(field, f"the {name}, which also lies in {also}", "each of the 74 cards in exactly one place")
        where.append(field)
        return card

    def put_all(self, field: str, names: Sequence[str]) -> list[int]:
        return [self.put(f"{field}[{i}]", name) for i, name in enumerate(names)]

    def some_of(self, field: str, names: Sequence[str], whole: Sequence[int], allowed: str) -> list[int]:
        """Cards that are mentioned here and lie elsewhere."""
        rest = list(whole)
        cards = []
        for i, name in enumerate(names):
            card = self.card(f"{field}[{i}]", name)
            if card not in rest:
                refuse(f"{field}[{i}]", shown(name), allowed)
            rest.remove(card)
            cards.append(card)
        return cards

    def check_settings(self) -> None:
        found, wanted = self.snapshot.settings, self.game.settings()
        try:
            if isinstance(found.rules, str) and found.rules not in rule_set_names():
                refuse("settings.rules", shown(found.rules), f"one of {', '.join(rule_set_names())}, or a dict")
            if load_rules(found.rules) != self.game.rules:
                check_setting("rules", found.rules, wanted["rules"])
                refuse("settings.rules", "other rules", "those of this environment")
        except RuleSetError as error:
            refuse("settings.rules", f"what is no rule set ({str(error)[:300]})", f"{wanted['rules']!r}")
        for name in ("num_players", "rounds", "ask_forced"):
            check_setting(name, getattr(found, name), wanted[name])

    def record(self) -> NDArray[Any]:
        s = self.snapshot
        check_game(self.game, s.game)
        self.check_settings()
        record = kernel_view(np.zeros(1, GAME))
        r = record[0]
        for setting in ("num_players", "rounds", "ask_forced"):
            r[setting] = self.game.record[0][setting]
        r["seed"] = check_word_of_64_bits("seed", s.seed)
        r["rng"] = check_word_of_64_bits("generator", s.generator)
        r["decisions"], r["round_number"], r["turns"], r["truncated"] = s.decisions, s.round, s.turns, s.truncated
        r["dealer"] = self.seat("dealer", s.dealer)
        r["player"] = self.seat("player", s.player)
        r["stage"] = word("stage", s.stage, STAGES)
        r["decision"] = word("decision", s.decision, DECISIONS)
        r["actor"] = word_or_none("actor", s.actor, self.names)
        self.players(r)
        self.piles(r)
        for field in ("owner", "suit", "robot"):
            r[field] = NOBODY
        for slot, spread in enumerate(s.spreads):
            if spread is not None:
                self.spread(r, slot, spread)
        if s.spreads and s.spreads[-1] is None:
            refuse(f"spreads[{len(s.spreads) - 1}]", "None", "a spread: none is gone behind the last one")
        r["slots"] = len(s.spreads)
        self.check_all_cards()
        self.turn(r)
        self.play_under_way(r)
        self.tallies(r)
        return record

    def players(self, r: Any) -> None:
        players = self.snapshot.players
        if [player.name for player in players] != list(self.names):
            refuse("players", ", ".join(shown(player.name) for player in players), ", ".join(self.names))
        for seat, player in enumerate(players):
            field = f"players[{seat}]"
            hand = self.put_all(f"{field}.hand", player.hand)
            allowed = f"cards of the hand of {player.name}"
            known = self.some_of(f"{field}.known", player.known, hand, allowed)
            for words, cards in (("hand", hand), ("known", known)):
                for card in cards:
                    r[words][seat, card >> 6] += _bit(card)
            hidden = hand.count(WILD) - known.count(WILD)
            older = hidden - len(player.wilds_since)
            if older < 0:
                allowed = f"at most {hidden}, the wilds that nobody knows of (D4)"
                refuse(f"{field}.wilds_since", f"{len(player.wilds_since)} of them", allowed)
            if player.wilds_since != sorted(player.wilds_since):
                refuse(f"{field}.wilds_since", "a later one first", "numbers of refills, rising")
            r["wilds_since"][seat, older:hidden] = player.wilds_since
            r["barred"][seat] = player.barred
            r["skipped"][seat] = player.skipped
            r["scores"][seat], r["round_scores"][seat] = player.score, player.round_score

    def piles(self, r: Any) -> None:
        s = self.snapshot
        for name, pile in (("factory", s.factory), ("heap", s.heap)):
            r[name] = NO_CARD
            r[name][: len(pile)] = self.put_all(name, pile)
            r[f"{name}_size"] = len(pile)
        r["under"], r["refills"] = s.under, s.refills
        if len(s.reshuffled) != s.refills:
            refuse("reshuffled", f"{len(s.reshuffled)} lists", f"{s.refills}, one a refill (D4)")
        rest = [*CARDS, *[WILD] * WILDS]
        for i, names in enumerate(s.reshuffled):
            field, last = f"reshuffled[{i}]", i == s.refills - 1
            whole = rest if last else [card for card in rest if card != WILD]
            allowed = "each of the 74 cards once" + ("" if last else ", wilds for the last refill only")
            for card in self.some_of(field, names, whole, allowed):
                rest.remove(card)
                if card == WILD:
                    r["shuffled_wilds"] += 1
                else:
                    r["shuffled"][card] = i + 1

    def spread(self, r: Any, slot: int, spread: Spread) -> None:
        field = f"spreads[{slot}]"
        owner = r["owner"][slot] = self.seat(f"{field}.owner", spread.owner)
        laid = self.laid(field, spread.kind, spread.cards)
        r["suit"][slot], r["number"][slot] = laid.suit, laid.number
        for cell, (card, by, at) in laid.cells.items():
            self.put(at, CARD_NAMES[card])
            seat = owner if by is None else self.seat(f"{at}.by", by)
            r["cells"][slot] |= 1 << cell
            if card == WILD:
                r["wilds_by"][slot, seat] |= 1 << cell
                continue
            r["played"][seat, card >> 6] |= _bit(card)
            if card % LANE == 0:
                r["star_cells"][slot] |= 1 << cell
        r["robot"][slot] = word_or_none(f"{field}.robot", spread.robot, self.names)

    def laid(self, field: str, kind: str, cards: Sequence[str | Laid]) -> _Cells:
        """The cards of a run or set by cell, each where it may lie [P2-P4, C3, C4]."""
        is_set = word(f"{field}.kind", kind, KINDS) == 1
        cells: dict[int, tuple[int, str | None, str]] = {}
        lines = set()
        for i, entry in enumerate(cards):
            at = f"{field}.cards[{i}]"
            laid = Laid(card=entry) if isinstance(entry, str) else entry
            card = self.card(at if isinstance(entry, str) else f"{at}.card", laid.card)
            suit, place = self.stands_for(at, card, laid.stands_for)
            cell, line = (suit, place) if is_set else (place, suit)
            if cell in cells:
                refuse(
                    at, f"a second {SUITS[suit]} {place + 1}", "each place of a run, each suit of a set once (P3, P4)"
                )
            cells[cell] = card, laid.by, at
            lines.add(line)
        if len(lines) != 1:
            allowed = "cards of one number (P2)" if is_set else "cards of one suit (P2)"
            refuse(f"{field}.cards", "none" if not lines else "several numbers" if is_set else "several suits", allowed)
        if not is_set and len(cells) != max(cells) - min(cells) + 1:
            refuse(f"{field}.cards", "a gap in the run", "cards in sequence (P2)")
        if len(cells) < SPREAD:
            refuse(f"{field}.cards", f"{len(cells)} cards", "three cards or more (P2)")
        if all(card == WILD for card, _, _ in cells.values()):
            refuse(f"{field}.cards", "wilds only", "a card that is not wild (C4)")
        line = lines.pop()
        return _Cells(dict(sorted(cells.items())), NOBODY if is_set else line, line + 1 if is_set else 0)

    def stands_for(self, at: str, card: int, text: str | None) -> tuple[int, int]:
        """Suit and place that a card of a spread holds."""
        star_high = self.game.rules.star_high
        if text is None:
            if card == WILD or card % LANE == 0:
                example = '"green 7"' if card == WILD else f'"{SUITS[card // LANE]} 1"'
                refuse(f"{at}.stands_for", "nothing", f"what the {CARD_NAMES[card]} stands for, like {example}")
            return divmod(card, LANE)
        if text not in _STANDS_FOR:
            refuse(f"{at}.stands_for", shown(text), f'a suit and a number from 1 to {NUM_PLACES}, like "green 7"')
        suit, place = _STANDS_FOR[text]
        if place >= max(SUIT_CARDS, star_high):
            refuse(f"{at}.stands_for", text, f"numbers up to {max(SUIT_CARDS, star_high)} (P4)")
        if card == WILD:
            return suit, place
        places = (0, star_high - 1) if card % LANE == 0 else (card % LANE,)
        if suit != card // LANE or place not in places:
            allowed = " or ".join(f"{SUITS[card // LANE]} {p + 1}" for p in places)
            refuse(f"{at}.stands_for", text, f"{allowed} (C3)")
        return suit, place

    def check_all_cards(self) -> None:
        missing = [
            CARD_NAMES[card]
            for card, where in self.lies_in.items()
            for _ in range((WILDS if card == WILD else 1) - len(where))
        ]
        if missing:
            more = f" and {len(missing) - 8} more" if len(missing) > 8 else ""
            refuse(
                "factory", f"no {', '.join(missing[:8])}{more}", "each of the 74 cards here or in another place (C1)"
            )

    def turn(self, r: Any) -> None:
        turn = self.snapshot.turn
        r["must_play"] = self.card_or_none("turn.must_play", turn.must_play)
        r["taken"] = self.card_or_none("turn.taken", turn.taken)
        r["power"] = word("turn.power", turn.power, POWERS)
        for field in ("discarded", "lays", "skip", "order"):
            r[field] = getattr(turn, field)
        powers = self.game.rules.tables["power"][0]
        able = [card for card in CARDS if powers[card]]
        for card in self.some_of("turn.acted", turn.acted, able, "cards with a power, each once (W10)"):
            r["acted"][card >> 6] |= _bit(card)

    def play_under_way(self, r: Any) -> None:
        s = self.snapshot
        r["adding"], r["target"], r["laying_suit"] = NO_CARD, NOBODY, NOBODY
        if s.adding is not None:
            r["adding"] = self.card("adding.card", s.adding.card)
            if s.adding.set is not None:
                r["target"] = s.adding.set - 1
        if s.laying is not None:
            laid = self.laid("laying", s.laying.kind, s.laying.cards)
            r["laying"] = RUN if laid.number == 0 else SET
            r["laying_suit"], r["laying_number"], r["laying_from"] = laid.suit, laid.number, s.laying.next
            for cell, (card, by, at) in laid.cells.items():
                if by not in (None, s.player):
                    refuse(f"{at}.by", shown(by), s.player)
                r["laying_cells"] |= 1 << cell
                r["laying_wilds"] |= (card == WILD) << cell
                r["laying_stars"] |= (card % LANE == 0 and card != WILD) << cell

    def tallies(self, r: Any) -> None:
        """What the record counts for speed."""
        for slot in range(int(r["slots"])):
            if r["owner"][slot] != NOBODY:
                r["owned"][r["owner"][slot]] += 1
                r["wild_cells"][slot] = np.bitwise_or.reduce(r["wilds_by"][slot])
        gaps = gaps_of(r, max(SUIT_CARDS, self.game.rules.star_high))
        r["gaps"] = [sum(gaps[suit] << LANE * suit for suit in range(NUM_SUITS - 1)), gaps[-1]]


class _Cells:
    """Cards of a spread by cell, each with who played it (None its owner) and its field, and which spread it is."""

    def __init__(self, cells: dict[int, tuple[int, str | None, str]], suit: int, number: int) -> None:
        self.cells = cells
        self.suit = suit
        self.number = number

"""Robots! a second time: plain lists and dicts, slow, written from the rules alone.

It shares only the names of actions and decisions with ``robots_env``, so that a rule misread in one of the two shows
when both play the same game. A game is one generator, ``_match``, which runs through a match's rounds and stops
wherever a player decides. Chance is handed in as two callables.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeAlias

from robots_env.actions import ACTION_NAMES

SUITS = ("green", "purple", "white", "red", "blue")
STAR = "star"
WILD = "wild"
Card: TypeAlias = tuple[str, int | str] | str  # ("green", 5), ("green", "star") or "wild"
Cells: TypeAlias = list[tuple[str, int]]  # the suit and the value of each card of a new spread
Asking = Generator[None, str, str]  # a decision: what it returns is the name of the action chosen
Doing = Generator[None, str, None]  # a stretch of the game in which decisions may be asked
Ending = Generator[None, str, bool]  # a stretch that says whether the round goes on

# C1, in the order in which a deck lies before it is shuffled.
DECK: tuple[Card, ...] = (*((suit, sign) for suit in SUITS for sign in (STAR, *range(2, 15))), *[WILD] * 4)
NUMBERS = range(2, 15)
ACTION_NUMBERS = {name: number for number, name in enumerate(ACTION_NAMES)}


@functools.cache
def name_of(card: Card) -> str:
    """``"green 5"``, ``"green star"`` or ``"wild"``."""
    return WILD if isinstance(card, str) else f"{card[0]} {card[1]}"


def card_named(name: str) -> Card:
    """The card that ``name_of`` calls so."""
    if name == WILD:
        return WILD
    suit, sign = name.split()
    return (suit, STAR if sign == STAR else int(sign))


def is_number(card: Card) -> bool:
    return card != WILD and card[1] != STAR


@dataclass
class Spread:
    """A set or a run on the table. Its ``cells`` lie in order, each a card, what it stands for and who played it.

    In a run a card stands for a place (1-15) of the run's ``suit``, in a set for a suit of the set's ``number``.
    """

    owner: int
    suit: str | None = None
    number: int | None = None
    cells: list[tuple[Card, Any, int]] = field(default_factory=list)
    robot_of: int | None = None  # P6: the player who completed it

    @property
    def cards(self) -> list[Card]:
        return [card for card, _, _ in self.cells]

    @property
    def held(self) -> list[Any]:
        """The places or suits that are taken."""
        return [stands_for for _, stands_for, _ in self.cells]

    def put(self, card: Card, stands_for: Any, player: int) -> None:
        self.cells.append((card, stands_for, player))
        order = SUITS.index if self.suit is None else int
        self.cells.sort(key=lambda cell: order(cell[1]))


class Reference:
    """One match. Ask ``decision``, ``actor``, ``legal_actions()``; answer with ``apply(action)``.

    ``rules`` are the fields of a rule set; ``rounds`` a fixed number of rounds, or 0 for a match under E4 and E6.
    ``draw(n)`` gives a number from 0 to n - 1, ``shuffle(cards)`` shuffles a list in place.
    """

    def __init__(
        self,
        rules: Mapping[str, Any],
        *,
        num_players: int,
        draw: Callable[[int], int],
        shuffle: Callable[[list[Card]], None],
        rounds: int = 0,
        ask_forced: bool = False,
    ) -> None:
        if not 2 <= num_players <= 5:
            raise ValueError("C5: two to five players")
        self.rules = dict(rules)
        self.star_high = int(rules["star_high"])
        self.powers = {int(number): power for number, power in rules["powers"].items()}
        self.num_players = num_players
        self.seats = range(num_players)
        self.rounds = rounds
        self.ask_forced = ask_forced
        self.three_card_spreads = self._three_card_spreads()
        self.draw_number = draw
        self.shuffle = shuffle

        self.scores = [0] * num_players
        self.round_scores = [0] * num_players
        self.round = 0
        self.dealer = 0
        self.winners: set[int] = set()
        self.truncated = False
        self._clear_table()

        self.decision = "over"
        self.actor: int | None = None
        self._legal: list[str] = []
        self._game = self._match()
        self._resume(None)

    def _clear_table(self) -> None:
        self.hands: list[list[Card]] = [[] for _ in self.seats]
        self.known: list[list[Card]] = [[] for _ in self.seats]  # W11: what everyone knows a hand to hold
        self.factory: list[Card] = []  # from its bottom to its top
        self.under = 0  # W11: how many cards at the factory's bottom everyone knows
        self.refilled: list[list[Card]] = []  # W11: what each refill shuffled
        # W11: for each wild in hand that is not known of, how many refills there had been when it was drawn.
        self.wilds_since: list[list[int]] = [[] for _ in range(self.num_players)]
        self.heap: list[Card] = []  # from its bottom to its top
        self.spreads: dict[int, Spread] = {}  # by slot
        self.refills = 0
        self.turns = 0  # E5: turns that are over in this round
        self.turn_of = 0
        self.skip = False  # W6
        self.skipped = [False] * self.num_players  # W6: who was and has had no turn since; everyone knows it
        self.barred = [False] * self.num_players  # W2
        self._begin_turn()

    def _begin_turn(self) -> None:
        self.acted: set[Card] = set()  # W10: the cards whose power has acted this turn
        self.taken: Card | None = None  # D5: the card taken alone off the heap, until it leaves the hand
        self.due: Card | None = None  # D3

    # What a caller sees.

    @property
    def over(self) -> bool:
        return self.decision == "over"

    def legal_actions(self) -> list[int]:
        return sorted(ACTION_NUMBERS[name] for name in self._legal)

    def legal_names(self) -> list[str]:
        return [ACTION_NAMES[number] for number in self.legal_actions()]

    def apply(self, action: int | str) -> None:
        name = action if isinstance(action, str) else ACTION_NAMES[action]
        if name not in self._legal:
            raise ValueError(f"{name} is not legal; legal are {self.legal_names()}")
        self._resume(name)

    def _resume(self, name: str | None) -> None:
        try:
            self._game.send(name)  # type: ignore[arg-type]
        except StopIteration:
            self.decision, self.actor, self._legal = "over", None, []

    def _ask(self, decision: str, seat: int, legal: Iterable[str]) -> Asking:
        options = list(dict.fromkeys(legal))
        assert options, f"{decision} with nothing to choose"
        if len(options) == 1 and not self.ask_forced:
            return options[0]
        self.decision, self.actor, self._legal = decision, seat, options
        return (yield)

    # The match [C7, E4, E6].

    def _match(self) -> Doing:
        self.dealer = self.draw_number(self.num_players)
        while True:
            self.round += 1
            yield from self._round()
            for seat in self.seats:
                self.round_scores[seat] = self._round_score(seat)
                self.scores[seat] += self.round_scores[seat]
            best = [seat for seat in self.seats if self.scores[seat] == max(self.scores)]
            if self.rounds:
                if self.round == self.rounds:
                    self.winners = set(best)
                    return
            elif max(self.scores) >= self.rules["target_score"] and len(best) == 1:
                self.winners = set(best)
                return
            elif self.round == self.rules["max_rounds"]:
                self.truncated = True
                return
            self.dealer = self._left_of(self.dealer)

    def _left_of(self, seat: int) -> int:
        return (seat + 1) % self.num_players

    def _others(self, seat: int) -> list[int]:
        """In turn order."""
        return [(seat + i) % self.num_players for i in range(1, self.num_players)]

    def _points(self, card: Card) -> int:
        key = WILD if isinstance(card, str) else str(card[1])
        return int(self.rules["card_points"][key])

    def _round_score(self, seat: int) -> int:
        """E2, E3."""
        score = 0
        for spread in self.spreads.values():
            score += sum(self._points(card) for card, _, player in spread.cells if player == seat)
            score += self.rules["robot_bonus"] if spread.robot_of == seat else 0
        return score - sum(self._points(card) for card in self.hands[seat])

    # A round [C6, E1, E5].

    def _deal(self) -> None:
        self._clear_table()
        deck = list(DECK)
        self.shuffle(deck)
        for seat in self.seats:
            self.hands[seat] = [deck.pop() for _ in range(7)]
            self.wilds_since[seat] = [0] * self.hands[seat].count(WILD)
        self.heap = [deck.pop()]
        self.factory = deck

    def _round(self) -> Doing:
        self._deal()
        self.turn_of = self._left_of(self.dealer)
        yield from self._turns()

    def _turns(self) -> Doing:
        while True:
            goes_on = yield from self._turn(self.turn_of)
            if not goes_on:
                return
            self.turns += 1
            if self.turns == self.rules["max_turns"] * self.num_players:
                return
            self.turn_of = self._left_of(self.turn_of)
            if self.skip:
                self.skip = False
                self.skipped[self.turn_of] = True
                self.turn_of = self._left_of(self.turn_of)

    def _turn(self, seat: int) -> Ending:
        self._begin_turn()
        self.barred[seat] = self.skipped[seat] = False
        can_go_on = yield from self._draw(seat)
        if not can_go_on:
            return False
        discards = yield from self._play(seat)
        if not discards:
            return True
        # W9; K4 has seen to it that a last card fits nowhere.
        if self.hands[seat] or self.rules["power_on_last_discard"]:
            yield from self._power(seat)
        if not self.hands[seat]:
            return False
        yield from self._calls(seat)
        return True

    # Cards that move.

    def _enter_hand(self, seat: int, card: Card, known: bool) -> None:
        self.hands[seat].append(card)
        if known:
            self.known[seat].append(card)

    def _leave_hand(self, seat: int, card: Card) -> None:
        """Wilds are alike; one that everyone knows of leaves first, then the one drawn first."""
        self.hands[seat].remove(card)
        if card in self.known[seat]:
            self.known[seat].remove(card)
        elif card == WILD:
            self.wilds_since[seat].remove(min(self.wilds_since[seat]))
        if seat == self.turn_of and card == self.taken:
            self.taken = None

    def _can_draw(self) -> bool:
        """D4."""
        return bool(self.factory) or (self.refills < self.rules["max_refills"] and len(self.heap) >= 2)

    def _draw_from_factory(self, seat: int) -> None:
        if not self.factory:
            cards = self.heap[:-1]
            self.heap = self.heap[-1:]
            self.refilled.append(list(cards))
            self.shuffle(cards)
            self.factory = cards
            self.refills += 1
            self.under = 0
        known = len(self.factory) == self.under
        if known:
            self.under -= 1
        card = self.factory.pop()
        self._enter_hand(seat, card, known)
        if card == WILD and not known:
            self.wilds_since[seat].append(self.refills)

    def _heap_names(self) -> dict[int, str]:
        """What the cards of the heap are called, by their index: wilds are counted from the top."""
        names: dict[int, str] = {}
        wilds = 0
        for index in reversed(range(len(self.heap))):
            card = self.heap[index]
            if card == WILD:
                wilds += 1
                names[index] = f"pick wild {wilds}"
            else:
                names[index] = f"pick {name_of(card)}"
        return names

    # Draw [D1-D5].

    def _draw(self, seat: int) -> Ending:
        names = self._heap_names()
        options = ["draw" if self._can_draw() else "pass"]  # E5: declining is open only where the heap alone is left
        options += [name for index, name in names.items() if self._can_take(seat, index)]
        action = yield from self._ask("draw", seat, options)
        if action == "pass":
            return False
        if action == "draw":
            self._draw_from_factory(seat)
            return True
        (index,) = [i for i, name in names.items() if name == action]
        cards = self.heap[index:]
        self.heap = self.heap[:index]
        for card in cards:
            self._enter_hand(seat, card, known=True)
        if len(cards) >= 2:
            self.due = cards[0]
        else:
            self.taken = cards[0]
        return True

    def _can_take(self, seat: int, index: int) -> bool:
        """D3: more than one card only if the lowest of them can be played at once."""
        cards = self.heap[index:]
        if len(cards) == 1:
            return True
        lowest = cards[0]
        return bool(self._places(seat, lowest)) or bool(self._lays(self.hands[seat] + cards, lowest))

    # Play and discard [P1-P7, K1, K2, K4].

    def _play(self, seat: int) -> Ending:
        """Plays, then a discard: it lies on the heap at the end. False if there was none [K2, K4]."""
        hand = self.hands[seat]
        while hand:
            lays = self._lays(hand, self.due)
            options = list(lays)
            options += [
                f"add {name_of(card)}"
                for card in hand
                if (self.due is None or card == self.due) and self._places(seat, card)
            ]
            if self.due is None:
                options += [f"discard {name_of(card)}" for card in hand if self._can_discard(seat, card)]
            if not options:
                assert len(hand) == 1
                options = ["pass"]
            action = yield from self._ask("play", seat, options)
            if action == "pass":
                return False
            verb, _, rest = action.partition(" ")
            if verb == "lay":
                yield from self._lay(seat, action, lays[action])
            elif verb == "add":
                yield from self._add(seat, card_named(rest), from_hand=True)
            else:
                self._leave_hand(seat, card_named(rest))
                self.heap.append(card_named(rest))
                self.taken = None
                return True
        return False

    def _can_discard(self, seat: int, card: Card) -> bool:
        hand = self.hands[seat]
        if len(hand) == 1:
            return not any(self._ends(card, spread) for spread in self.spreads.values())  # K4
        return self.rules["discard_taken_card"] or card != self.taken or hand.count(card) > 1  # D5

    # New spreads.

    def _three_card_spreads(self) -> dict[Card, dict[str, Cells]]:
        """By each card that is not wild, the three-card spreads in which it can stand."""
        every: dict[str, Cells] = {}
        for suit in SUITS:
            for low in range(1, self.star_high - 1):
                every[f"lay run {suit} {low}-{low + 2}"] = [(suit, low), (suit, low + 1), (suit, low + 2)]
        for number in range(1, self.star_high + 1):
            for suits in combinations(SUITS, 3):
                every[f"lay set {number} {' '.join(suits)}"] = [(suit, number) for suit in suits]
        return {
            card: {
                name: cells
                for name, cells in every.items()
                if any(card[0] == suit and value in self._values(card) for suit, value in cells)
            }
            for card in DECK
            if card != WILD
        }

    def _lays(self, hand: list[Card], due: Card | None) -> dict[str, Cells]:
        """The three-card spreads that can be laid: name, and the suit and value of each of its cells."""
        held, wilds = set(hand), hand.count(WILD)
        suited = held - {WILD} if due is None or due == WILD else {due}  # one of these is in the spread [C4, D3]
        return {
            name: cells
            for card in suited
            for name, cells in self.three_card_spreads[card].items()
            if self._filled(cells, held, wilds, due)
        }

    def _filled(self, cells: Cells, held: set[Card], wilds: int, due: Card | None) -> list[Card] | None:
        """The cards with which a spread is laid at first, or None where it cannot be, or the card due is not in it."""
        chosen: list[Card] = []
        for suit, value in cells:
            number, star = (suit, value), (suit, STAR)
            star_fits = star in held and value in (1, self.star_high)
            if star_fits and star == due:
                chosen.append(star)
            elif number in held:
                chosen.append(number)
            elif star_fits:
                chosen.append(star)
            elif wilds > 0:
                wilds -= 1
                chosen.append(WILD)
            else:
                return None
        if chosen.count(WILD) == 3:  # C4
            return None
        if due is not None and due != WILD and due not in chosen:
            return None
        return chosen

    def _lay(self, seat: int, action: str, cells: Cells) -> Doing:
        """The spread's cells are filled, some of them otherwise if the player likes, and it is laid."""
        hand, due = self.hands[seat], self.due
        chosen = self._filled(cells, set(hand), hand.count(WILD), due)
        assert chosen is not None
        first = 0  # only cells from here on may be replaced
        while True:
            options = self._replacements(cells, chosen, first, hand)
            if due != WILD or WILD in chosen:
                options.append("pass")
            answer = yield from self._ask("substitute", seat, options)
            if answer == "pass":
                break
            index = int(answer[-1]) - 1
            chosen[index] = WILD if answer.startswith("wild") else (cells[index][0], STAR)
            first = index + 1
        run = action.startswith("lay run")
        spread = Spread(seat, suit=cells[0][0]) if run else Spread(seat, number=cells[0][1])
        for (suit, value), card in zip(cells, chosen, strict=True):
            self._leave_hand(seat, card)
            spread.put(card, value if run else suit, seat)
        self.spreads[self._free_slot()] = spread
        self.due = None

    def _replacements(self, cells: Cells, chosen: list[Card], first: int, hand: list[Card]) -> list[str]:
        spare = list(hand)
        for card in chosen:
            spare.remove(card)
        names = []
        for index in range(first, 3):
            suit, value = cells[index]
            card = chosen[index]
            if card == WILD or card == self.due:
                continue
            if WILD in spare and chosen.count(WILD) < 2:
                names.append(f"wild as card {index + 1}")
            if is_number(card) and value == self.star_high and (suit, STAR) in spare:
                leaves_room = WILD in chosen or index < 2
                if self.due != WILD or leaves_room:
                    names.append(f"star as card {index + 1}")
        return names

    def _free_slot(self) -> int:
        return next(slot for slot in range(len(DECK)) if slot not in self.spreads)

    # Additions [P3-P7].

    def _values(self, card: Card) -> tuple[int, ...]:
        """C3, C4: the numbers, or places of a run, that a card can stand for."""
        if card == WILD:
            return tuple(range(1, self.star_high + 1))
        return (1, self.star_high) if card[1] == STAR else (int(card[1]),)

    def _ends(self, card: Card, spread: Spread) -> list[str]:
        """Where a card fits into a spread, whoever plays it."""
        values = self._values(card)
        if spread.suit is None:
            missing = [suit for suit in SUITS if suit not in spread.held]
            fits = missing if card == WILD else card[0] in missing and spread.number in values
            return ["onto"] if fits else []
        if card != WILD and card[0] != spread.suit:
            return []
        ends = []
        if max(spread.held) + 1 in values:
            ends.append("onto")
        if min(spread.held) - 1 in values:
            ends.append("below")
        return ends

    def _places(self, seat: int, card: Card) -> list[str]:
        """Where a player may add a card now [P5, W2]."""
        if self.barred[seat]:
            return []
        has_own = any(spread.owner == seat for spread in self.spreads.values())
        return [
            f"{end} spread {slot + 1}"
            for slot, spread in self.spreads.items()
            if spread.owner == seat or has_own
            for end in self._ends(card, spread)
        ]

    def _add(self, seat: int, card: Card, from_hand: bool) -> Doing:
        """A card goes from hand or, called, from the top of the heap to a spread."""
        place = yield from self._ask("place", seat, self._places(seat, card))
        end, _, slot = place.split()
        spread = self.spreads[int(slot) - 1]
        stands_for: Any
        if spread.suit is not None:
            stands_for = max(spread.held) + 1 if end == "onto" else min(spread.held) - 1
        elif card == WILD:
            missing = [suit for suit in SUITS if suit not in spread.held]
            answer = yield from self._ask("name the suit", seat, [f"as {suit}" for suit in missing])
            stands_for = answer.split()[1]
        else:
            stands_for = card[0]
        if from_hand:
            self._leave_hand(seat, card)
        else:
            self.heap.pop()
        spread.put(card, stands_for, seat)
        if self._is_robot(spread):
            spread.robot_of = seat
        self.due = None

    def _is_robot(self, spread: Spread) -> bool:
        """P6, P7, and P3 for the star among the 14s."""
        if spread.number not in NUMBERS or len(spread.cells) < len(SUITS):
            return False
        if self.rules["wild_completes_robot"]:
            return all(card == WILD or is_number(card) for card in spread.cards)
        return all(is_number(card) for card in spread.cards)

    # Powers [W1-W10].

    def _power(self, seat: int) -> Doing:
        """The power of the card that has just been put on the heap."""
        card = self.heap[-1]
        power = self.powers.get(int(card[1])) if is_number(card) else None
        if power is None or card in self.acted:
            return
        self.acted.add(card)
        if power == "recycle":
            yield from self._recycle(seat)
        elif power == "extra parts":
            yield from self._extra_parts(seat)
        elif power == "tractor beam":
            self._tractor_beam()
        elif power == "laser":
            yield from self._laser(seat)
        else:
            assert power == "short circuit"
            self.skip = not self.skipped[self._left_of(seat)]  # W6: nobody twice without a turn between

    def _recycle(self, seat: int) -> Doing:
        """W1."""
        top = len(self.heap) - 1
        names = {index: name for index, name in self._heap_names().items() if index != top}
        if not names:
            return
        action = yield from self._ask("recycle", seat, [*names.values(), "pass"])
        if action != "pass":
            (index,) = [i for i, name in names.items() if name == action]
            self._enter_hand(seat, self.heap.pop(index), known=True)

    def _extra_parts(self, seat: int) -> Doing:
        """W2."""
        if not self._can_draw():
            return
        action = yield from self._ask("extra parts", seat, ["draw", "pass"])
        if action == "pass":
            return
        drawn = 0
        while drawn < 2 and self._can_draw():
            self._draw_from_factory(seat)
            drawn += 1
        self.barred[seat] = True
        for _ in range(drawn):
            options = [f"discard {name_of(card)}" for card in self.hands[seat]]
            action = yield from self._ask("lay", seat, options)
            card = card_named(action.removeprefix("discard "))
            self._leave_hand(seat, card)
            self.heap.append(card)
            yield from self._power(seat)

    def _tractor_beam(self) -> None:
        """W3: the half's lowest card will be drawn first, so it lies highest under the factory."""
        others = len(self.heap) - 1
        half = (others + 1) // 2
        block = self.heap[:half]
        self.heap = self.heap[half:]
        self.factory = block[::-1] + self.factory
        self.under += half

    def _laser(self, seat: int) -> Doing:
        """W4, W5."""
        targets: dict[str, tuple[int, int]] = {}
        wilds = 0
        for slot, spread in sorted(self.spreads.items()):
            for index, card in enumerate(spread.cards):
                name = f"pick {name_of(card)}"
                if card == WILD:
                    wilds += 1
                    name = f"pick wild {wilds}"
                if spread.owner != seat and spread.robot_of is None:
                    targets[name] = (slot, index)
        if not targets:
            return
        action = yield from self._ask("aim", seat, [*targets, "pass"])
        if action == "pass":
            return
        slot, index = targets[action]
        spread = self.spreads.pop(slot)
        card = spread.cells.pop(index)[0]
        self.heap.insert(0, card)
        parts = [spread.cells] if spread.suit is None else [spread.cells[:index], spread.cells[index:]]
        for part in parts:
            cards = [card for card, _, _ in part]
            if len(part) >= 3 and any(card != WILD for card in cards):
                place = self._free_slot() if slot in self.spreads else slot
                self.spreads[place] = Spread(spread.owner, spread.suit, spread.number, part)
            else:
                for card in cards:
                    self._enter_hand(spread.owner, card, known=True)
        self.spreads = dict(sorted(self.spreads.items()))

    # Robots! [K3, W8].

    def _calls(self, seat: int) -> Doing:
        card = self.heap[-1]  # nothing takes the card that was put there last
        for other in self._others(seat):
            if not self._places(other, card):
                continue
            action = yield from self._ask("call", other, ["call", "pass"])
            if action == "call":
                yield from self._add(other, card, from_hand=False)
                return

"""Robots! in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import robots_env
from robots_env import Robots
from robots_env.actions import (
    ADD,
    AS,
    BELOW,
    CALL,
    DISCARD,
    DRAW,
    LAY_RUN,
    ONTO,
    PASS,
    PICK,
    PICK_WILD,
    STAR_IN,
    WILD_IN,
)
from robots_env.constants import (
    CARD_NAMES,
    CARDS,
    FINISHED,
    LANE,
    NO_CARD,
    NOBODY,
    NUM_KINDS,
    NUM_PLACES,
    POWERS,
    RUN,
    SHORT_CIRCUIT,
    SUIT_CARDS,
    SUITS,
    TO_AIM,
    TO_CALL,
    TO_DRAW,
    TO_DRAW_PARTS,
    TO_LAY,
    TO_NAME,
    TO_PLACE,
    TO_PLAY,
    TO_RECYCLE,
    TO_SUBSTITUTE,
    WILD,
)
from robots_env.position import Position, seat_names
from tabletop.game import Game
from tabletop.record import Replay

from .sitting import Step
from .wording import Choice, NoCard, Sheet, Wording, both

_QUESTIONS = {
    TO_DRAW: "Where do you take a card from?",
    TO_PLAY: "What do you play? A discard ends your turn.",
    TO_SUBSTITUTE: "Which cards do you lay?",
    TO_PLACE: "Where does the card go?",
    TO_NAME: "Which suit does the wild stand for?",
    TO_RECYCLE: "Recycle: which card of the heap do you take into your hand?",
    TO_DRAW_PARTS: "Extra parts: do you draw two cards, of which you then lay two on the heap?",
    TO_LAY: "Extra parts: which card do you lay on the heap?",
    TO_AIM: "Laser: which card do you burn?",
    TO_CALL: 'Do you call "Robots!" and add the card to a spread?',
}
_POWER_TEXTS = {
    "recycle": "take another card of the heap into your hand",
    "extra parts": "draw two cards, then lay two on the heap; you may add nothing until your next turn",
    "tractor beam": "the lower half of the heap goes under the factory",
    "laser": "burn one card of an opponent's spread; a spread of fewer than three goes back to its owner's hand",
    "short circuit": "the next player's turn is skipped, but nobody's twice running",
}


class RobotsWording(Wording):
    """Hands and the factory are hidden."""

    hides_hands = True
    said_if_forced = frozenset(("draw", "play", "lay"))
    cards_are_called = 'by suit and number or star, "green 5", "blue star", or "wild"; a power by its name'

    def __init__(self, game: Game) -> None:
        assert isinstance(game, Robots)
        self.rules = game.rules
        self.players = game.num_players
        self.names = seat_names(game.num_players)
        self.points: list[int] = game.rules.tables["points"][0].tolist()
        self.high = game.rules.star_high

    # ------------------------------------------------------------------------------------------- choices

    def question(self, game: Game) -> str:
        p = _position(game)
        text = _QUESTIONS[p.g.decision]
        if p.g.must_play != NO_CARD and p.g.decision == TO_PLAY:
            text += f" The {CARD_NAMES[p.g.must_play]} must be played at once."
        if p.g.decision in (TO_PLACE, TO_NAME):
            text = text.replace("the card", f"the {CARD_NAMES[p.g.adding]}")
        return text

    def choices(self, game: Game) -> list[Choice]:
        p = _position(game)
        found = [Choice(a, self._choice(game, a), self._group(game, a)) for a in game.legal_actions()]
        if p.g.decision in (TO_DRAW, TO_RECYCLE):  # from the heap's top down
            picks = [choice for choice in found if PICK <= choice.action < DISCARD]
            rest = [choice for choice in found if choice not in picks]
            return rest + sorted(picks, key=lambda choice: -self._place_in_heap(p, choice.action))
        if p.g.decision == TO_AIM:  # spread by spread
            return found[:1] + sorted(found[1:], key=lambda choice: self._target(p, choice.action))
        order = {"lay a new spread": 0, "add to a spread": 1}
        return sorted(found, key=lambda choice: order.get(choice.group, 2))

    def _group(self, game: Game, action: int) -> str:
        decision = int(game.record["decision"][0])
        if decision == TO_PLAY and LAY_RUN <= action < WILD_IN:
            return "lay a new spread"
        if decision == TO_PLAY and ADD <= action < LAY_RUN:
            return "add to a spread"
        if decision == TO_PLAY and DISCARD <= action < ADD:
            return "discard, which ends your turn"
        if decision == TO_AIM and action != PASS:
            p = _position(game)
            slot, _ = self._target(p, action)
            return f"in spread {slot + 1}, {self._kind(p, slot)} of {self.names[p.g.owner[slot]]}"
        return ""

    def _choice(self, game: Game, action: int) -> str:
        p = _position(game)
        decision = p.g.decision
        if decision == TO_DRAW:
            return self._draw(p, action)
        if decision == TO_PLAY:
            return self._play(game, p, action)
        if decision == TO_SUBSTITUTE:
            return self._substitute(p, action)
        if decision == TO_PLACE:
            return self._place(p, action)
        if decision == TO_NAME:
            return SUITS[action - AS]
        if decision == TO_RECYCLE:
            if action >= PICK_WILD:
                return f"wild, number {action - PICK_WILD + 1} from the top"
            return "none" if action == PASS else CARD_NAMES[_card_of(action)]
        if decision == TO_DRAW_PARTS:
            return "draw two cards" if action == DRAW else "do not draw"
        if decision == TO_LAY:
            return self._with_power(_card_of(action))
        if decision == TO_AIM:
            return "burn nothing" if action == PASS else f"burn {self._standing(p, *self._target(p, action))}"
        return f"call and add the {CARD_NAMES[p.heap[-1]]}" if action == CALL else "do not call"

    def _draw(self, p: Position, action: int) -> str:
        if action == DRAW:
            return (
                f"the factory ({_many(len(p.factory), 'card')})" if p.factory else "the heap, shuffled as the factory"
            )
        if action == PASS:
            return "nowhere: the round ends"
        at = self._place_in_heap(p, action)
        card, above = p.heap[at], p.heap[at + 1 :]
        if not above:
            return f"the heap's top card, {CARD_NAMES[card]}"
        more = both([CARD_NAMES[other] for other in above[::-1]])
        return f"{CARD_NAMES[card]}, to be played at once, and the cards above it: {more}"

    def _play(self, game: Game, p: Position, action: int) -> str:
        if action == PASS:
            return "keep your last card"
        if LAY_RUN <= action < WILD_IN:
            return f"lay {self._being_laid(_position(_asked(game, action)))}"
        if ADD <= action < LAY_RUN:
            card = _card_of(action)
            then = _asked(game, action)
            places = then.legal_actions()
            if len(places) == 1 and then.actor == game.actor:
                return f"add {CARD_NAMES[card]} {self._place(_position(then), places[0])}"
            return f"add {CARD_NAMES[card]} to one of {len(places)} places"
        card = _card_of(action)
        if len(p.hands[p.g.actor]) == 1:
            return f"discard {CARD_NAMES[card]}, your last card: the round ends"
        return f"discard {self._with_power(card)}"

    def _substitute(self, p: Position, action: int) -> str:
        if action == PASS:
            return f"{self._being_laid(p)}, as it is"
        star, cell_number = action >= STAR_IN, (action - WILD_IN) % 3
        cells = [cell for cell in range(NUM_PLACES) if p.g.laying_cells >> cell & 1]
        place = self._cell_name(p.g.laying == RUN, p.g.laying_suit, p.g.laying_number, cells[cell_number])
        return f"use {'the star' if star else 'a wild'} as {place}"

    def _being_laid(self, p: Position) -> str:
        run, number, suit = p.g.laying == RUN, p.g.laying_number, p.g.laying_suit
        cells = [cell for cell in range(NUM_PLACES) if p.g.laying_cells >> cell & 1]
        words = []
        for cell in cells:
            sign = "wild" if p.g.laying_wilds >> cell & 1 else "star" if p.g.laying_stars >> cell & 1 else ""
            what = str(cell + 1) if run else SUITS[cell]
            words.append(f"{sign} for {what}" if sign else what)
        return f"run {SUITS[suit]} {', '.join(words)}" if run else f"set {number}: {', '.join(words)}"

    def _place(self, p: Position, action: int) -> str:
        if action >= AS:
            return f"as {SUITS[action - AS]} to {self._spread(p, p.g.target)}"
        slot = (action - ONTO) if action < BELOW else (action - BELOW)
        if p.g.number[slot]:
            return f"to {self._spread(p, slot)}"
        cells = p.cells(slot)
        place = cells[0] if action >= BELOW else cells[-1] + 2
        return f"as {SUITS[p.g.suit[slot]]} {place} to {self._spread(p, slot)}"

    def _with_power(self, card: int) -> str:
        name = CARD_NAMES[card]
        power = POWERS[int(self.rules.tables["power"][0, card])]
        return name if power == "none" else f"{name} ({power})"

    def _kind(self, p: Position, slot: int) -> str:
        cells = p.cells(slot)
        number = p.g.number[slot]
        return f"set {number}" if number else f"run {SUITS[p.g.suit[slot]]} {cells[0] + 1}-{cells[-1] + 1}"

    def _spread(self, p: Position, slot: int) -> str:
        return f"spread {slot + 1} ({self._kind(p, slot)} of {self.names[p.g.owner[slot]]})"

    def _cell_name(self, run: bool, suit: int, number: int, cell: int) -> str:
        return f"{SUITS[suit]} {cell + 1}" if run else f"{SUITS[cell]} {number}"

    def _standing(self, p: Position, slot: int, cell: int) -> str:
        """A card of a spread by what it stands for."""
        card = p.card_at(slot, cell)
        place = self._cell_name(p.g.number[slot] == 0, p.g.suit[slot], p.g.number[slot], cell)
        if card == WILD or card % LANE == 0:
            return f"{'the wild' if card == WILD else 'the star'} for {place}"
        return place

    def _target(self, p: Position, action: int) -> tuple[int, int]:
        """Where the card lies that the laser is aimed at: slot and cell."""
        wanted, skip = _card_of(action), max(action - PICK_WILD, 0)
        for slot in p.slots:
            for cell in p.cells(slot):
                if p.card_at(slot, cell) == wanted:
                    if not skip:
                        return slot, cell
                    skip -= 1
        raise ValueError(f"no spread holds what action {action} aims at")

    @staticmethod
    def _place_in_heap(p: Position, action: int) -> int:
        card = _card_of(action)
        places = [i for i in range(len(p.heap) - 1, -1, -1) if p.heap[i] == card]
        return places[max(action - PICK_WILD, 0)]

    def turn(self, game: Game) -> tuple[int, ...]:
        return int(game.record["round_number"][0]), int(game.record["turns"][0])

    def brief(self, game: Game, seat: int) -> str:
        p = _position(game)
        top = f"; on the heap lies {CARD_NAMES[p.heap[-1]]}" if p.heap else ""
        return f"Your hand: {_named(p.hands[seat])}{top}."

    # ------------------------------------------------------------------------------------------- what happens

    def told(self, step: Step, eyes: Collection[int], you: int | None) -> list[str]:
        before, after = _position(step.before), _position(step.after)
        same_round = before.g.round_number == after.g.round_number and after.g.stage != FINISHED
        lines = self._done(step, before, after, eyes, you, same_round)
        if same_round:
            lines += self._followed(step, before, after, you)
        else:
            lines += self._round_over(before, after, you)
        return lines

    def _done(
        self, step: Step, before: Position, after: Position, eyes: Collection[int], you: int | None, same_round: bool
    ) -> list[str]:
        seat, action, decision = step.seat, step.action, before.g.decision
        if decision in (TO_DRAW, TO_DRAW_PARTS):
            return self._drawn(step, before, after, eyes, you)
        if decision in (TO_PLAY, TO_LAY) and DISCARD <= action < ADD:
            verb = "discard" if decision == TO_PLAY else "lay"
            where = "" if decision == TO_PLAY else " on the heap"
            last = ", the last card" if len(before.hands[seat]) == 1 else ""
            return [self.does(seat, you, verb, self._with_power(_card_of(action)) + where + last)]
        if decision == TO_PLAY and action == PASS:
            return [self.does(seat, you, "keep", "the last card")]
        if decision == TO_RECYCLE:
            what = "nothing" if action == PASS else f"{CARD_NAMES[_card_of(action)]} from the heap"
            return [self.does(seat, you, "recycle", what)]
        if decision == TO_AIM:
            if action == PASS:
                return [self.does(seat, you, "burn", "nothing")]
            slot, cell = self._target(before, action)
            lines = [
                self.does(seat, you, "burn", f"{self._standing(before, slot, cell)} in {self._spread(before, slot)}")
            ]
            owner = before.g.owner[slot]
            returned = Counter(after.known[owner]) - Counter(before.known[owner])
            if returned and same_round:
                lines.append(self.does(owner, you, "take", f"back {_named(sorted(returned.elements()))}"))
            return lines
        if decision == TO_CALL:
            return [
                self.does(seat, you, "call", '"Robots!"') if action == CALL else self.does(seat, you, "do", "not call")
            ]
        if not same_round:  # by the last call of a round that has lasted too long: its table is gone
            return [self.does(seat, you, "add", CARD_NAMES[before.g.adding])]
        return self._laid(seat, before, after, you)

    def _drawn(
        self, step: Step, before: Position, after: Position, eyes: Collection[int], you: int | None
    ) -> list[str]:
        seat, action = step.seat, step.action
        if action == PASS:
            declined = "not draw" if before.g.decision == TO_DRAW_PARTS else "not take a card"
            return [self.does(seat, you, "do", declined)]
        if action != DRAW:
            at = self._place_in_heap(before, action)
            return [self.does(seat, you, "take", f"{_named(before.heap[at:][::-1])} off the heap")]
        lines = []
        if after.g.refills > before.g.refills:
            lines.append(f"The heap is shuffled and becomes the factory: {_named(sorted(after.reshuffled))}.")
        new = Counter(after.hands[seat]) - Counter(before.hands[seat])
        known = Counter(after.known[seat]) - Counter(before.known[seat])
        shown = new if seat in eyes else known
        hidden = sum((new - shown).values())
        parts = [_named(sorted(shown.elements()))] if shown else []
        if hidden:
            parts.append(f"{_many(hidden, 'more card' if shown else 'card')}")
        return [*lines, self.does(seat, you, "draw", f"{both(parts)} from the factory")]

    def _laid(self, seat: int, before: Position, after: Position, you: int | None) -> list[str]:
        """A spread or a card that has come to lie on the table."""
        lines = []
        for slot in after.slots:
            if slot not in before.slots:
                cells = [self._standing(after, slot, cell) for cell in after.cells(slot)]
                kind = "set" if after.g.number[slot] else "run"
                lines.append(self.does(seat, you, "lay", f"a {kind} (spread {slot + 1}): {', '.join(cells)}"))
            elif new := [cell for cell in after.cells(slot) if cell not in before.cells(slot)]:
                where = self._spread(before, slot)
                lines.append(self.does(seat, you, "add", f"{self._standing(after, slot, new[0])} to {where}"))
                if after.g.robot[slot] != NOBODY:
                    lines.append(self.does(seat, you, "complete", f"the robot {after.g.number[slot]}!"))
        return lines

    def _followed(self, step: Step, before: Position, after: Position, you: int | None) -> list[str]:
        """What powers did that ask nobody."""
        lines = []
        if after.g.under > before.g.under:
            moved = after.factory[: after.g.under - before.g.under]
            lines.append(f"The tractor beam puts {_named(moved[::-1])} under the factory.")
        next_seat = (before.g.player + 1) % self.players
        passed_over = after.g.turns > before.g.turns and after.g.player != next_seat
        if not before.g.skip and (after.g.skip or passed_over):
            lines.append(f"Short circuit: {self.name(next_seat, you, object_=True)} will miss a turn.")
        discarded = before.g.decision in (TO_PLAY, TO_LAY) and DISCARD <= step.action < ADD
        if discarded and before.g.skipped[next_seat] and before.power(_card_of(step.action)) == SHORT_CIRCUIT:
            name = self.name(next_seat, you, object_=True)
            lines.append(f"Short circuit: nobody misses a turn, since {name} did before.")
        return lines

    def _round_over(self, before: Position, after: Position, you: int | None) -> list[str]:
        scores = [
            f"{self.name(seat, you, object_=True)} {after.g.round_scores[seat]:+} (now {after.g.scores[seat]})"
            for seat in range(self.players)
        ]
        lines = [f"Round {before.g.round_number} is over: {', '.join(scores)}."]
        if after.g.stage == FINISHED:
            cut = after.g.truncated == 1
            lines.append("The match is cut short: nobody has won." if cut else "The match is over.")
        else:
            lines.append(
                f"Round {after.g.round_number} begins. The dealer is {self.name(after.g.dealer, you, object_=True)}."
            )
        return lines

    def is_final(self, step: Step) -> bool:
        before, after = step.before.record[0], step.after.record[0]
        drawn = step.action == DRAW and before["decision"] in (TO_DRAW, TO_DRAW_PARTS)
        changed = any(before[name] != after[name] for name in ("rng", "round_number", "refills"))
        return bool(drawn or changed or after["stage"] == FINISHED)

    # ------------------------------------------------------------------------------------------- cards and points

    def card(self, name: str, game: Game) -> list[str]:
        text = " ".join(name.lower().split())
        if text in self.rules.powers.values():
            numbers = both([number for number, power in self.rules.powers.items() if power == text])
            return [
                f"{text}: the power of every {numbers} that is discarded, the last card of a hand excepted.",
                f"{_POWER_TEXTS[text].capitalize()}.",
            ]
        found = re.fullmatch(rf"({'|'.join(SUITS)}) (star|\d{{1,2}})", text)
        if text == "wild":
            return self._wild_or_star(WILD)
        if not found or (found[2] != "star" and not 2 <= int(found[2]) <= SUIT_CARDS):
            raise NoCard(f"there is no card {name!r}; cards are called {self.cards_are_called}")
        suit = SUITS.index(found[1])
        if found[2] == "star":
            return self._wild_or_star(LANE * suit)
        number = int(found[2])
        card = LANE * suit + number - 1
        lines = [
            f"{CARD_NAMES[card]}: {_many(self.points[card], 'point')}.",
            f"It fits into runs of {SUITS[suit]} and into the set of {number}s.",
        ]
        power = self.rules.powers.get(str(number))
        if power:
            lines.append(f"Discarded, other than as the last card, its power acts: {power}: {_POWER_TEXTS[power]}.")
        return lines

    def _wild_or_star(self, card: int) -> list[str]:
        lines = [f"{CARD_NAMES[card]}: {_many(self.points[card], 'point')}."]
        if card == WILD:
            robot = "" if self.rules.wild_completes_robot else " A set with a wild in it is no robot."
            return [*lines, f"It stands for any card; a spread needs one card at least that is no wild.{robot}"]
        suit = SUITS[card // LANE]
        return [*lines, f"It stands for the {suit} 1 or the {suit} {self.high}, in runs and in sets."]

    def score(self, game: Game, eyes: Collection[int]) -> Sheet:
        p = _position(game)
        over = p.g.stage == FINISHED
        rows = []
        for seat in p.seats:
            wilds = sum(bin(by[seat]).count("1") for by in p.g.wilds_by)
            cards = sum(self.points[card] for card in p.played[seat]) + wilds * self.points[WILD]
            robots = sum(p.g.robot[slot] == seat for slot in p.slots) * self.rules.robot_bonus
            seen = seat in eyes or over
            hand = sum(self.points[card] for card in p.hands[seat])
            before = p.g.scores[seat] - (p.g.round_scores[seat] if over else 0)
            total = p.g.scores[seat] if over else before + cards + robots - hand
            rows.append(
                [
                    self.names[seat],
                    str(before),
                    str(cards),
                    str(robots),
                    f"-{hand}" if seen else "?",
                    str(total) if seen else "?",
                ]
            )
        remarks = ["? counts a hand that you cannot see."] if any("?" in row for row in rows) else []
        when = "last round" if over else "this round"
        headings = ["points", "rounds before", f"cards laid, {when}", "robots", "hand", "all"]
        return Sheet(headings, rows, remarks)

    def hands(self, game: Game) -> list[str]:
        p = _position(game)
        return [f"{name} holds {_named(p.hands[seat])}" for seat, name in enumerate(self.names)]

    def read_record(self, text: str, settings: Mapping[str, Any]) -> Replay:
        if settings:
            raise ValueError(
                f"a record of Robots! says its settings itself; {next(iter(settings))!r} has no place here"
            )
        return robots_env.replay(text)


def _asked(game: Game, action: int) -> Game:
    """The table after an action, every decision asked."""
    twin = game.twin(game.record)
    twin.record["ask_forced"] = 1
    twin.act(action)
    return twin


def _card_of(action: int) -> int:
    """The card that an action names."""
    if PICK <= action < DISCARD:
        rank = min(action - PICK, NUM_KINDS - 1)
    else:
        rank = (action - DISCARD) % NUM_KINDS
    return (*CARDS, WILD)[rank]


def _position(game: Game) -> Position:
    assert isinstance(game, Robots)
    return Position(game, game.record)


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _named(cards: Iterable[int]) -> str:
    return ", ".join(CARD_NAMES[card] for card in cards) or "nothing"

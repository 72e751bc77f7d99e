"""The table as plain text, with all that lies open and of what is hidden one player's hand at most."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..constants import (
    CARD_NAMES,
    DECISIONS,
    FINISHED,
    LANE,
    NO_CARD,
    NO_SPREAD,
    NOBODY,
    NUM_PLACES,
    POWERS,
    RUN,
    STAGES,
    SUITS,
    TO_CALL,
    TO_PLAY,
    TO_SUBSTITUTE,
    WILD,
)
from ..position import Position

if TYPE_CHECKING:
    from ..game import Robots

WIDTH = 108
_FIXED = "~"  # a space at which no line is broken


def render(game: Robots, seat: int | None = None, *, width: int = WIDTH, choices: bool = True) -> str:
    """Everything that lies open, and with a ``seat`` its hand and, if it decides and with ``choices``, what it may do
    by number."""
    table = _Table(game, seat, width)
    sections = [table.head(), table.players(), table.piles(), table.spreads(), table.rules()]
    if choices:
        sections.append(table.choices())
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def _listed(items: Iterable[object], nothing: str = "none") -> str:
    return ", ".join(map(str, items)) or nothing


def _card(card: int) -> str:
    return CARD_NAMES[card].replace(" ", _FIXED)


def _named(cards: Iterable[int]) -> str:
    return _listed(map(_card, cards))


def _pile(cards: Iterable[int]) -> list[str]:
    """Cards in order; the wilds are counted, as the actions that pick one count them."""
    wilds = itertools.count(1)
    return [f"wild{_FIXED}{next(wilds)}" if card == WILD else _card(card) for card in cards]


def _standing(sign: str, what: str) -> str:
    """A card of a spread: what it stands for, with its sign if it is a wild or star."""
    return f"{sign} for {what}".replace(" ", _FIXED) if sign else what


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


class _Table:
    def __init__(self, game: Robots, seat: int | None, width: int) -> None:
        self.game = game
        self.seat = seat
        self.width = width
        self.p = Position(game, game.record)
        self.points: list[int] = game.rules.tables["points"][0].tolist()
        self.over = self.p.g.stage == FINISHED

    def wrapped(self, text: str, indent: int) -> list[str]:
        first, then = " " * indent, " " * (indent + 2)
        lines = textwrap.wrap(text, self.width, initial_indent=first, subsequent_indent=then, break_on_hyphens=False)
        return [line.replace(_FIXED, " ") for line in lines]

    def head(self) -> list[str]:
        p, g = self.p, self.p.g
        rounds = f" of {g.rounds}" if g.rounds else ""
        parts = [
            f"Robots!, {p.players} players",
            f"round {g.round_number}{rounds}",
            f"turn {g.turns + (not self.over)}",
            f"dealer: {p.names[g.dealer]}",
            f"turn of {p.names[g.player]}",
            STAGES[g.stage],
        ]
        lines = self.wrapped(" | ".join(parts), 0)
        if self.game.truncated:
            return [*lines, f"The match was cut short after {_many(g.round_number, 'round')}: nobody has won."]
        if self.over:
            winners = [name for name, won in zip(p.names, self.game.result()[1], strict=True) if won]
            return [*lines, f"The match is over. Won by {' and '.join(winners)}."]
        # Whether a spread being laid could hold another wild or star tells of the hand: to the others it is a play.
        decision = TO_PLAY if g.decision == TO_SUBSTITUTE and self.seat != g.actor else g.decision
        return lines + self.wrapped(f"{p.names[g.actor]} decides: {DECISIONS[decision]}{self.under_way()}", 0)

    def under_way(self) -> str:
        """The play that the deciding player is in the middle of, and what this turn has brought."""
        p, g = self.p, self.p.g
        parts = []
        if g.laying != NO_SPREAD and self.seat == g.actor:
            parts.append(f"laying {self.being_laid()}")
        if g.adding != NO_CARD:
            parts.append(f"adding {_card(g.adding)}" + (f" to spread {g.target + 1}" if g.target != NOBODY else ""))
        if g.must_play != NO_CARD:
            parts.append(f"{_card(g.must_play)} must be played at once")
        if g.taken != NO_CARD and not p.rules.discard_taken_card:
            parts.append(f"{_card(g.taken)} was taken alone and may not be discarded")
        if g.decision == TO_CALL:
            parts.append(f"{_card(p.heap[-1])} can be added to a spread")
        if g.lays:
            parts.append(f"{_many(g.lays, 'card')} still to be laid on the heap")
        if g.skip:
            parts.append("the next player is skipped")
        if p.acted:
            acted = [f"{_card(card)} ({POWERS[p.power(card)]})" for card in p.acted]
            parts.append(f"powers that have acted this turn: {_listed(acted)}")
        return f" ({'; '.join(parts)})" if parts else ""

    def being_laid(self) -> str:
        g = self.p.g
        run = g.laying == RUN
        cells = []
        for cell in (cell for cell in range(NUM_PLACES) if g.laying_cells >> cell & 1):
            sign = "wild" if g.laying_wilds >> cell & 1 else "star" if g.laying_stars >> cell & 1 else ""
            cells.append(_standing(sign, str(cell + 1) if run else SUITS[cell]))
        return f"{f'run {SUITS[g.laying_suit]}' if run else f'set {g.laying_number}'}: {_listed(cells)}"

    def players(self) -> list[str]:
        p, g = self.p, self.p.g
        lines = ["Players"]
        for seat, name in enumerate(p.names):
            line = f"{name}: {_many(g.scores[seat], 'point')}"
            if g.round_number > 1 or self.over:
                line += f" ({g.round_scores[seat]:+} in the last round)"
            if not self.over:
                line += f", {self.laid(seat)} on the table"
            line += f" | {_many(len(p.hands[seat]), 'card')} in hand, known: {_named(p.known[seat])}"
            if g.barred[seat]:
                line += " | may add nothing until its next turn"
            if g.skipped[seat]:
                line += " | has been skipped, which happens to nobody twice running"
            lines += self.wrapped(line, 2)
            if seat == self.seat:
                worth = _many(sum(self.points[card] for card in p.hands[seat]), "point")
                lines += self.wrapped(f"hand: {_named(p.hands[seat])} ({worth})", 4)
        return lines

    def laid(self, seat: int) -> int:
        """What a player's cards in spreads and robots are worth [E2]."""
        p, g = self.p, self.p.g
        wilds = sum(bin(by[seat]).count("1") for by in g.wilds_by)
        robots: int = sum(g.robot[slot] == seat for slot in p.slots)
        cards: int = sum(self.points[card] for card in p.played[seat])
        return cards + wilds * self.points[WILD] + robots * p.rules.robot_bonus

    def piles(self) -> list[str]:
        p, g = self.p, self.p.g
        heap = _pile(p.heap[::-1])
        if heap:
            heap[0] += f"{_FIXED}[top]"
        lines = self.wrapped(f"Heap, from its top ({_many(len(heap), 'card')}): {_listed(heap, 'nothing')}", 0)
        size = len(p.factory)
        text = f"Factory: {_many(size, 'card')}"
        if g.under:
            draws = f"draws {size - g.under + 1} to {size}" if g.under > 1 else f"draw {size}"
            text += f"; known to come with {draws}: {_named(p.factory[: g.under][::-1])}"
        lines += self.wrapped(text, 0)
        if g.refills:
            times = _many(g.refills, "time")
            lines += self.wrapped(f"The heap has become the factory {times}, last with {_named(p.reshuffled)}", 0)
        return lines

    def spreads(self) -> list[str]:
        lines = ["Spreads"]
        wilds = itertools.count(1)
        for slot in self.p.slots:
            lines += self.wrapped(self.spread(slot, wilds), 2)
        return lines if self.p.slots else ["Spreads: none"]

    def spread(self, slot: int, wilds: Iterator[int]) -> str:
        p, g = self.p, self.p.g
        cells = p.cells(slot)
        number = g.number[slot]
        kind = f"set {number}" if number else f"run {SUITS[g.suit[slot]]} {cells[0] + 1}-{cells[-1] + 1}"
        text = f"{slot + 1}: {kind} of {p.names[g.owner[slot]]}: {_listed(self.cells(slot, wilds))}"
        return text + (f" [robot of {p.names[g.robot[slot]]}]" if g.robot[slot] != NOBODY else "")

    def cells(self, slot: int, wilds: Iterator[int]) -> Iterator[str]:
        """Each card: its place in a run, its suit in a set; what wilds (counted over all spreads) and stars stand for;
        who played it, if not the spread's owner."""
        p, g = self.p, self.p.g
        for cell in p.cells(slot):
            card = p.card_at(slot, cell)
            wild = card == WILD
            sign = f"wild {next(wilds)}" if wild else "star" if card % LANE == 0 else ""
            text = _standing(sign, SUITS[cell] if g.number[slot] else str(cell + 1))
            by = next(i for i in p.seats if (g.wilds_by[slot][i] >> cell & 1 if wild else card in p.played[i]))
            yield text if by == g.owner[slot] else f"{text}{_FIXED}(by{_FIXED}{p.names[by]})"

    def rules(self) -> list[str]:
        """What the rule set says about the cards."""
        rules, rounds = self.p.rules, self.p.g.rounds
        powers = [f"{number} {power}".replace(" ", _FIXED) for number, power in rules.powers.items()]
        goal = f"{_many(rounds, 'round')}" if rounds else f"to {rules.target_score} points"
        return self.wrapped(f"Rules: {goal}; stars count as 1 or {rules.star_high}; powers: {_listed(powers)}", 0)

    def choices(self) -> list[str]:
        """Only for the player who decides: what is legal tells of its hand."""
        if self.over or self.seat != self.game.actor:
            return []
        lines = [f"{self.p.names[self.game.actor]} may"]
        for action in self.game.legal_actions():
            lines += self.wrapped(f"{action}: {self.game.action_to_string(action)}", 2)
        return lines

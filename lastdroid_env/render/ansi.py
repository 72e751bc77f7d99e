"""The table as plain text, with all that lies open and nothing that is hidden."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..constants import (
    BONUS_DROIDS,
    DECISIONS,
    DISCARDED,
    DISCOUNT_DROID,
    DROID_TYPES,
    EXCHANGE_DROIDS,
    FACE_UP,
    FINISHED,
    FIRST_HOUSE,
    IDLE,
    NOBODY,
    NUM_HOUSES,
    ON_TABLE,
    PARTS,
    REPAIRED,
    SEASONS,
    STAGES,
    STORE_DROIDS,
    TASKS,
    TOKENS,
    TURNS,
    TYPES,
)
from ..icons import Icons
from ..position import Position
from . import texts

if TYPE_CHECKING:
    from ..game import LastDroid

WIDTH = 108
_ROMAN = ("I", "II", "III")
_TEAMS = "teams: player_0 and player_3, player_1 and player_2"
_PLAYERS = ("solo", "2 players", "3 players", "4 players")


def render(game: LastDroid, *, width: int = WIDTH, choices: bool = True) -> str:
    """Everything that lies open, and with ``choices`` what the player who decides may do."""
    table = _Table(game, width)
    sections = [table.head(), table.revealed(), table.sheds(), table.houses(), table.rest()]
    if choices:
        sections.append(table.choices())
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def _listed(items: Iterable[object], nothing: str = "none") -> str:
    return ", ".join(map(str, items)) or nothing


class _Table:
    def __init__(self, game: LastDroid, width: int) -> None:
        self.game = game
        self.width = width
        self.cards = game.cards
        self.p = Position(game, game.record)
        self.scores, self.wins = game.result()
        self.wild_type_houses: list[int] = game.settings()["wild_type_houses"]

    def wrapped(self, text: str, indent: int) -> list[str]:
        first, then = " " * indent, " " * (indent + 2)
        return textwrap.wrap(text, self.width, initial_indent=first, subsequent_indent=then)

    def head(self) -> list[str]:
        p, g = self.p, self.p.g
        parts = [
            f"Last Droid, {_PLAYERS[p.players - 1]}",
            f"turn {g.turn} of {TURNS}",
            f"season {_ROMAN[g.season - 1]}",
            f"priority: {p.names[g.priority]}",
            STAGES[g.stage],
        ]
        lines = self.wrapped(" | ".join(parts), 0)
        if p.players == 4:
            lines += self.wrapped(f"{_TEAMS} | positions 1-4: {_listed(p.named(p.order(g.turn)))}", 0)
        if g.stage == FINISHED:
            winners = [name for name, won in zip(p.names, self.wins, strict=True) if won]
            return [*lines, f"The game is over. Won by {' and '.join(winners)}."]
        lines += self.wrapped(f"{p.names[g.actor]} decides: {DECISIONS[g.decision]}{self.under_way()}", 0)
        return lines

    def under_way(self) -> str:
        """What the acting player is in the middle of."""
        g = self.p.g
        if g.task == IDLE:
            return ""
        what = "house" if FIRST_HOUSE <= g.target < FIRST_HOUSE + NUM_HOUSES else "droid"
        parts = [f"{TASKS[g.task]} {what} {g.target}"]
        if self.p.owed() != Icons():
            parts.append(f"still to pay: {self.p.owed()}")
        if g.extensions_due:
            parts.append(f"extensions to place: {g.extensions_due}")
        if self.p.due() != Icons():
            parts.append(f"still to gain: {self.p.due()}")
        return f" ({'; '.join(parts)})"

    def droid(self, number: int, label: str, remark: str) -> list[str]:
        lines = self.wrapped(f"{label}: {texts.droid_line(self.cards, number)}{remark}", 2)
        effect = texts.droid_effect(self.cards, number, self.wild_type_houses)
        return lines + (self.wrapped(effect, 5) if effect else [])

    def revealed(self) -> list[str]:
        p, g = self.p, self.p.g
        lines = ["Revealed this turn"]
        for slot, card in enumerate(p.revealed(g.turn)):
            remark = f"; interest {p.interest(card)}" if p.players == 1 else ""
            if g.given_to[slot] != NOBODY:
                remark += f" -> {p.names[g.given_to[slot]]}"
            if g.place[card] != ON_TABLE:
                remark += f" [{self.where(card)}]"
            lines += self.droid(card, f"card {slot}", remark)
        for seat, slot in enumerate(g.wish):
            if slot != NOBODY:
                lines.append(f"  {p.names[seat]} would like card {slot}")
        if g.open_deck:
            for i in range(2 if p.players == 4 else 1):
                lines += self.top(i)
        return lines

    def top(self, deck: int) -> list[str]:
        """The card on a deck that lies face up [S9]."""
        g = self.p.g
        if self.p.decks_empty():
            return []
        card = g.deck[deck][g.drawn[deck]]
        if self.p.card["season"][card] != g.season:
            return [f"  on deck {deck + 1}: the interseason card"]
        return self.droid(card, f"on deck {deck + 1}", "")

    def where(self, card: int) -> str:
        place = self.p.g.place[card]
        if place >= REPAIRED:
            return "repaired"
        return "discarded face up" if place >= FACE_UP else "discarded"

    def sheds(self) -> list[str]:
        p, g = self.p, self.p.g
        lines = ["Players"]
        for seat, name in enumerate(p.names):
            leaves = sum(int(self.p.card["leaves"][droid]) for droid in p.droids(seat))
            line = f"{name}: {self.scores[seat]} RP as it stands, leaves {leaves}"
            if seat < p.players:
                columns = [f"{kind} {g.parts[seat][i]}/{p.capacity(seat, i)}" for i, kind in enumerate(PARTS)]
                line += f" | {', '.join(columns)} | extensions {sum(g.extensions[seat])}"
            lines += self.wrapped(line, 2)
            droids = [texts.droid_brief(self.cards, droid) for droid in p.droids(seat)]
            lines += self.wrapped(f"droids: {_listed(droids)}", 4)
            lines += self.effects(seat)
            if seat < p.players:
                lines += self.wrapped(f"houses: {_listed(FIRST_HOUSE + i for i in p.built(seat))}", 4)
        return lines

    def effects(self, seat: int) -> list[str]:
        """What a player's market and collection droids do for it from now on [F7, F9-F12]."""
        p, g = self.p, self.p.g
        lines = []
        for droid in p.droids(seat) if seat < p.players else ():
            if droid in STORE_DROIDS:
                parts = Icons(tuple(g.stored[STORE_DROIDS.index(droid)]))
                lines += self.wrapped(f"on droid {droid}: {parts}", 4)
            elif droid in (*BONUS_DROIDS, *EXCHANGE_DROIDS, DISCOUNT_DROID):
                used = g.used[EXCHANGE_DROIDS.index(droid)] if droid in EXCHANGE_DROIDS else 0
                remark = f" (used {used} times)" if used else ""
                lines += self.wrapped(f"droid {droid}: {texts.droid_effect(self.cards, droid, ())}{remark}", 4)
        return lines

    def houses(self) -> list[str]:
        p, g = self.p, self.p.g
        lines = []
        for pair, seats in enumerate(p.pairs):
            lines += self.wrapped(f"Houses between {' and '.join(p.named(seats))}", 0)
            for i in (i for i in range(NUM_HOUSES) if g.between[i] == pair):
                number = FIRST_HOUSE + i
                text = f"{number}: cost {self.cards.houses[number].cost}; "
                text += texts.house_effect(self.cards, number, p.players)
                if g.token_house == i:
                    owner = p.names[g.token_owner]
                    text += f" [tokens of {owner}: {TOKENS} more base parts for anybody else]"
                if g.builder[i] != NOBODY:
                    text += f" [built by {p.names[g.builder[i]]}]"
                lines += self.wrapped(text, 2)
        return lines

    def rest(self) -> list[str]:
        p, g = self.p, self.p.g
        lines = []
        for pair, seats in enumerate(p.pairs):
            cards = self.lying(FACE_UP + pair)
            lines += self.wrapped(f"Face up between {' and '.join(p.named(seats))}: {_listed(cards, 'no droid')}", 0)
        lines += self.wrapped(f"Discarded: {_listed(self.lying(DISCARDED), 'no droid')}", 0)
        for season in range(SEASONS):
            counts = g.left[season]
            kinds = [f"{counts[kind]} {TYPES[kind]}" for kind in range(DROID_TYPES) if counts[kind]]
            lines += self.wrapped(f"Left of season {_ROMAN[season]}: {_listed(kinds, 'no droid')}", 0)
        return [*lines, *self.wrapped(texts.ICONS, 0)]

    def lying(self, place: int) -> Sequence[int]:
        return [card for card, where in enumerate(self.p.g.place) if where == place]

    def choices(self) -> list[str]:
        if self.game.actor < 0:
            return []
        lines = [f"{self.p.names[self.game.actor]} may"]
        for action in self.game.legal_actions():
            lines += self.wrapped(f"{action}: {self.game.action_to_string(action)}", 2)
        return lines

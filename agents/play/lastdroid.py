"""Last Droid in words."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

import lastdroid_env
from lastdroid_env import LastDroid, actions
from lastdroid_env.cards import DroidCard
from lastdroid_env.constants import (
    ACTION,
    ALTERNATIVE,
    AUTO,
    BASIC_EXCHANGES,
    BESIDE,
    BUILDING,
    DISMANTLING,
    EXCHANGE,
    EXCHANGE_DROIDS,
    EXTENSION,
    FINISHED,
    FIRST_HOUSE,
    GAIN_ANY,
    GAIN_PAIR,
    GIVE,
    MARKET_ALTERNATIVES,
    NOBODY,
    NUM_CARDS,
    ON_TABLE,
    PARTS,
    PAY_ANY,
    PAY_PAIR,
    REPAIRED,
    TIE,
    TOKEN,
    TOKENS,
    TURNS,
    WISH,
)
from lastdroid_env.names import seat_names
from lastdroid_env.position import Position
from lastdroid_env.render import texts
from tabletop.game import Game
from tabletop.record import Replay

from ..lastdroid.points import NUM_PARTS, PART_NAMES, score_parts
from .sitting import Step
from .wording import Choice, NoCard, Sheet, Wording, both

_ROMAN = ("I", "II", "III")
_QUESTIONS = {
    WISH: "Which of these cards would you like? It binds nobody.",
    TIE: "Both cards interest the Auto-Ecomechanic alike. Which one do you take?",
    EXCHANGE: "Do you want to exchange parts with the supply?",
    ACTION: "What do you do with your droid?",
    PAY_PAIR: "How do you pay the pair of parts?",
    PAY_ANY: "Which part do you pay?",
    ALTERNATIVE: "Which of the card's gifts do you take?",
    EXTENSION: "Which column of your shed do you extend?",
    GAIN_PAIR: "Which pair of parts do you take?",
    GAIN_ANY: "Which part do you take?",
    BESIDE: "Between whom do you lay the communication droid that you give up?",
    TOKEN: "On which house do you lay your tokens?",
}


class LastDroidWording(Wording):
    """Nothing is hidden but the order of the decks, so that ``eyes`` make no difference."""

    hides_hands = False
    said_if_forced = frozenset(("give", "action"))
    cards_are_called = "by their number, 1 to 102 (45 to 58 are houses)"

    def __init__(self, game: Game) -> None:
        assert isinstance(game, LastDroid)
        self.cards = game.cards
        self.players = game.num_players
        self.wild_type_houses: list[int] = game.settings()["wild_type_houses"]
        self.names = seat_names(game.num_players)

    # ------------------------------------------------------------------------------------------- choices

    def question(self, game: Game) -> str:
        decision = _number(game, "decision")
        if decision != GIVE:
            return _QUESTIONS[decision]
        gets = self._gets(game, game.legal_actions()[0])
        seat = next(iter(gets.values()))
        whom = "yourself" if seat == game.actor else self.names[seat]
        return f"Which of the revealed droids do you give {whom}?"

    def choices(self, game: Game) -> list[Choice]:
        return [
            Choice(action, self._choice(game, action), self._group(game, action)) for action in game.legal_actions()
        ]

    def _group(self, game: Game, action: int) -> str:
        if _number(game, "decision") != EXCHANGE or action == actions.PASS:
            return ""
        if action < actions.MARKET:
            return "with the supply"
        droid = EXCHANGE_DROIDS[(action - actions.MARKET) // MARKET_ALTERNATIVES]
        card = self.cards.droids[droid]
        often = {0: "", 1: ", once a phase", 2: ", twice a phase"}[card.uses or 0]
        return f"with your droid {droid}{often}"

    def _choice(self, game: Game, action: int) -> str:
        p = _position(game)
        seat, decision = game.actor, p.g.decision
        if decision in (GIVE, TIE):
            gets = self._gets(game, action)
            parts = [
                f"you {'take' if decision == TIE else 'keep'} {self._droid(card)}"
                if to == seat
                else f"{self.names[to]} gets {self._droid(card)}"
                for card, to in gets.items()
            ]
            return "; ".join(parts)
        if decision == WISH:
            return "none" if action == actions.WISH_NONE else self._droid(p.g.offer[action - actions.WISH])
        if decision == EXCHANGE:
            return "no more exchanges" if action == actions.PASS else self._exchange(action)
        if decision == ACTION:
            return self._action(p, seat, action)
        if decision == ALTERNATIVE:
            gift = self.cards.droids[p.g.target].gift
            assert isinstance(gift, tuple)
            return f"take {gift[action - actions.ALTERNATIVE]}"
        if decision == EXTENSION:
            column = action - actions.EXTEND
            room = p.capacity(seat, column)
            return f"the {PARTS[column]} column: room for {room + 1} instead of {room}"
        if decision == BESIDE:
            return f"between you and {self.names[self._beside(seat, action)]}"
        if decision == TOKEN:
            return self._house(FIRST_HOUSE + action - actions.TOKEN)
        return game.action_to_string(action)

    def _action(self, p: Position, seat: int, action: int) -> str:
        card = self._before(p, seat)
        if action == actions.REPAIR:
            droid = self.cards.droids[card]
            effect = texts.droid_effect(self.cards, card, self.wild_type_houses)
            less = " (1 energy less)" if p.owns(seat, 42) and "energy" in droid.cost else ""
            text = f"repair {self._droid(card)}: pay {droid.cost}{less}, {droid.rp} RP"
            if droid.leaves:
                text += f", {droid.leaves} {'leaf' if droid.leaves == 1 else 'leaves'}"
            return text + (f"; {effect}" if effect else "")
        if action == actions.DISMANTLE:
            return f"dismantle {self._droid(card)}: gain {self.cards.droids[card].dismantle}"
        number = FIRST_HOUSE + action - actions.BUILD
        more = ""
        if p.g.token_house == number - FIRST_HOUSE and p.g.token_owner != seat:
            more = f" and {TOKENS} base parts more, for {self.names[p.g.token_owner]}'s tokens"
        return f"build house {number}: pay {self.cards.houses[number].cost}{more}; {self._house_effect(number)}"

    def _exchange(self, action: int) -> str:
        row = action - actions.EXCHANGE
        if row >= BASIC_EXCHANGES:
            return str(self.cards.exchange_to_string(row))
        return self._basic[row]

    @property
    def _basic(self) -> list[str]:
        return [str(self.cards.exchange_to_string(row)) for row in range(BASIC_EXCHANGES)]

    def _gets(self, game: Game, action: int) -> dict[int, int]:
        """Who gets which card by this action: card to seat."""
        asked = game.twin(game.record)
        asked.record["ask_forced"] = 1
        given = _position(asked).g.given_to
        asked.act(action)
        p = _position(asked)
        if p.g.offer != _position(game).g.offer:  # the last card has led to the next turn
            return {}
        return {p.g.offer[slot]: to for slot, to in enumerate(p.g.given_to) if to != given[slot]}

    def _beside(self, seat: int, action: int) -> int:
        return (seat + (1 if action == actions.BESIDE else 2)) % 3

    @staticmethod
    def _before(p: Position, seat: int) -> int:
        """The card that lies before a seat this turn."""
        return int(p.g.offer[p.g.given_to.index(seat)])

    def turn(self, game: Game) -> tuple[int, ...]:
        return (_number(game, "turn"),)

    def brief(self, game: Game, seat: int) -> str:
        p = _position(game)
        columns = [f"{kind} {p.g.parts[seat][i]}/{p.capacity(seat, i)}" for i, kind in enumerate(PARTS)]
        text = f"You have {', '.join(columns)}"
        if seat in p.g.given_to and seat not in p.acted():
            card = self._before(p, seat)
            if p.g.place[card] == ON_TABLE:
                text += f"; before you lies {texts.droid_line(self.cards, card)}"
        if p.owed().total:
            text += f"; still to pay: {p.owed()}"
        if p.due().total:
            text += f"; still to gain: {p.due()}"
        return text + "."

    # ------------------------------------------------------------------------------------------- what happens

    def told(self, step: Step, eyes: Collection[int], you: int | None) -> list[str]:
        return [*self._done(step, you), *self._followed(step, you)]

    def _done(self, step: Step, you: int | None) -> list[str]:
        p, seat, action = _position(step.before), step.seat, step.action
        decision = p.g.decision
        if decision in (GIVE, TIE):
            given, done = p.g.given_to, _position(step.after)
            pairs = {done.g.offer[slot]: to for slot, to in enumerate(done.g.given_to) if to != given[slot]}
            lines = []
            for card, to in pairs.items():
                if to == seat:
                    lines.append(self.does(seat, you, "take" if decision == TIE else "keep", self._droid(card)))
                elif decision == TIE:
                    lines.append(f"{self.name(to, you)} gets {self._droid(card)}.")
                else:
                    lines.append(
                        self.does(seat, you, "give", f"{self.name(to, you, object_=True)} {self._droid(card)}")
                    )
            return lines
        if decision == WISH:
            if action == actions.WISH_NONE:
                return [self.does(seat, you, "wish", "for no card")]
            return [f"{self.name(seat, you)} would like {self._droid(p.g.offer[action - actions.WISH])}."]
        if decision == EXCHANGE:
            if action == actions.PASS:
                return []
            droid = ""
            if action >= actions.MARKET:
                droid = f" with droid {EXCHANGE_DROIDS[(action - actions.MARKET) // MARKET_ALTERNATIVES]}"
            return [self.does(seat, you, "exchange", self._exchange(action) + droid)]
        if decision == ACTION:
            card = self._before(p, seat)
            if action == actions.REPAIR:
                return [self.does(seat, you, "repair", self._droid(card))]
            if action == actions.DISMANTLE:
                return [
                    self.does(
                        seat, you, "dismantle", f"{self._droid(card)}, which gives {self.cards.droids[card].dismantle}"
                    )
                ]
            number = FIRST_HOUSE + action - actions.BUILD
            return [
                self.does(seat, you, "give up", self._droid(card)),
                self.does(seat, you, "build", self._house(number)),
            ]
        if decision == BESIDE:
            other = self._beside(seat, action)
            return [self.does(seat, you, "lay", f"the droid between {self._pair(seat, other, you)}")]
        if decision == TOKEN:
            return [self.does(seat, you, "lay", f"the tokens on house {FIRST_HOUSE + action - actions.TOKEN}")]
        if decision == EXTENSION:
            return [self.does(seat, you, "extend", f"the {PARTS[action - actions.EXTEND]} column")]
        if decision == ALTERNATIVE:
            gift = self.cards.droids[p.g.target].gift
            return [self.does(seat, you, "take", str((gift or ())[action - actions.ALTERNATIVE]))]
        verb, _, what = step.before.action_to_string(action).partition(" ")
        where = " onto the card" if verb == "gain" and self._onto_card(p) else ""
        return [self.does(seat, you, verb, what + where)]

    def _onto_card(self, p: Position) -> bool:
        return (
            p.g.task not in (DISMANTLING, BUILDING)
            and p.g.target in self.cards.droids
            and bool(self.cards.droids[p.g.target].stores)
        )

    def _pair(self, seat: int, other: int, you: int | None) -> str:
        return both([self.name(seat, you, object_=True), self.name(other, you, object_=True)])

    def _followed(self, step: Step, you: int | None) -> list[str]:
        """What nobody did: the Auto-Ecomechanic's play, the end of a season, of a turn, of the game."""
        before, after = _position(step.before), _position(step.after)
        lines = []
        if self.players == 1:
            lines += self._auto(before, after)
        if after.g.season > before.g.season:
            lines.append(f"Season {_ROMAN[before.g.season - 1]} is over.")
            for seat in self._leaders(before):
                lines.append(self.does(seat, you, "lead", "in leaves: 1 energy, if there is room for it"))
        if after.g.stage == FINISHED:
            lines.append("The game is over.")
        elif after.g.turn > before.g.turn:
            cards = both([self._droid(card) for card in after.revealed(after.g.turn)])
            first = self.name(after.g.priority, you, object_=True)
            lines.append(f"Turn {after.g.turn} of {TURNS}: {cards} lie open; priority: {first}.")
            if self.players == 1:
                lines += [
                    f"The Auto-Ecomechanic keeps {self._droid(card)}."
                    if to == AUTO
                    else f"You get {self._droid(card)}."
                    for card, to in zip(after.g.offer, after.g.given_to, strict=True)
                    if to != NOBODY
                ]
        return lines

    def _auto(self, before: Position, after: Position) -> list[str]:
        lines = []
        for card in range(1, NUM_CARDS + 1):
            if before.g.place[card] == ON_TABLE and after.g.place[card] != ON_TABLE:
                taken = after.g.place[card] == REPAIRED + AUTO
                to = before.g.given_to[before.g.offer.index(card)]
                if taken or to == AUTO:
                    lines.append(f"The Auto-Ecomechanic {'repairs' if taken else 'discards'} {self._droid(card)}.")
        return lines

    def _leaders(self, p: Position) -> list[int]:
        """The players with more leaves than every opponent; of four, than the one they face [N3]."""
        leaves = p.g.leaves
        return [
            seat
            for seat in range(self.players)
            if all(leaves[seat] > leaves[o] for o in ([seat ^ 1] if self.players == 4 else range(p.seats)) if o != seat)
        ]

    def is_final(self, step: Step) -> bool:
        before, after = _position(step.before), _position(step.after)
        return bool(
            before.g.drawn != after.g.drawn
            or before.g.season != after.g.season
            or after.g.stage == FINISHED
            or (self.players == 1 and self._auto(before, after))
        )

    # ------------------------------------------------------------------------------------------- cards and points

    def card(self, name: str, game: Game) -> list[str]:
        found = re.fullmatch(r"(?:card|droid|house)?\s*#?(\d{1,3})", name.strip().lower())
        if not found or not 1 <= int(found[1]) <= NUM_CARDS:
            raise NoCard(f"there is no card {name!r}; cards are called {self.cards_are_called}")
        number = int(found[1])
        p = _position(game)
        card = self.cards.card(number)
        if isinstance(card, DroidCard):
            lines = [
                f"Droid {number}, a {card.type} droid of season {_ROMAN[card.season - 1]}.",
                f"Repairing it costs {card.cost} and brings {card.rp} RP"
                + (f" and {card.leaves} {'leaf' if card.leaves == 1 else 'leaves'}." if card.leaves else "."),
                f"Dismantling it gives {card.dismantle}.",
            ]
            effect = texts.droid_effect(self.cards, number, self.wild_type_houses)
            if effect:
                lines.append(f"Repaired: {effect}.")
            if self.players == 1 and card.interest is not None:
                lines.append(
                    f"The Auto-Ecomechanic's interest in it: {p.interest(number)} with the houses of this game."
                )
            lines.append(f"It {self._lies(p, number)}.")
        else:
            lines = [f"House {number}. Building it costs {card.cost}.", f"Built: {self._house_effect(number)}."]
            index = number - FIRST_HOUSE
            if p.g.between[index] == NOBODY:
                lines.append("It is not in this game.")
            elif p.g.builder[index] != NOBODY:
                lines.append(f"It has been built by {self.names[p.g.builder[index]]}.")
            else:
                lines.append(f"It lies between {both(p.named(p.pairs[p.g.between[index]]))}.")
                if p.g.token_house == index:
                    lines.append(f"Tokens of {self.names[p.g.token_owner]}: {TOKENS} base parts more for anybody else.")
        if any("?" in line or "2 same" in line or "2 different" in line for line in lines):
            lines.append(texts.ICONS + ".")
        return lines

    @staticmethod
    def _lies(p: Position, number: int) -> str:
        if p.g.place[number] == 0:
            return "is not in this game"
        text = p.lying([number])
        return "is " + text[text.index("(") + 1 : -1]

    def score(self, game: Game, eyes: Collection[int]) -> Sheet:
        points, _ = game.result()
        parts: Any = np.zeros((len(points), NUM_PARTS), np.int64)
        score_parts(game.record, 0, game.tables, parts)
        rows = [
            [name, *(str(value) if value else "" for value in parts[:, i])]
            for i, name in enumerate(PART_NAMES)
            if parts[:, i].any()
        ]
        rows.append(["all", *map(str, points)])
        remarks = []
        if self.players == 4:
            remarks.append(
                "Teams are player_0 and player_3, player_1 and player_2; a team's score is its lower player's."
            )
        if 1 < self.players < 4:
            remarks.append("Of equal scores the one with more parts wins.")
        return Sheet(["RP", *self.names], rows, remarks)

    def hands(self, game: Game) -> list[str]:
        return []

    def read_record(self, text: str, settings: Mapping[str, Any]) -> Replay:
        return lastdroid_env.replay(text, **settings)

    # ------------------------------------------------------------------------------------------- names

    def _droid(self, number: int) -> str:
        return f"droid {number} ({self.cards.droids[number].type})"

    def _house(self, number: int) -> str:
        return f"house {number} ({self._house_effect(number)})"

    def _house_effect(self, number: int) -> str:
        return texts.house_effect(self.cards, number, self.players)


def _position(game: Game) -> Position:
    assert isinstance(game, LastDroid)
    return Position(game, game.record)


def _number(game: Game, field: str) -> int:
    return int(game.record[field][0])

"""Readable positions: a table in the game's own nouns, at the beginning of a turn.

    p = Position("green 4 5, wild, red 13", "red 9", draws="blue 2", heap="white 12", spreads=["1: red 5 6 7"])
    p.act("draw").lay("run green 3-5").act("discard blue 2")
    assert p.spread(2) == "0: wild=green 3, green 4, green 5"

The hands are those of seats 0, 1, ...; ``turn`` is whose turn begins. Cards are listed suit by suit, ``"green 4 5 star,
blue 2, wild"``. ``draws`` lie on top of the factory, the first to be drawn first; the heap is listed from its bottom,
its top last. A spread is its owner and its cards; what a star or wild stands for follows a ``=``, who played cards of a
suit, if not the owner, ``by``: ``"0: green 5 6, wild=green 7 by 1"``. ``robot of 1`` behind the cards of a robot tells
who completed it.

All other cards lie under ``draws``, or at the bottom of the heap (``rest="heap"``), or in a seat's hand (``rest=1``).
Those for which the factory would have no room lie at its bottom, known to all from a Tractor Beam; without that power,
at the bottom of the heap. Forced decisions are asked. ``restore`` checks the position.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from robots_env import Robots, decode_observation
from robots_env.constants import CARD_NAMES, DECK, HAND

NAMES = [CARD_NAMES[card] for card in DECK]
# What the heap begins with unless told otherwise: the first that is not named, no card with a power.
_ON_THE_HEAP = ("purple 13", "white 13", "red 12", "blue 12", "green 10", "purple 8")


def cards(text: str) -> list[str]:
    """``"green 4 5, wild"`` as names of cards."""
    found: list[str] = []
    for group in filter(None, (group.strip() for group in text.split(","))):
        suit, *numbers = group.split()
        found += [f"{suit} {number}" for number in numbers] if numbers else [suit]
    return found


def listed(names: Sequence[str]) -> str:
    """Names of cards in the order of the deck."""
    return ", ".join(sorted(names, key=NAMES.index))


def _spread(text: str) -> dict[str, Any]:
    """A spread as a snapshot has it."""
    owner, _, rest = text.partition(":")
    rest, _, robot = rest.partition("robot of")
    laid = []
    for group in rest.split(","):
        group, _, by = group.strip().partition(" by ")
        named, _, stands_for = group.partition("=")
        for name in cards(named):
            card = {"card": name, "by": f"player_{by or owner.strip()}"}
            laid.append({**card, "stands_for": stands_for.strip() or name})
    numbers = {card["stands_for"].split()[1] for card in laid}
    kind = "set" if len(numbers) == 1 else "run"
    owner = f"player_{owner.strip()}"
    return {"owner": owner, "kind": kind, "cards": laid, "robot": f"player_{robot.strip()}" if robot else None}


class Position:
    """A game that stands at the beginning of a turn, then is played. Acting returns the position itself."""

    def __init__(
        self,
        *hands: str,
        draws: str = "",
        heap: str | None = None,
        spreads: Sequence[str] = (),
        turn: int = 0,
        rest: str | int = "factory",
        known: Mapping[int, str] | None = None,
        barred: Sequence[int] = (),
        skipped: Sequence[int] = (),
        scores: Sequence[int] | None = None,
        dealer: int = 0,
        turns: int | None = None,
        round_number: int | None = None,
        refills: int = 0,
        rounds: int | None = None,
        ask_forced: bool = True,
        **rules: Any,
    ) -> None:
        seats = len(hands)
        self.game = Robots(seats, rules=rules, rounds=rounds, ask_forced=ask_forced)
        self.turn = turn
        laid = [_spread(text) for text in spreads]
        held = [cards(hand) for hand in hands]
        top = cards(draws)[::-1]
        named = [*itertools.chain(*held), *top, *(card["card"] for spread in laid for card in spread["cards"])]
        if heap is None:
            heap = next(card for card in _ON_THE_HEAP if card not in named)
        pile = cards(heap)
        named += pile
        others = [name for name in NAMES if name != "wild" and name not in named]
        others += ["wild"] * (4 - named.count("wild"))
        scores = scores or [0] * seats
        factory, under = [*(others if rest == "factory" else []), *top], 0
        if not refills:
            under = max(0, len(factory) - (len(DECK) - 1 - HAND * seats))
            if "tractor beam" not in self.game.rules.powers.values():
                pile = factory[:under] + pile
                factory, under = factory[under:], 0
        self.game.restore(
            {
                "game": "robots",
                "settings": self.game.settings(),
                "seed": 0,
                "generator": 0,
                "round": round_number or (2 if any(scores) else 1),
                "turns": 30 * seats + (turn - dealer - 1) % seats if turns is None else turns,
                "dealer": f"player_{dealer}",
                "player": f"player_{turn}",
                "stage": "drawing",
                "decision": "draw",
                "actor": f"player_{turn}",
                "players": [
                    {
                        "name": f"player_{seat}",
                        "hand": hand + (others if rest == seat else []),
                        "known": cards((known or {}).get(seat, "")),
                        "barred": seat in barred,
                        "skipped": seat in skipped,
                        "score": scores[seat],
                        "round_score": scores[seat],
                    }
                    for seat, hand in enumerate(held)
                ],
                "factory": factory,
                "under": under,
                "heap": (others if rest == "heap" else []) + pile,
                "refills": refills,
                "reshuffled": [*[[]] * (refills - 1), factory + [name for name in pile if name != "wild"]][-refills:]
                if refills
                else [],
                "spreads": laid,
            }
        )
        self.record = self.game.record[0]

    # ---- Acting

    def act(self, *names: str) -> Position:
        for name in names:
            assert self.can(name), f"{name!r} is not legal ({self.decision}): {', '.join(self.legal())}"
            self.game.act(self.game.action_from_string(name))
        return self

    def lay(self, *spreads: str) -> Position:
        """Lay new spreads as they come."""
        for spread in spreads:
            self.act(f"lay {spread}", "pass")
        return self

    def add(self, card: str, where: str) -> Position:
        return self.act(f"add {card}", where)

    def legal(self, verb: str = "") -> list[str]:
        """The legal actions, or those that begin with ``verb``."""
        names = map(self.game.action_to_string, self.game.legal_actions())
        return [name for name in names if name.startswith(verb)]

    def can(self, name: str) -> bool:
        return name in self.legal()

    # ---- Looking

    @property
    def decision(self) -> str:
        return self.game.decision_to_string()

    @property
    def actor(self) -> int:
        return self.game.actor

    @property
    def asked(self) -> tuple[int, str]:
        """Who decides, and what."""
        return self.actor, self.decision

    @property
    def player(self) -> int:
        """Whose turn it is."""
        return int(self.record["player"])

    @property
    def round_number(self) -> int:
        return int(self.record["round_number"])

    @property
    def scores(self) -> list[int]:
        return [int(score) for score in self.record["scores"][: self.game.num_players]]

    @property
    def round_scores(self) -> list[int]:
        """Of the last round that is over."""
        return [int(score) for score in self.record["round_scores"][: self.game.num_players]]

    def hand(self, seat: int) -> str:
        return listed(self.game.snapshot()["players"][seat]["hand"])

    def known(self, seat: int) -> str:
        """The cards of a hand that everybody knows of."""
        return listed(self.game.snapshot()["players"][seat]["known"])

    def wilds_since(self, seat: int) -> list[int]:
        """For each wild of a hand that nobody else knows of, after which refill it was drawn, 0 before the first."""
        hidden = self.hand(seat).count("wild") - self.known(seat).count("wild")
        return [int(refill) for refill in self.record["wilds_since"][seat, :hidden]]

    def heap(self, top: int | None = None) -> str:
        """The heap from its bottom, or so many cards at its top."""
        heap = self.game.snapshot()["heap"]
        return ", ".join(heap if top is None else heap[-top:])

    def factory(self) -> list[str]:
        """The factory from its bottom."""
        return list(self.game.snapshot()["factory"])

    def spread(self, number: int) -> str | None:
        """A spread as it is written in a position."""
        spreads = self.game.snapshot()["spreads"]
        spread = spreads[number - 1] if number <= len(spreads) else None
        if spread is None:
            return None
        texts = []
        for card in spread["cards"]:
            text = card["card"]
            text += f"={card['stands_for']}" if card["stands_for"] != text else ""
            texts.append(text + (f" by {card['by'][-1]}" if card["by"] != spread["owner"] else ""))
        robot = f" robot of {spread['robot'][-1]}" if spread["robot"] else ""
        return f"{spread['owner'][-1]}: {', '.join(texts)}{robot}"

    def robot(self, number: int) -> int | None:
        """Who completed the robot that a spread is, if it is one."""
        robot = self.game.snapshot()["spreads"][number - 1]["robot"]
        return None if robot is None else int(robot[-1])

    def seen(self, seat: int) -> dict[str, Any]:
        """A seat's observation in words."""
        return decode_observation(self.game.view(seat)[0], self.game.num_players)

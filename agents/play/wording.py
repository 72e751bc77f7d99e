"""What a game must say to a person: its choices, what has happened, its cards and its score, in words.

``Wording`` is what the terminal asks; each game has its own. Whose hidden cards a text may tell of is always said by
``eyes``, a set of seats; who is spoken to as "you" by ``you``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.game import Game
from tabletop.record import Replay

from .sitting import Step


@dataclass(frozen=True)
class Choice:
    """A legal action in words, and the heading under which it is listed."""

    action: int
    text: str
    group: str = ""


@dataclass(frozen=True)
class Sheet:
    """A score sheet: headings and rows of text, and remarks under it."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    remarks: Sequence[str] = ()


class NoCard(ValueError):
    """No card is called so; the message says how cards are called."""


class Wording(ABC):
    """A game's words. A game that is passed in may stand anywhere and is left as it is."""

    names: Sequence[str]
    """Of the seats, that of the game's own opponent included."""
    hides_hands: bool
    """Whether persons at one screen must not see each other's cards."""
    said_if_forced: frozenset[str]
    """The decisions of which a person is told when there was but one answer."""
    cards_are_called: str
    """How ``card`` wants a card named, in words."""

    @abstractmethod
    def question(self, game: Game) -> str:
        """What is asked of the seat that decides."""

    @abstractmethod
    def choices(self, game: Game) -> list[Choice]:
        """The legal actions of the seat that decides, in the order in which they are listed."""

    @abstractmethod
    def turn(self, game: Game) -> tuple[int, ...]:
        """The number of the turn, and of the round where there are any."""

    @abstractmethod
    def brief(self, game: Game, seat: int) -> str:
        """What a seat needs to see between two choices of its own, in a line or two."""

    @abstractmethod
    def told(self, step: Step, eyes: Collection[int], you: int | None) -> list[str]:
        """A step and what followed from it without anybody's doing, a sentence a line; none if nothing is seen."""

    @abstractmethod
    def is_final(self, step: Step) -> bool:
        """Whether the step brought something hidden to light, or let something move that is no seat."""

    @abstractmethod
    def card(self, name: str, game: Game) -> list[str]:
        """A card explained; ``NoCard`` if there is none of that name."""

    @abstractmethod
    def score(self, game: Game, eyes: Collection[int]) -> Sheet:
        """The points of all seats as the table lies, with their parts."""

    @abstractmethod
    def hands(self, game: Game) -> list[str]:
        """Everybody's hidden cards, a line a seat; none where nobody has any."""

    @abstractmethod
    def read_record(self, text: str, settings: Mapping[str, Any]) -> Replay:
        """A text record replayed; ``BadRecord`` says what is wrong."""

    def name(self, seat: int, you: int | None = None, *, object_: bool = False) -> str:
        """A seat in a sentence: "You" at its beginning, "you" within it."""
        if seat == you:
            return "you" if object_ else "You"
        return self.names[seat]

    def does(self, seat: int, you: int | None, verb: str, rest: str = "") -> str:
        """``You draw a card.``, ``player_1 draws a card.``"""
        first, _, others = verb.partition(" ")
        if seat != you:
            first += "es" if first.endswith(("ss", "sh", "ch", "o")) else "s"
        return " ".join(filter(None, (self.name(seat, you), first, others, rest))) + "."


def wording_for(game: Game) -> Wording:
    """The words of a game."""
    if game.name == "robots":
        from .robots import RobotsWording

        return RobotsWording(game)
    from .lastdroid import LastDroidWording

    return LastDroidWording(game)


def both(items: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))

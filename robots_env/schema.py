"""The schema of snapshots: see ``snapshots``."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from tabletop.snapshots import Struct

from .constants import MAX_SEATS, MAX_SPREADS, NUM_CARDS, POWERS, SPREAD, WILDS
from .ruleset import MAX_REFILLS, MAX_ROUNDS, MAX_TURNS

_Text = Annotated[str, Meta(max_length=100)]
_Cards = Annotated[list[_Text], Meta(max_length=NUM_CARDS)]
_Size = Annotated[int, Meta(ge=0, le=NUM_CARDS)]
_Refill = Annotated[int, Meta(ge=1, le=MAX_REFILLS)]
_Score = Annotated[int, Meta(ge=-(10**9), le=10**9)]
_Rule = bool | int | _Text | dict[_Text, int | _Text]


class Settings(Struct):
    """The settings of the game, those of ``Robots``: ``rules`` is a rule set's name or a dict for ``load_rules``."""

    num_players: Annotated[int, Meta(ge=2, le=MAX_SEATS)]
    rules: _Text | dict[_Text, _Rule]
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] | None
    ask_forced: bool


class Player(Struct, kw_only=True):
    """A player.

    ``known``: the cards of the hand that everybody knows of; ``wilds_since``: of its other wilds those drawn since a
    refill, each as the number of the last one before it was drawn, rising; ``score``: of the rounds that are over,
    ``round_score`` of the last one of these; ``barred``: may add nothing until its next turn, after Extra Parts (W2);
    ``skipped``: has been skipped and had no turn since (W6).
    """

    name: _Text
    hand: _Cards
    known: _Cards = []
    wilds_since: Annotated[list[_Refill], Meta(max_length=WILDS)] = []
    score: _Score = 0
    round_score: _Score = 0
    barred: bool = False
    skipped: bool = False


class Laid(Struct, kw_only=True):
    """A card in a spread: what it stands for (a suit and 1 to 15), and who played it."""

    card: _Text
    stands_for: _Text | None = None
    by: _Text | None = None


_LaidCards = Annotated[list[_Text | Laid], Meta(max_length=NUM_CARDS)]


class Spread(Struct, kw_only=True):
    """A spread on the table; ``kind`` is "run" or "set", ``robot`` who completed the robot that it is."""

    owner: _Text
    kind: _Text
    cards: _LaidCards
    robot: _Text | None = None


class Turn(Struct, kw_only=True):
    """What has happened in the turn under way.

    ``must_play``: the card that is due after a deep take (D3); ``taken``: the card taken alone off the heap (D5);
    ``discarded``: a card has been discarded; ``power``: which of its powers is to act; ``lays``: cards still to be laid
    for Extra Parts; ``skip``: the next player will be skipped; ``acted``: cards whose power has acted; ``order``: how
    many places after the player the seat sits that may call, 0 before (K3).
    """

    must_play: _Text | None = None
    taken: _Text | None = None
    discarded: bool = False
    power: _Text = POWERS[0]
    lays: _Size = 0
    skip: bool = False
    acted: _Cards = []
    order: Annotated[int, Meta(ge=0, le=MAX_SEATS)] = 0


class Adding(Struct, kw_only=True):
    """The card being added to a spread, and the set, from 1 as in the actions' names, whose suit a wild is to name."""

    card: _Text
    set: Annotated[int, Meta(ge=1, le=MAX_SPREADS)] | None = None


class Laying(Struct, kw_only=True):
    """The spread being laid: its three cards so far; from which of them on, 0 to 3, others may still be taken."""

    kind: _Text
    cards: _LaidCards
    next: Annotated[int, Meta(ge=0, le=SPREAD)] = 0


class Snapshot(Struct, kw_only=True):
    """A whole match.

    ``turns`` are those that are over in this round; ``under``: so many cards at the bottom of the factory are known to
    all; ``reshuffled``: by refill the cards that it was the last to shuffle; wilds only those of the latest refill.
    """

    game: _Text
    settings: Settings
    seed: int
    generator: int
    decisions: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    round: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] = 1
    turns: Annotated[int, Meta(ge=0, le=MAX_TURNS * MAX_SEATS)] = 0
    truncated: bool = False
    dealer: _Text
    player: _Text
    stage: _Text
    decision: _Text
    actor: _Text | None
    players: Annotated[list[Player], Meta(max_length=MAX_SEATS)]
    factory: _Cards
    heap: _Cards
    under: _Size = 0
    refills: Annotated[int, Meta(ge=0, le=MAX_REFILLS)] = 0
    reshuffled: Annotated[list[_Cards], Meta(max_length=MAX_REFILLS)] = []
    spreads: Annotated[list[Spread | None], Meta(max_length=MAX_SPREADS)] = []
    turn: Turn = msgspec.field(default_factory=Turn)
    adding: Adding | None = None
    laying: Laying | None = None

"""What cards do, in words of our own, made from the card tables."""

from __future__ import annotations

from collections.abc import Sequence

from ..cards import CardTables, DroidCard, HouseCard
from ..constants import BASE_KINDS, DISCOUNT_DROID, PARTS, TOKEN_DROID, TOKENS, TYPES, WILD_TYPE_DROID

ICONS = (
    f"?: one base part of choice ({', '.join(PARTS[:BASE_KINDS])}), or a column of choice for extensions; "
    "2 same, 2 different: two base parts of choice"
)


def droid_line(cards: CardTables, number: int) -> str:
    """A droid card's type and figures."""
    card = _droid(cards, number)
    figures = [f"droid {number}, {card.type}", f"cost {card.cost}", f"dismantle {card.dismantle}", f"{card.rp} RP"]
    if card.leaves:
        figures.append(_leaves(card.leaves))
    return "; ".join(figures)


def droid_brief(cards: CardTables, number: int) -> str:
    """A repaired droid: type, RP and leaves."""
    card = _droid(cards, number)
    leaves = f", {_leaves(card.leaves)}" if card.leaves else ""
    return f"{number} {card.type} ({card.rp} RP{leaves})"


def droid_effect(cards: CardTables, number: int, wild_type_houses: Sequence[int]) -> str:
    """What a repaired droid does [F1-F12]; empty for those that only score."""
    card = _droid(cards, number)
    if card.type == "communication":
        rp = "1 RP for each communication droid lying face up beside its owner"
        return f"or {rp}, if that is more" if card.rp_or else f"and {rp}"
    if number == DISCOUNT_DROID:
        return "every later repair costs 1 energy less"
    if card.bonus:
        what = "1 more base part of choice when dismantling gives any" if card.bonus == "?" else ""
        return what or f"1 more {card.bonus} when dismantling gives {card.bonus}"
    if card.exchanges:
        often = {0: "any number of times", 1: "once", 2: "twice"}[card.uses or 0]
        return f"exchange {often}{' a phase' if card.uses else ''}: {' or '.join(card.exchanges)}"
    if card.stores:
        return f"lay on it {card.stores}: to be used as if in the shed, but takes no room there"
    parts = []
    if card.extensions:
        parts.append(f"take extensions: {card.extensions}")
    if card.gift:
        parts.append(f"take {card.gift if isinstance(card.gift, str) else ' or '.join(card.gift)}")
    if number == TOKEN_DROID:
        parts.append(f"lay tokens on a house: it costs {TOKENS} more base parts, but not its owner")
    if number == WILD_TYPE_DROID and wild_type_houses:
        parts.append(f"counts as one other type too for the houses {', '.join(map(str, wild_type_houses))}")
    return ", then ".join(parts)


def house_effect(cards: CardTables, number: int, num_players: int) -> str:
    """What a house does [H45-H58], and its influence on the Auto-Ecomechanic [O6]."""
    card = cards.card(number)
    assert isinstance(card, HouseCard)
    text = _house_text(card, number, num_players)
    if num_players == 1 and card.interest:
        shifts = ", ".join(f"{name} {shift:+}" for name, shift in card.interest.items())
        text += f"; interest: {shifts}"
    return text


def _house_text(card: HouseCard, number: int, num_players: int) -> str:
    if card.gift:
        return f"take {card.gift} at once"
    points = card.points or ()
    rp = f"{points[0]} RP"
    steps = " / ".join(map(str, points)) + " RP"
    rivals = {3: "each opponent", 4: "the opponent faced"}.get(num_players, "the opponent")
    return {
        45: f"{rp} for each part in the shed",
        47: f"3 / 4 / 5 collection droids: {steps}",
        48: f"{rp} for each market droid",
        49: f"{rp} for each icon in the costs of the water droids",
        50: f"exactly 5 / 4 / 3 / 2 droid types: {steps}",
        51: f"{rp} for each energy in the shed",
        52: f"{rp} with all {len(TYPES) - 1} droid types",
        53: f"{rp} for each shed extension",
        54: f"{rp} with more leaves than {rivals}",
        55: f"{rp} for each communication droid",
        56: f"{rp} with three or more houses, this one included",
        57: f"{rp} for each set of nut, oil, circuit and energy",
        58: rp,
    }[number]


def _droid(cards: CardTables, number: int) -> DroidCard:
    card = cards.card(number)
    assert isinstance(card, DroidCard)
    return card


def _leaves(count: int) -> str:
    return f"{count} {'leaf' if count == 1 else 'leaves'}"

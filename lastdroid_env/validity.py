"""Which positions the rules can lead to: what ``restore`` holds a snapshot against.

``check`` looks at a whole record, chapter by chapter, and refuses it with an ``ImpossibleState`` that names the
snapshot's field. It retraces whatever the table tells about the past: which cards came in which turn, to whom they can
have gone, how many extensions and houses that allows. The parts in the sheds are the exception: whatever fits is
allowed, for how they were earned leaves no trace. At last the kernel itself is asked who decides what.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from numpy.typing import NDArray

from tabletop.snapshots import check_decision, refuse

from .bound import max_decisions, max_exchanges
from .constants import (
    ACTING,
    APPLYING,
    AUTO,
    BASE_KINDS,
    BUILDING,
    CHOOSING,
    COLUMN,
    COMMUNICATION,
    DECISIONS,
    DISCARDED,
    EXCHANGE_DROIDS,
    EXCHANGING,
    FACE_UP,
    FINAL_EXCHANGE,
    FINAL_EXTENSION,
    FINISHED,
    FIRST_HOUSE,
    HOUSE,
    IDLE,
    KINDS,
    NOBODY,
    NUM_HOUSES,
    ON_TABLE,
    PARTS,
    REPAIRED,
    SEASON_EXCHANGE,
    SEASON_EXTENSION,
    STAGES,
    STORE_DROIDS,
    TASKS,
    TOKEN_DROID,
)
from .icons import Icons, namings
from .observation import droids_in_game
from .position import Position, without
from .validity_action import check_action

if TYPE_CHECKING:
    from .game import LastDroid

_TRADE = (EXCHANGING, SEASON_EXCHANGE, FINAL_EXCHANGE)
_EXTEND = (SEASON_EXTENSION, FINAL_EXTENSION)
_GAME_ENDS = (FINAL_EXCHANGE, FINAL_EXTENSION, FINISHED)


def deck_cards(num_players: int) -> list[list[int]]:
    """The cards of each deck in ascending order [C2, S5]."""
    droids = sorted(droids_in_game(num_players))
    if num_players < 4:
        return [droids]
    return [[card for card in droids if card < FIRST_HOUSE], [card for card in droids if card > FIRST_HOUSE]]


def check(game: LastDroid, record: NDArray[Any]) -> None:
    """``ImpossibleState`` unless play can lead to this record, which stands at a decision or at the end."""
    p = Position(game, record)
    for chapter in (
        check_turn,
        check_end,
        check_houses,
        check_choice,
        check_cards,
        check_builders,
        check_sheds,
        check_stored,
        check_tokens,
        check_uses,
        check_action,
    ):
        chapter(p)
    check_decision(game, record, DECISIONS, p.names, "A4")


def _fit(parts: Sequence[int], into: Sequence[int]) -> bool:
    return all(a <= b for a, b in zip(parts, into, strict=True))


# ---- the turn [T1, E1-E3, S8] ---------------------------------------------------------------------------------------


def check_turn(p: Position) -> None:
    g = p.g
    each = p.seats if p.seats < 4 else 2
    for i, cards in enumerate(deck_cards(p.players)):
        seasons = p.card["season"][g.deck[i][: len(cards)]].tolist()
        if seasons != sorted(seasons):
            at = next(k for k in range(1, len(seasons)) if seasons[k] < seasons[k - 1])
            text = f"card {g.deck[i][at]} of season {seasons[at]} after one of season {seasons[at - 1]}"
            refuse(f"decks[{i}].cards[{at}]", text, "the seasons in order (S6)")
        if g.drawn[i] != each * g.turn:
            refuse(f"decks[{i}].drawn", f"{g.drawn[i]}", f"{each * g.turn}, {each} for each of {g.turn} turns")
    if g.decisions > max_decisions(p.players, p.game.cards):
        refuse("decisions", f"{g.decisions}", f"at most {max_decisions(p.players, p.game.cards)} (X5, E2)")
    first = (g.priority - g.turn + 1) % p.seats
    firsts = {1: (0,), 4: (0, 2)}.get(p.players, range(p.seats))
    if first not in firsts:
        allowed = " or ".join(p.names[(seat + g.turn - 1) % p.seats] for seat in firsts)
        refuse("priority", p.names[g.priority], f"{allowed} in turn {g.turn} (S7, E3)")
    check_season(p)
    last = {ACTING: p.seats, CHOOSING: p.speakers() + p.choices(), FINISHED: 1}.get(g.stage, p.players)
    if g.order >= last:
        refuse("served", f"{g.order}", f"0 to {last - 1} in the stage {STAGES[g.stage]}")
    offer = g.offer[: p.seats]
    if offer != p.revealed(g.turn):
        refuse("revealed", f"cards {offer}", f"those drawn last: {p.revealed(g.turn)}")
    if g.stage == ACTING and p.players == 1 and p.actor() == AUTO:
        refuse("served", f"{g.order}, where the Auto-Ecomechanic acts", "a player's action: it is never asked (O4)")
    if g.task != IDLE and g.stage != ACTING:
        refuse("action", TASKS[g.task], f"None in the stage {STAGES[g.stage]}")


def check_season(p: Position) -> None:
    g = p.g
    season = int(p.card["season"][p.revealed(g.turn)[0]])
    following = season if p.decks_empty() else int(p.card["season"][p.revealed(g.turn + 1)[0]])
    if g.stage in (SEASON_EXCHANGE, SEASON_EXTENSION) and following == season:
        refuse("stage", STAGES[g.stage], f"another one: turn {g.turn} is not the last of season {season} (S8)")
    if g.stage in _GAME_ENDS:
        season = following  # the season's end comes before the game's end [N5]
    if g.season != season:
        refuse("season", f"{g.season}", f"{season}, by the cards drawn (S8)")


def check_end(p: Position) -> None:
    """[E2, N4]"""
    stage = p.g.stage
    if stage in _GAME_ENDS and not p.decks_empty() and p.everyone_has_a_house(()):
        refuse("stage", STAGES[stage], "another one: neither are the decks empty nor has a player no house left (E2)")
    if stage == FINAL_EXTENSION and not (p.g.extension_after_season_3 and p.decks_empty()):
        refuse("stage", STAGES[stage], "this stage after season III only, with extension_after_season_3 (N4)")


# ---- the choice [D1-D5] ---------------------------------------------------------------------------------------------


def check_choice(p: Position) -> None:
    g = p.g
    speakers = p.speakers()
    speaking = p.order(g.turn)[2:] if p.seats == 4 else p.order(g.turn)[1:]
    spoken = speaking[: min(speakers, g.order if g.stage == CHOOSING else speakers)]
    for seat in range(p.seats):
        slot = g.wish[seat]
        if slot == NOBODY:
            continue
        if seat not in spoken:
            allowed = "wishes of those who have spoken this turn, with table_talk (D2)"
            refuse("wishes", f"a wish of {p.names[seat]}", f"{allowed}: {', '.join(p.named(spoken))}")
        if p.seats == 4 and slot // 2 != speaking.index(seat):
            refuse("wishes", f"card {g.offer[slot]} for {p.names[seat]}", "a card of the deck it is given from (D3)")
    holders = g.given_to[: p.seats]
    done = max(0, g.order - speakers) if g.stage == CHOOSING else p.choices()
    wholes = p.assignments(g.turn)
    if done == p.choices():
        partial = wholes
    elif done == 0:
        partial = [(NOBODY,) * p.seats]
    elif p.seats == 4:
        partial = [(*whole[:2], NOBODY, NOBODY) for whole in wholes]
    else:
        partial = [tuple(seat if seat == g.priority else NOBODY for seat in whole) for whole in wholes]
    if tuple(holders) not in partial:
        choices = " or ".join(", ".join(p.named(way)) for way in dict.fromkeys(partial))
        refuse("revealed", f"holders {', '.join(p.named(holders))}", f"{choices} (D1, D3, O5)")


# ---- where the drawn cards lie [A1-A3, A6, O4-O8] -------------------------------------------------------------------


def fits(p: Position, card: int, seat: int) -> bool:
    """Whether the seat can have put a card of its own where it lies."""
    place = p.g.place[card]
    if place == DISCARDED:
        return p.types[card] != COMMUNICATION and not (p.players == 1 and seat == AUTO)
    if FACE_UP <= place < FACE_UP + len(p.pairs):
        return p.types[card] == COMMUNICATION and seat in p.pairs[place - FACE_UP]
    return bool(place == REPAIRED + seat)


def check_cards(p: Position) -> None:
    g = p.g
    communication = [0, 0, 0]  # yours, its, face up; solo
    for turn in range(1, g.turn):
        cards = p.revealed(turn)
        ways = [
            way
            for way in p.assignments(turn)
            if all(fits(p, card, seat) for card, seat in zip(cards, way, strict=True))
        ]
        if p.players == 1:
            ways = [way for way in ways if auto_agrees(p, turn, way, communication, p.seats)]
        if not ways:
            refuse_turn(p, turn)
        if p.players == 1:
            count_communication(p, cards, communication)
    check_cards_on_table(p)
    way = g.given_to[: p.seats]
    if p.players == 1 and not auto_agrees(p, g.turn, way, communication, len(p.acted())):
        refuse_turn(p, g.turn)


def refuse_turn(p: Position, turn: int) -> NoReturn:
    cards = p.revealed(turn)
    refuse("players", p.lying(cards), f"cards of one turn ({turn}) go to different players (A1-A3, A6, D3, O4-O8)")


def check_cards_on_table(p: Position) -> None:
    """Of this turn's cards, those of whoever has acted have been played, all others lie there still."""
    g = p.g
    acted = p.acted()
    actor = p.actor() if g.stage == ACTING else NOBODY
    for card, seat in zip(p.revealed(g.turn), g.given_to, strict=False):
        on_table = g.place[card] == ON_TABLE
        if seat in acted:
            good = fits(p, card, seat)
            allowed = f"where {p.names[seat]} can have put it: it has acted"
        elif seat == actor and g.task == BUILDING:
            beside = p.players == 3 and p.types[card] == COMMUNICATION and on_table
            good = beside or (fits(p, card, seat) and not p.owns(seat, card))
            allowed = "discarded: a house is being built (A3)"
        elif seat == actor and g.task == APPLYING:
            good = fits(p, card, seat) and p.owns(seat, card) != (p.types[g.target] == HOUSE)
            allowed = "repaired, or discarded for a house: its effect is being applied (A1, A3)"
        else:
            good = on_table
            allowed = "not in any other place before it is played"
        if not good:
            refuse("revealed", p.lying([card]), allowed)


def auto_agrees(p: Position, turn: int, way: Sequence[int], counts: Sequence[int], acted: int) -> bool:
    """Whether the Auto-Ecomechanic, if it has acted, did with its card what the rules make it do [O7, O8]."""
    order = p.acting_order(turn)[:acted]
    if AUTO not in order:
        return True
    cards = dict(zip(way, p.revealed(turn), strict=True))
    if p.types[cards[AUTO]] != COMMUNICATION:
        return p.owns(AUTO, cards[AUTO])
    before = list(counts)
    if order[0] == 0:
        count_communication(p, [cards[0]], before)
    yours, its, face_up = before
    return p.owns(AUTO, cards[AUTO]) == (its < yours or its < face_up)


def count_communication(p: Position, cards: Sequence[int], counts: list[int]) -> None:
    for card in cards:
        if p.types[card] == COMMUNICATION:
            counts[0] += p.owns(0, card)
            counts[1] += p.owns(AUTO, card)
            counts[2] += p.g.place[card] == FACE_UP


# ---- houses [S2-S4, O3, A3, E2] -------------------------------------------------------------------------------------


def check_houses(p: Position) -> None:
    g = p.g
    each = 2 if p.players in (1, 3) else 4
    for pair, seats in enumerate(p.pairs):
        houses = [i for i in range(NUM_HOUSES) if g.between[i] == pair]
        if len(houses) != each:
            where = " and ".join(p.named(seats))
            refuse("houses", f"{len(houses)} between {where}", f"{each} houses, built or not (S2-S4, O3)")
        builders = [seat for seat in seats if seat < p.players]
        for i in houses:
            if p.players == 1 and not p.card["solo"][FIRST_HOUSE + i]:
                refuse("houses", f"house {FIRST_HOUSE + i}", "houses with the solo symbol (O3)")
            if g.builder[i] != NOBODY and g.builder[i] not in builders:
                found = f"house {FIRST_HOUSE + i} built by {p.names[g.builder[i]]}"
                refuse("houses", found, f"a builder beside it: {' or '.join(p.named(builders))}")


def check_builders(p: Position) -> None:
    """Who can have built so many houses, and in which turn [A3, E2]."""
    for seat in range(p.players):
        chances = p.turns_played(seat) - len(p.droids(seat))
        if len(p.built(seat)) > chances:
            text = f"{len(p.built(seat))} built by {p.names[seat]}"
            refuse("houses", text, f"at most {chances}: the turns in which it did not repair (A1-A3)")
    if not any(p.everyone_has_a_house(earlier) for earlier in built_this_turn(p)):
        refuse("houses", "a player without available houses before this turn", "at least one: else the game ends (E2)")


def built_this_turn(p: Position) -> Iterator[tuple[int, ...]]:
    """The sets of houses that may have been built in this turn."""
    g = p.g
    done = p.acted()
    if g.stage == ACTING and g.task == APPLYING:
        done = [*done, p.actor()]
    cards = dict(zip(g.given_to, p.revealed(g.turn), strict=False))
    choices = [[NOBODY, *p.built(seat)] for seat in done if not p.owns(seat, cards[seat])]
    return itertools.product(*choices)


# ---- sheds [C5, N2, F4-F6, F9] --------------------------------------------------------------------------------------


def check_sheds(p: Position) -> None:
    g = p.g
    for seat in range(p.players):
        field = f"players[{seat}].shed"
        least, total = extensions_of(p, seat)
        for kind, part in enumerate(PARTS):
            if g.extensions[seat][kind] < least[kind]:
                allowed = f"at least {least[kind]}, bound to this column by repaired droids (F4)"
                refuse(f"{field}.extensions.{part}", f"{g.extensions[seat][kind]}", allowed)
        if sum(g.extensions[seat]) != total:
            allowed = f"{total}: those of its repaired droids and of the seasons that have ended (F4-F6, N2)"
            refuse(f"{field}.extensions", f"{sum(g.extensions[seat])} in all", allowed)
        for kind, part in enumerate(PARTS):
            if g.parts[seat][kind] > p.capacity(seat, kind):
                allowed = f"at most {p.capacity(seat, kind)}, {COLUMN} and the extensions (C5)"
                refuse(f"{field}.parts.{part}", f"{g.parts[seat][kind]}", allowed)


def extensions_of(p: Position, seat: int) -> tuple[list[int], int]:
    """How many extensions the seat has: at least, by column, and in all."""
    g = p.g
    least, total = [0] * KINDS, g.season - 1
    for droid in p.droids(seat):
        card = p.card[droid]
        pending = g.task == APPLYING and g.target == droid
        if pending and g.choice_due:
            continue
        least = [a + int(b) for a, b in zip(least, card["extensions"], strict=True)]
        total += int(card["extensions"].sum() + card["free_extensions"]) - (g.extensions_due if pending else 0)
    if g.stage in _EXTEND:
        total += p.player_order().index(seat) < g.order
    if g.stage == FINISHED:
        total += g.extension_after_season_3 and p.decks_empty()
    return least, int(total)


def check_stored(p: Position) -> None:
    """At most what was laid on the card; while it is being laid, just that [F9]."""
    g = p.g
    for store, droid in enumerate(STORE_DROIDS):
        if g.place[droid] < REPAIRED:
            continue
        found = tuple(g.stored[store][:BASE_KINDS])
        laid = p.gifts(droid)
        being_laid = g.task == APPLYING and g.target == droid
        if being_laid:
            laid = [Icons()] if g.choice_due or g.extensions_due else [without(icons, p.due()) for icons in laid]
        ways = [named[:BASE_KINDS] for icons in laid for named in namings(icons)]
        if found not in ways if being_laid else not any(_fit(found, way) for way in ways):
            text = ", ".join(f"{n} {part}" for n, part in zip(found, PARTS, strict=False))
            refuse("stored", f"{text} on droid {droid}", f"what is laid on it: {' or '.join(map(str, laid))} (F9)")


# ---- tokens and exchanges [F5, X6] ----------------------------------------------------------------------------------


def check_tokens(p: Position) -> None:
    g = p.g
    place = g.place[TOKEN_DROID]
    owner = place - REPAIRED if place >= REPAIRED else NOBODY
    applying = g.task == APPLYING and g.target == TOKEN_DROID
    if g.token_house == NOBODY:
        due = owner != NOBODY and p.players > 1 and not applying
        late = TOKEN_DROID not in p.revealed(g.turn)
        if due and (late or any(g.builder[i] == NOBODY for i in p.houses_beside(owner))):
            refuse("tokens", "None", f"the house with the tokens of droid {TOKEN_DROID}, which is repaired (F5)")
        return
    if p.players == 1:
        refuse("tokens", f"tokens on house {FIRST_HOUSE + g.token_house}", "None: a solo game has none (F5)")
    if owner == NOBODY or applying:
        refuse(
            "tokens",
            f"tokens on house {FIRST_HOUSE + g.token_house}",
            f"None before droid {TOKEN_DROID} is applied (F5)",
        )
    if g.token_owner != owner:
        refuse("tokens.owner", p.names[g.token_owner], f"{p.names[owner]}, who repaired droid {TOKEN_DROID} (F5)")
    beside = p.houses_beside(owner)
    if g.token_house not in beside:
        allowed = ", ".join(str(FIRST_HOUSE + i) for i in beside)
        refuse("tokens.house", f"{FIRST_HOUSE + g.token_house}", f"a house beside {p.names[owner]}: {allowed} (F5)")


def check_uses(p: Position) -> None:
    g = p.g
    for droid, times in zip(EXCHANGE_DROIDS, g.used, strict=True):
        if not times:
            continue
        if g.stage not in _TRADE or not p.owns(p.player_order()[g.order], droid):
            allowed = "uses in an exchange phase, by the player whose turn it is, of a droid of its own (X6)"
            refuse("exchange_uses", f"{times} of droid {droid}", allowed)
        limit = int(p.game.tables["exchange_uses"][0, droid]) or max_exchanges(p.players, p.game.cards)
        if times > limit:
            refuse("exchange_uses", f"{times} of droid {droid}", f"at most {limit} a phase (X2, X5)")

"""Which positions the rules can lead to: what ``restore`` holds a snapshot against.

``check`` looks at a whole record, chapter by chapter, and refuses it with an ``ImpossibleState`` that names the
snapshot's field. It holds the present against the rules, and against the past as far as that is bounded: how many turns
there were, who can have had one, how many cards these can have moved. Which cards came when leaves no trace. What can
be asked of the kernel is asked on copies: how the play under way began, and at last who decides what. (That the 74
cards lie somewhere, and that spreads are runs and sets, is known from the reading.)
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tabletop.snapshots import check_decision, refuse

from .bound import max_turn_decisions
from .constants import (
    CARD_NAMES,
    DECISIONS,
    DRAWING,
    EXTRA_CARDS,
    EXTRA_PARTS,
    FINISHED,
    FIRST_NUMBER,
    HAND,
    LASER,
    LAST_NUMBER,
    MAX_SEATS,
    NO_CARD,
    NOBODY,
    NUM_SUITS,
    PLAYING,
    ROUND_OVER,
    SHORT_CIRCUIT,
    SPREAD,
    STAGES,
    TRACTOR_BEAM,
    TURN_OVER,
    WILD,
    WILDS,
)
from .position import Position, named, points_at_stake
from .rollout import judge_game
from .turn_order import orders
from .validity_turn import check_play, check_turn

if TYPE_CHECKING:
    from .game import Robots


def check(game: Robots, record: NDArray[Any]) -> None:
    """``ImpossibleState`` unless play can lead to this record, which stands at a decision or at the end."""
    p = Position(game, record)
    for chapter in (
        check_stage,
        check_scores,
        check_turns,
        check_hands,
        check_factory,
        check_refill,
        check_heap,
        check_spreads,
        check_robots,
        check_turn,
        check_first_turn,
        check_play,
        check_last_round,
    ):
        chapter(p)
    check_decision(game, record, DECISIONS, p.names, "P1")


# ---- the match [E1-E6] ----------------------------------------------------------------------------------------------


def check_stage(p: Position) -> None:
    g = p.g
    if g.stage in (TURN_OVER, ROUND_OVER):
        refuse("stage", STAGES[g.stage], "a stage at which somebody decides, or finished")
    last = g.rounds or p.rules.max_rounds
    if g.round_number > last or (g.stage == FINISHED and g.rounds and g.round_number < last):
        allowed = f"{last}, the last round" if g.stage == FINISHED and g.rounds else f"at most {last} (E6)"
        refuse("round", f"{g.round_number}", allowed)
    if g.truncated and (g.stage != FINISHED or g.rounds or g.round_number != last):
        refuse("truncated", "True", "False: only a finished match to the target, after all rounds, is cut short (E6)")
    turns = (g.round_number - 1) * p.max_turns() + g.turns + 1
    most = turns * max_turn_decisions(p.players, p.rules)
    if g.decisions > most:
        refuse("decisions", f"{g.decisions}", f"at most {most} in {turns} turns")


def is_over(p: Position, scores: list[int]) -> bool:
    """Whether a match to the target ends with these scores [E4]."""
    best = max(scores)
    return best >= p.rules.target_score and scores.count(best) == 1


def check_scores(p: Position) -> None:
    g = p.g
    scores, last = g.scores[: p.players], g.round_scores[: p.players]
    over = g.round_number if g.stage == FINISHED else g.round_number - 1
    before = [score - of_last for score, of_last in zip(scores, last, strict=True)]
    least, most = points_at_stake(p.game)
    for field, points, rounds in (("score", scores, over), ("round_score", last, min(over, 1)), ("", before, over - 1)):
        rounds = max(0, rounds)
        for seat, value in enumerate(points):
            if not rounds * least <= value <= rounds * most:
                found = f"{value}" if field else f"{value} before the last round"
                allowed = f"{rounds * least} to {rounds * most} from {rounds} rounds that are over (E2)"
                refuse(f"players[{seat}].{field or 'score'}", found, allowed)
        if not rounds * least <= sum(points) <= rounds * most:
            allowed = f"{rounds * least} to {rounds * most} from {rounds} rounds that are over (E2)"
            refuse("players", f"{field or 'scores before the last round'}: {sum(points)} in all", allowed)
    if g.rounds:
        return
    if g.stage != FINISHED and is_over(p, scores):
        refuse("players", f"scores {scores}", f"nobody alone in the lead with {p.rules.target_score} points (E4)")
    if over > 1 and is_over(p, before):
        allowed = f"nobody alone in the lead with {p.rules.target_score} points a round ago (E4)"
        refuse("players", f"scores {before} before the last round", allowed)
    if g.stage == FINISHED and is_over(p, scores) == bool(g.truncated):
        if g.truncated:
            refuse("truncated", "True", f"False: scores {scores} end the match (E4)")
        if g.round_number < p.rules.max_rounds:
            allowed = f"another one: nobody is alone in the lead with {p.rules.target_score} points (E4)"
            refuse("stage", STAGES[g.stage], allowed)
        refuse("truncated", "False", "True: the match is cut short (E6)")


def check_last_round(p: Position) -> None:
    """A finished match lies as it was scored [E2]."""
    if p.g.stage != FINISHED:
        return
    copy = p.record.copy()
    copy["scores"], copy["actor"] = 0, 0
    scores, wins = np.zeros(MAX_SEATS, np.int64), np.zeros(MAX_SEATS, np.int64)
    judge_game(copy, 0, p.game.tables, scores, wins)
    for seat in p.seats:
        if scores[seat] != p.g.round_scores[seat]:
            refuse(f"players[{seat}].round_score", f"{p.g.round_scores[seat]}", f"{scores[seat]}, as it lies (E2)")


# ---- turns and hands [C6, C7, W6] -----------------------------------------------------------------------------------


def turn_number(p: Position) -> int:
    """How many turns were over before this one."""
    g = p.g
    return int(g.turns - (g.stage == FINISHED and g.turns == p.max_turns()))


def turns_drawn(p: Position) -> int:
    """In how many turns somebody may have drawn."""
    return turn_number(p) + int(p.g.stage != DRAWING)


def turns_discarded(p: Position) -> int:
    """In how many turns somebody may have discarded."""
    return turn_number(p) + int(p.g.discarded)


def max_draws(p: Position) -> int:
    """Cards that come from the factory in one turn at most [D1, W2, W10]."""
    return 1 + EXTRA_CARDS * p.cards_with(EXTRA_PARTS)


def turn_orders(p: Position) -> dict[tuple[int, frozenset[int]], tuple[int, ...]]:
    """Who can have the turn by now, in seats, and who can have been skipped, and how many turns each place after the
    dealer can have begun at most."""
    found = orders(p.players, turn_number(p), p.may_have_been_discarded(SHORT_CIRCUIT))
    seats = [(p.g.dealer + 1 + place) % p.players for place in p.seats]
    return {(seats[at], frozenset(seats[i] for i in skipped)): begun for (at, skipped), begun in found.items()}


def skipped_seats(p: Position) -> frozenset[int]:
    return frozenset(seat for seat in p.seats if p.g.skipped[seat])


def check_turns(p: Position) -> None:
    g = p.g
    most = p.max_turns()
    if g.turns > most or (g.turns == most and g.stage != FINISHED):
        refuse("turns", f"{g.turns}", f"at most {most - (g.stage != FINISHED)} (E5)")
    found, skipped = turn_orders(p), skipped_seats(p)
    when = f"after {turn_number(p)} turns, {p.names[g.dealer]} dealing"
    players = dict.fromkeys(p.names[seat] for seat, _ in found)
    if p.names[g.player] not in players:
        refuse("player", p.names[g.player], f"{' or '.join(players)} {when} (C7)")
    if (g.player, skipped) not in found:
        allowed = " or ".join(p.all_of(seats) for seat, seats in found if seat == g.player)
        refuse(
            "players", f"skipped: {p.all_of(skipped)}", f"{allowed} {when}, {p.names[g.player]} having the turn (W6)"
        )


def check_hands(p: Position) -> None:
    g = p.g
    begun = turn_orders(p)[g.player, skipped_seats(p)]
    for seat in p.seats:
        field = f"players[{seat}]"
        turns = begun[p.places_after_dealer(seat)]
        if seat == g.player and g.stage == DRAWING:
            turns -= 1
        if turns == 0:
            check_untouched(p, seat)
        hidden = len(p.hands[seat]) - len(p.known[seat])
        most = HAND + turns * max_draws(p)
        if hidden > most:
            refuse(f"{field}.hand", f"{hidden} cards that nobody knows of", f"at most {most} after {turns} turns (D1)")
        if g.barred[seat] and not p.cards_with(EXTRA_PARTS):
            refuse(f"{field}.barred", "True", "False: there are no Extra Parts (W2)")
        if max(g.wilds_since[seat]) > g.refills:
            allowed = f"1 to {g.refills}, the refills of this round" if g.refills else "none before a refill"
            refuse(f"{field}.wilds_since", f"{max(g.wilds_since[seat])}", f"{allowed} (D4)")
        drawn = p.drawn_since_a_refill(seat)
        if len(drawn) > turns * max_draws(p):
            allowed = f"at most {turns * max_draws(p)} unknown ones after {turns} turns (D1, D4)"
            refuse(f"{field}.hand", f"{named(drawn)}, drawn since a refill", allowed)


def check_untouched(p: Position, seat: int) -> None:
    """Before its first turn a player has seven cards, and nothing on the table [C6, P5]."""
    field, name = f"players[{seat}]", p.names[seat]
    if len(p.hands[seat]) != HAND:
        refuse(f"{field}.hand", f"{len(p.hands[seat])} cards", f"{HAND}: {name} has had no turn yet (C6)")
    if p.known[seat]:
        refuse(f"{field}.known", named(p.known[seat]), f"none: {name} has had no turn yet (W11)")
    if p.g.barred[seat]:
        refuse(f"{field}.barred", "True", f"False: {name} has had no turn yet (W2)")
    for slot in p.slots:
        if p.g.owner[slot] == seat or p.g.robot[slot] == seat or p.cards_of(slot, seat):
            refuse(f"spreads[{slot}]", f"cards of {name}", f"none: {name} has had no turn yet (P5)")


# ---- the piles [D4, W3, W11] ----------------------------------------------------------------------------------------


def check_factory(p: Position) -> None:
    g = p.g
    if g.under > len(p.factory):
        refuse("under", f"{g.under}", f"at most {len(p.factory)}, the cards of the factory")
    if g.under and not (p.cards_with(TRACTOR_BEAM) and turns_discarded(p)):
        refuse("under", f"{g.under}", "0: no Tractor Beam has acted (W3)")
    hidden, first = len(p.hidden_factory), p.first_factory()
    if g.refills:
        wilds = [refill for seat in p.seats for refill in g.wilds_since[seat]]
        drawn = first + len(p.reshuffled) - hidden
        drawn += sum(max(1, len(p.shuffled_by(n)) + wilds.count(n)) for n in range(1, g.refills))
    else:
        drawn = first - hidden
    if drawn < 0 and not g.refills:
        refuse("factory", f"{hidden} unknown cards", f"at most {first}, those of the beginning (C6)")
    most = turns_drawn(p) * max_draws(p)
    if drawn > most:
        field = "refills" if g.refills else "factory"
        found = f"{drawn} cards or more drawn from the factory in this round"
        refuse(field, found, f"at most {most} in {turns_drawn(p)} turns (D1, W2)")


def check_refill(p: Position) -> None:
    """Above the cards that all know lie those of the last refill only; somebody has drawn the first of them."""
    g = p.g
    if g.refills > p.rules.max_refills:
        refuse("refills", f"{g.refills}", f"at most {p.rules.max_refills} (D4)")
    if not g.refills:
        return
    last = f"reshuffled[{g.refills - 1}]"
    if not p.reshuffled:
        refuse(last, "none", "the cards of the last refill (D4)")
    others = Counter(p.hidden_factory) - Counter(p.reshuffled)
    if others:
        refuse(last, f"no {named(others)}", "each card of the factory that lies above those known to all (W11)")
    if len(p.hidden_factory) >= len(p.reshuffled):
        refuse("factory", f"all {len(p.reshuffled)} cards of the refill", "one less: a draw is what it is for (D4)")
    wilds = p.reshuffled.count(WILD)
    fresh = sum(refill == g.refills for seat in p.seats for refill in g.wilds_since[seat])
    if fresh + p.hidden_factory.count(WILD) > wilds:
        found = f"{fresh} in hands, {p.hidden_factory.count(WILD)} in the factory"
        refuse("players", f"wilds_since {g.refills}: {found}", f"{wilds} in all, as many as were shuffled (D4)")
    older = sum(p.hidden_wilds(seat) for seat in p.seats) - fresh
    if older > WILDS - wilds:
        refuse("players", f"wilds_since: {older} unknown wilds that are older", f"at most {WILDS - wilds} (D4)")


def check_first_turn(p: Position) -> None:
    """Before the first discard of a round one card has come from the factory, or the one on the heap [C6, D1]."""
    g = p.g
    if turn_number(p) or g.stage != PLAYING:
        return
    seat, took = g.player, not p.heap
    left = p.first_factory() - (not took)
    if len(p.factory) != left:
        allowed = f"{left} in the first turn, in which the heap's card was {'taken' if took else 'left'} (C6, D1)"
        refuse("factory", f"{len(p.factory)} cards", allowed)
    if len(p.known[seat]) > took:
        allowed = "at most the one card that lay on the heap" if took else "none: the heap's card was left"
        refuse(f"players[{seat}].known", named(p.known[seat]), f"{allowed} (W11)")
    if g.taken != NO_CARD and not took:
        refuse("turn.taken", CARD_NAMES[g.taken], "None: the heap's card was left (D5)")
    if g.taken == NO_CARD and took and not any(map(any, g.wilds_by)):
        refuse("turn.taken", "None", "the card that lay on the heap (D5)")


def check_heap(p: Position) -> None:
    turns = turns_discarded(p)
    most = 1 + turns * (1 + EXTRA_CARDS * p.cards_with(EXTRA_PARTS) + p.cards_with(LASER))
    if len(p.heap) > most:
        refuse("heap", f"{len(p.heap)} cards", f"at most {most} after {turns} discards (C6, K1)")


# ---- spreads [P2-P7, W4, W5] ----------------------------------------------------------------------------------------


def check_spreads(p: Position) -> None:
    """Without a laser nothing leaves the table."""
    g = p.g
    if p.cards_with(LASER):
        return
    for slot in range(g.slots):
        if slot not in p.slots:
            refuse(f"spreads[{slot}]", "None", "a spread: there is no laser (W4)")
        owner = g.owner[slot]
        if p.cards_of(slot, owner) < SPREAD:
            found = f"{p.cards_of(slot, owner)} cards of {p.names[owner]}"
            refuse(f"spreads[{slot}]", found, f"at least {SPREAD}, with which it was laid (P2, P5)")
        for seat in p.seats:
            if p.cards_of(slot, seat) and not g.owned[seat]:
                refuse(f"spreads[{slot}]", f"cards of {p.names[seat]}", "cards of players who have spreads (P5)")


def check_robots(p: Position) -> None:
    """[P6, P7]"""
    g = p.g
    for slot in p.slots:
        whole = FIRST_NUMBER <= g.number[slot] <= LAST_NUMBER and len(p.cells(slot)) == NUM_SUITS
        pure = not g.star_cells[slot] and (not g.wild_cells[slot] or p.rules.wild_completes_robot)
        builder = g.robot[slot]
        if not (whole and pure):
            if builder != NOBODY:
                refuse(f"spreads[{slot}].robot", p.names[builder], "None: it is no robot (P6, P7)")
        elif builder == NOBODY:
            refuse(f"spreads[{slot}].robot", "None", "who completed the robot (P6)")
        elif not p.cards_of(slot, builder):
            refuse(f"spreads[{slot}].robot", p.names[builder], "somebody who has played a card of it (P6)")

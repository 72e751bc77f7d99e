"""A game at the terminal: what follows from a choice, what can be taken back."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import lastdroid_env
import robots_env
from lastdroid_env.actions import EXCHANGE, PASS
from robots_env.actions import ADD, DRAW, LAY_RUN, WILD_IN
from tabletop.game import IllegalAction
from tests.games.tables import GAMES, each_game, each_table, each_way

from .games import sat_down, sitting

REPLAYS = {"lastdroid_env": lastdroid_env.replay, "robots_env": robots_env.replay}


@each_way
def test_steps_lead_to_where_the_game_stands(table, way):
    """The copy that asks everything ends where the game does, each step where the next one begins."""
    forced = 0
    for at_table, _ in sitting(table, 3, table.ways[way]):
        if not at_table.moves:
            continue
        steps = at_table.moves[-1].steps
        for one, other in itertools.pairwise(steps):
            assert one.after.record.tobytes() == other.before.record.tobytes()
            assert one.after.actor == other.seat and one.after.legal_actions() == [other.action]
            forced += not other.chosen
        end = steps[-1].after.record.copy()
        for name in ("ask_forced", "decisions"):
            end[name] = at_table.game.record[name]
        assert end.tobytes() == at_table.game.record.tobytes()
    assert forced > 0 or table.settings.get("ask_forced")


@each_table
def test_what_is_taken_back_is_as_it_was(table):
    """So many choices as may be taken back, all by the seat that decides; then the game goes on as it would have."""
    rng = np.random.default_rng(5)
    taken = 0
    for at_table, _ in sitting(table, 5, table.ways["anything"]):
        possible = at_table.can_take_back()
        if not possible or at_table.game.actor < 0:
            continue
        seat = at_table.game.actor
        mine = at_table.moves[-possible:]
        assert all(step.seat == seat for move in mine for step in move.steps)
        if rng.random() < 0.7:
            continue
        count = int(rng.integers(1, possible + 1))
        now, actions = at_table.game.record.copy(), [move.action for move in at_table.moves[-count:]]
        before = at_table.moves[-count].steps[0].before
        at_table.take_back(count)
        expected = before.record.copy()
        for name in ("ask_forced", "decisions"):
            expected[name] = at_table.game.record[name]
        assert at_table.game.record.tobytes() == expected.tobytes() and at_table.game.actor == seat
        for action in actions:
            at_table.play(action)
        assert at_table.game.record.tobytes() == now.tobytes()
        taken += 1
    assert taken > 0
    text = at_table.record()
    replayed = REPLAYS[table.package.__name__](text)
    assert [action for _, action in replayed.actions] == [move.action for move in at_table.moves]


@each_table
def test_nothing_hidden_has_been_seen_since(table):
    """What may be taken back leaves every hidden card where it was: a redealt game gets to the same table."""
    told = 0
    for i, (at_table, _) in enumerate(sitting(table, 6, table.ways["anything"])):
        count = at_table.can_take_back()
        if not count or at_table.game.actor < 0 or i % 3:
            continue
        seat = at_table.game.actor
        other = at_table.moves[-count].steps[0].before
        other = other.twin(other.record)
        other.record["ask_forced"] = at_table.game.record["ask_forced"]
        other.redeal_hidden(seat, i)
        for move in at_table.moves[-count:]:
            other.act(move.action)
        assert other.actor == seat
        assert other.to_text(seat) == at_table.game.to_text(seat)
        told += 1
    assert told > 0


def test_of_robots_a_draw_stands_and_a_spread_can_be_taken_back():
    table = GAMES[1]
    drawn = laid = 0
    for seed in range(8):
        for at_table, _ in sitting(table, seed, table.ways["layer"]):
            if not at_table.moves or at_table.game.actor < 0:
                continue
            move = at_table.moves[-1]
            if move.action == DRAW:
                assert at_table.can_take_back() == 0
                drawn += 1
            elif ADD <= move.action < WILD_IN and move.seat == at_table.game.actor and len(move.steps) < 3:
                same_turn = move.steps[0].before.record["player"] == at_table.game.record["player"]
                if same_turn and all(step.seat == move.seat for step in move.steps):
                    assert at_table.can_take_back() >= 1
                    laid += move.action >= LAY_RUN
    assert drawn > 10 and laid > 3


def test_of_last_droid_exchanges_can_be_taken_back_until_the_other_moves():
    at_table, _ = sat_down(GAMES[0], 1)
    game = at_table.game
    at_table.play(game.legal_actions()[0])
    first = game.actor
    exchanges = 0
    while len(legal := [a for a in game.legal_actions() if a >= EXCHANGE]) and exchanges < 2:
        at_table.play(legal[0])
        exchanges += 1
    gave = int(at_table.moves[0].seat == first)  # who gives the droids goes on to exchange
    assert exchanges == 2 and at_table.can_take_back() == exchanges + gave
    at_table.play(PASS)
    assert game.actor != first and at_table.can_take_back() == 0
    with pytest.raises(ValueError, match="0 choices may be taken back, not 1"):
        at_table.take_back(1)


@each_game
def test_an_illegal_action_changes_nothing(table):
    at_table, _ = sat_down(table, 2)
    before = at_table.game.record.tobytes()
    wrong = next(a for a in range(at_table.game.num_actions) if a not in at_table.game.legal_actions())
    with pytest.raises(IllegalAction):
        at_table.play(wrong)
    assert at_table.game.record.tobytes() == before and at_table.moves == [] and at_table.chronicle.actions == []

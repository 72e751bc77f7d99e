"""What holds at every decision of every game."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.game import ILLEGAL

from .tables import TABLES, each_table, each_way
from .walk import decisions


@each_way
def test_a_live_game_has_a_legal_action_and_all_others_change_not_one_byte(table, way):
    game = table.game()
    observation, mask = game.buffers()
    for n, (legal, _) in enumerate(decisions(game, 11, table.ways[way])):
        assert legal
        if n % 16:
            continue
        before = game.record.tobytes()
        for action in (*range(-2, game.num_actions + 3), 10**6):  # -3 and -4 deal and resume
            if action not in legal:
                assert game.play(game.record, 0, game.tables, action, observation, mask) == ILLEGAL
                assert game.record.tobytes() == before, action
        for action in legal:
            twin = game.record.copy()
            assert game.play(twin, 0, game.tables, action, observation, mask) != ILLEGAL
            assert twin.tobytes() != before
    assert game.legal_actions() == []


@each_table
def test_looking_changes_nothing(table):
    """And only the deciding player's mask allows anything; what ``play`` wrote is what that player sees."""
    game = table.game()
    observation, mask = game.buffers()
    for _, action in decisions(game, 12):
        before = game.record.tobytes()
        twin = game.record.copy()
        for seat in range(game.num_players):
            assert game.view(seat)[1].any() == (seat == game.actor)
        game.to_text(game.actor)
        game.result()
        assert game.record.tobytes() == before
        actor = game.play(twin, 0, game.tables, action, observation, mask)
        if actor >= 0:
            seen, allowed = game.twin(twin).view(actor)
            assert np.array_equal(seen, observation) and np.array_equal(allowed, mask)
        else:
            assert not any(game.twin(twin).view(seat)[1].any() for seat in range(game.num_players))


@each_way
def test_games_end_within_the_bound(table, way):
    game = table.game()
    bound = table.bound(game)
    for seed in range(2):
        n = sum(1 for _ in decisions(game, seed, table.ways[way]))
        assert n == game.record["decisions"][0]
        assert n <= bound


@pytest.mark.parametrize(
    ("table", "way"),
    [
        pytest.param(table, way, id=f"{table}, {way}")
        for table in TABLES
        if not table.settings.get("ask_forced")
        for way in table.ways
    ],
)
def test_asking_forced_decisions_changes_nothing_else(table, way):
    quiet, asked = table.game(), table.game(ask_forced=True)
    fields = [name for name in quiet.record.dtype.names if name not in ("ask_forced", "decisions")]
    for seed in range(2):
        asked.deal(seed)

        def answer_forced():
            while len(legal := asked.legal_actions()) == 1:
                asked.act(legal[0])

        def same():
            for name in fields:
                assert np.array_equal(quiet.record[name], asked.record[name]), name

        for legal, action in decisions(quiet, seed, table.ways[way]):
            answer_forced()
            same()
            assert asked.legal_actions() == legal and len(legal) > 1
            asked.act(action)
        answer_forced()
        same()
        assert quiet.result() == asked.result()

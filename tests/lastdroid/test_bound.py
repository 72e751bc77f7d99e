"""What the proof that every game ends rests on (``lastdroid_env.bound``)."""

from __future__ import annotations

import pytest

from lastdroid_env import LastDroid
from lastdroid_env.actions import EXCHANGE, REPAIR
from lastdroid_env.bound import max_exchanges
from lastdroid_env.constants import STORE_DROIDS

from .games import decisions, trader


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_unlimited_exchanges_lower_the_weighted_total(num_players):
    game = LastDroid(num_players, ask_forced=True)
    weights = game.cards.weights
    tables = game.tables[0]

    def total(seat):
        record = game.record[0]
        parts = record["parts"][seat].astype(int)
        for store, droid in enumerate(STORE_DROIDS):
            if record["place"][droid] == 8 + seat:
                parts = parts + record["stored"][store]
        return int(parts @ list(weights))

    tried = 0
    for seed in range(8):
        before = None
        row = 0
        in_phase = 0
        for _, action in decisions(game, seed, trader):
            if before is not None:
                droid = tables["exchange_droid"][row]
                if droid == 0 or tables["exchange_uses"][droid] == 0:
                    assert total(before[0]) < before[1]
                    tried += 1
            before = None
            if EXCHANGE <= action < REPAIR:
                row = action - EXCHANGE
                before = (game.actor, total(game.actor))
                in_phase += 1
                assert in_phase <= max_exchanges(num_players, game.cards)
            else:
                in_phase = 0
    assert tried > 100

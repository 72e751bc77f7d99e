"""Whose turn it can be after so many turns, against every history that W6 allows, one by one."""

from __future__ import annotations

import pytest

from robots_env.turn_order import orders


def histories(players, turns, skips):
    """Every way the turn can have gone round: whose turn it is, who waits after a skip, turns begun by each."""
    if turns == 0:
        yield 0, frozenset(), [1] + [0] * (players - 1)
        return
    for place, waiting, begun in histories(players, turns - 1, skips):
        for passed in ([], [(place + 1) % players]) if skips else ([],):
            if not waiting & set(passed):
                turn = (place + 1 + len(passed)) % players
                counts = [number + (at == turn) for at, number in enumerate(begun)]
                yield turn, (waiting | set(passed)) - {turn}, counts


@pytest.mark.parametrize("skips", [True, False])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_orders_are_those_of_all_histories(players, skips):
    for turns in range(9):
        wanted: dict[tuple[int, frozenset[int]], tuple[int, ...]] = {}
        for turn, waiting, begun in histories(players, turns, skips):
            most = wanted.get((turn, waiting), begun)
            wanted[turn, waiting] = tuple(map(max, most, begun))
        assert orders(players, turns, skips) == wanted


def test_of_two_the_second_has_its_first_turn_after_two_of_the_first():
    assert orders(2, 2, True)[1, frozenset()] == (2, 1)

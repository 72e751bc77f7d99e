"""Who plays whom in a ladder: everybody meets everybody as often, in every seat, on the same deals."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from agents.tournament.schedule import every_seating, rounds

ALONE = {players: [(seat,) for seat in range(players)] for players in range(1, 6)}
TEAMS = [(0, 3), (1, 2)]


def meetings(tables):
    """How often any two play together, and how often each agent has each seat."""
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[tuple[int, int]] = Counter()
    for seats in (seats for table in tables for seats in table.seats):
        met.update(itertools.combinations(sorted(set(seats)), 2))
        sat.update(enumerate(seats))
    return met, sat


@pytest.mark.parametrize(("players", "agents"), [(2, 7), (3, 3), (3, 8), (4, 6), (4, 11), (5, 6), (5, 9)])
def test_everybody_meets_everybody_on_every_deal(players, agents):
    tables = rounds(ALONE[players], 0, agents, 120, seed=3)
    deals = sorted({table.deal for table in tables})
    assert deals == list(range(-(-120 // players)))
    for deal in deals:
        met, sat = meetings([table for table in tables if table.deal == deal])
        assert set(met) == set(itertools.combinations(range(agents), 2))
        for agent in range(agents):
            assert len({sat[seat, agent] for seat in range(players)}) == 1
    met, _ = meetings(tables)
    assert min(met.values()) >= 120
    assert max(met.values()) - min(met.values()) <= 0.15 * min(met.values())
    assert len({table.key for table in tables}) == len(tables)


def test_neighbours_change():
    """Turning one arrangement only, an agent would always sit behind the same one."""
    tables = rounds(ALONE[3], 0, 3, 60, seed=0)
    behind = Counter(table.seats[0][(table.seats[0].index(0) + 1) % 3] for table in tables)
    assert behind[1] + behind[2] == len(tables) and min(behind.values()) >= 4


def test_team_mates_are_one_agent():
    assert [table.seats for table in rounds(TEAMS, 0, 2, 4, seed=0)] == [((0, 1, 1, 0), (1, 0, 0, 1))] * 2


def test_alone_everybody_plays_every_deal():
    assert [(table.deal, table.seats) for table in rounds(ALONE[1], 1, 2, 2, seed=0)] == [
        (0, ((1,),)),
        (0, ((2,),)),
        (1, ((1,),)),
        (1, ((2,),)),
    ]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_who_joins_meets_everybody_and_no_others_meet_for_nothing(players):
    tables = rounds(ALONE[players], 6, 2, 30, seed=0)
    met, _ = meetings(tables)
    assert all(met[pair] >= 30 for pair in itertools.combinations(range(8), 2) if pair[1] >= 6)
    assert all(max(table.line_up) >= 6 for table in tables)


def test_the_seed_draws_tables_and_arrangements():
    same, other = rounds(ALONE[4], 0, 7, 40, seed=1), rounds(ALONE[4], 0, 7, 40, seed=2)
    assert rounds(ALONE[4], 0, 7, 40, seed=1) == same != other
    longer = rounds(ALONE[4], 0, 7, 80, seed=1)
    assert longer[: len(same)] == same


def test_a_tournament_plays_every_seating():
    tables = every_seating(ALONE[3], 4, 12)
    assert len(tables) == 2 * 4 and all(len(table.seats) == 6 for table in tables)
    assert every_seating(TEAMS, 2, 3)[0].seats == ((0, 1, 1, 0), (1, 0, 0, 1))

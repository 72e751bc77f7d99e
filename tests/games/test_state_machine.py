"""Any order of actions, copies, snapshots, renderings and mistakes: Hypothesis looks for one that breaks a game."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tabletop.game import IllegalAction, ImpossibleState

from .tables import TABLES

COPIES = {
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
MOST_TWINS = 3


class Machine(RuleBasedStateMachine):
    """An environment and copies of it that make the same moves."""

    table = TABLES[0]

    @initialize(seed=st.integers(0, 2**64 - 1))
    def deal(self, seed):
        self.env = self.table.env(render_mode="ansi")
        self.env.reset(seed=seed)
        self.twins = []

    @property
    def game(self):
        return self.env.game

    @precondition(lambda self: self.game.actor >= 0)
    @rule(choices=st.lists(st.integers(0, 10_000), min_size=1, max_size=40))
    def act(self, choices):
        for choice in choices:
            if self.game.actor < 0:
                return
            legal = self.game.legal_actions()
            for env in (self.env, *self.twins):
                env.step(legal[choice % len(legal)])

    @precondition(lambda self: self.game.actor >= 0)
    @rule(action=st.integers(-3, 600))
    def mistake(self, action):
        legal = self.game.legal_actions()
        before = self.game.record.tobytes()
        if action not in legal:
            with pytest.raises(IllegalAction):
                self.env.step(action)
            assert self.game.record.tobytes() == before

    @rule(kind=st.sampled_from(sorted(COPIES)))
    def copied(self, kind):
        self.twins = [*self.twins, COPIES[kind](self.env)][-MOST_TWINS:]

    @rule()
    def restored(self):
        snapshot = json.loads(json.dumps(self.env.snapshot()))
        twin = self.table.env(render_mode="ansi")
        twin.reset(seed=0, options={"state": snapshot})
        twin.game.record["rng"] = self.game.record["rng"]
        assert twin.snapshot() == snapshot
        self.twins = [*self.twins, twin][-MOST_TWINS:]

    @rule()
    def rendered(self):
        before = self.game.record.tobytes()
        assert self.env.render() and repr(self.env)
        assert self.game.record.tobytes() == before

    @rule(seat=st.integers(0, 4), seed=st.integers(0, 2**63))
    def redealt(self, seat, seed):
        """Another world for a player is a game that can be, and the present one does not notice."""
        agent = self.env.possible_agents[seat % self.game.num_players]
        before, seen = self.game.record.tobytes(), self.env.observe(agent)
        world = self.env.clone()
        world.resample(agent, seed)
        assert all(np.array_equal(world.observe(agent)[key], seen[key]) for key in seen)
        world.game.record_of(world.snapshot())
        assert self.game.record.tobytes() == before

    @rule(data=st.data())
    def spoilt(self, data):
        """A snapshot with one field of another game is refused or is a game; the present one does not notice."""
        snapshot = self.env.snapshot()
        field = data.draw(st.sampled_from(sorted(snapshot)))
        other = self.table.env()
        other.reset(seed=1)
        before = self.game.record.tobytes()
        try:
            self.env.restore({**snapshot, field: other.snapshot()[field]})
        except ImpossibleState:
            assert self.game.record.tobytes() == before
        else:
            self.env.restore(snapshot)

    @invariant()
    def whole(self):
        """The position passes every check that snapshots are put to, all cards in one place among them."""
        record = self.game.record_of(self.env.snapshot())
        assert record.tobytes() == self.game.record.tobytes()
        for agent in self.env.possible_agents:
            seen = self.env.observe(agent)
            assert self.env.observation_space(agent).contains(seen)
            assert seen["action_mask"].any() == (self.game.actor >= 0 and agent == self.env.agent_selection)

    @invariant()
    def alike(self):
        for twin in self.twins:
            assert twin.game.record.tobytes() == self.game.record.tobytes()
            assert twin.render() == self.env.render() and twin.agents == self.env.agents


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_state_machine(table):
    class AtTable(Machine):
        pass

    AtTable.table = table
    run_state_machine_as_test(
        AtTable,
        settings=settings(
            max_examples=4,
            stateful_step_count=20,
            derandomize=True,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )

"""Snapshots: exact both ways for every state of a match, and a sentence that names the field for every other one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import robots_env
from robots_env.actions import ADD, CALL, DISCARD, DRAW, LAY_RUN, PICK, WILD_IN
from robots_env.constants import CARD_NAMES, DECISIONS, DECK
from robots_env.game import Robots
from tabletop.game import ImpossibleState
from tabletop.record import BadRecord

Snapshot = dict[str, Any]
Chooser = Callable[[Robots, list[int], np.random.Generator], int]

SIX = ("recycle", "extra parts", "tractor beam", "extra parts", "laser", "short circuit")
CHAINING = {number: SIX[number % 6] for number in range(2, 15)}
SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {"rounds": 1},
    "stars as 15": {"rules": {"star_high": 15}, "rounds": 1},
    "robots with wilds": {"rules": {"wild_completes_robot": True}, "rounds": 1},
    "taken card kept": {"rules": {"discard_taken_card": False}, "rounds": 1},
    "power on the last discard": {"rules": {"power_on_last_discard": True, "max_refills": 3}, "rounds": 1},
    "no refill": {"rules": {"max_refills": 0}, "rounds": 1},
    "short rounds": {"rules": {"max_turns": 3}, "rounds": 3},
    "a match": {"rules": {"max_turns": 12, "target_score": 30, "max_rounds": 5}},
    "a long match": {"rules": {"max_turns": 2, "target_score": 20, "max_rounds": 12}},
    "no powers, forced decisions asked": {"rules": {"powers": {}}, "rounds": 1, "ask_forced": True},
    "powers everywhere": {"rules": {"powers": CHAINING, "max_refills": 2}, "rounds": 1},
    "one power everywhere": {
        "rules": {
            "powers": dict.fromkeys(range(2, 15), "extra parts"),
            "power_on_last_discard": True,
            "max_refills": 5,
        },
        "rounds": 1,
    },
    "all at once": {
        "rules": {
            "base": "publisher",
            "wild_completes_robot": True,
            "discard_taken_card": False,
            "power_on_last_discard": True,
            "max_refills": 3,
            "powers": CHAINING,
            "max_rounds": 2,
        },
        "ask_forced": True,
    },
}


def anything(game: Robots, legal: list[int], rng: np.random.Generator) -> int:
    return int(rng.choice(legal))


def builder(game: Robots, legal: list[int], rng: np.random.Generator) -> int:
    """Lays and adds where it can."""
    plays = [action for action in legal if action >= ADD or action == CALL]
    return int(rng.choice(plays if plays and rng.random() < 0.9 else legal))


def hoarder(game: Robots, legal: list[int], rng: np.random.Generator) -> int:
    """Digs deep into the heap, plays little, exchanges cards of what it lays."""
    if game.decision_to_string() == "draw" and rng.random() < 0.7:
        return int(rng.choice([action for action in legal if PICK <= action < DISCARD] or legal))
    calm = [action for action in legal if DISCARD <= action < ADD or action >= WILD_IN]
    return int(rng.choice(calm if calm and rng.random() < 0.6 else legal))


def fighter(game: Robots, legal: list[int], rng: np.random.Generator) -> int:
    """Discards powers and uses them."""
    powers = game.tables["power"][0, sorted(CARD_NAMES)]
    strong = [action for action in legal if DISCARD <= action < ADD and powers[action - DISCARD]]
    strong = strong or [action for action in legal if DRAW <= action < DISCARD or action >= LAY_RUN]
    return int(rng.choice(strong if strong and rng.random() < 0.8 else legal))


CHOOSERS: tuple[Chooser, ...] = (anything, builder, hoarder, fighter)


def decisions(game: Robots, seed: int, choose: Chooser | None = None) -> Iterator[int]:
    """Play a game, yielding the actor before each action is made."""
    rng = np.random.default_rng(seed)
    choose = choose or CHOOSERS[seed % len(CHOOSERS)]
    game.deal(seed)
    while game.actor >= 0:
        yield game.actor
        game.act(choose(game, game.legal_actions(), rng))


def through_json(snapshot: Snapshot) -> Snapshot:
    return dict(json.loads(json.dumps(snapshot)))


def check_round_trip(game: Robots, reader: Robots) -> None:
    snapshot = through_json(game.snapshot())
    reader.restore(snapshot)
    assert reader.record.tobytes() == game.record.tobytes()
    assert reader.snapshot() == snapshot


def cards_of(snapshot: Snapshot) -> Counter[str]:
    """The cards of all places."""
    cards = Counter(snapshot["factory"] + snapshot["heap"])
    for player in snapshot["players"]:
        cards.update(player["hand"])
    for spread in snapshot["spreads"]:
        cards.update(card["card"] for card in (spread["cards"] if spread else []))
    return cards


ALL_CARDS = Counter(CARD_NAMES[card] for card in DECK)


# ---- both ways ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
@pytest.mark.parametrize("setting", SETTINGS)
def test_every_state_comes_back_byte_for_byte(setting, num_players):
    """All fields, tallies and the generator included, from what went through JSON; redealt states too."""
    game, reader = (Robots(num_players, **SETTINGS[setting]) for _ in range(2))
    rng = np.random.default_rng(num_players)
    for seed in range(num_players, num_players + 2):
        for _ in decisions(game, seed):
            if rng.random() < 0.3:
                check_round_trip(game, reader)
            if rng.random() < 0.05:
                other = game.twin(game.record)
                other.redeal_hidden(int(rng.integers(num_players)), int(rng.integers(2**40)))
                check_round_trip(other, reader)  # type: ignore[arg-type]
        check_round_trip(game, reader)
        for seat in range(num_players):
            other = game.twin(game.record)
            other.redeal_hidden(seat, seed)
            check_round_trip(other, reader)  # type: ignore[arg-type]


def test_every_decision_comes_back():
    met = set()
    for setting in ("powers everywhere", "all at once"):
        game, reader = (Robots(3, **SETTINGS[setting]) for _ in range(2))
        for seed in range(8):
            for _ in decisions(game, seed):
                if game.decision_to_string() not in met:
                    met.add(game.decision_to_string())
                    check_round_trip(game, reader)
    assert met == set(DECISIONS) - {"over"}


@pytest.mark.parametrize("setting", ["plain", "a match", "all at once"])
def test_a_restored_game_plays_on_identically(setting):
    game, other = (Robots(3, **SETTINGS[setting]) for _ in range(2))
    rng = np.random.default_rng(7)
    game.deal(11)
    taken = 0
    while game.actor >= 0:
        if rng.random() < 0.1:
            other.restore(through_json(game.snapshot()))
            taken += 1
        action = anything(game, game.legal_actions(), rng)
        actor = game.act(action)
        if taken:
            assert other.act(action) == actor
            assert other.record.tobytes() == game.record.tobytes()
    assert taken
    game.deal()
    other.deal()  # the generator goes on alike
    assert other.record.tobytes() == game.record.tobytes()


def test_an_environment_starts_from_a_snapshot():
    env, other = (robots_env.env(num_players=3) for _ in range(2))
    env.reset(seed=5)
    for _ in range(60):
        env.step(env.game.legal_actions()[-1])
    snapshot = env.snapshot()
    other.reset(options={"state": snapshot})
    for agent in env.possible_agents:
        for key, value in env.observe(agent).items():
            np.testing.assert_array_equal(value, other.observe(agent)[key])
    assert other.snapshot() == snapshot and other.agent_selection == env.agent_selection
    other.reset(seed=9, options={"state": snapshot})
    assert other.snapshot() == {**snapshot, "generator": 9}
    other.restore(snapshot)
    assert other.snapshot() == snapshot
    with pytest.raises(ImpossibleState, match="player"):
        other.reset(options={"state": {**snapshot, "player": "player_7"}})
    assert other.snapshot() == snapshot


def test_a_finished_match_is_restored_as_finished():
    env, other = (robots_env.env(num_players=2, rounds=2) for _ in range(2))
    env.reset(seed=5)
    while env.game.actor >= 0:
        env.step(env.game.legal_actions()[-1])
    other.restore(through_json(env.snapshot()))
    assert all(other.terminations.values()) and other.rewards == env.rewards
    assert other.scores() == env.scores() and other.winners() == env.winners()


def test_a_snapshot_is_plain_readable_data():
    game = Robots(4, **SETTINGS["powers everywhere"])
    for _ in decisions(game, 1):
        snapshot = game.snapshot()
        assert through_json(snapshot) == snapshot
        assert cards_of(snapshot) == ALL_CARDS
        assert not {"gaps", "owned", "wild_cells"} & snapshot.keys()
    assert snapshot["players"][2]["name"] == "player_2" and snapshot["game"] == "robots"
    assert snapshot["settings"] == game.settings()
    with pytest.raises(ValueError, match="deal one first"):
        Robots().snapshot()


# ---- written by hand ------------------------------------------------------------------------------------------------


def by_hand(game: Robots, hands: list[list[str]], **fields: Any) -> Snapshot:
    """A position of two players: all cards that lie nowhere else are in the factory, the lowest known to all."""
    snapshot: Snapshot = {
        "game": "robots",
        "settings": game.settings(),
        "seed": 0,
        "generator": 0,
        "dealer": "player_1",
        "player": "player_0",
        "stage": "playing",
        "decision": "play",
        "actor": "player_0",
        "turns": 60,
        "players": [{"name": f"player_{seat}", "hand": hand} for seat, hand in enumerate(hands)],
        "heap": [],
        **fields,
    }
    placed = Counter([*snapshot["heap"], *hands[0], *hands[1]])
    for spread in snapshot.get("spreads", []):
        placed.update(card if isinstance(card, str) else card["card"] for card in spread["cards"])
    factory = list((ALL_CARDS - placed).elements())
    return {"factory": factory, "under": max(0, len(factory) - 40), **snapshot}


RUN = {
    "owner": "player_1",
    "kind": "run",
    "cards": ["green 5", {"card": "wild", "stands_for": "green 7"}, {"card": "green 6", "by": "player_0"}],
}
STARS = {
    "owner": "player_0",
    "kind": "set",
    "cards": ["red 14", "blue 14", {"card": "green star", "stands_for": "green 14"}],
}


def test_a_position_can_be_written_by_hand():
    game = Robots(2)
    hands = [["red 2", "red 3", "white star"], ["wild"]]
    snapshot = by_hand(game, hands, heap=["blue 9", "blue 10"], spreads=[RUN, STARS])
    game.restore(snapshot)
    names = {game.action_to_string(action) for action in game.legal_actions()}
    assert names == {"add white star", *(f"discard {card}" for card in hands[0])}
    written = game.snapshot()
    assert written["spreads"][0] == {
        "owner": "player_1",
        "kind": "run",
        "cards": [
            {"card": "green 5", "stands_for": "green 5", "by": "player_1"},
            {"card": "green 6", "stands_for": "green 6", "by": "player_0"},
            {"card": "wild", "stands_for": "green 7", "by": "player_1"},
        ],
        "robot": None,
    }
    assert written["heap"] == ["blue 9", "blue 10"] and written["turn"]["power"] == "none"
    assert cards_of(written) == ALL_CARDS
    game.restore(written)
    assert game.snapshot() == written


def test_the_order_of_lists_of_cards_says_nothing():
    game = Robots(3)
    snapshot = {}
    for _ in decisions(game, 1, builder):
        snapshot = game.snapshot()
        if len(snapshot["spreads"]) > 2 and snapshot["players"][0]["known"]:
            break
    for player in snapshot["players"]:
        player["hand"].reverse()
        player["known"].reverse()
    for spread in snapshot["spreads"]:
        spread["cards"].reverse()
    assert game.record_of(snapshot).tobytes() == game.record.tobytes()


# ---- records --------------------------------------------------------------------------------------------------------


def played(setting: str, seed: int, most: int | None = None) -> robots_env.RobotsEnv:
    """An environment after so many decisions of a random match, or after all."""
    env = robots_env.env(num_players=3, **SETTINGS[setting])
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while env.game.actor >= 0 and most != 0:
        env.step(CHOOSERS[seed % 4](env.game, env.game.legal_actions(), rng))
        most = None if most is None else most - 1
    return env


@pytest.mark.parametrize("most", [0, 1, 57, None])
@pytest.mark.parametrize("setting", ["plain", "a match", "all at once", "powers everywhere"])
def test_a_record_replays_exactly(setting, most):
    for seed in (4, 5):
        env = played(setting, seed, most)
        replay = robots_env.replay(env.game_record())
        assert replay.game.record.tobytes() == env.game.record.tobytes()
        assert replay.game.settings() == env.game.settings()
        game = replay.game.twin(replay.start)
        for seat, action in replay.actions:
            assert game.actor == seat
            game.act(action)
        assert game.record.tobytes() == env.game.record.tobytes()


def test_a_record_begins_where_the_environment_did():
    """After a restore with the snapshot, after a resample with what was redealt."""
    env = played("powers everywhere", 4, 40)
    other = robots_env.env(num_players=3, **SETTINGS["powers everywhere"])
    other.restore(env.snapshot())
    other.step(other.game.legal_actions()[0])
    assert len(robots_env.replay(other.game_record()).actions) == 1
    env.resample("player_0", 3)
    env.step(env.game.legal_actions()[0])
    assert robots_env.replay(env.game_record()).game.record.tobytes() == env.game.record.tobytes()


@pytest.mark.parametrize("most", [30, None])
def test_a_corrupt_record_is_refused(most):
    text = played("powers everywhere", 5, most).game_record()
    lines = text.splitlines()
    rng = np.random.default_rng(0)
    corrupt = ["\n".join(lines[:i] + lines[i + 1 :]) for i in (0, 1, 2, 3, 4, 9, len(lines) - 1)]
    corrupt += ["\n".join(lines[: i + 1] + lines[i:]) for i in (2, 3, 5, len(lines) - 1)]
    corrupt += [text[: int(end)] for end in rng.integers(1, len(text) - 1, 60)]
    for at in rng.integers(0, len(text) - 1, 150):
        changed = text[:at] + chr(int(rng.integers(33, 127))) + text[at + 1 :]
        if changed.split() != text.split():
            corrupt.append(changed)
    for record in corrupt:
        with pytest.raises(BadRecord) as refusal:
            robots_env.replay(record)
        assert len(str(refusal.value)) < 1500

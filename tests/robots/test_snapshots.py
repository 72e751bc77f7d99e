"""Snapshots: exact both ways for every state of a match, and a sentence that names the field for every other one."""

from __future__ import annotations

import copy
import functools
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import robots_env
from robots_env.actions import ADD, CALL, DISCARD, DRAW, LAY_RUN, PICK, WILD_IN
from robots_env.constants import CARD_NAMES, DECISIONS, DECK, POWERS, STAGES
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


# ---- what is refused ------------------------------------------------------------------------------------------------


@functools.cache
def _moment(setting: str, num_players: int, decision: str, where: str) -> tuple[Robots, str]:
    """A game standing at the first such moment of random games, and its snapshot as JSON."""
    game = Robots(num_players, **SETTINGS[setting])
    for seed in range(400):
        for _ in decisions(game, seed):
            if decision in ("", game.decision_to_string()):
                snapshot = game.snapshot()
                if not where or _WHERE[where](snapshot):
                    return game.twin(game.record), json.dumps(snapshot)  # type: ignore[return-value]
        if decision == "over" and (not where or _WHERE[where](game.snapshot())):
            return game.twin(game.record), json.dumps(game.snapshot())  # type: ignore[return-value]
    raise AssertionError(f"no game came to {decision} {where}")


def _has(s: Snapshot, kind: str) -> bool:
    return any(spread and spread["kind"] == kind for spread in s["spreads"])


_WHERE: dict[str, Callable[[Snapshot], Any]] = {
    "played": lambda s: s["turns"] > 6 and _has(s, "run") and _has(s, "set") and len(s["heap"]) > 1,
    "drawn": lambda s: s["turns"] > 6 and s["turn"]["taken"] == s["turn"]["must_play"],
    "played early": lambda s: s["turns"] == 1 and s["spreads"],
    "refilled": lambda s: s["refills"] == 1 and len(s["factory"]) > 3 and s["under"] < len(s["factory"]) - 1,
    "under": lambda s: s["under"] > 1 and not s["refills"],
    "robot": lambda s: any(spread and spread["robot"] for spread in s["spreads"]),
    "deep": lambda s: s["turn"]["must_play"] not in (None, "wild"),
    "single": lambda s: s["turn"]["taken"] not in (None, "wild"),
    "run": lambda s: s["laying"]["kind"] == "run" and s["laying"]["next"] == 0,
    "exchanged": lambda s: s["laying"]["next"] in (1, 2),
    "a wild in a set": lambda s: s["adding"]["set"],
    "adding": lambda s: s["stage"] == "playing",
    "called": lambda s: s["stage"] == "calling",
    "third round": lambda s: s["round"] == 3,
    "second round": lambda s: s["round"] == 2,
    "emptied": lambda s: s["turn"]["discarded"] and s["turns"] < 200 and not s["turn"]["order"],
    "turns": lambda s: s["turns"] == 12 * 2,
    "truncated": lambda s: s["truncated"],
    "not truncated": lambda s: not s["truncated"] and s["round"] == 3,
    "known": lambda s: s["players"][0]["known"] and len(s["players"][0]["hand"]) > len(s["players"][0]["known"]),
    "short circuit": lambda s: s["turn"]["skip"],
    "barred": lambda s: any(p["barred"] for p in s["players"] if p["name"] != s["player"]),
}


def moment(setting: str, num_players: int, decision: str = "", where: str = "") -> tuple[Any, Snapshot]:
    game, text = _moment(setting, num_players, decision, where)
    return game, json.loads(text)


def assert_refused(game: Robots, snapshot: Any, field: str) -> None:
    """Refused by that field (or its beginning), in one sentence of found and allowed, with nothing changed."""
    before = game.record.tobytes()
    with pytest.raises(ImpossibleState) as refusal:
        game.restore(snapshot)
    text = str(refusal.value)
    assert text.startswith(field) and ": found " in text and "; allowed: " in text, text
    assert len(text) < 1000
    assert game.record.tobytes() == before


def edited(snapshot: Snapshot, path: str, value: Any) -> Snapshot:
    """``a.0.b`` set to a value, or to what a function makes of the old one; "" is the whole snapshot."""
    if not path:
        return value(snapshot) or snapshot
    *way, last = (int(key) if key.isdigit() else key for key in path.split("."))
    place: Any = snapshot
    for key in way:
        place = place[key]
    place[last] = value(place[last]) if callable(value) else value
    return snapshot


# Edits of a whole snapshot.


def to_heap(card: str, where: str = "factory") -> Callable[[Snapshot], None]:
    """Moves a card between piles."""

    def edit(s: Snapshot) -> None:
        s[where].remove(card)
        s["heap"].append(card)

    return edit


def moved(source: str, target: str, count: int = 1) -> Callable[[Snapshot], None]:
    """Moves the first cards of a list to the end of another."""

    def place(s: Any, path: str) -> Any:
        for key in path.split("."):
            s = s[int(key) if key.isdigit() else key]
        return s

    def edit(s: Snapshot) -> None:
        cards = place(s, source)
        place(s, target).extend(cards[:count])
        del cards[:count]

    return edit


def first(kind: str, change: Callable[[Any, Snapshot], Any]) -> Callable[[Snapshot], None]:
    """Changes the first spread of a kind ("run", "set", "robot", or "no robot")."""

    def edit(s: Snapshot) -> None:
        spreads = [spread for spread in s["spreads"] if spread]
        change(next(x for x in spreads if kind in (x["kind"], "robot" if x["robot"] else "no robot")), s)

    return edit


def shortened(spread: Any, s: Snapshot) -> None:
    while len(spread["cards"]) > 2:
        s["heap"].insert(0, spread["cards"].pop()["card"])


def set_of(field: str, value: Any) -> Callable[[Any, Snapshot], None]:
    return lambda spread, s: spread.update({field: value})


def second_as_first(spread: Any, s: Snapshot) -> None:
    spread["cards"][1]["stands_for"] = spread["cards"][0]["stands_for"]


def wild_for_second(spread: Any, s: Snapshot) -> None:
    spread["cards"][1] = {"card": "wild"}


def everyone(**fields: Any) -> Callable[[list[Any]], list[Any]]:
    return lambda players: [{**player, **fields} for player in players]


def lost(factory: list[str]) -> list[str]:
    return factory[1:]


# A moment of a game (setting, players, decision, more), what is edited there, and the field that is named.
ANY = ("plain", 2, "play")
DRAWING = ("plain", 3, "draw", "played")
START = ("plain", 3, "draw")
PLAYED = ("plain", 3, "play", "played")
DRAWN = ("plain", 3, "play", "drawn")
EARLY = ("no powers, forced decisions asked", 3, "play", "played early")
POWERLESS = ("no powers, forced decisions asked", 3, "play", "played")
CALLING = ("plain", 3, "call")
RECYCLE = ("plain", 3, "recycle")
LAY = ("plain", 3, "lay")
AIM = ("plain", 3, "aim")
REFILLED = ("plain", 3, "draw", "refilled")
LAYING = ("plain", 3, "substitute", "run")
ADDING = ("plain", 3, "place", "adding")
CALLED = ("plain", 5, "place", "called")
EMPTIED = ("plain", 2, "over", "emptied")
EDITS: list[tuple[tuple[Any, ...], str, Any, str]] = [
    (ANY, "game", "chess", "game"),
    (ANY, "settings.num_players", 3, "settings.num_players"),
    (ANY, "settings.rules", "publisher", "settings.rules"),
    (ANY, "settings.rules", "/dev/null", "settings.rules"),
    (ANY, "settings.rules", {"star_high": 16}, "settings.rules"),
    (ANY, "settings.rules", {"max_turns": 99}, "settings.rules"),
    (ANY, "settings.rules", {"base": {}}, "settings.rules"),
    (ANY, "settings.rounds", None, "settings.rounds"),
    (ANY, "settings.rounds", 2, "settings.rounds"),
    (ANY, "settings.ask_forced", True, "settings.ask_forced"),
    (ANY, "seed", -1, "seed"),
    (ANY, "seed", 2**64, "seed"),
    (ANY, "generator", 2**64, "generator"),
    (ANY, "generator", 10**5000, "generator"),
    # The match.
    (ANY, "round", 0, "round"),
    (ANY, "round", 2, "round"),
    (("a match", 2), "round", 6, "round"),
    (("short rounds", 2, "over"), "round", 2, "round"),
    (ANY, "decisions", 10**8, "decisions"),
    (ANY, "decisions", -1, "decisions"),
    (ANY, "truncated", True, "truncated"),
    (ANY, "players.0.score", 1, "players[0].score"),
    (ANY, "players.0.round_score", 1, "players[0].round_score"),
    (("short rounds", 2, "", "second round"), "players.0.score", 10**6, "players[0].score"),
    (("short rounds", 2, "", "second round"), "players.0.score", lambda score: score + 1, "players[0].score"),
    (("short rounds", 2, "", "second round"), "players.0.round_score", lambda score: score - 1, "players[0].score"),
    (("short rounds", 2, "", "third round"), "players.1.round_score", -1000, "players[1].round_score"),
    (("short rounds", 2, "", "third round"), "players", everyone(score=1900, round_score=950), "players"),
    (("a long match", 2, "", "third round"), "players.0.score", lambda _: 1000, "players"),
    (("a long match", 2, "", "third round"), "players.0", lambda p: {**p, "score": -5, "round_score": -400}, "players"),
    (EMPTIED, "players.0.round_score", lambda score: score + 1, "players[0]."),
    (EMPTIED, "players.0", lambda p: {**p, "score": p["score"] + 1, "round_score": p["score"] + 1}, "players[0].round"),
    (("a match", 2, "over", "not truncated"), "truncated", True, "truncated"),
    (("a long match", 2, "over", "truncated"), "truncated", False, "truncated"),
    (("a long match", 2, "over", "truncated"), "round", 11, "truncated"),
    # Whose turn it is, and what is decided.
    (ANY, "dealer", "player_2", "dealer"),
    (START, "dealer", lambda name: f"player_{(int(name[-1]) + 1) % 3}", "player"),
    (ANY, "player", None, "player"),
    (START, "player", lambda name: f"player_{(int(name[-1]) + 1) % 3}", "player"),
    (POWERLESS, "turns", lambda turns: turns + 1, "player"),
    (ANY, "turns", 200, "turns"),
    (ANY, "turns", 10**6, "turns"),
    (ANY, "stage", "dreaming", "stage"),
    (ANY, "stage", "turn over", "stage"),
    (ANY, "stage", "round over", "stage"),
    (DRAWING, "stage", "resolving", "turn.discarded"),
    (DRAWING, "stage", "calling", "turn.discarded"),
    (DRAWING, "stage", "finished", "stage"),
    (DRAWN, "stage", "drawing", "decision"),
    (("a match", 2, "play"), "stage", "finished", "stage"),
    (DRAWING, "stage", "playing", "decision"),
    (ANY, "decision", "draw", "decision"),
    (ANY, "decision", "over", "decision"),
    (EMPTIED, "decision", "draw", "decision"),
    (ANY, "actor", None, "actor"),
    (ANY, "actor", "player_2", "actor"),
    (ANY, "actor", lambda name: f"player_{1 - int(name[-1])}", "actor"),
    (CALLING, "actor", lambda name: f"player_{(int(name[-1]) + 1) % 3}", "actor"),
    # Cards.
    (PLAYED, "factory", lost, "factory"),
    (PLAYED, "factory", lambda cards: cards * 2, "factory"),
    (PLAYED, "factory", lambda cards: [*cards, "wild", "wild", "wild", "wild", "wild"], ""),
    (PLAYED, "factory.0", "green 1", "factory[0]"),
    (PLAYED, "factory.0", "green 15", "factory[0]"),
    (PLAYED, "factory.0", "joker", "factory[0]"),
    (PLAYED, "factory.0", 5, "factory[0]"),
    (PLAYED, "heap", lambda cards: cards + cards[:1], "heap["),
    (PLAYED, "heap", lambda cards: cards[1:], "factory"),
    (PLAYED, "players.0.hand", lambda cards: [*cards, "Green 5"], "players[0].hand["),
    (PLAYED, "players.1.hand", lambda cards: cards + cards, "players[1].hand["),
    (PLAYED, "players", lambda players: players[::-1], "players"),
    (PLAYED, "players", lambda players: players[:2], "players"),
    (PLAYED, "players", lambda players: players * 2, "players"),
    (("plain", 3, "", "known"), "players.0.known", lambda cards: cards * 2, "players[0].known["),
    (PLAYED, "players.0.known", lambda _: ["wild"] * 5, "players[0].known["),
    (PLAYED, "players.0.fresh_wilds", 1, "players[0].fresh_wilds"),
    (PLAYED, "players.0.fresh_wilds", 5, "players[0].fresh_wilds"),
    (REFILLED, "players.0.fresh_wilds", 4, "players[0].fresh_wilds"),
    (START, "", moved("players.0.hand", "factory"), "players[0].hand"),
    (START, "", moved("factory", "players.1.hand"), "players[1].hand"),
    (START, "", moved("factory", "heap"), "factory"),
    (START, "", moved("heap", "factory"), "factory"),
    (START, "players.2", lambda p: {**p, "known": p["hand"][:1]}, "players[2].known"),
    (START, "players.2.barred", True, "players[2].barred"),
    (POWERLESS, "", moved("factory", "players.0.hand", 40), "players[0].hand"),
    (POWERLESS, "players.0.barred", True, "players[0].barred"),
    (EARLY, "", moved("factory", "heap", 2), "factory"),
    # The piles.
    (ANY, "under", 1, "under"),
    (PLAYED, "under", 74, "under"),
    (PLAYED, "under", 75, "under"),
    (("no powers, forced decisions asked", 3, "", "played"), "under", 1, "under"),
    (("no refill", 3, "", "played"), "refills", 1, "refills"),
    (PLAYED, "refills", 2, "refills"),
    (PLAYED, "refills", 1, "reshuffled"),
    (EARLY, "", lambda s: s.update(refills=1, reshuffled=[*s["factory"], *s["heap"]]), "refills"),
    (PLAYED, "reshuffled", ["green 5"], "reshuffled"),
    (REFILLED, "refills", 0, ""),
    (REFILLED, "reshuffled", [], ""),
    (REFILLED, "reshuffled", lambda cards: cards + cards[:1], "reshuffled["),
    (REFILLED, "", lambda s: s.update(reshuffled=[c for c in s["reshuffled"] if c != s["factory"][-1]]), "reshuffled"),
    (REFILLED, "", lambda s: s.update(reshuffled=s["factory"][s["under"] :]), "factory"),
    (EARLY, "", moved("players.0.hand", "heap", 5), ""),
    # Spreads.
    (PLAYED, "spreads", lambda spreads: [*spreads, None], "spreads["),
    (PLAYED, "spreads", lambda spreads: spreads * 9, "spreads"),
    (PLAYED, "spreads.0.owner", "player_9", "spreads[0].owner"),
    (PLAYED, "spreads.0.kind", "heap", "spreads[0].kind"),
    (PLAYED, "", first("run", set_of("kind", "set")), "spreads["),
    (PLAYED, "", first("set", set_of("kind", "run")), "spreads["),
    (PLAYED, "", first("run", shortened), "spreads["),
    (PLAYED, "", first("set", shortened), "spreads["),
    (PLAYED, "", first("run", set_of("cards", [])), "spreads["),
    (PLAYED, "", first("run", second_as_first), "spreads["),
    (PLAYED, "", first("run", wild_for_second), "spreads["),
    (PLAYED, "", first("set", lambda spread, s: spread["cards"][0].update(stands_for="green 16")), "spreads["),
    (PLAYED, "", first("set", lambda spread, s: spread["cards"][0].update(stands_for="green 15")), "spreads["),
    (PLAYED, "", first("set", lambda spread, s: spread["cards"][0].update(by="auto")), "spreads["),
    (PLAYED, "", first("set", lambda spread, s: spread["cards"][0].update(card="green")), "spreads["),
    (PLAYED, "", first("run", lambda spread, s: s["factory"].append(spread["cards"].pop(1)["card"])), "spreads["),
    (PLAYED, "", first("run", lambda spread, s: spread["cards"].append("wild")), "spreads["),
    (PLAYED, "", first("run", lambda spread, s: spread["cards"].append("red star")), "spreads["),
    (PLAYED, "", first("no robot", set_of("robot", "player_0")), "spreads["),
    (("plain", 2, "", "robot"), "", first("robot", set_of("robot", None)), "spreads["),
    (("plain", 2, "", "robot"), "", first("robot", set_of("robot", "player_2")), "spreads["),
    (("no powers, forced decisions asked", 3, "", "played"), "spreads", lambda spreads: [None, *spreads], "spreads[0]"),
    (EARLY, "", lambda s: s["spreads"][0].update(owner=s["dealer"]), "spreads[0]"),
    (EARLY, "", lambda s: s["spreads"][0]["cards"][0].update(by=s["dealer"]), "spreads[0]"),
    # The turn.
    (DRAWING, "turn.discarded", True, "turn.discarded"),
    (DRAWING, "turn.taken", "green 5", "turn.taken"),
    (DRAWING, "turn.must_play", "green 5", "turn.must_play"),
    (DRAWING, "turn.acted", ["green 5"], "turn.acted"),
    (DRAWING, "turn.lays", 1, "turn.lays"),
    (DRAWING, "turn.skip", True, "turn.skip"),
    (DRAWING, "turn.order", 1, "turn.order"),
    (DRAWING, "turn.power", "laser", "turn.power"),
    (DRAWING, "turn.power", "flight", "turn.power"),
    (DRAWN, "turn.must_play", "wild", "turn.must_play"),
    (PLAYED, "turn.taken", lambda _: "joker", "turn.taken"),
    (PLAYED, "", lambda s: s["turn"].update(taken=s["factory"][0]), "turn.taken"),
    (("plain", 3, "play", "deep"), "", lambda s: s["turn"].update(taken=s["turn"]["must_play"]), "turn.taken"),
    (("plain", 3, "play", "deep"), "", lambda s: s["turn"].update(must_play=s["factory"][0]), "turn.must_play"),
    (("plain", 3, "play", "single"), "", lambda s: s["turn"].update(taken=s["factory"][0]), "turn.taken"),
    (RECYCLE, "turn.power", "laser", "turn.power"),
    (RECYCLE, "turn.power", "none", ""),
    (RECYCLE, "turn.acted", [], "turn."),
    (RECYCLE, "turn.acted", ["green 2"], "turn.acted[0]"),
    (RECYCLE, "turn.acted", lambda acted: acted * 2, "turn.acted[1]"),
    (RECYCLE, "turn.acted", lambda acted: [*acted, "red 7", "blue 7"], "turn.acted"),
    (RECYCLE, "turn.acted", lambda acted: ["red 5", *acted], "players["),
    (RECYCLE, "turn.discarded", False, "turn."),
    (RECYCLE, "turn.lays", 1, "turn.lays"),
    (RECYCLE, "turn.skip", True, "turn.skip"),
    (RECYCLE, "turn.order", 1, "turn.order"),
    (RECYCLE, "heap", lambda heap: heap[::-1], "turn."),
    (LAY, "turn.lays", 0, "decision"),
    (LAY, "turn.lays", 3, "turn.lays"),
    (LAY, "turn.lays", 80, "turn.lays"),
    (LAY, "players", everyone(barred=False), "players["),
    (AIM, "turn.power", "extra parts", "turn.power"),
    (CALLING, "turn.order", 0, "turn.order"),
    (CALLING, "turn.order", 3, "turn.order"),
    (CALLING, "turn.order", 5, "turn.order"),
    (CALLING, "turn.power", "recycle", "turn.power"),
    (CALLING, "turn.discarded", False, "turn."),
    (CALLING, "players", everyone(barred=True), "players["),
    (("plain", 3, "", "barred"), "players", everyone(barred=True), "players["),
    (("powers everywhere", 3, "", "short circuit"), "turn.skip", False, "turn.skip"),
    # The play under way.
    (ANY, "adding", {"card": "green 5"}, "adding.card"),
    (ANY, "laying", lambda _: {"kind": "run", "cards": ["green 2", "green 3"]}, "laying.cards"),
    (DRAWING, "adding", {"card": "green 5"}, "adding"),
    (DRAWING, "laying", {"kind": "run", "cards": ["green 2", "green 3", "green 4"]}, "laying"),
    (PLAYED, "laying", {"kind": "run", "cards": ["green 2", "green 3", "green 4"]}, ""),
    (LAYING, "laying", None, "decision"),
    (LAYING, "laying.next", 1, "laying"),
    (LAYING, "laying.next", 4, "laying.next"),
    (LAYING, "laying.kind", "set", "laying"),
    (LAYING, "laying.cards.0.by", "player_7", "laying.cards[0].by"),
    (LAYING, "laying.cards", lambda cards: [{**cards[0], "card": "wild"}, *cards[1:]], "laying"),
    (LAYING, "adding", {"card": "green 5"}, "adding"),
    (("plain", 3, "substitute", "exchanged"), "laying.next", 0, "laying"),
    (("plain", 3, "substitute", "exchanged"), "laying.next", 3, "laying"),
    (ADDING, "adding", None, "decision"),
    (ADDING, "", lambda s: s["adding"].update(card=s["factory"][0]), "adding.card"),
    (ADDING, "adding.set", 24, "adding.set"),
    (ADDING, "adding.set", 0, "adding.set"),
    (CALLED, "", lambda s: s["adding"].update(card=s["heap"][0]), "adding.card"),
    (CALLED, "", lambda s: s["heap"].insert(0, s["heap"].pop()), ""),
    (("plain", 2, "name the suit"), "adding.set", 24, "adding.set"),
    (("plain", 2, "name the suit"), "adding.set", None, "decision"),
    # The end.
    (EMPTIED, "turn.order", 1, "turn.order"),
    (EMPTIED, "turn.discarded", False, "stage"),
    (EMPTIED, "turn.taken", "green 5", "turn.taken"),
    (EMPTIED, "turns", 200, ""),
    (EMPTIED, "player", lambda name: f"player_{1 - int(name[-1])}", ""),
    (EMPTIED, "actor", "player_0", "actor"),
    (("a match", 2, "over", "turns"), "turns", 23, ""),
    (("a match", 2, "over", "turns"), "turns", 25, "turns"),
    (("a match", 2, "over", "turns"), "turn.order", 1, "turn.order"),
]


@pytest.mark.parametrize(("at", "path", "value", "field"), EDITS, ids=[f"{e[3]}-{i}" for i, e in enumerate(EDITS)])
def test_an_impossible_state_is_refused_by_name(at, path, value, field):
    game, snapshot = moment(*at)
    assert_refused(game, edited(snapshot, path, value), field)


def test_how_a_round_can_have_ended():
    """Somebody's last discard, which fits no spread [K4], and the score that the table gives [E2]."""
    game = Robots(2, rounds=1)
    end = {"stage": "finished", "decision": "over", "actor": None}
    snapshot = by_hand(game, [[], ["red 2"]], heap=["green 8"], spreads=[RUN], **end)
    assert_refused(game, snapshot, "stage")
    snapshot["turn"] = {"discarded": True}
    assert_refused(game, snapshot, "heap")
    snapshot["factory"][snapshot["factory"].index("green 9")] = "green 8"
    snapshot["heap"] = ["green 9"]
    assert_refused(game, snapshot, "players[0].round_score")
    for player, score in zip(snapshot["players"], (6, 18), strict=True):
        player["score"] = player["round_score"] = score
    game.restore(snapshot)
    assert game.actor < 0 and game.result() == ([6, 18], [False, True])


# ---- hostile input --------------------------------------------------------------------------------------------------


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


JUNK = [None, True, 1.0, 1.5, math.nan, math.inf, -1, 10**30, "", "x" * 10**6, b"x", [], {}, nested(100_000), object()]
JUNK += [np.int64(1), {1: 2}, [None] * 10**5, (1, 2), {"a": nested(5000)}, "player_0", 2**63, -(2**63) - 1]
JUNK += ["wild", ["wild"] * 10**5, {"x` - at `$.game": 1}, [{}], float, {"wild"}]


@pytest.mark.parametrize("junk", [junk for junk in JUNK if junk != {}], ids=lambda junk: type(junk).__name__)
def test_what_is_no_snapshot_is_refused(junk):
    env = robots_env.env()
    env.reset(seed=1)
    before = env.game.record.tobytes()
    with pytest.raises(ImpossibleState):
        env.restore(junk)
    with pytest.raises(ImpossibleState):
        env.game.restore(junk)
    assert env.game.record.tobytes() == before


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from paths(inner, (*path, key))


def replaced(snapshot: Snapshot, path: tuple[Any, ...], value: Any) -> Snapshot:
    """A copy with one place changed: only the way there is copied."""
    if not path:
        return value
    copied: Any = copy.copy(snapshot)
    copied[path[0]] = replaced(copied[path[0]], path[1:], value)
    return copied


MOMENTS = [
    ("all at once", 3, "play", "played"),
    ("plain", 2, "substitute"),
    ("plain", 3, "place", "called"),
    ("powers everywhere", 3, "draw", "refilled"),
    ("a match", 2, "over"),
]


NEEDED = {
    *("game", "settings", "seed", "generator", "dealer", "player", "stage", "decision", "actor", "players", "factory"),
    *("heap", "settings.num_players", "settings.rules", "settings.rounds", "settings.ask_forced", "players.name"),
    *("players.hand", "spreads.owner", "spreads.kind", "spreads.cards", "spreads.cards.card"),
}


def test_which_fields_are_needed_and_that_no_other_is_known():
    game, snapshot = moment("powers everywhere", 3, "draw", "played")
    needed = set()
    for path, value in paths(snapshot):
        if not isinstance(value, dict) or path[:2] == ("settings", "rules"):
            continue
        where = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).strip(".")
        for key in value:
            try:
                game.record_of(replaced(snapshot, path, {k: v for k, v in value.items() if k != key}))
            except ImpossibleState as refusal:
                if str(refusal).startswith(f"{where}.{key}: found nothing; allowed: this field".strip(".")):
                    needed.add(".".join([*(k for k in path if isinstance(k, str)), key]))
        assert_refused(game, replaced(snapshot, path, {**value, "wishful": 1}), f"{where}.wishful".strip("."))
    assert needed == NEEDED


@pytest.mark.parametrize("at", MOMENTS, ids=lambda at: f"{at[0]}, {at[2]}")
def test_junk_in_any_place_is_refused_or_means_the_same_or_can_be_played(at):
    game, snapshot = moment(*at)
    places = [(path, value) for path, value in paths(snapshot) if path]
    rng = np.random.default_rng(0)
    for i in rng.permutation(len(places))[:60]:
        path, _ = places[i]
        for junk in JUNK:
            if (record := accepted(game, replaced(snapshot, path, junk))) is not None:
                play_out(game.twin(record))


def accepted(game: Robots, snapshot: Any) -> Any:
    """The record of a snapshot; None if it is refused, shortly."""
    try:
        return game.record_of(snapshot)
    except ImpossibleState as refusal:
        text = str(refusal)
    assert ": found " in text and "; allowed: " in text and len(text) < 1000, text[:2000]
    return None


def play_out(game: Any) -> None:
    """To the end, through states that come back, with all cards in their places."""
    rng = np.random.default_rng(1)
    other = game.twin(game.record)
    for i in range(100_000):
        if game.actor < 0:
            break
        if i < 3 or rng.random() < 0.02:
            check_round_trip(game, other)
            assert cards_of(game.snapshot()) == ALL_CARDS
        game.act(anything(game, game.legal_actions(), rng))
    assert game.actor < 0
    check_round_trip(game, other)


CARDS = sorted(ALL_CARDS)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 80),
    st.sampled_from([*STAGES, *DECISIONS, *POWERS, "player_0", "player_1", "run", "set"]),
    st.sampled_from(CARDS),
    st.lists(st.sampled_from(CARDS), max_size=4),
    st.just({"card": "wild", "stands_for": "green 7"}),
    st.just({"card": "green 5"}),
)


def piles(snapshot: Snapshot) -> list[list[Any]]:
    """All lists of cards that lie somewhere."""
    found = [snapshot["factory"], snapshot["heap"], *(player["hand"] for player in snapshot["players"])]
    return found + [spread["cards"] for spread in snapshot["spreads"] if spread]


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_state_is_refused_or_can_be_played(data):
    """A few random edits: either they are refused, or the game plays to its end through states that come back."""
    game, snapshot = moment(*data.draw(st.sampled_from([*MOMENTS, PLAYED, REFILLED, RECYCLE, LAY, AIM, CALLING])))
    for _ in range(data.draw(st.integers(1, 2))):
        if data.draw(st.booleans()):
            source, target = data.draw(st.sampled_from(piles(snapshot))), data.draw(st.sampled_from(piles(snapshot)))
            if source:
                card = source.pop(data.draw(st.integers(0, len(source) - 1)))
                plain = card["card"] if isinstance(card, dict) else card
                at = data.draw(st.integers(0, len(target)))
                target.insert(at, plain)
            continue
        path, value = data.draw(st.sampled_from([(path, value) for path, value in paths(snapshot) if path]))
        if isinstance(value, list) and len(value) > 1 and data.draw(st.booleans()):
            new = data.draw(st.permutations(value))
        elif isinstance(value, int) and not isinstance(value, bool):
            new = data.draw(st.one_of(st.integers(value - 1, value + 1), VALUES))
        else:
            new = data.draw(VALUES)
        snapshot = replaced(snapshot, path, new)
        if not all(isinstance(snapshot.get(name), list) for name in ("factory", "heap", "players", "spreads")):
            break
        try:
            piles(snapshot)
        except (KeyError, TypeError):
            break
        if not all(isinstance(pile, list) for pile in piles(snapshot)):
            break
    before = game.record.tobytes()
    record = accepted(game, snapshot)
    assert game.record.tobytes() == before
    if record is not None:
        play_out(game.twin(record))


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

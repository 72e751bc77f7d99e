"""Snapshots: exact both ways for every state of a game, and a sentence that names the field for every other one."""

from __future__ import annotations

import copy
import functools
import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lastdroid_env
from lastdroid_env import LastDroid
from lastdroid_env.actions import BUILD, PAY_ANY, REPAIR
from lastdroid_env.cards import CardTables
from lastdroid_env.constants import DECISIONS, EXCHANGE_DROIDS, PARTS, STAGES, TASKS
from tabletop.game import ImpossibleState
from tests.lastdroid.games import SETTINGS, anything, builder, decisions, trader
from tests.lastdroid.test_differential import stress_cards

Snapshot = dict[str, Any]


def through_json(snapshot: Snapshot) -> Snapshot:
    return dict(json.loads(json.dumps(snapshot)))


def mender(legal: list[int], rng: np.random.Generator) -> int:
    """Repairs where it can, never builds, so that games are long."""
    if REPAIR in legal:
        return REPAIR
    return int(rng.choice([a for a in legal if not BUILD <= a < PAY_ANY]))


def check_round_trip(game: LastDroid, reader: LastDroid) -> None:
    snapshot = through_json(game.snapshot())
    record = reader.record_of(snapshot)
    assert record.tobytes() == game.record.tobytes()
    assert snapshot == game.snapshot()


# ---- both ways ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_state_comes_back_byte_for_byte(setting):
    """All fields, tallies and the generator included, from what went through JSON."""
    game, reader = (LastDroid(**SETTINGS[setting]) for _ in range(2))
    for seed, choose in enumerate((anything, builder, builder)):
        for _ in decisions(game, seed, choose):
            check_round_trip(game, reader)
        check_round_trip(game, reader)


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_every_state_comes_back_with_cards_of_no_real_game(num_players):
    """More pairs, alternatives, gifts and bonuses than printed: every task and decision is met in the middle."""
    met = set()
    rng = np.random.default_rng(1)
    for seed in range(16 if num_players < 3 else 6):
        _, tables = stress_cards(seed)
        cards = CardTables(np.array(tables), "stress", "stress", (2, 2, 2, 3), {}, {})
        game, reader = (LastDroid(num_players, cards=cards, ask_forced=seed % 2 == 0) for _ in range(2))
        for _ in decisions(game, seed, (builder, mender, trader, mender)[seed % 4]):
            task, decision = TASKS[game.record["task"][0]], game.decision_to_string()
            if task != "idle" or rng.random() < 0.2:
                met.add((task, decision))
                check_round_trip(game, reader)
        check_round_trip(game, reader)
    in_the_middle = {
        ("repairing", "pay pair"),
        ("repairing", "pay any"),
        ("building", "pay pair"),
        ("building", "pay any"),
        ("dismantling", "gain pair"),
        ("dismantling", "gain any"),
        ("applying", "alternative"),
        ("applying", "extension"),
        ("applying", "gain pair"),
        ("applying", "gain any"),
    }
    assert in_the_middle <= met


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_restored_game_plays_on_identically(setting):
    game, other = (LastDroid(**SETTINGS[setting]) for _ in range(2))
    rng = np.random.default_rng(7)
    game.deal(11)
    taken = 0
    while game.actor >= 0:
        if rng.random() < 0.1:
            other.restore(through_json(game.snapshot()))
            taken += 1
        action = anything(game.legal_actions(), rng)
        actor = game.act(action)
        if taken:
            assert other.act(action) == actor
            assert other.record.tobytes() == game.record.tobytes()
    assert taken
    game.deal()
    other.deal()  # the generator goes on alike
    assert other.record.tobytes() == game.record.tobytes()


def test_an_environment_starts_from_a_snapshot():
    env, other = (lastdroid_env.env(num_players=3) for _ in range(2))
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


def test_a_finished_game_is_restored_as_finished():
    env, other = (lastdroid_env.env(num_players=2) for _ in range(2))
    env.reset(seed=5)
    while env.game.actor >= 0:
        env.step(env.game.legal_actions()[-1])
    other.restore(through_json(env.snapshot()))
    assert all(other.terminations.values()) and other.rewards == env.rewards
    assert other.scores() == env.scores() and other.winners() == env.winners()


def test_a_snapshot_is_plain_readable_data():
    game = LastDroid(4, table_talk=True)
    for _ in decisions(game, 3, builder):
        snapshot = game.snapshot()
        assert through_json(snapshot) == snapshot
        assert not {"left", "leaves", "printed_rp"} & snapshot.keys()
    assert snapshot["players"][2]["name"] == "player_2" and snapshot["game"] == "last_droid"
    assert snapshot["settings"] == game.settings()
    with pytest.raises(ValueError, match="deal one first"):
        LastDroid().snapshot()


def test_the_order_of_lists_of_cards_and_of_pairs_says_nothing():
    game = LastDroid(3)
    *_, _ = decisions(game, 4)
    snapshot = game.snapshot()
    for player in snapshot["players"]:
        player["droids"].reverse()
    for group in ("face_up", "houses"):
        snapshot[group].reverse()
        for entry in snapshot[group]:
            entry["between"].reverse()
    assert game.record_of(snapshot).tobytes() == game.record.tobytes()


# ---- what is refused ------------------------------------------------------------------------------------------------


@functools.cache
def _moment(setting: str, stage: str, decision: str, task: str, where: str) -> tuple[LastDroid, str]:
    """A game standing at the first such moment of random games, and its snapshot as JSON."""
    game = LastDroid(**SETTINGS[setting])
    for seed in range(200):
        for _ in decisions(game, seed, (builder, anything, trader)[seed % 3]):
            at = STAGES[game.record["stage"][0]], game.decision_to_string(), TASKS[game.record["task"][0]]
            if all(wanted in ("", found) for wanted, found in zip((stage, decision, task), at, strict=True)):
                snapshot = game.snapshot()
                if not where or _WHERE[where](snapshot):
                    return game.twin(game.record), json.dumps(snapshot)  # type: ignore[return-value]
    raise AssertionError(f"no game came to {stage} {decision} {task} {where}")


_WHERE: dict[str, Callable[[Snapshot], Any]] = {
    "late": lambda s: s["turn"] > 15,
    "tokens": lambda s: s["tokens"],
    "stored": lambda s: s["stored"],
    "limited": lambda s: any(u["droid"] in (10, 16, 62, 72, 88, 92) for u in s["exchange_uses"]),
    "house": lambda s: s["action"] and 45 <= s["action"]["target"] < 59,
    "extension droids": lambda s: s["season"] > 1 and any(13 in p["droids"] for p in s["players"]),
    "played": lambda s: s["turn"] > 3 and len(s["discarded"]) > 2 and s["players"][0]["droids"],
}


def moment(setting: str, stage: str = "", decision: str = "", task: str = "", where: str = "") -> tuple[Any, Snapshot]:
    game, text = _moment(setting, stage, decision, task, where)
    return game, json.loads(text)


def assert_refused(game: LastDroid, snapshot: Any, field: str) -> None:
    """Refused by that field (or its beginning), in one sentence of found and allowed, with nothing changed."""
    before = game.record.tobytes()
    with pytest.raises(ImpossibleState) as refusal:
        game.restore(snapshot)
    text = str(refusal.value)
    assert text.startswith(field) and ": found " in text and "; allowed: " in text, text
    assert len(text) < 1000
    assert game.record.tobytes() == before


def edited(snapshot: Snapshot, path: str, value: Any) -> Snapshot:
    """``a.0.b`` set to a value, or to what a function makes of the old one."""
    *way, last = (int(key) if key.isdigit() else key for key in path.split("."))
    place: Any = snapshot
    for key in way:
        place = place[key]
    place[last] = value(place[last]) if callable(value) else value
    return snapshot


_NONE = {"nut": 0, "oil": 0, "circuit": 0, "energy": 0}
_ACTION = {
    "task": "repairing",
    "target": 1,
    "owed_pairs": [],
    "owed_any": 1,
    "choose_alternative": False,
    "extensions_due": 0,
    "gift": None,
    "due_pairs": [],
    "due_any": 0,
    "named": [],
}

# A moment of a game (setting, stage, decision, task, more), what is edited there, and the field that is named.
ANY = ("2 players", "exchanging")
PLAYED = ("2 players", "exchanging", "", "", "played")
SOLO = ("solo", "acting", "action", "idle", "late")
TALK = ("3 players, table talk", "exchanging")
FOUR = ("4 players", "exchanging")
EDITS: list[tuple[tuple[str, ...], str, Any, str]] = [
    (ANY, "game", "chess", "game"),
    (ANY, "settings.num_players", 3, "settings.num_players"),
    (ANY, "settings.cards", "0" * 64, "settings.cards"),
    (ANY, "settings.table_talk", True, "settings.table_talk"),
    (ANY, "settings.hard", True, "settings.hard"),
    (ANY, "settings.ask_forced", True, "settings.ask_forced"),
    (ANY, "settings.wild_type_houses", [49], "settings.wild_type_houses"),
    (ANY, "seed", -1, "seed"),
    (ANY, "seed", 2**64, "seed"),
    (ANY, "generator", 2**64, "generator"),
    (ANY, "generator", 10**5000, "generator"),
    (ANY, "turn", 23, "turn"),
    (ANY, "turn", lambda turn: turn + 1, "decks[0].drawn"),
    (ANY, "season", 3, "season"),
    (ANY, "priority", "player_2", "priority"),
    (FOUR, "priority", "player_1", "priority"),
    (SOLO, "priority", lambda name: "auto" if name == "player_0" else "player_0", "priority"),
    (ANY, "stage", "drinking", "stage"),
    (ANY, "stage", "season exchange", "stage"),
    (ANY, "stage", "final exchange", "stage"),
    (ANY, "stage", "finished", "stage"),
    (ANY, "stage", "acting", "decision"),
    (ANY, "served", 2, "served"),
    (ANY, "served", 1, "actor"),
    (ANY, "decision", "give", "decision"),
    (ANY, "decision", "over", "decision"),
    (ANY, "actor", None, "actor"),
    (ANY, "actor", "auto", "actor"),
    (ANY, "decisions", 10**8, "decisions"),
    (ANY, "decisions", -1, "decisions"),
    # Decks and revealed cards.
    (ANY, "decks", lambda decks: decks * 2, "decks"),
    (ANY, "decks.0.drawn", lambda drawn: drawn + 2, "decks[0].drawn"),
    (ANY, "decks.0.cards", lambda cards: cards[::-1], "decks[0].cards"),
    (ANY, "decks.0.cards", lambda cards: cards[:-1], "decks[0].cards"),
    (ANY, "decks.0.cards.40", 59, "decks[0].cards"),
    (ANY, "decks.0.cards.40", 45, "decks[0].cards"),
    (ANY, "decks.0.cards", lambda cards: [*cards[:-1], cards[0]], "decks[0].cards"),
    (ANY, "revealed", lambda cards: cards[:1], "revealed"),
    (ANY, "revealed", lambda cards: cards[::-1], "revealed"),
    (ANY, "revealed.0.holder", None, "revealed"),
    (ANY, "revealed", lambda cards: [{**card, "holder": "player_0"} for card in cards], "revealed"),
    (("2 players", "choosing"), "revealed.0.holder", "player_0", "revealed"),
    (("3 players", "choosing", "give"), "revealed.0.holder", "player_0", "revealed"),
    (FOUR, "revealed", lambda c: [{**c[i], "holder": c[3 - i]["holder"]} for i in range(4)], "revealed"),
    # Table talk.
    (ANY, "wishes", lambda _: [{"player": "player_0", "card": 1}], "wishes[0].card"),
    (TALK, "wishes", lambda w: [{"player": "player_9", "card": 1}], "wishes[0].player"),
    (TALK, "wishes", lambda w: [w[0], w[0]] if w else [{"player": "auto", "card": 1}], "wishes["),
    # Where cards lie.
    (PLAYED, "discarded", lambda cards: cards + cards[:1], "discarded"),
    (PLAYED, "discarded", lambda cards: cards[1:], "players"),
    (PLAYED, "discarded.0", 59, "discarded[0]"),
    (PLAYED, "discarded.0", 103, "discarded[0]"),
    (PLAYED, "players.0.droids", lambda cards: [*cards, 50], "players[0].droids"),
    (PLAYED, "players.1.droids", lambda cards: cards * 2 or [0], "players[1].droids"),
    (PLAYED, "players", lambda players: players[::-1], "players"),
    (PLAYED, "players", lambda players: players[:1], "players"),
    (PLAYED, "players.0.shed", None, "players[0].shed"),
    (SOLO, "players.1.shed", lambda _: {"parts": dict(_NONE), "extensions": dict(_NONE)}, "players[1].shed"),
    (PLAYED, "face_up.0.between", ["player_0", "player_0"], "face_up[0].between"),
    (PLAYED, "face_up.0.between", ["player_0", "player_2"], "face_up[0].between[1]"),
    (PLAYED, "face_up", lambda face_up: face_up * 2, "face_up"),
    (PLAYED, "face_up", [], "face_up"),
    (PLAYED, "face_up.0.between", ["player_0"], "face_up[0].between"),
    # Sheds.
    (PLAYED, "players.0.shed.parts.nut", 4, "players[0].shed.parts.nut"),
    (PLAYED, "players.0.shed.parts.oil", 30_000, "players[0].shed.parts.oil"),
    (PLAYED, "players.0.shed.parts.oil", -1, "players[0].shed.parts.oil"),
    (PLAYED, "players.1.shed.extensions.energy", lambda n: n + 1, "players[1].shed.extensions"),
    (("2 players", "", "", "", "extension droids"), "players", lambda players: _move_extensions(players), "players["),
    (("3 players", "", "", "", "stored"), "stored", [], "stored"),
    (("3 players", "", "", "", "stored"), "stored", lambda stored: stored * 2, "stored"),
    (("3 players", "", "", "", "stored"), "stored.0.parts.nut", 9, "stored"),
    (PLAYED, "stored", [{"droid": 65, "parts": {"nut": 0, "oil": 0, "circuit": 0}}], "stored"),
    # Houses and tokens.
    (PLAYED, "houses", lambda houses: houses[1:], "houses"),
    (PLAYED, "houses", lambda houses: houses + houses[:1], "houses"),
    (PLAYED, "houses.0.house", 44, "houses[0].house"),
    (PLAYED, "houses", lambda h: [{**house, "builder": "player_1"} for house in h], "houses"),
    (("2 players", "choosing"), "houses.0.builder", "player_0", "houses"),
    (("3 players", "exchanging"), "houses.0.between", ["player_0", "player_3"], "houses[0].between[1]"),
    (("3 players", "exchanging", "", "", "late"), "houses", lambda h: _outsider(h), "houses"),
    (("4 players", "exchanging"), "houses.0.between", ["player_0", "player_2"], "houses[0].between"),
    (SOLO, "houses.0.house", 45, "houses"),
    (SOLO, "houses.0.builder", "auto", "houses"),
    (PLAYED, "tokens", {"house": 45, "owner": "player_0"}, "tokens"),
    (("2 players", "", "", "", "tokens"), "tokens", None, "tokens"),
    (
        ("2 players", "", "", "", "tokens"),
        "tokens.owner",
        lambda o: "player_1" if o[-1] == "0" else "player_0",
        "tokens.owner",
    ),
    (("3 players", "", "", "", "tokens"), "tokens.house", 44, "tokens.house"),
    (SOLO, "tokens", {"house": 47, "owner": "player_0"}, "tokens"),
    # Exchanges.
    (ANY, "exchange_uses", [{"droid": 10, "times": 1}], "exchange_uses"),
    (ANY, "exchange_uses", [{"droid": 42, "times": 1}], "exchange_uses[0].droid"),
    (ANY, "exchange_uses", [{"droid": 10, "times": 0}], "exchange_uses[0].times"),
    (("3 players", "", "exchange", "", "limited"), "exchange_uses", lambda u: u * 2, "exchange_uses"),
    (("3 players", "", "exchange", "", "limited"), "exchange_uses.0.times", 10_000, "exchange_uses"),
    # The action under way.
    (ANY, "action", lambda _: dict(_ACTION), "action"),
    (("2 players", "acting", "pay any", "repairing"), "action", None, "decision"),
    (("2 players", "acting", "pay any", "repairing"), "action.task", "idle", "action.task"),
    (("2 players", "acting", "pay any", "repairing"), "action.task", "dismantling", "action."),
    (("2 players", "acting", "pay any", "repairing"), "action.target", lambda target: target % 44 + 1, "action.target"),
    (("2 players", "acting", "pay any", "repairing"), "action.owed_any", 9, "action.owed"),
    (("2 players", "acting", "pay any", "repairing"), "action.owed_any", 0, "decision"),
    (("2 players", "acting", "pay any", "repairing"), "action.owed_pairs", ["same"], "action.owed"),
    (("2 players", "acting", "pay any", "repairing"), "action.owed_pairs", ["triple"], "action.owed_pairs[0]"),
    (("2 players", "acting", "pay any", "repairing"), "action.named", ["nut"], "action.named"),
    (("2 players", "acting", "pay any", "repairing"), "action.gift", 1, "action.gift"),
    (("2 players", "acting", "pay any", "repairing"), "action.extensions_due", 1, "action.extensions_due"),
    (("2 players", "acting", "pay any", "repairing"), "action.choose_alternative", True, "action.choose_alternative"),
    (("2 players", "acting", "pay any", "repairing"), "players", lambda players: _emptied(players), "decision"),
    (("2 players", "acting", "pay any", "building"), "action.target", 44, "action.target"),
    (("2 players", "acting", "gain any", "dismantling"), "action.due_any", 7, "action.due"),
    (("2 players", "acting", "gain any", "dismantling"), "action.due_pairs", ["same"], "action.due"),
    (("2 players", "acting", "gain any", "dismantling"), "action.named", list(PARTS), "action.named"),
    (("2 players", "acting", "gain any", "dismantling"), "action.named", ["nut"] * 2, "action.named[1]"),
    (("2 players", "acting", "gain any", "dismantling"), "action.named", ["gold"], "action.named[0]"),
    (("2 players", "acting", "gain any", "dismantling"), "action.named", list("x" * 5), "action.named"),
    (("2 players", "acting", "extension"), "action.extensions_due", 3, "players["),
    (("2 players", "acting", "extension"), "action.gift", 3, "action.gift"),
    (("2 players", "acting", "alternative"), "action.choose_alternative", False, "decision"),
    (("2 players", "acting", "alternative"), "action.due_any", 1, "action.due_any"),
    (("3 players", "acting", "beside"), "action.due_any", 2, "action.due_any"),
    (("3 players", "acting", "beside", "building"), "action.owed_any", 1, "action.owed_any"),
    (("3 players", "acting", "beside", "building"), "players", lambda players: _emptied(players), "action.target"),
    (("2 players", "acting", "token"), "action.due_any", 1, "action.due"),
    (("2 players", "acting", "action"), "revealed.0.card", 44, "revealed"),
    (("2 players", "season extension"), "action", lambda _: dict(_ACTION), "action"),
]


def _emptied(players: list[Any]) -> list[Any]:
    return [{**player, "shed": {**player["shed"], "parts": dict(_NONE)}} for player in players]


def _outsider(houses: list[Any]) -> list[Any]:
    """Each house built by the player it does not lie beside."""
    everybody = {"player_0", "player_1", "player_2"}
    return [{**house, "builder": min(everybody - set(house["between"]))} for house in houses]


def _move_extensions(players: list[Any]) -> list[Any]:
    """All extensions in the column for nuts, parts away."""
    for player in players:
        shed = player["shed"]
        shed["extensions"] = {**_NONE, "nut": sum(shed["extensions"].values())}
        shed["parts"] = dict(_NONE)
    return players


@pytest.mark.parametrize(("at", "path", "value", "field"), EDITS, ids=[f"{e[3]}-{i}" for i, e in enumerate(EDITS)])
def test_an_impossible_state_is_refused_by_name(at, path, value, field):
    game, snapshot = moment(*at)
    assert_refused(game, edited(snapshot, path, value), field)


def turns_of(snapshot: Snapshot) -> Iterator[list[int]]:
    """The cards of each past turn of two players."""
    cards = snapshot["decks"][0]["cards"]
    return (cards[i : i + 2] for i in range(0, 2 * (snapshot["turn"] - 1), 2))


def test_a_player_cannot_have_repaired_two_cards_of_one_turn():
    game, snapshot = moment(*PLAYED)
    droids = snapshot["players"][0]["droids"]
    other = next(b if a in droids else a for a, b in turns_of(snapshot) if a in droids or b in droids)
    for cards in (snapshot["discarded"], snapshot["face_up"][0]["droids"], snapshot["players"][1]["droids"]):
        if other in cards:
            cards.remove(other)
    droids.append(other)
    assert_refused(game, snapshot, "players")


def test_a_communication_droid_cannot_lie_face_down():
    game, snapshot = moment("2 players", "exchanging", "", "", "late")
    snapshot["discarded"].append(snapshot["face_up"][0]["droids"].pop())
    assert_refused(game, snapshot, "players")


def test_the_auto_ecomechanic_cannot_have_done_otherwise():
    """Droids that it has repaired cannot lie discarded: they are never its choice [O4, O5, O7]."""
    game, snapshot = moment(*SOLO)
    refused = 0
    for card in list(snapshot["players"][1]["droids"]):
        edit = copy.deepcopy(snapshot)
        edit["players"][1]["droids"].remove(card)
        edit["discarded"].append(card)
        try:
            game.record_of(edit)
        except ImpossibleState:
            refused += 1
    assert refused > len(snapshot["players"][1]["droids"]) / 2


def test_a_played_card_cannot_lie_on_the_table_still():
    game, snapshot = moment(*PLAYED)
    snapshot["players"][0]["droids"].pop()
    assert_refused(game, snapshot, "players")


def test_a_game_that_must_have_ended_is_refused():
    """All houses built, though nobody can have built one this turn [E2]."""
    game, snapshot = moment("2 players", "exchanging", "", "", "late")
    for i, house in enumerate(snapshot["houses"]):
        house["builder"] = f"player_{i % 2}"
    assert_refused(game, snapshot, "houses")


# ---- hostile input --------------------------------------------------------------------------------------------------


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


JUNK = [None, True, 1.0, 1.5, math.nan, math.inf, -1, 10**30, "", "x" * 10**6, b"x", [], {}, nested(100_000), object()]
JUNK += [np.int64(1), {1: 2}, [None] * 10**5, (1, 2), {"a": nested(5000)}, "player_0", 2**63, -(2**63) - 1]


@pytest.mark.parametrize("junk", [junk for junk in JUNK if junk != {}], ids=lambda junk: type(junk).__name__)
def test_what_is_no_snapshot_is_refused(junk):
    env = lastdroid_env.env()
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
    snapshot = copy.deepcopy(snapshot)
    place: Any = snapshot
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return snapshot


MOMENTS = [
    ("2 players, everything on", "acting", "pay any"),
    ("3 players", "acting", "gain any", "", "stored"),
    ("solo", "exchanging", "", "", "late"),
    ("4 players, table talk, open deck", "acting", "action", "", "late"),
]


@pytest.mark.parametrize("at", MOMENTS, ids=lambda at: at[0])
def test_every_field_is_needed_and_no_other_is_known(at):
    game, snapshot = moment(*at)
    for path, value in paths(snapshot):
        if not isinstance(value, dict):
            continue
        where = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).strip(".")
        for key in value:
            less = {k: v for k, v in value.items() if k != key}
            field = f"{where}.{key}".strip(".")
            assert_refused(game, replaced(snapshot, path, less) if path else less, field)
        more = {**value, "wishful": 1}
        assert_refused(game, replaced(snapshot, path, more) if path else more, f"{where}.wishful".strip("."))


def harmless(field: Any, junk: Any) -> bool:
    """Whether this happens to be as good as what stood there."""
    if field in ("seed", "generator"):
        return type(junk) is int and junk == 2**63
    if field in ("wishes", "exchange_uses"):
        return isinstance(junk, list) and not junk
    return field == "builder" and (junk is None or junk == "player_0")


@pytest.mark.parametrize("at", MOMENTS, ids=lambda at: at[0])
def test_junk_in_any_place_is_refused(at):
    game, snapshot = moment(*at)
    for path, value in paths(snapshot):
        for junk in JUNK:
            if path and not (type(junk) is type(value) and junk == value) and not harmless(path[-1], junk):
                assert_refused(game, replaced(snapshot, path, junk), "")


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 110),
    st.sampled_from([*STAGES, *DECISIONS, *TASKS, "player_0", "player_1", "auto", "same", "different", "nut"]),
    st.lists(st.integers(1, 102), max_size=4),
)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_state_is_refused_or_can_be_played(data):
    """A few random edits: either they are refused, or the game plays to its end through states that come back."""
    game, snapshot = moment(*data.draw(st.sampled_from([*MOMENTS, ANY, PLAYED, TALK])))
    for _ in range(data.draw(st.integers(1, 2))):
        path, value = data.draw(st.sampled_from([(path, value) for path, value in paths(snapshot) if path]))
        if isinstance(value, list) and len(value) > 1 and data.draw(st.booleans()):
            new = data.draw(st.permutations(value))
        elif isinstance(value, int) and not isinstance(value, bool):
            new = data.draw(st.one_of(st.integers(value - 1, value + 1), VALUES))
        else:
            new = data.draw(VALUES)
        snapshot = replaced(snapshot, path, new)
    reader, other = (game.twin(game.record) for _ in range(2))
    try:
        reader.restore(snapshot)
    except ImpossibleState:
        assert reader.record.tobytes() == game.record.tobytes()
        return
    rng = np.random.default_rng(1)
    while reader.actor >= 0:
        check_round_trip(reader, other)
        reader.act(anything(reader.legal_actions(), rng))
    check_round_trip(reader, other)


def test_the_schema_knows_all_exchange_droids():
    game, snapshot = moment(*ANY)
    for droid in EXCHANGE_DROIDS:
        assert_refused(game, {**snapshot, "exchange_uses": [{"droid": droid, "times": 1}]}, "exchange_uses")

"""Snapshots that no match can stand at, junk, and mutations at random: refused by the field's name, or playable."""

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

import robots_env
from robots_env.constants import DECISIONS, POWERS, STAGES
from robots_env.game import Robots
from tabletop.game import ImpossibleState
from tests.robots.test_snapshots import (
    ALL_CARDS,
    RUN,
    SETTINGS,
    Snapshot,
    anything,
    by_hand,
    cards_of,
    check_round_trip,
    decisions,
)

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
    "refilled twice": lambda s: (
        s["refills"] == 2
        and all(s["reshuffled"])
        and s["under"] < len(s["factory"])
        and any(p["wilds_since"] for p in s["players"])
        and any(set(p["hand"]) & set(s["reshuffled"][0]) - set(p["known"]) - {"wild"} for p in s["players"])
    ),
    "first, drawn": lambda s: s["turns"] == 0 and s["heap"],
    "first, taken": lambda s: s["turns"] == 0 and not s["heap"],
    "under": lambda s: s["under"] > 1 and not s["refills"],
    "robot": lambda s: any(spread and spread["robot"] for spread in s["spreads"]),
    "deep": lambda s: s["turn"]["must_play"] not in (None, "wild"),
    "single": lambda s: s["turn"]["taken"] not in (None, "wild"),
    "run": lambda s: s["laying"]["kind"] == "run" and s["laying"]["next"] == 0,
    "exchanged": lambda s: s["laying"]["next"] in (1, 2),
    "a wild in a set": lambda s: s["adding"]["set"],
    "adding": lambda s: s["stage"] == "playing",
    "called": lambda s: s["stage"] == "calling" and len(s["heap"]) > 1,
    "third round": lambda s: s["round"] == 3,
    "second round": lambda s: s["round"] == 2,
    "emptied": lambda s: s["turn"]["discarded"] and s["turns"] < 200 and not s["turn"]["order"],
    "turns": lambda s: s["turns"] == 12 * 2,
    "truncated": lambda s: s["truncated"],
    "not truncated": lambda s: not s["truncated"] and s["round"] == 3,
    "known": lambda s: s["players"][0]["known"] and len(s["players"][0]["hand"]) > len(s["players"][0]["known"]),
    "short circuit": lambda s: s["turn"]["skip"],
    "skipped again": lambda s: (
        not s["turn"]["skip"] and any("11" in card.split() or "5" in card.split() for card in s["turn"]["acted"])
    ),
    "no short circuit seen": lambda s: s["turns"] == 1 and not any(card.endswith(" 11") for card in s["heap"]),
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


def wilds_of_refill(number: int) -> Callable[[Snapshot], None]:
    """Renumbers the last refill before a wild was drawn."""

    def edit(s: Snapshot) -> None:
        next(player for player in s["players"] if player["wilds_since"])["wilds_since"][-1] = number

    return edit


def of_player(edit: Callable[[Snapshot, Snapshot], Any]) -> Callable[[Snapshot], None]:
    """Edits the snapshot and in it the player whose turn it is."""

    def whole(s: Snapshot) -> None:
        edit(s, next(player for player in s["players"] if player["name"] == s["player"]))

    return whole


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


def again(s: Snapshot) -> None:
    """As if the one before had skipped this player."""
    for player in s["players"]:
        player["skipped"] = player["name"] == s["player"]
    s["player"] = s["actor"] = next(player["name"] for player in s["players"] if not player["skipped"])


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
FIRST_DRAWN = ("plain", 3, "play", "first, drawn")
FIRST_TAKEN = ("plain", 3, "play", "first, taken")
REFILLED = ("plain", 3, "draw", "refilled")
REFILLED_TWICE = ("powers everywhere", 3, "draw", "refilled twice")
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
    (PLAYED, "players.0.wilds_since", [1] * 4, "players[0].wilds_since"),
    (PLAYED, "players.0.wilds_since", [1] * 5, "players[0].wilds_since"),
    (PLAYED, "players.0.wilds_since", [0], "players[0].wilds_since"),
    (REFILLED, "players.0.wilds_since", [1] * 4, "players[0].wilds_since"),
    (REFILLED_TWICE, "", wilds_of_refill(3), "players["),
    (REFILLED_TWICE, "", wilds_of_refill(101), "players["),
    (START, "", moved("players.0.hand", "factory"), "players[0].hand"),
    (START, "", moved("factory", "players.1.hand"), "players[1].hand"),
    (START, "", moved("factory", "heap"), "factory"),
    (START, "", moved("heap", "factory"), "factory"),
    (START, "players.2", lambda p: {**p, "known": p["hand"][:1]}, "players[2].known"),
    (START, "players.2.barred", True, "players[2].barred"),
    (START, "players.2.skipped", True, "players"),
    (POWERLESS, "", moved("factory", "players.0.hand", 40), "players[0].hand"),
    (POWERLESS, "players.0.barred", True, "players[0].barred"),
    (POWERLESS, "players.0.skipped", True, "players"),
    (("plain", 2, "draw", "no short circuit seen"), "", again, "player"),
    (EARLY, "", moved("factory", "heap", 2), "factory"),
    # The first turn of a round.
    (FIRST_DRAWN, "", of_player(lambda s, p: p["hand"].append(s["factory"].pop())), "factory"),
    (FIRST_DRAWN, "", of_player(lambda s, p: s["factory"].append(p["hand"].pop())), "factory"),
    (FIRST_DRAWN, "", of_player(lambda s, p: p["known"].append(p["hand"][0])), "players["),
    (FIRST_DRAWN, "", of_player(lambda s, p: p["hand"].append(s["heap"].pop())), "factory"),
    (FIRST_TAKEN, "", of_player(lambda s, p: p["known"].extend(set(p["hand"][:2]) - set(p["known"]))), "players["),
    (FIRST_TAKEN, "turn.taken", None, "turn.taken"),
    (FIRST_TAKEN, "", moved("factory", "heap"), ""),
    # The piles.
    (ANY, "under", 1, "under"),
    (PLAYED, "under", 74, "under"),
    (PLAYED, "under", 75, "under"),
    (("no powers, forced decisions asked", 3, "", "played"), "under", 1, "under"),
    (("no refill", 3, "", "played"), "", lambda s: s.update(refills=1, reshuffled=[["green 5"]]), "refills"),
    (PLAYED, "", lambda s: s.update(refills=2, reshuffled=[["green 5"], ["green 6"]]), "refills"),
    (PLAYED, "refills", 1, "reshuffled"),
    (EARLY, "", lambda s: s.update(refills=1, reshuffled=[[*s["factory"], *s["heap"]]]), "refills"),
    (PLAYED, "reshuffled", [["green 5"]], "reshuffled"),
    (REFILLED, "refills", 0, ""),
    (REFILLED, "reshuffled", [], "reshuffled"),
    (REFILLED, "reshuffled", [[]], "reshuffled[0]"),
    (REFILLED, "reshuffled", ["green 5"], "reshuffled[0]"),
    (REFILLED, "reshuffled.0", lambda cards: cards + cards[:1], "reshuffled[0]["),
    (REFILLED, "", lambda s: s["reshuffled"][0].remove(s["factory"][-1]), "reshuffled[0]"),
    (REFILLED, "", lambda s: s.update(reshuffled=[s["factory"][s["under"] :]]), "factory"),
    (REFILLED_TWICE, "reshuffled", lambda lists: lists[::-1], "reshuffled["),
    (REFILLED_TWICE, "reshuffled.0", lambda cards: [*cards, "wild"], "reshuffled[0]["),
    (REFILLED_TWICE, "", lambda s: s["reshuffled"][0].append(s["reshuffled"][1][0]), "reshuffled["),
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
    (CALLING, "players", everyone(skipped=True), "players"),
    (("powers everywhere", 3, "", "skipped again"), "turn.skip", True, "turn.skip"),
    (("powers everywhere", 3, "", "skipped again"), "players", everyone(skipped=False), "turn.skip"),
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

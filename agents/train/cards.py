"""Blueprints that look at each card with the same weights: what is learned of one is known of all.

The cards' vectors are pooled and join what a plain layer makes of the whole observation; the result goes back to each
card, which then gives a score to the actions that are about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lastdroid_env.constants import EXCHANGE_DROIDS, PARTS
from lastdroid_env.observation import droids_in_game
from lastdroid_env.tables import FEATURES
from tabletop.game import Game
from tabletop.networks import OBSERVATION, table_of

WIDE = {"robots": 24, "last_droid": 32}
"""Length of a card's vector."""
NONE = -1


def cards(game: Game, hidden: Sequence[int]) -> dict[str, Any]:
    """The blueprint for a game; ``hidden`` are the layers of the whole."""
    return {"robots": _robots, "last_droid": _lastdroid}[game.name](game, hidden)


def _robots(game: Game, hidden: Sequence[int]) -> dict[str, Any]:
    """A line for each of the 70 suited cards and the wild: what is known of it, of its neighbours in the suit, and of
    its number in the other suits."""
    at = _places(game)
    suits, ranks = 5, 14  # a suit's star, then 2 to 14

    def grid(places: NDArray[np.int64]) -> NDArray[np.int64]:
        """A section of the suited cards, by suit and rank."""
        return places[: suits * ranks].reshape(suits, ranks)

    def neighbours(section: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        shifted = []
        for step in (-2, -1, 1, 2):
            moved = np.full((suits, ranks), NONE)
            if step < 0:
                moved[:, -step:] = section[:, :step]
            else:
                moved[:, :-step] = section[:, step:]
            shifted.append(moved)
        return shifted

    def other_suits(section: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        return [np.roll(section, -turn, axis=0) for turn in range(1, suits)]

    single = [at[name] for name in ("card", "acted", "heap", "top", "under", "reshuffled", "unseen")]
    owned = [*at["known"], *at["played"]]
    hand, unseen = grid(at["hand"]), grid(at["unseen"])
    gaps = at["gaps"][:, :ranks]  # the place of a number; of a star the first
    robots = [np.tile(np.concatenate([[NONE], line]), (suits, 1)) for line in at["robots"]]
    columns = [grid(section) for section in (at["hand"], *single, *owned)]
    columns += [gaps, *robots]
    for section in (hand, unseen):
        columns += [*neighbours(section), *other_suits(section)]
    for section in at["played"]:
        columns += other_suits(grid(section))
    suited = np.stack([column.ravel() for column in columns], axis=1)
    wild = np.full((1, suited.shape[1]), NONE)
    for k, section in enumerate((at["hand"], *single, *owned)):
        if len(section) > suits * ranks:
            wild[0, k] = section[suits * ranks]
    lines = np.concatenate([suited, wild])
    rank = np.append(np.tile(np.arange(ranks), suits), ranks)

    actions = np.full(game.num_actions, NONE)
    for kind, first, number in ((0, 3, 70), (1, 77, 71), (2, 148, 71)):  # take it, discard it, add it
        actions[first : first + number] = np.arange(number) * 3 + kind
    return _with_lines(game, hidden, {"cards": (lines, rank, 3)}, actions)


def _lastdroid(game: Game, hidden: Sequence[int]) -> dict[str, Any]:
    """A line for each revealed droid card and one for each house, each with what decides whether it can be paid and
    what it is worth: the sheds, the observer's droids, the leaves, the time."""
    at = _places(game)
    slots = len(at["cards"])
    situation = np.concatenate(
        [at[name].ravel() for name in ("turn", "season", "parts", "leaves", "extensions", "face_up")]
        + [at["room"][0], at["droids"].ravel()]
    )
    droids = np.concatenate([at["cards"], at["holder"], at["unplayed"][:, None], at["wishes"].T], axis=1)
    houses = np.concatenate(
        [section.T for section in (at["house_between"], at["house_builder"], at["house_tokens"])]
        + [at["target_house"][:, None]],
        axis=1,
    )
    actions = np.full(game.num_actions, NONE)
    actions[1 : 1 + slots] = np.arange(slots) * 2  # give it
    actions[5 : 5 + slots] = np.arange(slots) * 2 + 1  # wish for it
    first = slots * 2
    actions[96:110] = first + np.arange(14) * 2  # build it
    actions[137:151] = first + np.arange(14) * 2 + 1  # tokens on it
    exchanges, used = _exchanges(game, at)
    actions[10 + used] = first + 14 * 2 + np.arange(len(used))
    kinds = {
        "droids": (droids, np.zeros(slots, np.int64), 2),
        "houses": (houses, np.arange(14), 2),
        "exchanges": (exchanges, np.arange(len(used)), 1),
    }
    return _with_lines(game, hidden, kinds, actions, situation)


def _exchanges(game: Game, at: dict[str, NDArray[np.int64]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A line for each exchange that there is in the game: what the observer holds of the kind it gives and of the kind
    it gets, and what the revealed cards cost of them. Besides, which exchanges these are."""
    table = game.tables[0]
    features = [name for name, _ in FEATURES]
    costs = [features.index(f"cost {kind}") for kind in PARTS]
    more = [features.index(f"cost {icon}") for icon in ("same pairs", "different pairs", "any")]
    droids = table["exchange_droid"]
    known = [0, *droids_in_game(game.num_players)]
    used = np.flatnonzero(np.isin(droids, known) & (table["exchange_give"].sum(axis=1) > 0))
    lines = []
    for exchange in used:
        gives, gets = (int(table[f"exchange_{way}"][exchange].argmax()) for way in ("give", "get"))
        line = [at["parts"][0, gives], at["parts"][0, gets], at["room"][0, gets]]
        for card, holder in zip(at["cards"], at["holder"], strict=True):
            line += [card[costs[gives]], card[costs[gets]], *card[more], holder[0]]
        droid = int(droids[exchange])
        line.append(at["uses_left"][EXCHANGE_DROIDS.index(droid)] if droid else NONE)
        lines.append(line)
    return np.array(lines), used


def _places(game: Game) -> dict[str, NDArray[np.int64]]:
    """Where each number of each section stands in the observation, in the section's shape."""
    found = {}
    for section in game.layout:
        found[section.name] = np.arange(section.size).reshape(section.shape) + game.layout.offsets[section.name]
    return found


def _with_lines(
    game: Game,
    hidden: Sequence[int],
    kinds: dict[str, tuple[NDArray[np.int64], NDArray[np.int64], int]],
    actions: NDArray[np.int64],
    situation: NDArray[np.int64] | None = None,
) -> dict[str, Any]:
    """``kinds``: lines of the observation, which of them share a bias, and how many scores each gets. ``situation``:
    what is part of every line besides."""
    steps: list[dict[str, Any]] = []
    wide = WIDE[game.name]

    def dense(source: str, to: str, into: int, out: int, relu: bool = True, **more: Any) -> None:
        steps.append({"kind": "dense", "from": source, "to": to, "in": into, "out": out, "relu": relu, **more})

    def gather(to: str, lines: NDArray[np.int64]) -> None:
        index = {"index": lines.tolist(), "size": game.observation_size}
        steps.append({"kind": "gather", "from": OBSERVATION, "to": to, **index})

    joined, size = [f"{OBSERVATION}0"], hidden[0]
    dense(OBSERVATION, joined[0], game.observation_size, hidden[0])
    if situation is not None:
        gather("situation_line", situation[None])
        steps.append({"kind": "join", "from": ["situation_line"], "to": "situation"})
    for kind, (lines, biases, _) in kinds.items():
        gather(kind, lines)
        more: dict[str, Any] = {}
        if situation is not None:
            dense("situation", f"{kind}_situation", len(situation), wide, relu=False)
            more["plus"] = f"{kind}_situation"
        dense(kind, f"{kind}0", lines.shape[1], wide, biases=biases.tolist(), **more)
        steps.append({"kind": "pool", "from": f"{kind}0", "to": f"{kind}_pooled"})
        joined.append(f"{kind}_pooled")
        size += 2 * wide
    steps.append({"kind": "join", "from": joined, "to": "all"})
    before = "all"
    for k, out in enumerate([*hidden[1:]] or [hidden[0]]):
        dense(before, f"hidden{k}", size, out)
        before, size = f"hidden{k}", out
    scored = 0
    for kind, (lines, _, scores) in kinds.items():
        dense(before, f"{kind}_context", size, wide, relu=False)
        dense(f"{kind}0", f"{kind}1", wide, wide, plus=f"{kind}_context")
        dense(f"{kind}1", f"{kind}_scores", wide, scores, relu=False)
        scored += len(lines) * scores
    steps.append({"kind": "join", "from": [f"{kind}_scores" for kind in kinds], "to": "scores"})
    return {
        "steps": steps,
        "head": before,
        "hidden": size,
        "scores": "scores",
        "scores_size": scored,
        "scores_index": actions.tolist(),
        "table": table_of(game),
    }

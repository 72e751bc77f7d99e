"""How many choices Robots! would offer if a whole new spread were one action. (What it does offer: ``agents.report``.)

    python -m benchmarks.branching            the figures as JSON
    python -m benchmarks.branching --write    into docs/robots/branching.json, of which docs/robots/actions.md is made

Two players are watched, over single rounds with 2 to 5 of the same kind: one chooses uniformly; the other, where it
can, lays a spread, else adds a card, calls, takes substitutions as they come, and chooses uniformly otherwise. Whole
spreads are counted by what would lie on the table: which cells, and which card of the hand (a number, a star, a wild)
in each of them, with one card at least that is no wild; the order of laying does not count.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robots_env import Robots
from robots_env.actions import ADD, CALL, LAY_RUN, PASS, WILD_IN
from robots_env.constants import CARDS, LANE, MAX_SPREADS, NUM_SUITS, SPREAD, SUITED, WILDS

OUTPUT = Path(__file__).resolve().parent.parent / "docs" / "robots" / "branching.json"
ROUNDS = 150  # for each number of players
PLAYERS = (2, 3, 4, 5)

Chooser = Callable[[str, list[int], np.random.Generator], int]


def uniform(decision: str, legal: list[int], rng: np.random.Generator) -> int:
    return legal[int(rng.integers(len(legal)))]


def layer(decision: str, legal: list[int], rng: np.random.Generator) -> int:
    """Lays when it can."""
    if decision == "play":
        spreads = [a for a in legal if LAY_RUN <= a < WILD_IN]
        legal = spreads or [a for a in legal if ADD <= a < LAY_RUN] or legal
    elif decision == "call":
        legal = [CALL]
    elif decision == "substitute" and PASS in legal:
        legal = [PASS]
    return uniform(decision, legal, rng)


CHOOSERS: dict[str, Chooser] = {"uniform": uniform, "layer": layer}


# --- Whole spreads ----------------------------------------------------------------------------------------------------


def whole_runs(held: set[int], wilds: int, high: int, suit: int) -> int:
    """The runs of three places or more that a hand can fill: the ways to fill each window of places, added up."""
    star = LANE * suit in held
    found = 0
    for low in range(high):
        # By wilds used and whether the star is used: how many ways to fill the places from the lowest one up.
        ways: dict[tuple[int, bool], int] = {(0, False): 1}
        for place in range(low, high):
            longer: dict[tuple[int, bool], int] = defaultdict(int)
            for (used, starred), n in ways.items():
                if place > 0 and LANE * suit + place in held:
                    longer[used, starred] += n
                if star and not starred and place in (0, high - 1):
                    longer[used, True] += n
                if used < wilds:
                    longer[used + 1, starred] += n
            ways = longer
            length = place - low + 1
            if length >= SPREAD:
                found += sum(n for (used, _), n in ways.items() if used < length)
    return found


def whole_sets(held: set[int], wilds: int, high: int, place: int) -> int:
    """The sets of three suits or more that a hand can fill."""
    ways: dict[tuple[int, int], int] = {(0, 0): 1}  # by suits and wilds used
    for suit in range(NUM_SUITS):
        cards = (place > 0 and LANE * suit + place in held) + (place in (0, high - 1) and LANE * suit in held)
        longer = defaultdict(int, ways)
        for (suits, used), n in ways.items():
            longer[suits + 1, used] += n * cards
            longer[suits + 1, used + 1] += n
        ways = longer
    return sum(n for (suits, used), n in ways.items() if suits >= SPREAD and used <= wilds and used < suits)


def whole_spreads(held: set[int], wilds: int, high: int) -> int:
    """All new spreads that a hand can lay."""
    runs = sum(whole_runs(held, wilds, high, suit) for suit in range(NUM_SUITS))
    return runs + sum(whole_sets(held, wilds, high, place) for place in range(high))


def hand_of(game: Robots) -> tuple[set[int], int]:
    a, b = (int(word) for word in game.record["hand"][0][game.actor])
    return {card for card in CARDS if (a if card < 64 else b) >> card % 64 & 1}, b >> LANE


# --- Play -------------------------------------------------------------------------------------------------------------


class Counts:
    """New spreads of three cards, and whole ones, where there are any."""

    def __init__(self) -> None:
        self.three: list[int] = []
        self.whole: list[int] = []

    def watch(self, players: int, choose: Chooser, rounds: int) -> None:
        game = Robots(players, rounds=1, ask_forced=True)
        high = game.rules.star_high
        rng = np.random.default_rng(players)
        for seed in range(rounds):
            game.deal(seed)
            while game.actor >= 0:
                decision, legal = game.decision_to_string(), game.legal_actions()
                spreads = sum(LAY_RUN <= action < WILD_IN for action in legal)
                if spreads and game.record["must_play"][0] < 0:
                    self.three.append(spreads)
                    self.whole.append(whole_spreads(*hand_of(game), high))
                game.act(choose(decision, legal, rng))


def summary(counts: list[int]) -> dict[str, float]:
    values: NDArray[Any] = np.array(counts)
    return {
        "mean": round(float(values.mean()), 1),
        "median": float(np.median(values)),
        "95 %": float(np.percentile(values, 95, method="higher")),
        "max": int(values.max()),
    }


def figures(rounds: int = ROUNDS) -> dict[str, Any]:
    found: dict[str, Any] = {"rounds": rounds, "players": list(PLAYERS), "choosers": {}}
    for name, choose in CHOOSERS.items():
        counts = Counts()
        for players in PLAYERS:
            counts.watch(players, choose, rounds)
        found["choosers"][name] = {"three cards": summary(counts.three), "whole": summary(counts.whole)}
    numbers = {card for card in CARDS if card % LANE}
    found["lists"] = {str(high): whole_spreads(set(CARDS), WILDS, high) for high in (14, 15)}
    found["lists"]["numbers alone"] = whole_spreads(numbers, 0, 14)
    found["additions"] = (SUITED + 1) * 2 * MAX_SPREADS + NUM_SUITS * MAX_SPREADS
    return found


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--write"]):
        print("usage: python -m benchmarks.branching [--write]", file=sys.stderr)
        return 2
    text = json.dumps(figures(), indent=1) + "\n"
    if arguments:
        OUTPUT.write_text(text, encoding="utf-8", newline="\n")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

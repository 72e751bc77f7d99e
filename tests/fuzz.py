"""Hostile input at random: snapshots, records, card files and rule sets, each spoilt in some way.

    python -m tests.fuzz --mutations 100000        (``make fuzz``)

Every one must be refused with the error made for it, with a message, or be accepted as valid, and then it must play on.
Nothing may crash, hang, or change the game that was there. The report says how many were refused and accepted, and the
slowest; the exit code is 1 if something else happened. CI runs a sample (``tests/games/test_fuzz.py``).
"""

from __future__ import annotations

import argparse
import copy
import functools
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import lastdroid_env
import robots_env
from tabletop.game import Game, ImpossibleState
from tabletop.record import BadRecord

MAX_SECONDS = 120.0  # something hangs
JUNK: list[Any] = [
    None, True, False, 0, 1, -1, 2, 7, 103, 2**31, -(2**63), 2**64, 10**30, 0.5, float("nan"), float("inf"),
    "", "player_0", "player_9", "wild", "green 5", "\x00", "x" * 5000, "１", [], [[]], [0] * 300, {}, {"": 0},
    {"card": "wild"}, [None], ["player_0", "player_0"],
]  # fmt: skip


@dataclass
class Tally:
    """What came of the mutations of one kind of input."""

    refused: int = 0
    accepted: int = 0
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.refused} refused, {self.accepted} accepted, slowest {self.slowest:.2f} s, {len(self.faults)} faults"
        )


def spoil(value: Any, rng: random.Random) -> Any:
    """A copy of plain data with one to three things in it changed."""
    spoilt = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        _spoil_once(spoilt, rng)
    return spoilt


def _spoil_once(value: Any, rng: random.Random) -> None:
    places = list(_places(value))
    holder, key = rng.choice(places)
    old = holder[key]
    ways: list[Callable[[], Any]] = [lambda: copy.deepcopy(rng.choice(JUNK))]
    other_holder, other_key = rng.choice(places)
    ways.append(lambda: copy.deepcopy(other_holder[other_key]))
    if isinstance(old, int) and not isinstance(old, bool):
        ways += [lambda: old + rng.choice((-1, 1)), lambda: rng.randrange(-2, 40)] * 2
    if isinstance(old, list) and old:
        ways += [lambda: rng.sample(old, len(old)), lambda: old[:-1], lambda: [*old, rng.choice(old)]]
    way = rng.randrange(len(ways) + 2)
    if way < len(ways):
        holder[key] = ways[way]()
    elif isinstance(holder, dict):
        del holder[key]
        if way == len(ways):
            holder[rng.choice(("player", "x", str(key) + "s"))] = old
    else:
        del holder[key]


def _places(value: Any) -> Any:
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def spoil_text(text: str, rng: random.Random) -> str:
    """A text with one to three lines changed."""
    lines = text.split("\n")
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(lines))
        line, where = lines[at], rng.randrange(len(lines[at]) + 1)
        lines[at] = rng.choice(
            (
                line[:where] + line[where + 1 :],
                line[:where] + rng.choice('0123456789"[]{}=,.-?# \x00é') + line[where:],
                line[:where],
                rng.choice(lines),
                "",
                line + line,
                line.replace("1", "2"),
                line.replace("=", "= -"),
                line[:where] + "9" * rng.randrange(1, 40) + line[where:],
            )
        )
        if rng.random() < 0.1:
            del lines[at]
    return "\n".join(lines)


def play_on(game: Game, rng: random.Random, most: int = 60) -> None:
    """A game that was accepted goes on, and what its players see stays within bounds."""
    low, high = game.observation_bounds()
    for _ in range(most):
        if game.actor < 0:
            game.returns("win")
            return
        observation, mask = game.view(game.actor)
        if not ((low <= observation) & (observation <= high)).all():
            raise AssertionError("an observation leaves its bounds")
        game.act(int(rng.choice(np.flatnonzero(mask).tolist())))


def _games(rng: random.Random) -> Game:
    if rng.random() < 0.5:
        game: Game = lastdroid_env.LastDroid(rng.randrange(1, 5), table_talk=rng.random() < 0.5)
    else:
        rules = rng.choice(("source", "publisher", {"powers": {n: "laser" for n in range(2, 15)}}))
        game = robots_env.Robots(rng.randrange(2, 6), rules=rules, ask_forced=rng.random() < 0.5)
    game.deal(rng.getrandbits(64))
    for _ in range(rng.randrange(300)):
        if game.actor < 0:
            break
        game.act(rng.choice(game.legal_actions()))
    return game


def fuzz_snapshots(rng: random.Random, mutations: int, tally: Tally) -> None:
    """Snapshots of both games at random moments."""
    for number in range(mutations):
        if number % 25 == 0:
            game = _games(rng)
            snapshot = game.snapshot()
            before = game.record.tobytes()
        spoilt = spoil(snapshot, rng)

        def restore(spoilt: Any = spoilt, game: Game = game) -> None:
            play_on(game.twin(game.record_of(spoilt)), rng)

        _try(tally, restore, ImpossibleState, spoilt)
        if game.record.tobytes() != before:
            tally.faults.append(f"the game changed: {spoilt!r}"[:2000])


def fuzz_records(rng: random.Random, mutations: int, tally: Tally) -> None:
    """Text records of both games."""
    texts = []
    for package, players in ((lastdroid_env, 2), (lastdroid_env, 1), (robots_env, 3)):
        env = package.env(num_players=players, **({} if package is lastdroid_env else {"rounds": 1}))
        env.reset(seed=rng.getrandbits(32))
        while env.agents and not any(env.terminations.values()):
            env.step(rng.choice(env.game.legal_actions()))
        texts.append((package, env.game_record()))
    for _ in range(mutations):
        package, text = rng.choice(texts)
        spoilt = spoil_text(text, rng)
        _try(tally, functools.partial(package.replay, spoilt), BadRecord, spoilt)


def fuzz_cards(rng: random.Random, mutations: int, tally: Tally) -> None:
    """The card file of Last Droid."""
    text = Path(lastdroid_env.__file__).with_name("cards.toml").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cards.toml"
        for number in range(mutations):
            spoilt = spoil_text(text, rng)
            file.write_text(spoilt, encoding="utf-8", newline="\n")

            def load(number: int = number) -> None:
                cards = lastdroid_env.load_cards(file)
                if number % 10 == 0:
                    game = lastdroid_env.LastDroid(rng.randrange(1, 5), cards=cards)
                    game.deal(number)
                    play_on(game, rng)

            _try(tally, load, lastdroid_env.CardFileError, spoilt)


def fuzz_rules(rng: random.Random, mutations: int, tally: Tally) -> None:
    """Rule sets of Robots!, as data and as files."""
    data = robots_env.load_rules().as_dict()
    text = Path(robots_env.__file__).with_name("ruleset.toml").read_text(encoding="utf-8")
    text = text[text.index("star_high") : text.index("# The publisher")].replace("[source.", "[")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rules.toml"
        for number in range(mutations):
            source: Any = spoil(data, rng)
            if number % 2:
                file.write_text(spoil_text(text, rng), encoding="utf-8", newline="\n")
                source = file

            def load(source: Any = source, number: int = number) -> None:
                rules = robots_env.load_rules(source)
                if number % 10 == 0:
                    game = robots_env.Robots(rng.randrange(2, 6), rules=rules)
                    game.deal(number)
                    play_on(game, rng)

            _try(tally, load, robots_env.RuleSetError, source)


def _try(tally: Tally, attempt: Callable[[], Any], refusal: type[Exception], shown: Any) -> None:
    began = time.perf_counter()
    try:
        attempt()
    except refusal as error:
        tally.refused += 1
        if not str(error).strip():
            tally.faults.append(f"refused without a message: {shown!r}"[:2000])
    except Exception as error:
        tally.faults.append(f"{type(error).__name__}: {error}: {shown!r}"[:2000])
    else:
        tally.accepted += 1
    seconds = time.perf_counter() - began
    tally.slowest = max(tally.slowest, seconds)
    if seconds > MAX_SECONDS:
        tally.faults.append(f"took {seconds:.1f} s: {shown!r}"[:2000])


KINDS: dict[str, tuple[Callable[[random.Random, int, Tally], None], float]] = {
    "snapshots": (fuzz_snapshots, 0.45),
    "records": (fuzz_records, 0.15),
    "card files": (fuzz_cards, 0.1),
    "rule sets": (fuzz_rules, 0.3),
}
"""Kinds of input, and the share of the mutations that each gets."""


def main(arguments: list[str] | None = None) -> int:
    """Spoil inputs and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutations", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    faults = 0
    for kind, (fuzz, share) in KINDS.items():
        tally = Tally()
        fuzz(random.Random(f"{options.seed} {kind}"), round(options.mutations * share), tally)
        print(f"{kind}: {tally}", flush=True)
        for fault in tally.faults[:20]:
            print(f"  {fault}", flush=True)
        faults += len(tally.faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

"""Whole games between policies: a list of deals, who sits where in each, and what came of it.

Games of compiled policies alone are played in compiled code. With a Python policy among them the same deals are played
decision by decision. Either way a game depends on its deal and its seats' generators only, not on the games beside it.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.batch import no_fault
from tabletop.game import DEAL, OVER, Game, IllegalAction, is_whole
from tabletop.loops import MAX_SEATS as MAX_SEATS
from tabletop.policies import PolicyError as PolicyError
from tabletop.policies import Searching, at_table, is_compiled, machine_code, player_of
from tabletop.worlds import Worlds

from .arena import Arena

CHUNK = 250
"""Games played in one compiled call: between two of them progress is reported and Ctrl-C heard."""


@dataclass(frozen=True)
class Results:
    """What came of the games: by game and seat, points and shares in the win (1 for each seat that wins or shares it,
    none in a game that was cut short).

    Alone at the table, the second column is the opponent's. ``decisions`` counts those of each game.
    """

    scores: NDArray[np.int64]
    wins: NDArray[np.int64]
    decisions: NDArray[np.int64]


def deals_for(seed: int, deals: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Seeds of the first ``deals`` deals of a seed, and of the generators of their seats (deals, 5).

    More deals of the same seed begin with the same ones.
    """
    numbers = np.random.default_rng(seed).integers(0, 2**64, (deals, 1 + MAX_SEATS), dtype=np.uint64)
    return numbers[:, 0].copy(), numbers[:, 1:].copy()


def play_match(
    arena: Arena,
    num_players: int,
    policies: Mapping[str, Any],
    seating: NDArray[Any],
    deals: NDArray[np.uint64],
    generators: NDArray[np.uint64],
    *,
    settings: Mapping[str, Any] | None = None,
    chunk: int = CHUNK,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Play a game for each row of ``seating`` (games, seats), which says which of the policies, by its number in their
    order, decides for a seat. ``deals`` and ``generators`` are as ``deals_for`` makes them, a row a game.

    Games of compiled policies alone are played on so many ``threads``; what comes of them does not depend on it.
    ``progress`` is told now and then how many more games have been played.
    """
    if not is_whole(threads) or threads < 1:
        raise ValueError(f"threads must be a whole number from 1, not {threads!r}")
    base = arena.make(num_players, **(settings or {}))
    names = list(policies)
    players = compiled(policies, base)
    games = len(seating)
    told = progress or (lambda more: None)
    results = _results(games)
    streams = np.ascontiguousarray(generators, np.uint64).reshape(games, MAX_SEATS, 1).copy()
    seats = np.zeros((games, MAX_SEATS), np.int8)
    seats[:, :num_players] = seating
    play = _play_compiled if all(map(is_compiled, players)) else _play_in_python
    threads = threads if play is _play_compiled else 1
    size = max(1, min(chunk, math.ceil(games / threads)))

    def some(first: int) -> int:
        part = slice(first, min(first + size, games))
        play(
            arena,
            base,
            names,
            players,
            seats[part],
            np.asarray(deals, np.uint64)[part],
            streams[part],
            Results(results.scores[part], results.wins[part], results.decisions[part]),
        )
        return part.stop - first

    firsts = range(0, games, size)
    if threads == 1:
        for more in map(some, firsts):
            told(more)
        return results
    pool = ThreadPoolExecutor(threads, "match")
    try:
        for more in pool.map(some, firsts):
            told(more)
    finally:
        pool.shutdown(cancel_futures=True)
    return results


def _results(games: int) -> Results:
    scores, wins = (np.zeros((games, MAX_SEATS), np.int64) for _ in range(2))
    return Results(scores, wins, np.zeros(games, np.int64))


def compiled(policies: Mapping[str, Any], game: Game) -> list[Any]:
    """The policies as they play a game, machine code made. ``PolicyError`` names one that does not compile,
    ``ValueError`` says why one cannot play this game."""
    players = [player_of(at_table(candidate, game)) for candidate in policies.values()]
    machine_code([(name, player) for name, player in zip(policies, players, strict=True) if is_compiled(player)])
    return players


def prepare(arena: Arena, num_players: int) -> None:
    """Compile the loop over games, if that has not been done."""
    from .baselines import uniform

    seats, deals = np.zeros((0, MAX_SEATS), np.int8), np.zeros(0, np.uint64)
    streams = np.zeros((0, MAX_SEATS, 1), np.uint64)
    _play_compiled(arena, arena.make(num_players), ["random"], [uniform], seats, deals, streams, _results(0))


def _play_compiled(
    arena: Arena,
    base: Game,
    names: Sequence[str],
    players: Sequence[Any],
    seats: NDArray[np.int8],
    deals: NDArray[np.uint64],
    streams: NDArray[np.uint64],
    results: Results,
) -> None:
    games = np.repeat(base.record, len(seats))
    games["rng"] = deals
    fault = no_fault()

    def stuck() -> Game:
        return base.twin(games[fault[0] : fault[0] + 1])

    try:
        base.loops.play_games(
            games,
            base.tables,
            0,
            len(seats),
            seats,
            machine_code(list(zip(names, players, strict=True))),
            streams,
            *base.buffers(),
            results.scores,
            results.wins,
            fault,
        )
    except Exception as error:
        if fault[1] < 0:
            raise
        raise PolicyError(_complaint(names[fault[1]], stuck(), f"it raised {type(error).__name__}: {error}")) from error
    if fault[2] >= 0:
        raise PolicyError(_complaint(names[fault[1]], stuck(), stuck().why_illegal(int(fault[3]))))
    results.decisions[:] = games["decisions"]


def _play_in_python(
    arena: Arena,
    base: Game,
    names: Sequence[str],
    players: Sequence[Any],
    seats: NDArray[np.int8],
    deals: NDArray[np.uint64],
    streams: NDArray[np.uint64],
    results: Results,
) -> None:
    game = base.twin(base.record)
    for i in range(len(seats)):
        acts, generators = [], []
        for seat in range(game.num_players):
            player = players[seats[i, seat]]
            if is_compiled(player):
                acts.append(player)
                generators.append(streams[i, seat])
            else:
                try:
                    acts.append(player())
                except Exception as error:
                    raised = f"it could not be made: {type(error).__name__}: {error}"
                    raise PolicyError(f"agent {names[seats[i, seat]]!r}: {raised}") from error
                generators.append(np.random.default_rng(int(streams[i, seat, 0])))
        game.record["rng"] = deals[i]
        observation, mask = game.buffers()
        actor = int(game.play(game.record, 0, game.tables, DEAL, observation, mask))
        while actor != OVER:
            try:
                if isinstance(players[seats[i, actor]], Searching):
                    choice = acts[actor](Worlds(game, actor), observation, mask, generators[actor])
                else:
                    choice = acts[actor](observation, mask, generators[actor])
            except Exception as error:
                raised = f"it raised {type(error).__name__}: {error}"
                raise PolicyError(_complaint(names[seats[i, actor]], game, raised)) from error
            try:
                if isinstance(choice, bool | np.bool_):
                    raise TypeError
                action = operator.index(choice)
                actor = _step(game, action, observation := np.empty_like(observation), mask := np.empty_like(mask))
            except (TypeError, IllegalAction) as error:
                why = error if isinstance(error, IllegalAction) else f"an action is a whole number, not {choice!r}"
                raise PolicyError(_complaint(names[seats[i, actor]], game, why)) from error
        points, wins = game.result()
        results.scores[i, : len(points)] = points
        results.wins[i, : len(wins)] = [won and not game.truncated for won in wins]
        results.decisions[i] = game.record["decisions"][0]


def _step(game: Game, action: int, observation: NDArray[np.float32], mask: NDArray[np.int8]) -> int:
    if not 0 <= action < game.num_actions:
        raise IllegalAction(game.why_illegal(action))
    actor = int(game.play(game.record, 0, game.tables, action, observation, mask))
    if actor < OVER:
        raise IllegalAction(game.why_illegal(action))
    return actor


def _complaint(name: str, game: Game, why: object) -> str:
    return f"agent {name!r}, in the game with seed {game.seed}, decision {int(game.record['decisions'][0])}: {why}"

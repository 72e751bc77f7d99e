"""What a report on Last Droid counts: turns, droids, houses, where points come from, the orders of the decks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lastdroid_env import LastDroid
from lastdroid_env.actions import DISMANTLE, EXCHANGE, REPAIR
from lastdroid_env.constants import ACTION as DECIDE_ACTION
from lastdroid_env.constants import (
    DECISIONS,
    DROID_TYPES,
    FIRST_HOUSE,
    NUM_CARDS,
    NUM_HOUSES,
    REPAIRED,
    SEASONS,
    TURNS,
    TYPE_MEMBERS,
    TYPES,
)
from lastdroid_env.constants import EXCHANGE as DECIDE_EXCHANGE
from lastdroid_env.observation import droids_in_game

from ..lastdroid.points import HOUSES, MOST_LEAVES, MOST_PARTS, NUM_PARTS, score_parts
from .association import contributions, contributions_alone, wins_apart, wins_with
from .figures import Figures, distribution, rounded, shares_of
from .games import Cell, Watched
from .information import log10, orders_of_decks
from .watching import ACTION, KIND, LEGAL, SEASON, SEAT, TARGET

KINDS = DECISIONS
FEATURES = (
    *(f"{name} droids repaired" for name in TYPES[:DROID_TYPES]),
    "houses built",
    "shed extensions",
    "tokens laid",
    "exchanges",
    "parts left",
)
"""Without the droids dismantled: each turn of a player is a repair, a building or a dismantling, so that the others
say how many there were."""
_BUILT, _EXTENSIONS, _TOKENS, _EXCHANGES, _LEFT = range(DROID_TYPES, DROID_TYPES + 5)
SOURCES = (*(f"{name} droids" for name in TYPES[:DROID_TYPES]), "houses", "most parts", "most leaves")


class Tally:
    """The counts of one cell."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.sides = cell.sides
        self.asked: list[int] = []
        self.forced: list[int] = []
        self.turns: list[int] = []
        self.by_season = np.zeros((SEASONS, 2), np.int64)  # asked decisions, their legal actions
        self.features: list[NDArray[np.float64]] = []
        self.sources: list[NDArray[np.float64]] = []
        self.shares: list[NDArray[np.float64]] = []
        self.repairer: list[NDArray[np.int64]] = []
        self.dismantler: list[NDArray[np.int64]] = []
        self.builder: list[NDArray[np.int64]] = []
        self.in_play: list[NDArray[np.bool_]] = []
        self.information: list[Figures] | None = None

    def beginners(self, watched: Watched) -> NDArray[np.int64]:
        """The seat that had priority first."""
        games = watched.games
        priority: NDArray[np.int64] = games["priority"].astype(np.int64)
        seats: NDArray[np.int64] = (priority - games["turn"] + 1) % max(2, self.cell.num_players)
        return seats

    def add(self, watched: Watched) -> None:
        games, lines, notes = watched.games, watched.lines, watched.notes
        of_game = watched.game_of_line()
        asked = lines[:, LEGAL] > 1
        self.asked += np.bincount(of_game[asked], minlength=len(games)).tolist()
        self.forced += np.bincount(of_game[~asked], minlength=len(games)).tolist()
        self.turns += games["turn"].tolist()
        season = notes[asked, SEASON] - 1
        np.add.at(self.by_season, (season, 0), 1)
        np.add.at(self.by_season, (season, 1), lines[asked, LEGAL])
        side_of = np.full(max(2, self.cell.num_players), -1)
        for side, seats in enumerate(self.sides):
            side_of[list(seats)] = side
        self._cards(games, lines, notes, of_game, side_of)
        self._by_side(games, lines, of_game, side_of)
        self.shares.append(shares_of(self.cell, watched))
        if self.information is None:
            self.information = self._information(watched)

    def _cards(
        self, games: Any, lines: Any, notes: Any, of_game: NDArray[np.int64], side_of: NDArray[np.int64]
    ) -> None:
        """Which side repaired or dismantled each droid, and built each house; -1 none."""
        place = games["place"].astype(np.int64)
        owner = np.clip(place - REPAIRED, 0, len(side_of) - 1)
        self.repairer.append(np.where(place >= REPAIRED, side_of[owner], -1))
        dismantler = np.full((len(games), NUM_CARDS + 1), -1)
        rows = np.flatnonzero((lines[:, KIND] == DECIDE_ACTION) & (lines[:, ACTION] == DISMANTLE))
        dismantler[of_game[rows], notes[rows, TARGET]] = side_of[lines[rows, SEAT]]
        self.dismantler.append(dismantler)
        builder = games["builder"].astype(np.int64)
        self.builder.append(np.where(builder >= 0, side_of[np.clip(builder, 0, None)], -1))
        self.in_play.append(games["between"] >= 0)

    def _by_side(self, games: Any, lines: Any, of_game: NDArray[np.int64], side_of: NDArray[np.int64]) -> None:
        features = np.zeros((len(games), len(self.sides), len(FEATURES)))
        sources = np.zeros((len(games), len(self.sides), len(SOURCES)))
        parts = np.zeros((max(2, self.cell.num_players), NUM_PARTS), np.int64)
        points = np.zeros((len(games), *parts.shape), np.int64)
        for i in range(len(games)):
            score_parts(games, i, self.cell.game.tables, parts)
            points[i] = parts
        made = lines[:, ACTION]
        exchanged = (lines[:, KIND] == DECIDE_EXCHANGE) & (made >= EXCHANGE) & (made < REPAIR)
        np.add.at(features, (of_game[exchanged], side_of[lines[exchanged, SEAT]], _EXCHANGES), 1)
        for side, seats in enumerate(self.sides):
            for seat in seats:
                features[:, side, :DROID_TYPES] += games["droids"][:, seat]
                features[:, side, _BUILT] += (games["builder"] == seat).sum(axis=1)
                features[:, side, _EXTENSIONS] += games["extensions"][:, seat].sum(axis=1)
                features[:, side, _TOKENS] += games["token_owner"] == seat
                features[:, side, _LEFT] += games["parts"][:, seat].sum(axis=1)
                sources[:, side, :DROID_TYPES] += points[:, seat, :DROID_TYPES]
                sources[:, side, DROID_TYPES] += points[:, seat, HOUSES : HOUSES + NUM_HOUSES].sum(axis=1)
                sources[:, side, DROID_TYPES + 1] += points[:, seat, MOST_PARTS]
                sources[:, side, DROID_TYPES + 2] += points[:, seat, MOST_LEAVES]
        self.features.append(features)
        self.sources.append(sources)

    def _information(self, watched: Watched) -> list[Figures]:
        """By turn: in how many orders the decks may lie once its cards are revealed. It is the same in every game, as
        far as the turn is reached."""
        found: dict[int, float] = {}
        longest = int(np.argmax(watched.games["turn"]))
        for game in self.cell.replayed(watched, longest):
            assert isinstance(game, LastDroid)
            turn = int(game.record["turn"][0])
            if turn not in found:
                found[turn] = log10(orders_of_decks(game))
        return [{"turn": turn, "log10 orders": rounded(value)} for turn, value in found.items()]

    def figures(self) -> Figures:
        shares, features = np.concatenate(self.shares), np.concatenate(self.features)
        sources = np.concatenate(self.sources)
        alone = self.cell.num_players == 1
        if alone:
            contributing = contributions_alone(FEATURES, features[:, 0], shares[:, 0])
            points = {name: [rounded(sources[:, 0, k].mean()), None] for k, name in enumerate(SOURCES)}
        else:
            contributing = contributions(FEATURES, features, shares)
            others = (1 - shares) / (shares.shape[1] - 1)
            points = {
                name: [rounded((weights * sources[:, :, k]).sum(axis=1).mean()) for weights in (shares, others)]
                for k, name in enumerate(SOURCES)
            }
        seasons = {
            f"season {'I' * (i + 1)}": {"asked": int(n), "mean": rounded(legal / n) if n else None}
            for i, (n, legal) in enumerate(self.by_season.tolist())
        }
        return {
            "length": {
                "decisions": distribution(self.asked),
                "forced": distribution(self.forced),
                "turns": distribution(self.turns),
                "all turns": rounded(float(np.mean(np.array(self.turns) == TURNS)), 4),
            },
            "phases": seasons,
            "contributions": contributing,
            "points": points,
            "droids": self._droids(shares),
            "houses": self._houses(shares),
            "information": self.information,
        }

    def _droids(self, shares: NDArray[np.float64]) -> Figures:
        """By droid: how often repaired and dismantled; wins of the side that did, and how they differ."""
        repairer, dismantler = np.concatenate(self.repairer), np.concatenate(self.dismantler)
        types = {number: TYPES[kind] for kind, members in TYPE_MEMBERS.items() for number in members}
        found = {}
        for number in droids_in_game(self.cell.num_players):
            having = won_by(shares, repairer[:, number])
            lacking = won_by(shares, dismantler[:, number])
            found[str(number)] = {
                "type": types[number],
                "repaired": wins_with(having),
                "dismantled": wins_with(lacking),
                **wins_apart(having, lacking),
            }
        return found

    def _houses(self, shares: NDArray[np.float64]) -> Figures:
        """By house: how often it lies in a game, how often it is built then, wins of the side that built it."""
        builder, in_play = np.concatenate(self.builder), np.concatenate(self.in_play)
        found = {}
        for house in range(NUM_HOUSES):
            laid = int(in_play[:, house].sum())
            if laid:
                built = wins_with(won_by(shares, builder[:, house]))
                found[str(FIRST_HOUSE + house)] = {"games": laid, "built": built}
        return found


def won_by(shares: NDArray[np.float64], side: NDArray[np.int64]) -> NDArray[np.float64]:
    """The shares in the win of the sides named, where one is."""
    rows = np.flatnonzero(side >= 0)
    won: NDArray[np.float64] = shares[rows, side[rows]]
    return won

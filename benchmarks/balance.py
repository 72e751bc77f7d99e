"""What the card values do between competent bots.

    python -m benchmarks.balance                       greedy against itself, 1,000 games at each player count
    python -m benchmarks.balance --agent expert        another bot in every seat
    python -m benchmarks.balance --cards my_cards.toml --games 300
    python -m benchmarks.balance --json

The aims are those of ``docs/lastdroid/cards.md``; a figure outside its aim is marked.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

import agents
import lastdroid_env
from agents.arena import find_arena
from agents.match import MAX_SEATS, compiled, deals_for
from lastdroid_env import LastDroid
from lastdroid_env.constants import FIRST_HOUSE, IN_DECK, NUM_HOUSES, REPAIRED, TURNS, TYPE_MEMBERS, TYPES
from lastdroid_env.observation import droids_in_game
from tabletop.batch import no_fault
from tabletop.game import DEAL, Game
from tabletop.policies import machine_code


@dataclass
class Tally:
    """What was counted over the games of one player count."""

    num_players: int
    games: int = 0
    full_length: int = 0
    decisions: int = 0
    actions: int = 0
    revealed: Counter[int] = field(default_factory=Counter)
    repaired: Counter[int] = field(default_factory=Counter)
    houses_in_play: Counter[int] = field(default_factory=Counter)
    houses_built: Counter[int] = field(default_factory=Counter)
    scores: list[int] = field(default_factory=list)
    auto_scores: list[int] = field(default_factory=list)
    first_seat_wins: float = 0.0

    def play(self, base: LastDroid, policy: Any, deals: Any, generators: Any) -> None:
        """Play a game for each deal, the compiled policy in every seat, and count."""
        games = np.repeat(base.record, len(deals))
        games["rng"] = deals
        begun = games.copy()
        for i in range(len(games)):
            base.play(begun, i, base.tables, DEAL, *base.buffers())
        seats = np.zeros((len(games), MAX_SEATS), np.int8)
        points = [np.zeros((len(games), MAX_SEATS), np.int64) for _ in range(2)]
        streams = generators.reshape(len(games), MAX_SEATS, 1).copy()
        loop, last, fault = base.loops.play_games, len(games), no_fault()
        code = machine_code([("the bot", policy)])
        loop(games, base.tables, 0, last, seats, code, streams, *base.buffers(), *points, fault)
        if fault[2] >= 0:
            raise RuntimeError(f"an illegal action in the game of deal {deals[fault[0]]}")
        for i in range(last):
            self.count(base.twin(games[i : i + 1]), int(begun["priority"][i]))

    def count(self, game: Game, first: int) -> None:
        """Count on the final table, so that an action counts where there was no other one too."""
        record = game.record[0]
        for card in droids_in_game(self.num_players):
            place = int(record["place"][card])
            self.revealed[card] += place != IN_DECK
            self.repaired[card] += place == REPAIRED if self.num_players == 1 else place >= REPAIRED
        self.actions += int(record["turn"]) * self.num_players
        points, wins = game.result()
        self.games += 1
        self.decisions += int(record["decisions"])
        self.full_length += int(record["turn"]) == TURNS
        self.scores += points[: self.num_players]
        if self.num_players == 1:
            self.auto_scores.append(points[1])
        self.first_seat_wins += wins[first] / sum(wins)
        for house in range(NUM_HOUSES):
            if record["between"][house] >= 0:
                self.houses_in_play[FIRST_HOUSE + house] += 1
                self.houses_built[FIRST_HOUSE + house] += record["builder"][house] >= 0

    def report(self) -> dict[str, Any]:
        """The figures."""
        seats = self.games * self.num_players
        droids = droids_in_game(self.num_players)
        repairs, houses = sum(self.repaired.values()), sum(self.houses_built.values())
        actions = {"repair": repairs, "dismantle": self.actions - repairs - houses, "build": houses}
        by_type = {}
        for kind, members in TYPE_MEMBERS.items():
            mine = set(members) & set(droids)
            if mine:
                share = sum(self.repaired[c] for c in mine) / repairs
                by_type[TYPES[kind]] = round(share / (len(mine) / len(droids)), 3)
        return {
            "players": self.num_players,
            "games": self.games,
            "decisions_a_game": round(self.decisions / self.games),
            "full_length_percent": round(100 * self.full_length / self.games, 1),
            **{f"{name}_percent": round(100 * count / self.actions, 1) for name, count in actions.items()},
            "repairs_by_type_to_their_number": by_type,
            "houses_a_player": round(houses / seats, 2),
            "built_percent_by_house": {
                house: round(100 * self.houses_built[house] / max(1, self.houses_in_play[house]))
                for house in range(FIRST_HOUSE, FIRST_HOUSE + NUM_HOUSES)
                if self.houses_in_play[house]
            },
            "mean_score": round(float(np.mean(self.scores)), 1),
            "score_deciles": [int(v) for v in np.percentile(self.scores, [10, 50, 90])],
            "first_seat_wins_percent": round(100 * self.first_seat_wins / self.games, 1),
            **({"auto_mean_score": round(float(np.mean(self.auto_scores)), 1)} if self.auto_scores else {}),
            "repaired_percent_by_droid": {
                card: round(100 * self.repaired[card] / self.revealed[card]) for card in droids if self.revealed[card]
            },
        }


AIMS: dict[str, tuple[float, float]] = {
    "full_length_percent": (50, 100),
    "repair_percent": (35, 55),
    "houses_a_player": (1, 14),
    "mean_score": (35, 75),
}


def outside(report: dict[str, Any]) -> list[str]:
    """Names of the figures that miss their aim."""
    missed = [name for name, (low, high) in AIMS.items() if not low <= report[name] <= high]
    if report["players"] == 2 and not 45 <= report["first_seat_wins_percent"] <= 55:
        missed.append("first_seat_wins_percent")
    if any(not 0.5 <= v <= 2 for v in report["repairs_by_type_to_their_number"].values()):
        missed.append("repairs_by_type_to_their_number")
    if min(report["built_percent_by_house"].values()) == 0:
        missed.append("built_percent_by_house")
    return missed


def main(
    agent: Annotated[str, typer.Option(help="The bot that plays every seat.")] = "greedy",
    games: Annotated[int, typer.Option(help="Games at each player count.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = 0,
    cards: Annotated[str | None, typer.Option(help="A card file instead of the built-in one.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Play and report."""
    tables = lastdroid_env.load_cards(cards)
    find_arena("lastdroid")
    reports = []
    for num_players in (2, 3, 4, 1):
        tally, game = Tally(num_players), LastDroid(num_players, cards=tables)
        policy = compiled({agent: agents.find_agent(agent, "lastdroid").policy}, game)[0]
        deals, generators = deals_for(seed, games)
        tally.play(game, policy, deals, generators)
        reports.append(tally.report())
    if as_json:
        for report in reports:
            print(json.dumps({**report, "missed": outside(report)}))
        return
    table = Table("figure", *(("solo" if r["players"] == 1 else f"{r['players']} players") for r in reports))
    for name in reports[-1]:
        if name not in ("players", "repaired_percent_by_droid"):
            cells = [_cell(r.get(name, ""), name in outside(r)) for r in reports]
            table.add_row(name.replace("_", " "), *cells)
    Console(width=150).print(table)


def _cell(value: Any, missed: bool) -> str:
    text = "\n".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else str(value)
    return f"[bold]{text} (!)[/bold]" if missed else text


if __name__ == "__main__":
    typer.run(main)

"""Tree search: simulations a second beside OpenSpiel's on the same games, and strength by number of simulations.

    python -m benchmarks.search speed                              one JSON object a line; needs the extra openspiel
    python -m benchmarks.search strength robots --games 200 --plot docs/robots/search.png

``speed`` lets both search from the same decisions with the same number of simulations, playouts by random actions and
no guide: ours, and OpenSpiel's ISMCTS on the same game through our bridge. (OpenSpiel's searches in C++ do not run on
games defined in Python.) Ours draws a world for each simulation as OpenSpiel's does.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from tabletop.policies import GAMES

NAMES = {"lastdroid": "python_last_droid", "robots": "python_robots(rounds=1)"}
app = typer.Typer(add_completion=False, help=__doc__, no_args_is_help=True)


@app.command()
def speed(
    simulations: Annotated[int, typer.Option(min=1, help="For each decision.")] = 100,
    decisions: Annotated[int, typer.Option(min=1, help="To search, spread over a random game.")] = 5,
) -> None:
    """Simulations a second, ours and OpenSpiel's in turns."""
    import pyspiel
    from open_spiel.python.algorithms import ismcts, mcts

    import tabletop.bridges.openspiel  # noqa: F401  registers the games
    from tabletop.search import Search
    from tabletop.worlds import Worlds

    for game, name in NAMES.items():
        spiel = pyspiel.load_game(name)
        evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
        bot = ismcts.ISMCTSBot(spiel, evaluator, 2.0, simulations, random_state=np.random.RandomState(2))
        search = Search(game, simulations, playouts="random")
        rates: dict[str, list[float]] = {"ours": [], "open_spiel": []}
        for number, state in enumerate(_states(spiel, decisions + 1)):
            for whose in rates:
                worlds = Worlds(state.tabletop_game(), state.current_player())
                began = time.perf_counter()
                if whose == "ours":
                    search.think(worlds, number)
                else:
                    bot.step(state)
                if number:  # the first is not counted: it compiles
                    rates[whose].append(simulations / (time.perf_counter() - began))
        found = {whose: round(statistics.median(of)) for whose, of in rates.items()}
        times = round(statistics.median(a / b for a, b in zip(*rates.values(), strict=True)), 1)
        print(json.dumps({"game": game, "simulations": simulations, **found, "times": times}), flush=True)


def _states(game: Any, count: int) -> list[Any]:
    """Decisions with a choice, evenly spread over the first hundred of a random game."""
    rng = np.random.default_rng(3)
    found: list[Any] = []
    state = game.new_initial_state()
    while not state.is_terminal() and len(found) < 100:
        if not state.is_chance_node():
            found.append(state.clone())
        state.apply_action(int(rng.choice(state.legal_actions())))
    return found[:: max(1, len(found) // count)][:count]


@app.command()
def strength(
    game: Annotated[str, typer.Argument(help=f"One of {', '.join(GAMES)}.")],
    opponent: Annotated[str, typer.Option(help="An agent's name.")] = "expert",
    simulations: Annotated[str, typer.Option(help="Numbers with commas between them.")] = "30,100,300,1000",
    games: Annotated[int, typer.Option(min=2, help="For each number.")] = 200,
    seed: Annotated[int, typer.Option(help="Of the deals and the searches.")] = 0,
    picture: Annotated[Path | None, typer.Option("--plot", help="Draw the win rates into this file.")] = None,
) -> None:
    """Win rate of ``search-N`` against an agent, two players, one JSON object a line; N need not have a name."""
    import tabletop.bridges.openspiel  # noqa: F401  registers the games
    from agents import Agent, run_tournament
    from agents.searchers import SETTINGS
    from tabletop.search import Search

    if game not in GAMES:
        raise typer.BadParameter(f"no game is called {game!r}; known are {', '.join(GAMES)}")
    points = []
    for number in map(int, simulations.split(",")):
        began = time.perf_counter()
        searcher = Agent(f"search-{number}", Search(game, number, **SETTINGS[game]), game)
        result = run_tournament(game, [searcher, opponent], games=games, seed=seed)
        row = next(row for row in result.rows if row.agent == searcher.name)
        low, high = row.win_rate_interval
        points.append((number, row.win_rate, low, high))
        point = {
            "game": game,
            "opponent": opponent,
            "simulations": number,
            "games": row.games,
            "win_rate": round(row.win_rate, 3),
            "interval": [round(low, 3), round(high, 3)],
            "seconds_a_game": round((time.perf_counter() - began) / row.games, 2),
        }
        print(json.dumps(point), flush=True)
    if picture is not None:
        draw(points, game, opponent, picture)


def draw(points: list[tuple[int, float, float, float]], game: str, opponent: str, file: Path) -> None:
    """Win rates with their intervals, simulations on a logarithmic axis."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    numbers, rates, lows, highs = (np.array(column) for column in zip(*points, strict=True))
    picture, axes = plt.subplots(figsize=(5, 3.3))
    axes.errorbar(numbers, rates, [rates - lows, highs - rates], marker="o", capsize=3)
    axes.axhline(0.5, color="grey", linewidth=0.8)
    axes.set(xscale="log", xlabel="simulations a decision", ylabel=f"games won against {opponent}", title=game)
    axes.set_xticks(numbers, [f"{number:,}" for number in numbers])
    axes.minorticks_off()
    picture.tight_layout()
    picture.savefig(file, dpi=110)


if __name__ == "__main__":
    sys.exit(app())

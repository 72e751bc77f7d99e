"""A report as a page: Markdown, made of the figures alone, and a picture."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .figures import Figures

HEAD = """\
# {title}: a report

What the game is like in figures, from games of agents that play against themselves: `expert` for strong play, `random`
for any legal action. Written by `python -m agents report --write` (`make report`), seed {seed}; all figures, those for
which there is no room here too, are in [report.json](report.json). Intervals hold 95 %; "5-95 %" are quantiles.

A *decision* is one that offers a choice; one with a single legal action is *forced* and is not asked by default.

![Choices, scores, seats and hidden deals](report.png)
"""
ROUNDS_END = """
The last columns say how rounds end: somebody goes out, the factory is empty and nobody takes from the heap, or all the
turns have been played that the rule set allows. Where the last happens often, all hold back and nobody goes out."""
TREE = """\
The sum of the logarithms of the numbers of choices along a game, chance left out: about how many games there are that
branch off like this one. For uniformly random play the mean of the products, not of the logarithms, estimates the
number of ends of a deal's tree without bias (Knuth 1975); it rests on the bushiest of the games and is rough.
"""
SEATS = """\
Places are counted clockwise from {who}.
Each deal is compared with itself: the share of a place in its wins, its points above the mean of that table.
"""
WINNING = """\
**Association, not cause**: whoever is ahead can afford more of what is counted here. *Winners* and *others* are means
a {unit}; *difference* is their difference within a {unit}. *Odds* is the factor by which one more of it multiplies the
odds of winning with all others equal (conditional logistic regression within each {unit}, with a slight ridge); a dash
where the games say next to nothing about it. {count}
"""
DECKS = """\
How many orders of the hidden cards fit what everybody knows once a turn's cards are revealed, as powers of ten: each
season of each deck is shuffled by itself. Nothing else is hidden. The count is exact and the same in every game.
"""
DEALS = """\
How many deals fit what the player knows who is about to draw, as powers of ten, exactly: the others' hands alone, and
with the order of the factory. What could be concluded from how others have played is left out. Means over {n} matches
of each agent, their first {rounds} rounds.
"""


def markdown(figures: Figures) -> str:
    """The page of a report."""
    lines = HEAD.format(title=figures["title"], seed=figures["seed"]).split("\n")
    for section in (_length, _choices, _tree, _information, _seats, _scores, _winning, _points, _cards):
        lines += section(figures)
    return "\n".join(lines).rstrip("\n") + "\n"


def _cells(figures: Figures) -> Iterator[tuple[str, str, Figures]]:
    for players, agents in figures["players"].items():
        for agent, found in agents.items():
            yield players, agent, found


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _table(*headings: str) -> list[str]:
    return ["", _row(*headings), _row(*["---"] * len(headings))]


def number(value: float | None) -> str:
    """A figure: whole ones as such, others short; a dash for one that is not known."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}" if abs(value) < 10 else f"{value:,.1f}"


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def between(ends: Sequence[float | None], scale: float = 1) -> str:
    """An interval: ``3.1 to 4``."""
    if any(end is None for end in ends):
        return "–"
    digits = 1 if scale > 1 else 2
    low, high = (f"{round(scale * float(end or 0), digits) + 0.0:.{digits}f}" for end in ends)
    return f"{low} to {high}"


def _spread(found: Mapping[str, Any]) -> tuple[str, str]:
    """Mean and outer quantiles of a distribution."""
    return number(found["mean"]), f"{number(found['5 %'])} – {number(found['95 %'])}"


def _is_robots(figures: Figures) -> bool:
    return bool(figures["game"] == "robots")


def _length(figures: Figures) -> list[str]:
    robots = _is_robots(figures)
    units = ("rounds", "turns of a round") if robots else ("turns",)
    more = ("somebody went out", "nobody drew", "after all turns") if robots else ("all 22 turns",)
    headings = [heading for unit in units for heading in (unit, "5-95 %")]
    lines = ["## Length", *_table("players", "agent", "games", "decisions", "5-95 %", "forced", *headings, *more)]
    for players, agent, found in _cells(figures):
        length = found["length"]
        ends = [found["rounds end"][name] for name in more] if robots else [length["all turns"]]
        spread = [cell for unit in units for cell in _spread(length[unit])]
        decided = (*_spread(length["decisions"]), number(length["forced"]["mean"]))
        lines.append(_row(players, agent, f"{length['decisions']['n']:,}", *decided, *spread, *map(percent, ends)))
    if robots:
        lines += ROUNDS_END.split("\n")
    return [*lines, ""]


def _choices(figures: Figures) -> list[str]:
    spread = ("mean", "50 %", "95 %", "max")
    lines = ["## Choices", "", "Legal actions of the decisions that offer a choice."]
    lines += _table("players", "agent", "forced", "mean", "median", "95 %", "max")
    for players, agent, found in _cells(figures):
        every = found["choices"]["all"]
        lines.append(_row(players, agent, percent(every["forced"]), *(number(every[name]) for name in spread)))
    first = next(players for players in figures["players"] if players != "1" or len(figures["players"]) == 1)
    agents = figures["players"][first]
    lines += ["", f"By kind of decision, {first} players, {' and '.join(agents)}:"]
    lines += _table("decision", "agent", "share", "forced", "mean", "median", "95 %", "max")
    kinds = dict.fromkeys(kind for found in agents.values() for kind in found["choices"]["kinds"])
    for kind in kinds:
        for agent, found in agents.items():
            row = found["choices"]["kinds"].get(kind)
            if row is not None:
                share = row["decisions"] / found["choices"]["all"]["decisions"]
                lines.append(
                    _row(
                        kind, agent, percent(share), percent(row["forced"]), *(number(row.get(name)) for name in spread)
                    )
                )
    phases = list(dict.fromkeys(phase for _, _, found in _cells(figures) for phase in found["phases"]))
    lines += ["", "Mean by phase of the game:", *_table("players", "agent", *phases)]
    for players, agent, found in _cells(figures):
        means = (found["phases"].get(phase, {}).get("mean") for phase in phases)
        lines.append(_row(players, agent, *map(number, means)))
    return [*lines, ""]


def _tree(figures: Figures) -> list[str]:
    lines = ["## Size of the tree", "", *TREE.split("\n")[:-1]]
    lines += _table("players", "agent", "power of ten", "5-95 %", "of the mean product")
    for players, agent, found in _cells(figures):
        tree = found["tree"]
        mean = number(tree["log10 of the mean"]) if agent == "random" else ""
        lines.append(_row(players, agent, *_spread(tree["log10"]), mean))
    return [*lines, ""]


def _information(figures: Figures) -> list[str]:
    lines = ["## What is hidden", ""]
    if not _is_robots(figures):
        lines += DECKS.split("\n")[:-1]
        longest: dict[str, dict[int, float]] = {}
        for players, _, found in _cells(figures):
            by_turn = {row["turn"]: row["log10 orders"] for row in found["information"]}
            longest[players] = {**by_turn, **longest.get(players, {})}
        turns = [turn for turn in (1, 4, 7, 8, 11, 14, 15, 18, 20, 21) if any(turn in by for by in longest.values())]
        lines += _table("players", *(f"turn {turn}" for turn in turns))
        lines += [_row(players, *(number(by.get(turn)) for turn in turns)) for players, by in longest.items()]
        return [*lines, ""]
    from .robots import LOOKED_THROUGH, ROUNDS

    lines += DEALS.format(n=LOOKED_THROUGH, rounds=ROUNDS).split("\n")[:-1]
    turns = sorted({row["turn"] for _, _, found in _cells(figures) for row in found["information"]})
    lines += _table("players", "agent", "", *(f"turn {turn}" for turn in turns))
    for players, agent, found in _cells(figures):
        for what in ("hands", "tables"):
            by = {row["turn"]: row[f"log10 {what}"] for row in found["information"]}
            lines.append(_row(players, agent, what, *(number(by[turn]) if turn in by else "" for turn in turns)))
    return [*lines, ""]


def _seats(figures: Figures) -> list[str]:
    who = "who draws first in the first round" if _is_robots(figures) else "the first priority player"
    lines = ["## Seats", "", *SEATS.format(who=who).split("\n")[:-1]]
    lines += _table("players", "agent", "place", "wins", "95 %", "points", "95 %")
    for players, agent, found in _cells(figures):
        places = found["ends"].get("places", [])
        teams = 0 < len(places) < int(players)
        for place, row in enumerate(places, 1):
            name = ("the first player's team", "the other team")[place - 1] if teams else place
            wins = (percent(row["wins"]), between(row["wins interval"], 100))
            points = (f"{row['points above the mean']:+.1f}", between(row["points interval"]))
            lines.append(_row(players, agent, name, *wins, *points))
    return [*lines, ""]


def _scores(figures: Figures) -> list[str]:
    lines = ["## Scores", *_table("players", "agent", "score", "5-95 %", "sd", "winner", "margin", "5-95 %", "median")]
    lines[-1] += " --- | --- |"
    lines[-2] += " shared | cut short |"
    solo = []
    for players, agent, found in _cells(figures):
        ends = found["ends"]
        if "wins" in ends:
            won = f"{percent(ends['wins'])} ({between(ends['wins interval'], 100)})"
            theirs = number(ends["opponent's scores"]["mean"])
            solo.append(
                f"Alone, `{agent}` beats the Auto-Ecomechanic in {won} of its games; that scores {theirs} on average."
            )
            continue
        score = (*_spread(ends["scores"]), number(ends["scores"]["sd"]), number(ends["winner's scores"]["mean"]))
        margin = (*_spread(ends["margins"]), number(ends["margins"]["50 %"]))
        cut = percent(ends["cut short"] / ends["games"])
        lines.append(_row(players, agent, *score, *margin, percent(ends["shared"]), cut))
    if "4" in figures["players"] and not _is_robots(figures):
        solo.append("Of four players a score is that of a team, its lower player's.")
    return [*lines, *(["", *solo] if solo else []), ""]


def _winning(figures: Figures) -> list[str]:
    unit = "round" if _is_robots(figures) else "game"
    count = "Here a winner is who scores most in a round." if _is_robots(figures) else ""
    lines = ["## What goes with winning", "", *WINNING.format(unit=unit, count=count).rstrip().split("\n")]
    for players, agents in figures["players"].items():
        units = ", ".join(
            f"{found['contributions']['units']:,} {unit}s of `{agent}`" for agent, found in agents.items()
        )
        lines += ["", f"### {_players(players)}", "", f"From {units}."]
        lines += _table("", "agent", "winners", "others", "difference", "95 %", "odds", "95 %")
        for name in next(iter(agents.values()))["contributions"]["features"]:
            for agent, found in agents.items():
                row = found["contributions"]["features"][name]
                means = (number(row["winners"]), number(row["others"]), number(row["difference"]))
                odds = (number(row["odds"]), between(row["odds interval"]))
                lines.append(_row(name, agent, *means, between(row["difference interval"]), *odds))
    return [*lines, ""]


def _players(players: str) -> str:
    return "Solo" if players == "1" else f"{players} players"


def _points(figures: Figures) -> list[str]:
    agents = figures["agents"]
    what = "a round" if _is_robots(figures) else "a game"
    lines = ["## Where points come from", "", f"Mean points of {what}, of winners and of others (solo: of all games)."]
    headings = [f"{agent}, {who}" for agent in agents for who in ("winners", "others")]
    lines += _table("players", "", *headings)
    for players, found in figures["players"].items():
        for name in found[agents[0]]["points"]:
            cells = [
                number(value) if value is not None else "" for agent in agents for value in found[agent]["points"][name]
            ]
            lines.append(_row(players, name, *cells))
    return [*lines, ""]


def _cards(figures: Figures) -> list[str]:
    if _is_robots(figures):
        return []
    agent = figures["agents"][0]
    players = "2" if "2" in figures["players"] else next(iter(figures["players"]))
    found = figures["players"][players][agent]
    games = found["ends"]["games"]
    lines = [f"## Droids and houses, {_players(players).lower()}, `{agent}`", ""]
    lines += ["How often a droid is repaired, how often the side wins that has repaired or has dismantled it. Again:"]
    lines += ["association. The other numbers of players, and the other agents, are in the file of figures."]
    lines += _table("droid", "type", "repaired", "wins with it", "95 %", "wins, dismantled", "difference", "95 %")
    rows = found["droids"].items()
    for name, row in sorted(rows, key=lambda item: -(item[1].get("difference") or -2)):
        having, lacking = row["repaired"], row["dismantled"]
        wins = (percent(having.get("wins")), between(having.get("interval", [None]), 100))
        gap = row.get("difference")
        apart = ("–", "–") if gap is None else (f"{100 * gap:+.1f}", between(row["difference interval"], 100))
        share = percent(having["n"] / games)
        lines.append(_row(name, row["type"], share, *wins, percent(lacking.get("wins")), *apart))
    lines += _table("house", "in play", "built then", "wins with it", "95 %")
    for name, row in found["houses"].items():
        built = row["built"]
        wins = (percent(built.get("wins")), between(built.get("interval", [None]), 100))
        lines.append(_row(name, row["games"], percent(built["n"] / row["games"]), *wins))
    return [*lines, ""]


# ------------------------------------------------------------------------------------------------ the picture


def picture(figures: Figures) -> bytes:
    """Four small plots as PNG; the same bytes for the same figures and the same version of matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6.4), dpi=70, layout="constrained")
    FigureCanvasAgg(figure)
    (choices, scores), (seats, hidden) = figure.subplots(2, 2)
    colours = [f"C{i}" for i in range(6)]
    styles = ["-", "--", ":", "-."]
    for k, (players, agents) in enumerate(figures["players"].items()):
        for style, (agent, found) in zip(styles, agents.items(), strict=False):
            course = found["choices"]["course"]
            label = f"{players}, {agent}"
            at = [(i + 0.5) / len(course) for i in range(len(course))]
            choices.plot(at, course, style, color=colours[k], label=label)
            bins = found["ends"]["histogram"]
            total = sum(bins["counts"])
            middles = [bins["from"] + (i + 0.5) * bins["width"] for i in range(len(bins["counts"]))]
            heights = [count / total / bins["width"] for count in bins["counts"]]
            scores.plot(middles, heights, style, color=colours[k])
            information = found["information"] or []
            if style == styles[0] and information:
                turns = [row["turn"] for row in information]
                key = "log10 orders" if "log10 orders" in information[0] else "log10 tables"
                hidden.plot(turns, [row[key] for row in information], ".-", color=colours[k], label=players)
        best = next(iter(agents.values()))
        for place, row in enumerate(best["ends"].get("places", []), 1):
            low, high = (100 * end for end in row["wins interval"])
            x = k + 0.15 * (place - 1)
            seats.plot([x, x], [low, high], color=colours[k])
            seats.plot([x], [100 * row["wins"]], "o", color=colours[k], markersize=4)
    names = list(figures["players"])
    choices.set(title="Choices in the course of a game", xlabel="part of the game", ylabel="legal actions, mean")
    choices.legend(fontsize=7, ncols=2, title="players, agent", title_fontsize=7)
    scores.set(title="Scores", xlabel="points", yticks=[])
    seats.set(title=f"Wins by place, {figures['agents'][0]}", xlabel="players", ylabel="% of wins")
    seats.set_xticks(range(len(names)), names)
    hidden.set(title="Hidden deals that fit what is known", xlabel="turn", ylabel="power of ten")
    hidden.legend(fontsize=7, title="players", title_fontsize=7)
    out = io.BytesIO()
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()

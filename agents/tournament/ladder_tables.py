"""The tables of a ladder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .tables import Sheet, between, percent

if TYPE_CHECKING:
    from .ladder import Gap, Ladder, Mean


def sheets(ladder: Ladder) -> list[Sheet]:
    """All of them: the order, what was played, who beats whom, and the seats."""
    if ladder.num_players == 1:
        return [order(ladder), results(ladder)]
    return [order(ladder), results(ladder), head_to_head(ladder), seats(ladder)]


def header(ladder: Ladder) -> str:
    """What was played, in a line."""
    players = "solo" if ladder.num_players == 1 else f"{ladder.num_players} players"
    settings = "".join(f", {name}={value}" for name, value in ladder.settings.items())
    missing = f"; {ladder.missing:,} games are missing" if ladder.missing else ""
    if ladder.waiting:
        missing += f", among them all of {', '.join(ladder.waiting)}"
    return (
        f"{ladder.title}, {players}{settings}: {ladder.games:,} games on {ladder.deals:,} deals, seed {ladder.seed}"
        f"{missing}"
    )


def order(ladder: Ladder, title: str | None = None) -> Sheet:
    """Who is above whom, by how much, and whether that is more than chance."""
    title = header(ladder) if title is None else title
    rows = []
    for place, one in enumerate(ladder.standings, start=1):
        row = [str(place), one.agent]
        if one.rating is None or one.openskill is None:
            row += [*_share(one.win_rate), *_gap(one.next, 100, 1)]
        else:
            mean, deviation = one.openskill
            row += [f"{one.rating.value:,.0f}", between(one.rating.interval, digits=0), *_gap(one.next, 1, 0)]
            row.append(f"{mean:.1f} ± {deviation:.1f}")
        rows.append(row)
    if ladder.num_players == 1:
        return Sheet(title, ["", "agent", "beats Auto", "95 %", "above next, %", "95 %", "apart"], rows, 2)
    return Sheet(title, ["", "agent", "rating", "95 %", "above next", "95 %", "apart", "openskill"], rows, 2)


def results(ladder: Ladder) -> Sheet:
    """Wins, scores, draws and lengths."""
    score = "team score" if len(ladder.sides) < ladder.num_players else "mean score"
    alone = ladder.num_players == 1
    rows = []
    for one in ladder.standings:
        row = [
            one.agent,
            f"{one.games:,}",
            *_share(one.win_rate),
            f"{one.score.value:.1f}",
            between(one.score.interval),
        ]
        if one.opponent_score is not None:
            row += [f"{one.opponent_score.value:.1f}", between(one.opponent_score.interval)]
        else:
            row.append(percent(one.draws))
        rows.append([*row, f"{one.decisions:.1f}"])
    rest = ["Auto's score", "95 %"] if alone else ["draws"]
    wins = "beats Auto" if alone else "win rate"
    title = f"Results: a game has {ladder.decisions:.1f} decisions" + (
        "" if alone else f", {percent(ladder.draws)} are draws"
    )
    return Sheet(title, ["agent", "games", wins, "95 %", score, "95 %", *rest, "decisions"], rows)


def head_to_head(ladder: Ladder) -> Sheet:
    """Who finishes ahead of whom, how often."""
    names = [one.agent for one in ladder.standings]
    rows = [
        [
            name,
            *("" if cell is None else f"{100 * cell.value:.0f} ({between(cell.interval, 100, 0)})" for cell in cells),
        ]
        for name, cells in zip(names, ladder.ahead, strict=True)
    ]
    return Sheet("Finishes ahead of, in % of their games (95 %)", ["agent", *names], rows)


def seats(ladder: Ladder) -> Sheet:
    """Win rates by seat or team."""
    teams = len(ladder.sides) < ladder.num_players
    columns = [f"seats {', '.join(map(str, side))}" if teams else f"seat {side[0]}" for side in ladder.sides]
    rows = [
        [one.agent, *("" if share is None else percent(share) for share in one.by_side)] for one in ladder.standings
    ]
    return Sheet(
        "Win rate by " + ("team" if teams else "seat"),
        ["agent", *columns],
        [*rows, ["everybody", *map(percent, ladder.side_win_rates)]],
    )


def _share(mean: Mean) -> list[str]:
    return [percent(mean.value), between(mean.interval, 100)]


def _gap(gap: Gap | None, times: float, digits: int) -> list[str]:
    if gap is None:
        return ["", "", ""]
    value = f"{times * gap.value:,.{digits}f}"
    return [value, between(gap.interval, times, digits), "yes" if gap.apart else "no"]

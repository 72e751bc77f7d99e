"""The command line: ``python -m agents list``, ``tournament``, ``play``, ``report``."""

from __future__ import annotations

import json
from typing import Annotated

try:
    import typer
    from rich import box
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Table
except ImportError as error:
    raise SystemExit(f"{error}: the command line needs pip install 'tabletop-droids[agents]'") from None

from tabletop.policies import GAMES, agents_for

from .arena import find_arena
from .match import PolicyError
from .play.command import play
from .report.command import command as report
from .settings import setting as read_setting
from .tournament import Tournament, run_tournament

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, help=__doc__)


@app.command("list")
def list_agents(
    game: Annotated[str | None, typer.Argument(help="all games if left out")] = None,
) -> None:
    """List the games and the agents that play them."""
    console = Console()
    for name in GAMES if game is None else [game]:
        try:
            arena = find_arena(name)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="GAME") from error
        known = agents_for(name).values()
        shown = [" or ".join((agent.name, *agent.aliases)) for agent in known]
        width = max(map(len, shown))
        console.print(f"{name}: {arena.title}, players: {', '.join(map(str, arena.players))}", highlight=False)
        for agent, names in zip(known, shown, strict=True):
            console.print(f"  {names:{width}}  {agent.summary}", highlight=False, markup=False, soft_wrap=True)


@app.command()
def tournament(
    game: Annotated[str, typer.Argument(help=f"one of {', '.join(GAMES)}")],
    players: Annotated[int, typer.Option(help="at the table; 1 plays Last Droid solo")] = 2,
    agents: Annotated[
        str | None, typer.Option(help="names, or FILE.py:NAME, with commas between them; all if left out")
    ] = None,
    games: Annotated[int, typer.Option(help="of each line-up, rounded up to whole rotations of the seats")] = 500,
    seed: Annotated[int, typer.Option(help="of all deals and all agents' chances")] = 0,
    setting: Annotated[list[str] | None, typer.Option(help="of the game, as NAME=VALUE; may be repeated")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Let agents play each other in every seat and print wins, scores and 95 % intervals."""
    screen = Console(stderr=True)
    try:
        settings = dict(map(read_setting, setting or []))
        find_arena(game)
        named = agents_for(game) if agents is None else agents.split(",")
        names = [name.strip() for name in named if name.strip()]
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
            task = bar.add_task("games", total=None)
            result = run_tournament(
                game,
                names,
                players,
                games=games,
                seed=seed,
                settings=settings,
                progress=lambda played, total: bar.update(task, completed=played, total=total),
            )
    except PolicyError as error:
        screen.print(str(error), markup=False, highlight=False)
        raise typer.Exit(1) from error
    except (ValueError, TypeError, OSError) as error:
        raise typer.BadParameter(str(error)) from error
    if as_json:
        print(json.dumps(result.to_dict(), indent=2))
    else:
        _print_table(result)


def _print_table(result: Tournament) -> None:
    console = Console()
    if not console.is_terminal:
        print(result.table())
        return
    table = Table(title=result.header(), title_justify="left", title_style="", box=box.SIMPLE_HEAD, pad_edge=False)
    for i, heading in enumerate(result.columns()):
        table.add_column(heading, justify="left" if i == 0 else "right", no_wrap=True)
    for row in result.cells():
        table.add_row(*row)
    console.print(table)


app.command()(play)
app.command("report")(report)


if __name__ == "__main__":
    app(prog_name="python -m agents")

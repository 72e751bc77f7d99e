"""The command line: ``python -m agents --help`` names what it can do."""

from __future__ import annotations

from typing import Annotated

try:
    import typer
    from rich.console import Console
except ImportError as error:
    raise SystemExit(f"{error}: the command line needs pip install 'tabletop-droids[agents]'") from None

from tabletop.policies import GAMES, agents_for

from .arena import find_arena
from .compiling import command as compile_everything
from .play.command import play
from .report.command import command as report
from .tournament.command import ladder, leaderboard, tournament
from .train.command import export, train

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


for _command in (tournament, ladder, leaderboard, play, train, export):
    app.command()(_command)
app.command("report")(report)
app.command("compile")(compile_everything)

if __name__ == "__main__":
    app(prog_name="python -m agents")

"""``python -m agents report``: figures about the games, as text, as JSON, or as pages of docs/."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tabletop.policies import GAMES as GAME_NAMES
from tabletop.policies import PolicyError

from ..settings import setting
from .collect import AGENTS, GAMES, report
from .figures import Figures
from .page import markdown, picture

DOCS = Path(__file__).resolve().parents[2] / "docs"


def command(
    game: Annotated[str | None, typer.Argument(help=f"one of {', '.join(GAME_NAMES)}; both if left out")] = None,
    players: Annotated[str | None, typer.Option(help="numbers of players, with commas; all if left out")] = None,
    agents: Annotated[str, typer.Option(help="each plays against itself; names with commas")] = ",".join(AGENTS),
    games: Annotated[int, typer.Option(help="for each agent and number of players")] = GAMES,
    seed: Annotated[int, typer.Option(help="of all deals and all agents' chances")] = 0,
    settings: Annotated[
        list[str] | None, typer.Option("--setting", help="of the game, as NAME=VALUE; may be repeated")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object for each game")] = False,
    write: Annotated[bool, typer.Option("--write", help="write the pages of docs/: report.json, .md and .png")] = False,
) -> None:
    """Report on a game: length, choices, seats, scores, what goes with winning, hidden deals."""
    screen = Console(stderr=True)
    try:
        chosen = dict(map(setting, settings or []))
        numbers = None if players is None else _numbers(players)
        names = [name.strip() for name in agents.split(",") if name.strip()]
        if write and (numbers is not None or as_json or chosen):
            raise ValueError("--write goes without --players, --setting and --json: the pages show all")
        for name in GAME_NAMES if game is None else [game]:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
                task = bar.add_task(name, total=None)
                found = report(
                    name,
                    numbers,
                    names,
                    games=games,
                    seed=seed,
                    settings=chosen,
                    progress=lambda played, total, bar=bar, task=task: bar.update(task, completed=played, total=total),  # type: ignore[misc]
                )
            if write:
                _write(found)
                screen.print(f"docs/{name}: report.json, report.md and report.png written", highlight=False)
            elif as_json:
                print(json.dumps(found))
            else:
                print(markdown(found))
    except PolicyError as error:
        screen.print(str(error), markup=False, highlight=False)
        raise typer.Exit(1) from error
    except (ValueError, TypeError, OSError) as error:
        raise typer.BadParameter(str(error)) from error


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise ValueError(f"numbers of players are written 2,3, not {text!r}") from None


def _write(found: Figures) -> None:
    folder = DOCS / found["game"]
    if not folder.is_dir():
        raise ValueError(f"--write needs the sources of the library: there is no folder {folder}")
    try:
        image = picture(found)
    except ImportError as error:
        raise ValueError(f"{error}: --write needs pip install 'tabletop-droids[report]'") from error
    text = json.dumps(found, separators=(",", ":"))
    (folder / "report.json").write_text(text + "\n", encoding="utf-8", newline="\n")
    (folder / "report.md").write_text(markdown(found), encoding="utf-8", newline="\n")
    (folder / "report.png").write_bytes(image)

"""``python -m agents play``: a person plays, or looks through a record."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from tabletop.game import Game, as_seed, fresh_seed
from tabletop.policies import GAMES, PolicyError, find_agent
from tabletop.record import BadRecord, Replay

from ..arena import Arena, check_players, find_arena
from ..match import deals_for
from ..settings import check_settings, setting
from . import saving
from .players import PERSON, Bot, seated, seats_for
from .replaying import Viewer
from .sitting import Sitting
from .table import AtTable
from .terminal import Terminal, Terminated, told_of_the_end
from .wording import wording_for


def play(
    game: Annotated[
        str | None, typer.Argument(help=f"one of {', '.join(GAMES)}; not needed with --resume and --replay")
    ] = None,
    me: Annotated[str, typer.Option(help="the seats of persons, from 0, with commas between them")] = "0",
    agents: Annotated[
        str | None, typer.Option(help="who sits in the other seats, in their order; expert if left out")
    ] = None,
    players: Annotated[
        int | None, typer.Option(help="at the table; 1 plays Last Droid solo; persons and agents if left out")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="of the deal and all agents' chances; a new one if left out")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--setting", help="of the game, as NAME=VALUE; may be repeated")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="go on with a game that was saved")] = None,
    record: Annotated[Path | None, typer.Option(help="write a text record of the game to this file")] = None,
    replay: Annotated[Path | None, typer.Option(help="look through a text record")] = None,
    at: Annotated[int | None, typer.Option(help="with --replay: only show the table after so many decisions")] = None,
    eyes: Annotated[str, typer.Option(help="with --replay: whose hands are shown, a seat's, all or none")] = "all",
) -> None:
    """Play a game in the terminal, against agents or each other, or look through a record."""
    terminal = Terminal()
    try:
        chosen = dict(map(setting, settings or []))
        if replay is not None:
            _refuse("--replay", {"--resume": resume, "--record": record, "--agents": agents, "--seed": seed})
            _look_through(terminal, replay, game, chosen, at, eyes)
            return
        if at is not None:
            raise ValueError("--at needs --replay")
        if record is not None and not saving.at_home(record).absolute().parent.is_dir():
            raise ValueError(f"--record: there is no folder {str(record.parent)!r}")
        if resume is not None:
            _refuse("--resume", {"--agents": agents, "--players": players, "--seed": seed})
            table = _resumed(terminal, resume, game, chosen)
        else:
            if game is None:
                raise ValueError(f"which game? One of {', '.join(GAMES)}")
            table = _begun(terminal, find_arena(game), _numbers(me), _names(agents), players, seed, chosen)
        with told_of_the_end(), _recorded(table, record):
            table.run()
    except KeyboardInterrupt as stop:
        raise typer.Exit(128 + (signal.SIGTERM if isinstance(stop, Terminated) else signal.SIGINT)) from stop
    except PolicyError as error:
        terminal.say(str(error))
        raise typer.Exit(1) from error
    except (ValueError, TypeError, OSError) as error:
        raise typer.BadParameter(str(error)) from error


@contextlib.contextmanager
def _recorded(table: AtTable, file: Path | None) -> Iterator[None]:
    """However the game ends in here, its record is written to a file, if one is given."""
    if file is None:
        yield
        return
    _write(file, "a", "")  # that it cannot be written is said before the game
    try:
        yield
    finally:
        _write(file, "w", table.sitting.record())
        table.terminal.say(f"The record is in {file}: python -m agents play --replay {file}")


def _write(file: Path, mode: str, text: str) -> None:
    try:
        with saving.at_home(file).open(mode, encoding="utf-8", newline="\n") as out:
            out.write(text)
    except OSError as error:
        raise ValueError(f"--record: {file} cannot be written: {error.strerror}") from error


def _refuse(option: str, others: Mapping[str, Any]) -> None:
    given = [name for name, value in others.items() if value is not None]
    if given:
        raise ValueError(f"{option} and {given[0]} do not go together")


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise ValueError(f"--me takes seats' numbers, such as 0 or 0,2, not {text!r}") from None


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _begun(
    terminal: Terminal,
    arena: Arena,
    me: list[int],
    agents: list[str],
    players: int | None,
    seed: int | None,
    settings: Mapping[str, Any],
) -> AtTable:
    seats = seats_for(me, agents, players, arena.players)
    check_players(arena, len(seats))
    check_settings(arena, len(seats), settings)
    number = fresh_seed() >> 32 if seed is None else as_seed(seed)
    game = arena.make(len(seats), **settings)
    bots = _bots(seats, arena.name, game, deals_for(number, 1)[1][0])
    game.deal(number)
    terminal.say(f"{arena.title}, seed {number}.")
    return _table(terminal, arena, game, seats, bots)


def _bots(seats: list[str], name: str, game: Game, generators: Any) -> dict[int, Bot]:
    return {
        seat: seated(find_agent(who, name), game, int(generators[seat]))
        for seat, who in enumerate(seats)
        if who != PERSON
    }


def _table(terminal: Terminal, arena: Arena, game: Game, seats: list[str], bots: Mapping[int, Bot]) -> AtTable:
    wording = wording_for(game)
    wording.score(game, range(len(seats)))  # compiled now, not while a person waits for it
    return AtTable(arena.name, Sitting(game, wording.is_final), wording, seats, bots, terminal)


def _resumed(terminal: Terminal, file: Path, game: str | None, settings: Mapping[str, Any]) -> AtTable:
    saved = saving.read(file)
    arena = find_arena(saved.game)
    if game is not None and game != saved.game:
        raise ValueError(f"{file} holds a game of {saved.game}, not of {game}")
    found = _read(saved.record, arena, settings)
    if len(saved.seats) != found.game.num_players or PERSON not in saved.seats:
        raise saving.BadSave(f"{file}: its seats do not fit the game of {found.game.num_players} players")
    bots = _bots(saved.seats, arena.name, found.game, [0] * len(saved.seats))
    for seat, bot in bots.items():
        bot.go_on_from(saved.generators[seat])
    table = _table(terminal, arena, found.game.twin(found.start), saved.seats, bots)
    for _, action in found.actions:
        table.sitting.play(action)
    if table.game.actor < 0:
        raise ValueError(f"{file}: this game is over")
    terminal.say(f"{arena.title}, after {len(found.actions)} decisions.")
    return table


def _read(text: str, arena: Arena, settings: Mapping[str, Any]) -> Replay:
    return wording_for(arena.make(arena.players[-1])).read_record(text, settings)


def _look_through(
    terminal: Terminal, file: Path, game: str | None, settings: Mapping[str, Any], at: int | None, eyes: str
) -> None:
    try:
        text = saving.at_home(file).read_text(encoding="utf-8")
    except OSError as error:
        raise BadRecord(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadRecord(f"{file} is no record of a game: {error}") from error
    names = {find_arena(name).make(find_arena(name).players[-1]).name: name for name in GAMES}
    lines = text.split("\n")
    found = lines[1].strip().removeprefix("game ") if len(lines) > 1 else ""
    if found not in names:
        raise BadRecord(f"{file} is no record of a game: line 2 names none of {', '.join(names)}")
    if game is not None and game != names[found]:
        raise ValueError(f"{file} is a record of {names[found]}, not of {game}")
    replay = _read(text, find_arena(names[found]), settings)
    viewer = Viewer(replay, wording_for(replay.game), terminal, eyes)
    if at is None:
        viewer.run()
    else:
        viewer.go(at)
        viewer.show()

"""The page of ladders, written from results files: one for each game and number of players, ``GAME-PLAYERS.jsonl``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tabletop.policies import GAMES

from ..arena import find_arena
from . import ladder_tables as tables
from .ladder import ANCHOR, Ladder, read_ladder
from .plot import plot
from .store import Unfit, content_of, pack, packed

INTRODUCTION = """# Leaderboard

This page is written by `python -m agents leaderboard` from the results files in [{folder}]({folder});
`make leaderboard` plays what is missing in them first. [Tournaments and ladders](tournaments.md) says how deals are
paired, how ratings and intervals are made, and how an agent of yours can join.

Ratings are on Elo's scale, with `{anchor}` at 0: 100 points more are a share of 64 %, 400 points are odds of ten to
one. Brackets and columns headed "95 %" are intervals. `apart` says whether an agent is above the next by more than
chance explains: the interval of their difference, in the two columns before it, lies above 0. Ratings of different
numbers of players do not compare.
"""


def ladders(folder: Path) -> dict[str, list[Ladder]]:
    """The ladders of a folder by game, in the order of the numbers of players."""
    found = {
        game: [
            read_ladder(file)
            for players in find_arena(game).players
            if content_of(file := folder / f"{game}-{players}.jsonl")
        ]
        for game in GAMES
    }
    if not any(found.values()):
        raise Unfit(f"{folder} has no results file that is called GAME-PLAYERS.jsonl, as in {GAMES[0]}-2.jsonl")
    return {game: each for game, each in found.items() if each}


def page(found: dict[str, list[Ladder]], folder: str) -> str:
    """The page in Markdown; ``folder`` is where the results are, as seen from it."""
    return "\n".join([INTRODUCTION.format(folder=folder, anchor=ANCHOR), *_games(found, folder)])


def _games(found: dict[str, list[Ladder]], folder: str) -> Iterator[str]:
    for game, each in found.items():
        yield f"## {each[0].title}\n"
        yield f"![Ratings by number of players]({folder}/{game}.png)\n"
        for ladder in each:
            players = "Solo" if ladder.num_players == 1 else f"{ladder.num_players} players"
            file = packed(Path(f"{game}-{ladder.num_players}.jsonl"))
            yield f"### {each[0].title}: {players.lower()}\n"
            yield f"{tables.header(ladder)} ([results]({folder}/{file})).\n"
            yield tables.order(ladder, title="").markdown() + "\n"
            yield tables.results(ladder).markdown() + "\n"
            if ladder.num_players > 1:
                yield tables.head_to_head(ladder).markdown() + "\n"
                yield tables.seats(ladder).markdown() + "\n"


def write(folder: Path, file: Path) -> list[Path]:
    """Write the page and the plots beside the results, and compress those; gives back which files were written."""
    found = ladders(folder)
    file.write_text(page(found, Path(os.path.relpath(folder, file.parent)).as_posix()), encoding="utf-8", newline="\n")
    written = [file]
    for game, each in found.items():
        written.append(folder / f"{game}.png")
        plot(each, written[-1])
        results = [folder / f"{game}-{ladder.num_players}.jsonl" for ladder in each]
        written += [pack(file) for file in results if file.exists()]
    return written

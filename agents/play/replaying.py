"""A record of a game, looked through decision by decision."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from tabletop.record import Replay

from .sitting import Sitting, Step
from .table import result_in_words
from .terminal import EndOfInput, Terminal
from .wording import Wording

HELP = """\
  next         one decision on (so does Enter)
  previous     one back
  first, last  the start, the end
  jump N       to where N decisions have been made (so does the number alone)
  eyes WHOSE   see the hands of a seat (its number), of all, or of none
  score        points as the table lies, with their parts
  help CARD    explain a card
  quit         stop"""
COMMANDS = ("next", "previous", "first", "last", "jump", "eyes", "score", "help", "quit")


class Viewer:
    """Steps through a record. ``eyes``: the seats whose hidden cards are shown."""

    def __init__(self, replay: Replay, wording: Wording, terminal: Terminal, eyes: str = "all") -> None:
        self.wording = wording
        self.terminal = terminal
        game = replay.game.twin(replay.start)
        self.sitting = Sitting(game, wording.is_final)
        self.tables = [game.twin(game.record)]
        for _, action in replay.actions:
            self.sitting.play(action)
            self.tables.append(game.twin(game.record))
        self.at = 0
        self.eyes = self.seats_of(eyes)

    @property
    def length(self) -> int:
        """Decisions of the game."""
        return len(self.sitting.moves)

    def seats_of(self, text: str) -> Collection[int]:
        """``"0"``, ``"all"`` or ``"none"`` as seats; ``ValueError`` for anything else."""
        seats = range(self.tables[0].num_players)
        if text in ("all", "none"):
            return frozenset(seats if text == "all" else ())
        number = text.removeprefix("player_")
        if number not in map(str, seats):
            raise ValueError(f"eyes are those of a seat, 0 to {len(seats) - 1}, of all or of none, not {text[:20]!r}")
        return frozenset((int(number),))

    def go(self, at: int) -> None:
        """Go to where so many decisions have been made; ``ValueError`` if the game has fewer."""
        if not 0 <= at <= self.length:
            raise ValueError(f"the record has {self.length} decisions: go to one from 0 to {self.length}, not {at}")
        self.at = at

    def show(self) -> None:
        """The table, how it came to be, and what is decided next."""
        game, say = self.tables[self.at], self.terminal.say
        self.terminal.head(f"After {self.at} of {self.length} decisions")
        if self.at:
            for line in self._told(self.sitting.moves[self.at - 1].steps):
                say(line, indent=2, hanging=2)
        say()
        only = next(iter(self.eyes)) if len(self.eyes) == 1 else None
        self.terminal.show(game.to_text(only, width=self.terminal.width, choices=False))
        if len(self.eyes) > 1:
            for line in self.wording.hands(game):
                say(line, hanging=2)
        if self.at == self.length:
            say("The record ends here." if game.actor >= 0 else result_in_words(game, self.wording))
            return
        move = self.sitting.moves[self.at]
        say()
        lines = self._told(move.steps[:1])
        if lines:
            say(f"Next: {lines[0]}", hanging=2)
        elif move.seat in self.eyes:
            say(f"Next: {self.wording.names[move.seat]}: {game.action_to_string(move.action)}", hanging=2)
        else:
            say(f"Next, {self.wording.names[move.seat]} decides.")

    def _told(self, steps: Collection[Step]) -> list[str]:
        return [line for step in steps for line in self.wording.told(step, self.eyes, None)]

    def run(self) -> None:
        """Ask where to go, until the person stops or the input ends."""
        self.show()
        while True:
            try:
                text = self.terminal.ask("replay")
            except EndOfInput:
                return
            word, _, rest = text.lower().partition(" ")
            if word == "quit":
                return
            try:
                self._obey(word, rest.strip())
            except ValueError as error:
                message = str(error)
                self.terminal.say(message[:1].upper() + message[1:] + ".")

    def _obey(self, word: str, rest: str) -> None:
        if word.isdecimal():
            word, rest = "jump", word
        if word == "score":
            sheet = self.wording.score(self.tables[self.at], self.eyes)
            self.terminal.sheet(sheet.headings, sheet.rows, sheet.remarks)
            return
        if word == "help":
            for line in self.wording.card(rest, self.tables[self.at]) if rest else HELP.split("\n"):
                self.terminal.say(line, hanging=2)
            return
        if word in ("", "next", "n"):
            if self.at == self.length:
                raise ValueError("this is the last decision of the record")
            self.go(self.at + 1)
        elif word in ("previous", "back", "p", "b"):
            if self.at == 0:
                raise ValueError("this is the start of the record")
            self.go(self.at - 1)
        elif word in ("first", "last"):
            self.go(0 if word == "first" else self.length)
        elif word == "jump":
            if not rest.isdecimal() or len(rest) > 9:
                raise ValueError(f"jump takes the number of a decision from 0 to {self.length}, not {rest[:20]!r}")
            self.go(int(rest))
        elif word == "eyes":
            self.eyes = self.seats_of(rest)
        else:
            near = difflib.get_close_matches(word, COMMANDS, 1)
            hint = f"did you mean {near[0]}" if near else "help says what is"
            raise ValueError(f"{word[:20]!r} is not known here; {hint}")
        self.show()

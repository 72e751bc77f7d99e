"""A game at the terminal: whose turn it is, what a person types, what the agents do in between."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tabletop.game import Game
from tabletop.policies import PolicyError, find_agent

from .players import PERSON, Bot, seated
from .saving import FORMAT, Saved, write
from .sitting import Move, Sitting
from .terminal import EndOfInput, Terminal
from .wording import Choice, Wording

SHOWN = 12
"""Lines of what has happened that are shown at once; ``log`` shows all."""

HELP = """\
Type the number of a choice, or a part of its text that fits no other.
  undo         take your last choice back, as long as nobody has moved since
               and nothing hidden has come to light; "undo all": as far as it goes
  help CARD    explain a card, called {called}
  hint [BOT]   what an agent would do here (expert if none is named)
  table        show the table again
  score        points as the table lies, with their parts
  log [N]      what has happened so far, or its last N lines
  save FILE    keep the game; go on with --resume FILE
  quit         stop"""


class Quit(Exception):
    """A person wants to stop."""


class AtTable:
    """Persons and agents around a game. ``bots`` are the agents by seat; all other seats are persons'."""

    def __init__(
        self,
        game_name: str,
        sitting: Sitting,
        wording: Wording,
        seats: Sequence[str],
        bots: Mapping[int, Bot],
        terminal: Terminal,
    ) -> None:
        self.game_name = game_name
        self.sitting, self.game = sitting, sitting.game
        self.wording = wording
        self.seats = list(seats)
        self.bots = dict(bots)
        self.ready = {bot.name for bot in self.bots.values()}
        """The agents that have played or given a hint: they need not be compiled any more."""
        self.persons = [seat for seat, who in enumerate(seats) if who == PERSON]
        self.terminal = terminal
        self.looking: int | None = self.persons[0] if len(self.persons) == 1 else None
        """The person at the screen."""
        self.commands: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "hint": self._hint,
            "table": self._table,
            "score": self._score,
            "log": self._log,
            "save": self._save,
            "quit": self._quit,
        }

    def run(self) -> bool:
        """Play to the end, or until a person stops or the input ends; returns whether the game is over."""
        say = self.terminal.say
        others = [
            f"{self.wording.names[seat]} is {who if who != PERSON else 'a person'}"
            for seat, who in enumerate(self.seats)
            if len(self.persons) > 1 or who != PERSON
        ]
        you = f"You are {self.wording.names[self.persons[0]]}; " if len(self.persons) == 1 else ""
        say(f"{you}{', '.join(others) or 'you play alone'}. Type help for what you can type.")
        try:
            while (seat := self.game.actor) >= 0:
                if seat in self.bots:
                    self.sitting.play(self.bots[seat].choose(self.game))
                else:
                    self._turn_of(seat)
        except EndOfInput:
            say("The input has ended, and with it the game.")
            return False
        except Quit:
            say("Until next time.")
            return False
        except KeyboardInterrupt:
            say()
            say("The game has been stopped.")
            raise
        self._end()
        return True

    # ------------------------------------------------------------------------------------------- a person's turn

    def _turn_of(self, seat: int) -> None:
        """All choices of a person until somebody else decides."""
        if seat != self.looking:
            self._hand_over(seat)
        news = self._news(seat)
        if news:
            self.terminal.head("What has happened")
            if len(news) > SHOWN:
                self.terminal.say(f"(what came before, {len(news) - SHOWN} lines: type log)", indent=2)
            for line in news[-SHOWN:]:
                self.terminal.say(line, indent=2, hanging=2)
        self._table("")
        while self.game.actor == seat:
            choice = self._choose(seat)
            if choice is None:
                continue
            turn = self.wording.turn(self.game)
            move = self.sitting.play(choice.action)
            self._tell_own(seat, move)
            if self.game.actor != seat:
                return
            if any(step.seat != seat for step in move.steps) or self.wording.turn(self.game) != turn:
                self._table("")
            else:
                self.terminal.say(self.wording.brief(self.game, seat), hanging=2)

    def _tell_own(self, seat: int, move: Move) -> None:
        """What came of a person's choice, up to where somebody else moved."""
        for step in itertools.takewhile(lambda step: step.seat == seat, move.steps):
            lines = self.wording.told(step, {seat}, seat)
            forced = not step.chosen and step.before.decision_to_string() in self.wording.said_if_forced
            for i, line in enumerate(lines):
                self.terminal.say(
                    f"{line} (There was no other choice.)" if forced and not i else line, indent=2, hanging=2
                )

    def _news(self, seat: int) -> list[str]:
        since = self.sitting.since(seat)
        return [line for step in since for line in self.wording.told(step, {seat}, seat)]

    def _hand_over(self, seat: int) -> None:
        """Another person comes to the screen."""
        if self.wording.hides_hands and len(self.persons) > 1:
            self.terminal.clear()
            self.terminal.ask(f"{self.wording.names[seat]}, press Enter when only you see the screen ")
        self.looking = seat

    def _choose(self, seat: int) -> Choice | None:
        """Ask until there is a choice; None when one was taken back."""
        choices = self.wording.choices(self.game)
        self._list(choices)
        while True:
            text = self.terminal.ask(self.wording.names[seat])
            word, _, rest = text.partition(" ")
            if word.lower() == "undo":
                if self._undo(rest.strip().lower()):
                    return None
                continue
            if word.lower() in self.commands and not self._is_choice(text, choices):
                self._obey(word.lower(), rest.strip())
                continue
            found = self._matching(text, choices)
            if len(found) == 1:
                return found[0]
            self._not_one(text, found, choices)

    def _list(self, choices: Sequence[Choice]) -> None:
        self.terminal.head(self.wording.question(self.game))
        numbered = list(enumerate(choices, 1))
        groups = list(dict.fromkeys(choice.group for choice in choices))
        for group in groups:
            if group and len(choices) > 1:
                self.terminal.say(f"{group}:", indent=2)
            self.terminal.numbered([(number, choice.text) for number, choice in numbered if choice.group == group])

    def _is_choice(self, text: str, choices: Sequence[Choice]) -> bool:
        return any(text.lower() in (choice.text.lower(), self._raw(choice)) for choice in choices)

    def _raw(self, choice: Choice) -> str:
        return self.game.action_to_string(choice.action).lower()

    def _matching(self, text: str, choices: Sequence[Choice]) -> list[Choice]:
        """The choices that a number or a part of a text may mean."""
        wanted = " ".join(text.lower().split())
        if wanted.isdecimal():
            number = int(wanted) if len(wanted) < 6 else 0
            return [choices[number - 1]] if 1 <= number <= len(choices) else []
        if not wanted:
            return []
        exact = [choice for choice in choices if wanted in (choice.text.lower(), self._raw(choice))]
        parts = [choice for choice in choices if wanted in choice.text.lower() or wanted in self._raw(choice)]
        return exact if len(exact) == 1 else parts

    def _not_one(self, text: str, found: Sequence[Choice], choices: Sequence[Choice]) -> None:
        say = self.terminal.say
        if not text:
            say(f"Type a number from 1 to {len(choices)}, or help.")
        elif found:
            say(f"{text[:40]!r} fits several choices; which one?")
            self.terminal.numbered([(choices.index(choice) + 1, choice.text) for choice in found])
        elif text.isdecimal():
            say(f"There is no choice {text[:12]}: type a number from 1 to {len(choices)}.")
        else:
            words = [*self.commands, "undo"]
            near = difflib.get_close_matches(text.split()[0].lower(), words, 1)
            hint = f" Did you mean {near[0]}?" if near else " help says what else can be typed."
            say(f"No choice has {text[:40]!r} in its text: type a number from 1 to {len(choices)}, or a part.{hint}")

    # ------------------------------------------------------------------------------------------- commands

    def _obey(self, command: str, rest: str) -> None:
        """A command that was typed. Whatever goes wrong with it is told, and the game goes on."""
        try:
            self.commands[command](rest)
        except Quit:
            raise
        except (ValueError, PolicyError) as error:
            text = str(error)
            self.terminal.say(text[:1].upper() + text[1:] + ("" if text.endswith(".") else "."))
        except Exception as error:
            self.terminal.say(f"{command} did not work: {type(error).__name__}: {error}")

    def _undo(self, how_far: str) -> bool:
        possible = self.sitting.can_take_back()
        if how_far not in ("", "all"):
            self.terminal.say('"undo" takes one choice back, "undo all" as many as it can.')
        elif not possible:
            self.terminal.say(
                "There is nothing to take back: since your last choice somebody has moved, or something hidden has "
                "come to light."
                if any(move.seat == self.game.actor for move in self.sitting.moves)
                else "There is nothing to take back yet."
            )
        else:
            count = possible if how_far else 1
            self.sitting.take_back(count)
            self.terminal.say("Taken back." if count == 1 else f"{count} choices taken back.")
            self.terminal.say(self.wording.brief(self.game, self.game.actor), hanging=2)
            return True
        return False

    def _help(self, what: str) -> None:
        if not what:
            for line in HELP.format(called=self.wording.cards_are_called).split("\n"):
                self.terminal.say(line, hanging=15)
            return
        for line in self.wording.card(what, self.game):
            self.terminal.say(line, indent=2, hanging=2)

    def _hint(self, name: str) -> None:
        agent = find_agent(name or "expert", self.game_name)
        if agent.name not in self.ready:
            self.terminal.say(f"One moment: {agent.name} is made ready, a minute or so if it must be compiled.")
            self.ready.add(agent.name)
        bot = seated(agent, self.game, int(self.game.record["decisions"][0]))
        action = bot.choose(self.game.twin(self.game.record))
        choices = self.wording.choices(self.game)
        number, text = next((i, choice.text) for i, choice in enumerate(choices, 1) if choice.action == action)
        self.terminal.say(f"{bot.name} would take {number}: {text}", hanging=2)

    def _table(self, _: str) -> None:
        assert self.looking is not None
        self.terminal.say()
        self.terminal.show(self.game.to_text(self.looking, width=self.terminal.width, choices=False))

    def _score(self, _: str) -> None:
        assert self.looking is not None
        sheet = self.wording.score(self.game, {self.looking})
        self.terminal.sheet(sheet.headings, sheet.rows, sheet.remarks)

    def _log(self, how_many: str) -> None:
        assert self.looking is not None
        if how_many and not (how_many.isdecimal() and how_many.strip("0") and len(how_many) <= 9):
            self.terminal.say(f"log takes a number of lines from 1, not {how_many[:20]!r}.")
            return
        lines = [
            line
            for move in self.sitting.moves
            for step in move.steps
            for line in self.wording.told(step, {self.looking}, self.looking)
        ]
        for line in lines[-int(how_many or len(lines)) :] or ["Nothing has happened yet."]:
            self.terminal.say(line, indent=2, hanging=2)

    def _save(self, name: str) -> None:
        if not name:
            self.terminal.say("save needs the name of a file, such as: save mygame.json")
            return
        generators = [self.bots[seat].state() if seat in self.bots else None for seat in range(len(self.seats))]
        saved = Saved(FORMAT, self.game_name, self.seats, generators, self.sitting.record())
        write(Path(name), saved)
        self.terminal.say(f"Saved. Go on with: python -m agents play --resume {name}")

    def _quit(self, _: str) -> None:
        raise Quit

    # ------------------------------------------------------------------------------------------- the end

    def _end(self) -> None:
        you = self.persons[0] if len(self.persons) == 1 else None
        last = self.sitting.since(you) if you is not None else list(self.sitting.moves[-1].steps)
        self.terminal.head("What has happened")
        for line in [line for step in last for line in self.wording.told(step, set(self.persons), you)][-SHOWN:]:
            self.terminal.say(line, indent=2, hanging=2)
        self.terminal.say()
        self.terminal.show(self.game.to_text(you, width=self.terminal.width, choices=False))
        sheet = self.wording.score(self.game, set(range(len(self.wording.names))))
        self.terminal.head("The score")
        self.terminal.sheet(sheet.headings, sheet.rows, sheet.remarks)
        self.terminal.say(result_in_words(self.game, self.wording, you), style="bold")


def result_in_words(game: Game, wording: Wording, you: int | None = None) -> str:
    """Who has won a game that is over."""
    if game.truncated:
        return "The match was cut short: nobody has won."
    _, wins = game.result()
    winners = [wording.names[seat] for seat, won in enumerate(wins) if won]
    if you is None:
        return f"Won by {' and '.join(winners)}."
    if not wins[you]:
        return f"You have lost; won by {' and '.join(winners)}."
    with_you = [name for name in winners if name != wording.names[you]]
    return f"You have won{', together with ' + ' and '.join(with_you) if with_you else ''}!"

"""Reading from and writing to a person: lines that fit the window, tables, a prompt."""

from __future__ import annotations

import contextlib
import io
import signal
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDEST = 108


class EndOfInput(Exception):
    """There is nothing more to read."""


class Terminated(KeyboardInterrupt):
    """The process was told to end by SIGTERM."""


@contextlib.contextmanager
def told_of_the_end() -> Iterator[None]:
    """SIGTERM raises ``Terminated`` in here, as Ctrl-C raises ``KeyboardInterrupt``."""

    def end(*_: Any) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Terminal:
    """A window, or a pipe, which is taken to have 80 columns and no colours."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # a byte that is no text must not end the game
        self.console = Console(highlight=False, markup=False, emoji=False)
        self.width = min(self.console.width, WIDEST)

    def say(self, text: str = "", *, indent: int = 0, hanging: int = 0, style: str = "") -> None:
        """Lines of text, wrapped; later ones of a paragraph stand ``hanging`` columns further in."""
        for line in text.split("\n"):
            first, then = " " * indent, " " * (indent + hanging)
            wrapped = textwrap.wrap(
                line,
                self.width,
                initial_indent=first,
                subsequent_indent=then,
                break_on_hyphens=False,
                break_long_words=False,  # such as paths, which are to be copied
            )
            for part in wrapped or [""]:
                self.console.print(Text(part, style=style), soft_wrap=True)

    def show(self, text: str) -> None:
        """Text that is laid out already."""
        self.console.print(Text(text.rstrip("\n")), soft_wrap=True)

    def head(self, text: str) -> None:
        """A headline."""
        self.say()
        self.say(text, style="bold")

    def sheet(self, headings: Sequence[str], rows: Sequence[Sequence[str]], remarks: Sequence[str] = ()) -> None:
        """A table, numbers to the right."""
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for i, heading in enumerate(headings):
            table.add_column(heading, justify="left" if i == 0 else "right")
        for row in rows:
            table.add_row(*row)
        self.console.print(table)
        for remark in remarks:
            self.say(remark)

    def numbered(self, items: Sequence[tuple[int, str]]) -> None:
        """A list with numbers; a long one of short texts in columns."""
        widest = max(len(text) for _, text in items) + 6
        columns = max(1, self.width // (widest + 2)) if len(items) > 8 else 1
        if columns == 1:
            for number, text in items:
                self.say(f"{number:>3}  {text}", hanging=5)
            return
        height = -(-len(items) // columns)
        for row in range(height):
            cells = [f"{number:>3}  {text}".ljust(widest) for number, text in items[row::height]]
            self.show("  ".join(cells).rstrip())

    def ask(self, prompt: str) -> str:
        """A line that is typed; ``EndOfInput`` at its end."""
        self.console.print(Text(f"{prompt}> "), end="")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            self.console.print()
            raise EndOfInput
        if not sys.stdin.isatty():
            self.console.print(Text(line.strip()), soft_wrap=True)  # what a person would see while typing
        return line.strip()

    def clear(self) -> None:
        """Nothing of what stood here can be read any more."""
        if self.console.is_terminal:
            self.console.clear()
        else:
            self.show("\n" * 3 + "-" * self.width)

"""Tables, as plain text, as Markdown and for a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .intervals import Interval


@dataclass(frozen=True)
class Sheet:
    """A table of text: the first ``names`` columns stand to the left, the others to the right."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1

    def text(self) -> str:
        """In plain text."""
        table = [self.columns, *self.rows]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if i < self.names else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in table
        ]
        return "\n".join([self.title, *lines])

    def markdown(self) -> str:
        """In Markdown, the title in a line of its own."""
        rules = ["---" if i < self.names else "---:" for i in range(len(self.columns))]
        lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in (self.columns, rules)]
        lines += [f"| {' | '.join(row)} |" for row in self.rows]
        return "\n".join([*([self.title, ""] if self.title else []), *lines])

    def rich(self) -> Any:
        """As rich prints it on a terminal."""
        from rich import box
        from rich.table import Table

        table = Table(title=self.title, title_justify="left", title_style="", box=box.SIMPLE_HEAD, pad_edge=False)
        for i, heading in enumerate(self.columns):
            table.add_column(heading, justify="left" if i < self.names else "right", no_wrap=True)
        for row in self.rows:
            table.add_row(*row)
        return table


def show(sheets: Sequence[Sheet]) -> None:
    """Print tables: with lines on a terminal, plain elsewhere."""
    from rich.console import Console

    console = Console()
    if console.is_terminal:
        for sheet in sheets:
            console.print(sheet.rich())
    else:
        print("\n\n".join(sheet.text() for sheet in sheets))


def percent(share: float) -> str:
    """A share in the hundred."""
    return f"{100 * share:.1f} %"


def between(interval: Interval, times: float = 1, digits: int = 1) -> str:
    """The ends of an interval."""
    low, high = (times * end for end in interval)
    if not (math.isfinite(low) and math.isfinite(high)):
        return "?"
    return f"{low:,.{digits}f} – {high:,.{digits}f}" if digits == 0 else f"{low:.{digits}f} – {high:.{digits}f}"

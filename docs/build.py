"""Writes the generated pages of docs/: ``python docs/build.py``; ``--check`` only says which are out of date."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.lastdroid import book as lastdroid
from docs.robots import book as robots

BOOKS = (lastdroid.BOOK, robots.BOOK)


def outdated() -> dict[Path, str]:
    """The pages that are not what they would be if they were written now, as they would be."""
    return {
        book.folder / name: text
        for book in BOOKS
        for name, text in book.pages().items()
        if not _is(book.folder / name, text)
    }


def _is(file: Path, text: str) -> bool:
    return file.exists() and file.read_text(encoding="utf-8") == text


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print(f"usage: {Path(__file__).name} [--check]", file=sys.stderr)
        return 2
    pages = outdated()
    for file, text in pages.items():
        print(f"docs/{file.parent.name}/{file.name}: {'out of date' if arguments else 'written'}")
        if not arguments:
            file.write_text(text, encoding="utf-8", newline="\n")
    return 1 if arguments and pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

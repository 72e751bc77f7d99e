"""Breaks the rules on purpose, one small change at a time, and reports the changes that no test notices.

    python -m tests.mutants.run               all mutants of both games (``make mutants``)
    python -m tests.mutants.run robots --only W4

A mutant is a line of ``lastdroid.toml`` or ``robots.toml``: a file, what stands there once, and what is put in its
place. The rule tests and a few games against the reference run on a copy, uncompiled. A mutant marked ``equivalent``
changes nothing that a game can show, and says why: it must survive. The exit code is the number of surprises.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("lastdroid", "robots")
COPIED = ("tabletop", "lastdroid_env", "robots_env", "tests", "pyproject.toml")
TIMEOUT = 900


@dataclass(frozen=True)
class Mutant:
    """One change of one file of a game's package."""

    game: str
    rule: str
    file: str
    old: str
    new: str
    equivalent: str = ""

    def source(self, root: Path) -> Path:
        return root / f"{self.game}_env" / self.file


@dataclass(frozen=True)
class Outcome:
    """Which test noticed a mutant, None if none did."""

    mutant: Mutant
    noticed_by: str | None
    seconds: float

    @property
    def surprise(self) -> bool:
        return (self.noticed_by is None) == (not self.mutant.equivalent)


def load(games: Iterable[str] = GAMES) -> list[Mutant]:
    """The mutants of some games; ``ValueError`` for one whose ``old`` is not in its file exactly once."""
    mutants = []
    for game in games:
        table = tomllib.loads(Path(__file__).with_name(f"{game}.toml").read_text(encoding="utf-8"))
        for entry in table["mutant"]:
            mutant = Mutant(game, **entry)
            count = mutant.source(ROOT).read_text(encoding="utf-8").count(mutant.old)
            if count != 1:
                raise ValueError(f"{game} {mutant.rule}: {mutant.old!r} is {count} times in {mutant.file}, not once")
            mutants.append(mutant)
    return mutants


def try_out(mutant: Mutant) -> Outcome:
    """Run the tests of the mutant's game on a changed copy."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, root / name)
        source = mutant.source(root)
        source.write_text(source.read_text(encoding="utf-8").replace(mutant.old, mutant.new), encoding="utf-8")
        tests = [f"tests/{mutant.game}/rules", f"tests/{mutant.game}/test_differential.py"]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", *tests]
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "DIFFERENTIAL_GAMES": "1", "PYTHONPATH": str(root)}
        try:
            done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return Outcome(mutant, f"the tests did not end in {TIMEOUT} s", time.monotonic() - began)
    seconds = time.monotonic() - began
    if done.returncode == 0:
        return Outcome(mutant, None, seconds)
    if done.returncode != 1:
        raise RuntimeError(f"the tests could not be run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.M)
    return Outcome(mutant, failed[1] if failed else "a test that gave no name", seconds)


def main(arguments: list[str] | None = None) -> int:
    """Try all mutants out and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES), help="lastdroid, robots")
    parser.add_argument("--only", help="mutants of this rule id")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    mutants = [mutant for mutant in load(options.games) if options.only in (None, mutant.rule)]
    surprises = 0
    with ThreadPoolExecutor(options.workers) as pool:
        for outcome in pool.map(try_out, mutants):
            mutant = outcome.mutant
            surprises += outcome.surprise
            verdict = outcome.noticed_by or f"NOT NOTICED{f': {mutant.equivalent}' if mutant.equivalent else ''}"
            mark = "!!" if outcome.surprise else "  "
            print(f"{mark} {mutant.game:9} {mutant.rule:4} {outcome.seconds:5.0f} s  {verdict}", flush=True)
    print(f"{len(mutants)} mutants, {surprises} surprises")
    return surprises


if __name__ == "__main__":
    sys.exit(main())

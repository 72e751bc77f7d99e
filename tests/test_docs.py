"""The Python examples of README and docs run as they stand."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "notebooks" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLES = [
    pytest.param(code, id=f"{page.relative_to(ROOT)}-{i}")
    for page in PAGES
    for i, code in enumerate(re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M))
    if "my_cards.toml" not in code  # the reader's own file
]


CLIENTS = ("open_spiel", "pyspiel", "sb3_contrib", "supersuit", "tianshou", "torchrl")
"""Libraries of extras, which need not be installed."""


@pytest.mark.parametrize("code", EXAMPLES)
def test_example_runs(code, tmp_path):
    used = set(re.findall(r"^(?:import|from) (\w+)", code, re.M))
    if "ray" in used or "tabletop.bridges import rllib" in code:
        pytest.importorskip("ray.rllib", reason="RLlib is not installed", exc_type=ImportError)  # more than Ray's core
    for client in CLIENTS:
        if client in used and importlib.util.find_spec(client) is None:
            pytest.skip(f"{client} is not installed")
    file = tmp_path / "example.py"
    file.write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(file)], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)}: {target}"

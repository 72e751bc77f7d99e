"""A bridge without its client says what to install."""

from __future__ import annotations

import importlib
import sys

import pytest


@pytest.mark.parametrize(
    ("bridge", "client"), [("openspiel", "pyspiel"), ("rllib", "ray.rllib.algorithms.ppo"), ("tianshou", "tianshou")]
)
def test_a_bridge_names_its_extra(bridge, client, monkeypatch):
    monkeypatch.setitem(sys.modules, client, None)
    monkeypatch.delitem(sys.modules, f"tabletop.bridges.{bridge}", raising=False)
    with pytest.raises(ImportError, match=rf"not installed: pip install 'tabletop-droids\[{bridge}\]'"):
        importlib.import_module(f"tabletop.bridges.{bridge}")

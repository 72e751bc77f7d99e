"""Tests marked ``long`` guard no rule of a game and take very long: they run with ``--long`` (``make long``) only."""

from __future__ import annotations

from typing import Any


def pytest_addoption(parser: Any) -> None:
    parser.addoption("--long", action="store_true", help="run the tests marked long, and no others")


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    wanted = config.getoption("--long")
    left_out = [item for item in items if bool(item.get_closest_marker("long")) != wanted]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]

"""The records of both games: compared, hashed and saved as bytes, so no byte may be undefined."""

from __future__ import annotations

import pytest

import lastdroid_env.state
import robots_env.state


@pytest.mark.parametrize("dtype", [lastdroid_env.state.GAME, robots_env.state.GAME], ids=["lastdroid", "robots"])
def test_record_has_no_gaps(dtype):
    assert dtype.itemsize == sum(dtype[name].itemsize for name in dtype.names)

"""A sample of ``make fuzz``: spoilt inputs are refused with a message, or valid."""

from __future__ import annotations

import random

import pytest

from tests.fuzz import KINDS, Tally

SAMPLE = 600


@pytest.mark.parametrize("kind", KINDS)
def test_spoilt_inputs_are_refused_or_valid(kind):
    fuzz, share = KINDS[kind]
    tally = Tally()
    fuzz(random.Random(kind), round(SAMPLE * share), tally)
    assert not tally.faults
    assert tally.refused > tally.accepted

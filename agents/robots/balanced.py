"""A balanced player, the best of them: it weighs everything it can see, in points.

*What it values*: each card of its hand by the chance to lay it, which comes from counting: a missing card may be among
those not seen yet, on the heap, known in another hand or gone. A card that will be laid counts its points, one that
will not counts against it, the more the closer somebody else is to going out. Robots, powers kept for later and wilds
have a value of their own.

*How it decides.* It compares what it has after everything it can do: the card from the factory (the mean over all that
may come) with each take from the heap, deep ones by all that they allow; each spread and each addition by what the rest
of the hand is worth then; each discard by the rest of the hand, by what its power brings now and by what the next
player may do with it, on the table, from hand or with the heap. It ends a round for what the others are caught with,
hurries when that wins the match and waits when it would lose it. Among four players or more, of whom many could break
its spreads or add to them, it holds them back until somebody has few cards or the round has lasted long. It always
calls "Robots!".

*What it ignores*: what the others' takes and discards say about their hands, and its own turns after the next.

The values of ``BALANCED``, those of ``Style``, were found by letting it play against ``greedy`` and itself.
"""

from __future__ import annotations

import numpy as np

from tabletop.policies import policy, register

from . import reading as see
from .plan import ROOM, decide
from .style import Style

BALANCED = Style()
AMONG_MANY = Style(wait=4.0, wait_cards=2.0, wait_turns=45.0, resigned=0.36)


@register("balanced", game="robots", aliases=["expert"])
@policy
def balanced(observation, action_mask, rng):
    """Counts cards, weighs chances, gifts, powers and the score of the match: the strongest"""
    n = see.players(observation)
    if n > 3:
        return decide(observation, n, action_mask, AMONG_MANY, np.empty(ROOM))
    return decide(observation, n, action_mask, BALANCED, np.empty(ROOM))

"""The shared compiled loops (``tabletop.loops``), bound to this game's rules.

Games of a batch must share ``num_players``, which fixes the length of the observation.
"""

from __future__ import annotations

from tabletop import loops

from .encoder import encode
from .rules.flow import advance, can, make, write_mask
from .rules.hidden import redeal
from .rules.scoring import final_result, is_cut_short, write_returns
from .rules.setup import deal

LOOPS = loops.bind(
    loops.Rules(deal, can, make, advance, write_mask, encode, final_result, write_returns, is_cut_short, redeal),
    __package__,
)
play_game, look_at_game, judge_game = LOOPS.play_game, LOOPS.look_at_game, LOOPS.judge_game

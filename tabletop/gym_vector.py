"""Gymnasium's vector face: learners in a batch of games, stepped in compiled code."""

from __future__ import annotations

from typing import Any, Generic

import numpy as np
from gymnasium import spaces
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .batch import G
from .learners import Learners, LearnerTurn
from .spaces import ActionSpace

Array = NDArray[Any]


class TabletopGymVec(VectorEnv[Array, Array, Array], Generic[G]):
    """The Gymnasium environment many times over; row i is ``TabletopGym`` with the seed of row i.

    Args:
        batch: the games.
        render_mode: ``"ansi"`` (``render`` gives a text for each game) or None.

    ``infos["action_mask"]`` holds the legal actions, ``(num_envs, num_actions)`` int8. ``metadata["autoreset_mode"]``
    names the mode. In ``SAME_STEP``, the default, ``infos["final_obs"]`` (an object array, None where nothing ended)
    shows how games ended, ``infos["final_info"]`` their masks, all zero. In ``NEXT_STEP`` the mask of a row that has
    just ended is all zero, and its next action is ignored: a policy that masks with -inf must leave such rows out.
    """

    def __init__(self, batch: Learners[G], *, render_mode: str | None = None) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode must be None or 'ansi', not {render_mode!r}")
        self.batch = batch
        self.num_envs = batch.num_envs
        self.render_mode = render_mode
        self.metadata = {"render_modes": ["ansi"], "autoreset_mode": batch.autoreset_mode}
        low, high = batch.game.observation_bounds()
        self.single_observation_space = spaces.Box(low, high, dtype=np.float32)
        self.single_action_space = ActionSpace(batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start an episode in every game, or in those of ``options={"reset_mask": (num_envs,) bool}``.

        ``seed``: row i is dealt from ``seed + i``, or a seed for each of the rows dealt; None: the streams go on.
        """
        unknown = [key for key in options or {} if key != "reset_mask"]
        if unknown:
            raise ValueError(f"reset knows the option 'reset_mask', not {unknown[0]!r}")
        where = (options or {}).get("reset_mask")
        if where is not None and (np.asarray(where).dtype != np.bool_):
            raise TypeError(f"reset_mask must hold a truth value for each game, not {np.asarray(where).dtype}")
        turn = self.batch.deal(seed, where=where)
        super().reset(seed=seed if isinstance(seed, int) else None)
        return turn.observations, self._infos(turn)

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """One action of every learner, all checked before any game moves, and what the opponents do then."""
        turn = self.batch.act(actions)
        rewards = turn.rewards.astype(np.float64)
        return turn.observations, rewards, turn.terminated, turn.truncated, self._infos(turn)

    def _infos(self, turn: LearnerTurn) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        infos: dict[str, Any] = {"action_mask": turn.action_mask, "_action_mask": everywhere}
        if len(turn.ended) and self.batch.autoreset_mode.name == "SAME_STEP":
            ended = turn.terminated | turn.truncated
            shown = np.full(self.num_envs, None, object)
            for row, observation in zip(turn.ended, turn.final_observations, strict=True):
                shown[row] = observation
            last = {"action_mask": np.zeros_like(turn.action_mask), "_action_mask": ended.copy()}
            infos |= {"final_obs": shown, "_final_obs": ended, "final_info": last, "_final_info": ended.copy()}
        return infos

    def action_masks(self) -> NDArray[np.bool_]:
        """``(num_envs, num_actions)``: the legal actions, True for each, in a new array."""
        return self.batch.action_masks()

    def render(self) -> tuple[str, ...] | None:
        """The table of each game as its learner sees it."""
        if self.render_mode is None:
            return None
        return tuple(self.batch.text(row) for row in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the threads."""
        self.batch.close()

"""The Gymnasium face: one learner among built-in opponents, who move inside ``step``."""

from __future__ import annotations

import copy
from typing import Any, Generic

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .batch import G
from .game import Game, IllegalAction, as_seed, is_whole
from .learners import Learners, LearnerTurn
from .spaces import ActionSpace

Observation = NDArray[np.float32]


class TabletopGym(gymnasium.Env[Observation, np.int64], Generic[G]):
    """A game for one learner.

    Args:
        batch: a batch of one game, which is not dealt anew by itself.
        render_mode: ``"ansi"``, ``"human"`` or None.

    An observation is the float32 vector of the AEC environment, seen from the learner's seat, a new array every time.
    The legal actions are in ``info["action_mask"]`` (int8) and ``action_masks()`` (bool, as sb3-contrib asks for them);
    after the end both are all zero. ``reset(seed=s)`` deals the game that the AEC environment deals with seed ``s``.
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 1}

    def __init__(self, batch: Learners[G], *, render_mode: str | None = None) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be None, 'ansi' or 'human', not {render_mode!r}")
        self.render_mode = render_mode
        self.batch = batch
        low, high = batch.game.observation_bounds()
        self.observation_space: spaces.Space[Observation] = spaces.Box(low, high, dtype=np.float32)
        self.action_space: spaces.Space[np.int64] = ActionSpace(batch.num_actions)
        self._live = False

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.batch.table()

    @property
    def learner(self) -> int:
        """The learner's seat."""
        return int(self.batch.learners[0])

    @property
    def reward(self) -> str:
        """Which reward the learner gets."""
        return self.batch.reward

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode: from ``seed``, or going on with the stream. ``options={"state": snapshot}`` starts there.

        It begins at the learner's first decision; a game that is over before is passed over, and the next is dealt.
        ``ValueError`` for a snapshot from which the learner has nothing more to decide.
        """
        unknown = [key for key in options or {} if key != "state"]
        if unknown:
            raise ValueError(f"reset knows the option 'state', not {unknown[0]!r}")
        snapshot = (options or {}).get("state")
        number = None if seed is None else as_seed(seed)
        super().reset(seed=number)
        if snapshot is None:
            turn = self.batch.deal(number)
        else:
            turn = self.batch.go_on_from([snapshot], number)
        self._live = True
        return turn.observations[0], {"action_mask": turn.action_mask[0]}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The learner's action, then the opponents' until it is the learner's turn again or the game is over."""
        if not self._live:
            raise RuntimeError("the episode is over: call reset()")
        turn: LearnerTurn = self.batch.act(self._actions(action))
        terminated, truncated = bool(turn.terminated[0]), bool(turn.truncated[0])
        self._live = not (terminated or truncated)
        observation = turn.observations[0] if self._live else turn.final_observations[0]
        return observation, float(turn.rewards[0]), terminated, truncated, {"action_mask": turn.action_mask[0]}

    def _actions(self, action: Any) -> NDArray[np.int64]:
        if is_whole(action) or (isinstance(action, np.ndarray) and action.shape == () and action.dtype.kind in "iu"):
            number = int(action)
            if not 0 <= number < self.batch.num_actions and self.batch.illegal_action == "raise":
                raise IllegalAction(self.game.why_illegal(number))
            return np.array([min(max(number, -1), self.batch.num_actions)])
        kind, last = type(action).__name__, self.batch.num_actions - 1
        raise IllegalAction(f"an action is a whole number from 0 to {last}, not {action!r} ({kind})")

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, True for each, in a new array."""
        masks: NDArray[np.bool_] = self.batch.action_masks()[0]
        return masks

    def render(self) -> Any:
        """The table as the learner sees it, as text (``"ansi"``) or printed (``"human"``)."""
        if self.render_mode is None:
            raise ValueError("nothing to render: make the environment with render_mode='ansi' or 'human'")
        text = self.game.to_text(self.learner)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def snapshot(self) -> dict[str, Any]:
        """The game as a JSON-able dict of readable names."""
        return self.game.snapshot()

    def clone(self) -> TabletopGym[G]:
        """An independent copy that plays on identically."""
        return copy.deepcopy(self)


def register_with_gymnasium(env_id: str, entry_point: str, vector_entry_point: str) -> None:
    """Make an environment known to ``gymnasium.make(env_id)`` and ``gymnasium.make_vec``."""
    if env_id not in gymnasium.registry:
        gymnasium.register(env_id, entry_point=entry_point, vector_entry_point=vector_entry_point)

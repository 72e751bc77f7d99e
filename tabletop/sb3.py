"""Stable-Baselines3: a ``VecEnv`` over a batch of games, and saved models as agents. It needs the extra ``train``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError("the SB3 face needs Stable-Baselines3: pip install 'tabletop-droids[train]'") from error

from .learners import Learners
from .spaces import ActionSpace


class TabletopSB3(VecEnv):
    """Learners in a batch of games as SB3's algorithms, and sb3-contrib's ``MaskablePPO``, take them.

    ``step`` returns observations (float32), rewards (float32), dones and infos, all new. Games are dealt anew in the
    same step; ``infos[i]`` of a game that has ended holds ``"terminal_observation"`` and ``"TimeLimit.truncated"``.
    ``env_method("action_masks")`` gives the legal actions (bool), a row for each game.
    """

    def __init__(self, batch: Learners[Any], *, render_mode: str | None = None) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode must be None or 'ansi', not {render_mode!r}")
        if batch.autoreset_mode is not AutoresetMode.SAME_STEP:
            raise ValueError(
                "Stable-Baselines3 has games dealt anew in the same step: autoreset_mode must be 'same_step'"
            )
        self.batch = batch
        self.render_mode = render_mode
        low, high = batch.game.observation_bounds()
        super().__init__(batch.num_envs, spaces.Box(low, high, dtype=np.float32), ActionSpace(batch.num_actions))
        self._actions: Any = None

    def reset(self) -> NDArray[np.float32]:
        """Deal all games: from the seeds of ``seed``, else going on with their streams."""
        seeds = None if None in self._seeds else self._seeds
        turn = self.batch.deal(seeds)
        self.reset_infos = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return turn.observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Note the actions, ``(num_envs,)``."""
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Make the actions that ``step_async`` was given."""
        turn = self.batch.act(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row, observation in zip(turn.ended.tolist(), turn.final_observations, strict=True):
            infos[row]["terminal_observation"] = observation
            infos[row]["TimeLimit.truncated"] = bool(turn.truncated[row])
        return turn.observations, turn.rewards, turn.terminated | turn.truncated, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """``(num_envs, num_actions)``: the legal actions, True for each, in a new array."""
        return self.batch.action_masks()

    def set_opponents(self, opponents: Any) -> None:
        """Other opponents from now on, as in ``Learners.set_opponents``."""
        self.batch.set_opponents(opponents)

    def close(self) -> None:
        """Stop the threads."""
        self.batch.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the batch, the same for all rows; ``action_masks`` and ``learner`` differ by row."""
        rows = list(self._get_indices(indices))
        if attr_name == "action_masks":
            masks = self.action_masks()
            return [lambda mask=masks[row]: mask for row in rows]
        if attr_name == "learner":
            return [int(seat) for seat in self.batch.learners[rows]]
        own = ("render_mode", "observation_space", "action_space")
        value = getattr(self if attr_name in own else self.batch, attr_name)
        return [value] * len(rows)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """``render_mode`` only, and ``opponents``, for all rows at once: a batch has the same settings throughout."""
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError("the games of a batch share their settings: indices must be None")
        if attr_name == "opponents":
            self.set_opponents(value)
        elif attr_name == "render_mode":
            self.render_mode = value
        else:
            raise AttributeError(f"{attr_name!r} cannot be set: 'opponents' and 'render_mode' can")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """``action_masks``, ``snapshot`` and ``render`` of some rows."""
        rows = list(self._get_indices(indices))
        if method_name == "action_masks":
            return list(self.action_masks()[rows])
        if method_name == "snapshot":
            return [self.batch.snapshot_of(row) for row in rows]
        if method_name == "render":
            return [self.batch.text(row) for row in rows]
        raise AttributeError(f"rows have no method {method_name!r}: 'action_masks', 'snapshot' and 'render' they have")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """None is: wrap the whole."""
        return [False] * len(list(self._get_indices(indices)))

    def get_images(self) -> Sequence[Any]:
        """There are none: ``env_method("render")`` gives texts."""
        return []

    def _get_indices(self, indices: Any) -> Iterable[int]:
        rows: Iterable[int] = super()._get_indices(indices)
        return rows


class SavedPolicy:
    """A model that sb3-contrib's ``MaskablePPO`` has saved, as an agent: it does what it finds best.

    The file is unpickled: load none that you do not trust. ``ValueError`` for what is no such file, or was trained on
    observations or actions of another shape than it is asked about.
    """

    def __init__(self, file: Path) -> None:
        from sb3_contrib import MaskablePPO

        try:
            self.model = MaskablePPO.load(file, device="cpu")
        except Exception as error:
            raise ValueError(f"{file} is no saved MaskablePPO model: {type(error).__name__}: {error}") from error
        self.name = file.stem

    def act(self, observation: NDArray[np.float32], action_mask: NDArray[np.int8], rng: Any) -> int:
        """The action for one observation."""
        return int(self.act_batch(observation[None], action_mask[None])[0])

    def act_batch(self, observations: NDArray[np.float32], action_masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """An action for each row."""
        shapes = (observations.shape[1:], action_masks.shape[1])
        wanted = (self.model.observation_space.shape, int(getattr(self.model.action_space, "n", 0)))
        if shapes != wanted:
            raise ValueError(
                f"{self.name} was trained on observations {wanted[0]} and {wanted[1]} actions, not {shapes[0]} and "
                f"{shapes[1]}: another game or number of players"
            )
        actions, _ = self.model.predict(observations, action_masks=action_masks.astype(bool), deterministic=True)
        return np.asarray(actions, np.int64)

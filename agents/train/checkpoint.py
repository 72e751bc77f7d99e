"""The whole state of a run in one file, from which it goes on as if it had never stopped.

The file holds tensors, numbers and texts only, so that reading it runs no code of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from .pool import Pool, write_whole
from .tables import TrainingTables

NAME = "checkpoint.pt"


def save(file: Path, model: Any, tables: TrainingTables, pool: Pool, counters: Mapping[str, Any]) -> None:
    """Write a checkpoint; one that was there stays until the new one is complete."""
    drawn: Any = np.random.get_state(legacy=True)  # noqa: NPY002 (SB3 draws its minibatches from this generator)
    _, keys, position, has_gauss, gauss = drawn
    state = {
        "policy": model.policy.state_dict(),
        "optimizer": model.policy.optimizer.state_dict(),
        "steps": model.num_timesteps,
        "updates": model._n_updates,
        "observations": torch.from_numpy(model._last_obs),
        "starts": torch.from_numpy(np.asarray(model._last_episode_starts, np.bool_)),
        "torch_rng": torch.get_rng_state(),
        "numpy_rng": [torch.from_numpy(keys.astype(np.int64)), position, has_gauss, gauss],
        "tables": {name: _bytes(array) for name, array in _arrays(tables).items()},
        "pool": pool.state(),
        "counters": dict(counters),
    }
    write_whole(file, lambda part: torch.save(state, part))


def restore(file: Path, model: Any, tables: TrainingTables | None = None, pool: Pool | None = None) -> dict[str, Any]:
    """Put everything back as it was, or without tables and pool the learner alone; returns the counters.

    ``ValueError`` for a file that does not fit the run.
    """
    try:
        state = torch.load(file, map_location="cpu", weights_only=True)
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        if tables is not None and pool is not None:
            pool.restore(state["pool"])
            if tables.num_players > 1:
                tables.set_opponents(pool.mixture())
            for name, array in _arrays(tables).items():
                array[...] = state["tables"][name].numpy().view(array.dtype).reshape(array.shape)
    except (KeyError, RuntimeError, ValueError, OSError, EOFError, TypeError, AttributeError, UnpicklingError) as error:
        raise ValueError(f"{file} is no checkpoint of this run: {error}") from error
    model.num_timesteps, model._n_updates = state["steps"], state["updates"]
    model._last_obs, model._last_episode_starts = state["observations"].numpy(), state["starts"].numpy()
    torch.set_rng_state(state["torch_rng"])
    keys, position, has_gauss, gauss = state["numpy_rng"]
    np.random.set_state(("MT19937", keys.numpy().astype(np.uint32), position, has_gauss, gauss))  # noqa: NPY002
    return dict(state["counters"])


def _arrays(tables: TrainingTables) -> dict[str, NDArray[Any]]:
    """All that a batch knows of its games is arrays."""
    return {name: value for name, value in vars(tables).items() if isinstance(value, np.ndarray)}


def _bytes(array: NDArray[Any]) -> torch.Tensor:
    return torch.from_numpy(np.frombuffer(np.ascontiguousarray(array).tobytes(), np.uint8).copy())

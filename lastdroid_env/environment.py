"""The environment's makers, one for each face, and their registration."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tabletop.aec import TabletopEnv, register
from tabletop.gym_vector import TabletopGymVec
from tabletop.learners import Learners
from tabletop.record import Replay
from tabletop.record import replay as replay_record
from tabletop.single import TabletopGym, register_with_gymnasium
from tabletop.vector import TabletopVecEnv

from .cards import CardTables, load_cards
from .game import LastDroid

if TYPE_CHECKING:
    from tabletop.sb3 import TabletopSB3


class LastDroidEnv(TabletopEnv[LastDroid]):
    """Last Droid as a PettingZoo AEC environment: see ``env`` for its arguments, ``TabletopEnv`` for its methods."""


def env(
    num_players: int = 2,
    *,
    reward: str = "win",
    illegal_action: str = "raise",
    max_cycles: int | None = None,
    flat: bool = False,
    render_mode: str | None = None,
    **settings: Any,
) -> LastDroidEnv:
    """A Last Droid environment.

    ``settings`` are those of ``LastDroid`` (``cards``, ``hard``, ``table_talk``, ``open_deck``,
    ``extension_after_season_3``, ``wild_type_houses``, ``ask_forced``), the other arguments those of ``TabletopEnv``.

    No wrapper is needed around it: the order of calls, the bounds of actions and their legality are checked inside.
    """
    return LastDroidEnv(
        LastDroid(num_players, **settings),
        reward=reward,
        illegal_action=illegal_action,
        max_cycles=max_cycles,
        flat=flat,
        render_mode=render_mode,
    )


raw_env = env
"""The same: the environment checks by itself what PettingZoo's wrappers would."""


class VecEnv(TabletopVecEnv[LastDroid]):
    """A batch of Last Droid games: ``env`` tells of the settings, ``TabletopVecEnv`` of all else."""

    def __init__(
        self,
        num_envs: int,
        num_players: int = 2,
        *,
        seed: int | None = None,
        reward: str = "win",
        autoreset_mode: Any = "same_step",
        max_cycles: int | None = None,
        threads: int = 1,
        **settings: Any,
    ) -> None:
        super().__init__(
            LastDroid(num_players, **settings),
            "lastdroid",
            num_envs,
            seed=seed,
            reward=reward,
            autoreset_mode=autoreset_mode,
            max_cycles=max_cycles,
            threads=threads,
        )


class GymEnv(TabletopGym[LastDroid]):
    """Last Droid for one learner: ``learners`` tells of the arguments, ``TabletopGym`` of its methods."""

    def __init__(self, num_players: int = 2, *, render_mode: str | None = None, **arguments: Any) -> None:
        super().__init__(learners(1, num_players, autoreset_mode="disabled", **arguments), render_mode=render_mode)


def learners(
    num_envs: int,
    num_players: int = 2,
    *,
    opponents: Any = "random",
    seat: int | str = 0,
    reward: str = "win",
    illegal_action: str = "raise",
    max_cycles: int | None = None,
    autoreset_mode: Any = "same_step",
    threads: int = 1,
    seed: int | None = None,
    **settings: Any,
) -> Learners[LastDroid]:
    """A batch of games with one learner each: ``env`` tells of the settings, ``Learners`` of all else."""
    return Learners(
        LastDroid(num_players, **settings),
        "lastdroid",
        num_envs,
        opponents=opponents,
        seat=seat,
        reward=reward,
        illegal_action=illegal_action,
        max_cycles=max_cycles,
        autoreset_mode=autoreset_mode,
        threads=threads,
        seed=seed,
    )


class GymVecEnv(TabletopGymVec[LastDroid]):
    """Last Droid as Gymnasium's ``VectorEnv``: ``learners`` tells of the arguments, ``TabletopGymVec`` of its methods.

    ``max_episode_steps``, as ``gymnasium.make_vec`` may pass it, is another name for ``max_cycles``.
    """

    def __init__(
        self,
        num_envs: int = 1,
        num_players: int = 2,
        *,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        **arguments: Any,
    ) -> None:
        if max_episode_steps is not None:
            if arguments.get("max_cycles") is not None:
                raise ValueError("max_episode_steps is another name for max_cycles: give one of the two")
            arguments["max_cycles"] = max_episode_steps
        super().__init__(learners(num_envs, num_players, **arguments), render_mode=render_mode)


def sb3_env(num_envs: int, num_players: int = 2, *, render_mode: str | None = None, **arguments: Any) -> TabletopSB3:
    """Last Droid as Stable-Baselines3's ``VecEnv``: ``learners`` tells of the arguments. Needs the extra ``train``."""
    from tabletop.sb3 import TabletopSB3

    return TabletopSB3(learners(num_envs, num_players, **arguments), render_mode=render_mode)


def replay(text: str, cards: str | os.PathLike[str] | CardTables | None = None) -> Replay:
    """Play a text record again; ``BadRecord`` names the line that is wrong.

    Games played with another card file than the built-in one need the same file here.
    """
    tables = cards if isinstance(cards, CardTables) else load_cards(cards)

    def make_game(name: str, settings: dict[str, Any]) -> LastDroid:
        if name != LastDroid.name:
            raise LookupError(f"this is a record of {name!r}, not of {LastDroid.name!r}")
        arguments = dict(settings)
        played_with = arguments.pop("cards", None)
        if played_with != tables.content_hash:
            raise ValueError(
                f"the game was played with the cards {played_with!r}, not with {tables.source} "
                f"({tables.content_hash!r}): give the card file as cards="
            )
        return LastDroid(cards=tables, **arguments)

    return replay_record(text, make_game)


register("tabletop/LastDroid-v0", "lastdroid_env:env")
register_with_gymnasium("tabletop/LastDroid-v0", "lastdroid_env:GymEnv", "lastdroid_env:GymVecEnv")

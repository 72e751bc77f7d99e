"""The environment's makers, one for each face, and their registration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabletop.aec import TabletopEnv, register
from tabletop.gym_vector import TabletopGymVec
from tabletop.learners import Learners
from tabletop.record import Replay
from tabletop.record import replay as replay_record
from tabletop.single import TabletopGym, register_with_gymnasium
from tabletop.vector import TabletopVecEnv

from .game import Robots
from .ruleset import rule_set_names

if TYPE_CHECKING:
    from tabletop.sb3 import TabletopSB3


class RobotsEnv(TabletopEnv[Robots]):
    """Robots! as a PettingZoo AEC environment: see ``env`` for its arguments, ``TabletopEnv`` for its methods."""


def env(
    num_players: int = 2,
    *,
    reward: str | None = None,
    illegal_action: str = "raise",
    max_cycles: int | None = None,
    flat: bool = False,
    render_mode: str | None = None,
    **settings: Any,
) -> RobotsEnv:
    """A Robots! environment.

    ``settings`` are those of ``Robots`` (``rules``, ``rounds``, ``ask_forced``), the other arguments those of
    ``TabletopEnv``. ``reward`` is ``"win"`` for a match if left out, ``"margin"`` for a single round (``rounds=1``):
    own points less the mean of the others'. A match that is cut short after ``max_rounds`` rounds (E6) is truncated,
    with rewards 0.

    No wrapper is needed around it: the order of calls, the bounds of actions and their legality are checked inside.
    """
    game = Robots(num_players, **settings)
    return RobotsEnv(
        game,
        reward=_default_reward(game) if reward is None else reward,
        illegal_action=illegal_action,
        max_cycles=max_cycles,
        flat=flat,
        render_mode=render_mode,
    )


raw_env = env
"""The same: the environment checks by itself what PettingZoo's wrappers would."""


def _default_reward(game: Robots) -> str:
    return "margin" if game.rounds == 1 else "win"


class VecEnv(TabletopVecEnv[Robots]):
    """A batch of Robots! games: ``env`` tells of the settings, ``TabletopVecEnv`` of all else."""

    def __init__(
        self,
        num_envs: int,
        num_players: int = 2,
        *,
        seed: int | None = None,
        reward: str | None = None,
        autoreset_mode: Any = "same_step",
        max_cycles: int | None = None,
        threads: int = 1,
        **settings: Any,
    ) -> None:
        game = Robots(num_players, **settings)
        super().__init__(
            game,
            "robots",
            num_envs,
            seed=seed,
            reward=_default_reward(game) if reward is None else reward,
            autoreset_mode=autoreset_mode,
            max_cycles=max_cycles,
            threads=threads,
        )


class GymEnv(TabletopGym[Robots]):
    """Robots! for one learner: ``learners`` tells of the arguments, ``TabletopGym`` of its methods."""

    def __init__(self, num_players: int = 2, *, render_mode: str | None = None, **arguments: Any) -> None:
        super().__init__(learners(1, num_players, autoreset_mode="disabled", **arguments), render_mode=render_mode)


def learners(
    num_envs: int,
    num_players: int = 2,
    *,
    opponents: Any = "random",
    seat: int | str = 0,
    reward: str | None = None,
    illegal_action: str = "raise",
    max_cycles: int | None = None,
    autoreset_mode: Any = "same_step",
    threads: int = 1,
    seed: int | None = None,
    **settings: Any,
) -> Learners[Robots]:
    """A batch of games with one learner each: ``env`` tells of the settings, ``Learners`` of all else."""
    game = Robots(num_players, **settings)
    return Learners(
        game,
        "robots",
        num_envs,
        opponents=opponents,
        seat=seat,
        reward=_default_reward(game) if reward is None else reward,
        illegal_action=illegal_action,
        max_cycles=max_cycles,
        autoreset_mode=autoreset_mode,
        threads=threads,
        seed=seed,
    )


class GymVecEnv(TabletopGymVec[Robots]):
    """Robots! as Gymnasium's ``VectorEnv``: ``learners`` tells of the arguments, ``TabletopGymVec`` of its methods.

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
    """Robots! as Stable-Baselines3's ``VecEnv``: ``learners`` tells of the arguments. It needs the extra ``train``."""
    from tabletop.sb3 import TabletopSB3

    return TabletopSB3(learners(num_envs, num_players, **arguments), render_mode=render_mode)


def replay(text: str) -> Replay:
    """Play a text record again; ``BadRecord`` names the line that is wrong."""

    def make_game(name: str, settings: dict[str, Any]) -> Robots:
        if name != Robots.name:
            raise LookupError(f"this is a record of {name!r}, not of {Robots.name!r}")
        if isinstance(settings.get("rules"), str) and settings["rules"] not in rule_set_names():
            raise ValueError(
                f"rules: found {settings['rules'][:60]!r}; allowed: {', '.join(rule_set_names())}, or fields"
            )
        return Robots(**settings)

    return replay_record(text, make_game)


register("tabletop/Robots-v0", "robots_env:env")
register_with_gymnasium("tabletop/Robots-v0", "robots_env:GymEnv", "robots_env:GymVecEnv")

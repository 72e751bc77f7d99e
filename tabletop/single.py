"""The Gymnasium face: one learner among built-in opponents, who move inside ``step``."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .aec import ILLEGAL_ACTIONS, ILLEGAL_REWARD
from .game import Game, IllegalAction, as_seed, check_reward, is_whole
from .policies import find_agent, is_compiled, player_of
from .spaces import ActionSpace

G = TypeVar("G", bound=Game)

Observation = NDArray[np.float32]


class TabletopGym(gymnasium.Env[Observation, np.int64], Generic[G]):
    """A game for one learner.

    Args:
        game: the game to play; ``agents_of`` is its name as agents know it.
        opponents: who plays the other seats, clockwise from the learner: a name of ``python -m agents list``,
            ``"FILE.py:NAME"`` or a policy, one for all or one for each. None alone at the table.
        seat: the learner's, 0 to ``num_players - 1``, or ``"random"``: drawn anew at each ``reset``.
        reward: the learner's at the end (0 before), as in ``TabletopEnv``.
        illegal_action: ``"raise"`` an ``IllegalAction`` that leaves the game untouched, or ``"terminate"`` the episode
            with reward -1, for clients that sample without the mask.
        max_cycles: truncate an episode after so many actions of the learner. None: never.
        render_mode: ``"ansi"``, ``"human"`` or None.

    An observation is the float32 vector of the AEC environment, seen from the learner's seat, a new array every time.
    The legal actions are in ``info["action_mask"]`` (int8) and ``action_masks()`` (bool, as sb3-contrib asks for them);
    after the end both are all zero. ``reset(seed=s)`` deals the game that the AEC environment deals with seed ``s``.
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 1}

    def __init__(
        self,
        game: G,
        agents_of: str,
        *,
        opponents: Any = "random",
        seat: int | str = 0,
        reward: str = "win",
        illegal_action: str = "raise",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if illegal_action not in ILLEGAL_ACTIONS:
            raise ValueError(f"illegal_action must be 'raise' or 'terminate', not {illegal_action!r}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be None, 'ansi' or 'human', not {render_mode!r}")
        if max_cycles is not None and not (is_whole(max_cycles) and max_cycles >= 1):
            raise ValueError(f"max_cycles must be a whole number from 1 or None, not {max_cycles!r}")
        if seat != "random" and not (is_whole(seat) and 0 <= int(seat) < game.num_players):
            raise ValueError(f"seat must be 'random' or a number from 0 to {game.num_players - 1}, not {seat!r}")
        self.game = game
        self.seat = seat
        self.reward = check_reward(reward)
        self.illegal_action = illegal_action
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.opponents = _players(opponents, game.num_players - 1, agents_of)
        low, high = game.observation_bounds()
        self.observation_space: spaces.Space[Observation] = spaces.Box(low, high, dtype=np.float32)
        self.action_space: spaces.Space[np.int64] = ActionSpace(game.num_actions)
        self.learner = 0
        self._steps = 0
        self._live = False
        self._mask = np.zeros(game.num_actions, np.int8)
        self._acts: list[Any] = []
        self._rngs: list[Any] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode: from ``seed``, or going on with the stream. ``options={"state": snapshot}`` starts there.

        It begins at the learner's first decision, unless the game ends before: then the next ``step`` shows the end,
        whatever its action.
        """
        super().reset(seed=seed)
        unknown = [key for key in options or {} if key != "state"]
        if unknown:
            raise ValueError(f"reset knows the option 'state', not {unknown[0]!r}")
        snapshot = (options or {}).get("state")
        if snapshot is not None:
            self.game.restore(snapshot)
            if seed is not None:
                self.game.record["rng"][0] = as_seed(seed)
        else:
            self.game.deal(seed if seed is not None or self.game.started else int(self.np_random.integers(2**63)))
        random_seat = self.seat == "random"
        self.learner = int(self.np_random.integers(self.game.num_players)) if random_seat else int(self.seat)
        streams = self.np_random.integers(2**64, size=len(self.opponents), dtype=np.uint64)
        self._acts, self._rngs = [], []
        for player, stream in zip(self.opponents, streams, strict=True):
            compiled = is_compiled(player)
            self._acts.append(player if compiled else player())
            self._rngs.append(np.array([stream]) if compiled else np.random.default_rng(int(stream)))
        self._steps = 0
        self._live = True
        return self._arrive(), {"action_mask": self._mask.copy()}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The learner's action, then the opponents' until it is the learner's turn again or the game is over."""
        if not self._live:
            raise RuntimeError("the episode is over: call reset()")
        if self.game.actor >= 0:
            number = _as_action(action, self.game.num_actions)
            if not 0 <= number < self.game.num_actions or self._mask[number] == 0:
                if self.illegal_action == "raise":
                    raise IllegalAction(self.game.why_illegal(number))
                return self._end(ILLEGAL_REWARD, terminated=True)
            self.game.act(number)
            self._steps += 1
            observation = self._arrive()
        else:
            observation = self.game.view(self.learner)[0]
        if self.game.actor < 0:
            cut = self.game.truncated
            return self._end(0.0 if cut else self.game.returns(self.reward)[self.learner], terminated=not cut)
        if self._steps == self.max_cycles:
            return self._end(0.0, terminated=False)
        return observation, 0.0, False, False, {"action_mask": self._mask.copy()}

    def _arrive(self) -> Observation:
        """Let the opponents move until the learner decides or the game is over; what the learner sees then."""
        game = self.game
        actor = game.actor
        while actor >= 0 and actor != self.learner:
            other = (actor - self.learner) % game.num_players - 1
            observation, mask = game.view(actor)
            actor = game.act(int(self._acts[other](observation, mask, self._rngs[other])))
        observation, self._mask = game.view(self.learner)
        return observation

    def _end(self, reward: float, *, terminated: bool) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        self._live = False
        self._mask = np.zeros(self.game.num_actions, np.int8)
        observation, _ = self.game.view(self.learner)
        return observation, reward, terminated, not terminated, {"action_mask": self._mask.copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, True for each, in a new array."""
        return self._mask.astype(np.bool_)

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


def _players(opponents: Any, seats: int, agents_of: str) -> list[Any]:
    """The policies of so many seats, by name or as they are."""
    if seats == 0:
        if opponents not in (None, (), [], "random"):
            raise ValueError(f"nobody else sits at the table: opponents must be None, not {opponents!r}")
        return []
    given = list(opponents) if isinstance(opponents, Sequence) and not isinstance(opponents, str) else [opponents]
    if len(given) == 1:
        given *= seats
    if len(given) != seats:
        raise ValueError(f"opponents must be one for all or {seats}, one for each other seat, not {len(given)}")
    return [player_of(find_agent(one, agents_of).policy if isinstance(one, str) else one) for one in given]


def _as_action(action: Any, num_actions: int) -> int:
    if is_whole(action) or (isinstance(action, np.ndarray) and action.shape == () and action.dtype.kind in "iu"):
        return int(action)
    kind = type(action).__name__
    raise IllegalAction(f"an action is a whole number from 0 to {num_actions - 1}, not {action!r} ({kind})")


def register_with_gymnasium(env_id: str, entry_point: str) -> None:
    """Make an environment known to ``gymnasium.make(env_id)``."""
    if env_id not in gymnasium.registry:
        gymnasium.register(env_id, entry_point=entry_point)

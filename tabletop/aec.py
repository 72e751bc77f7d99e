"""The AEC face: a PettingZoo environment over any ``Game``.

It gives the guarantees of PettingZoo's wrappers itself (order of calls, bounds of actions, illegal actions), so that
none need be stacked around it. One compiled call a decision writes the next player's observation and mask, which
``last()`` hands out once; every array that is handed out is a new one.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv

from .game import ILLEGAL, Game, IllegalAction, as_seed, check_reward, is_whole
from .record import Chronicle
from .spaces import ActionSpace

Observation = dict[str, NDArray[Any]]
G = TypeVar("G", bound=Game)

ILLEGAL_ACTIONS = ("raise", "terminate")
ILLEGAL_REWARD = -1.0
_AFTER_RESET = frozenset(
    (
        "agents",
        "num_agents",
        "agent_selection",
        "rewards",
        "terminations",
        "truncations",
        "infos",
        "_cumulative_rewards",
    )
)


class TabletopEnv(AECEnv[str, Any, Any], Generic[G]):
    """A game as a PettingZoo AEC environment.

    Args:
        game: the game to play.
        reward: what each agent gets at the end (0 before): ``"win"`` zero-sum, the winners share +1, the others -1,
            draws 0; ``"margin"`` own points less the mean of the others'; ``"score"`` own points.
        illegal_action: ``"raise"`` an ``IllegalAction`` that leaves the game untouched, or ``"terminate"`` the game
            with reward -1 for the offender and 0 for the others (for clients that sample without the mask).
        max_cycles: cut the game short after so many decisions: a truncation with rewards 0. None: never.
        flat: an observation is the vector alone, and the mask stands in ``info["action_mask"]``: for clients that take
            no dicts.
        render_mode: ``"ansi"`` (``render`` returns the table as text), ``"human"`` (it prints it) or None.

    An observation is ``{"observation": float32 (n,), "action_mask": int8 (num_actions,)}``; off turn and after the end
    the mask is all zero.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "is_parallelizable": False, "render_fps": 1}
    reset_options: ClassVar[tuple[str, ...]] = ("state", "options")  # PettingZoo's api_test passes the second

    def __init__(
        self,
        game: G,
        *,
        reward: str = "win",
        illegal_action: str = "raise",
        max_cycles: int | None = None,
        flat: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        if illegal_action not in ILLEGAL_ACTIONS:
            raise ValueError(f"illegal_action must be 'raise' or 'terminate', not {illegal_action!r}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be None, 'ansi' or 'human', not {render_mode!r}")
        if max_cycles is not None and not (is_whole(max_cycles) and max_cycles >= 1):
            raise ValueError(f"max_cycles must be a whole number from 1 or None, not {max_cycles!r}")
        self.game = game
        self.reward = check_reward(reward)
        self.illegal_action = illegal_action
        self.max_cycles = max_cycles
        self.flat = bool(flat)
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "name": game.name + "_v0"}
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        low, high = game.observation_bounds()
        none, all_ = np.zeros(game.num_actions, np.int8), np.ones(game.num_actions, np.int8)
        self._observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Box(low, high, dtype=np.float32)
            if flat
            else spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.float32),
                    "action_mask": spaces.Box(none, all_, dtype=np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: ActionSpace(game.num_actions) for agent in self.possible_agents}
        self.observation_spaces = dict(self._observation_spaces)
        self.action_spaces = dict(self._action_spaces)
        state_low, state_high = game.state_bounds()
        self.state_space = spaces.Box(state_low, state_high, dtype=np.float32)
        self._prepare()

    def _prepare(self) -> None:
        """Names that ``step`` reaches at once; made anew in a copy."""
        game = self.game
        self._play, self._record, self._tables = game.loops.play_game, game.record, game.tables
        self._observation_size, self._num_actions = game.observation_size, game.num_actions
        self._cap = self.max_cycles or -1
        self._upcoming: Observation | None = None

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} is there only after reset(): call reset() first")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """``Dict(observation=Box(float32), action_mask=Box(int8))``, or the first alone; the same object every time."""
        self._seat(agent)
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> ActionSpace:
        """A ``Discrete(num_actions)`` that samples quickly under a mask; the same object every time."""
        self._seat(agent)
        return self._action_spaces[agent]

    def reset(self, seed: int | np.integer[Any] | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game: from ``seed``, or without one going on with the stream of the last game.

        ``options={"state": snapshot}`` starts from a snapshot instead of a new deal; another option is refused.
        """
        if options is not None and not isinstance(options, Mapping):
            raise TypeError(f"options must be a dict or None, not {options!r}")
        unknown = [key for key in options or {} if key not in self.reset_options]
        if unknown:
            raise ValueError(f"reset knows the option 'state', not {unknown[0]!r}")
        snapshot = (options or {}).get("state")
        if snapshot is not None:
            record = self.game.record_of(snapshot)
            if seed is not None:
                record["rng"][0] = as_seed(seed)
            self._start_from(record)
        else:
            self.game.deal(seed)
            self._begin()

    def _start_from(self, record: NDArray[Any]) -> None:
        self._record[...] = record
        self.game.started = True
        self._begin()

    def _begin(self) -> None:
        self._chronicle = Chronicle(self.game)
        agents = self.possible_agents
        self.agents = agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._skip_agent_selection = None  # type: ignore[assignment]
        self._steps = 0
        self._upcoming = None
        self._live = True
        actor = self.game.actor
        if actor >= 0:
            self.agent_selection = agents[actor]
            self._tell()
        else:
            self.agent_selection = agents[0]
            self._finish()

    def step(self, action: Any) -> None:
        """Make the selected agent's action; ``None`` for an agent whose game has ended."""
        agent = self.agent_selection
        if not self._live:
            if not self.agents:
                raise RuntimeError("the game is over and every agent has been stepped with None: call reset()")
            self._was_dead_step(action)
            return
        if type(action) is not int:
            action = self._as_action(action)
        observation = np.empty(self._observation_size, np.float32)
        mask = np.empty(self._num_actions, np.int8)
        if 0 <= action < self._num_actions:
            actor = self._play(self._record, 0, self._tables, action, observation, mask)
        else:
            actor = ILLEGAL
        if actor >= 0:
            self._chronicle.actions.append(action)
            self.agent_selection = self.possible_agents[actor]
            self._upcoming = {"observation": observation, "action_mask": mask}
            if self.flat:
                self._tell()
            self._steps += 1
            if self._steps == self._cap:
                self._end([0.0] * len(self.agents), self.truncations)
        elif actor == ILLEGAL:
            self._refuse(agent, action)
        else:
            self._chronicle.actions.append(action)
            self._finish()

    def _tell(self) -> None:
        """Every agent's mask into its info, where observations are flat."""
        if self.flat:
            for seat, agent in enumerate(self.possible_agents):
                mask = np.zeros(self._num_actions, np.int8)
                if self._live and seat == self.game.actor:
                    mask = self._upcoming["action_mask"] if self._upcoming else self.game.view(seat)[1]
                self.infos[agent] = {"action_mask": mask}

    def _as_action(self, action: Any) -> int:
        if isinstance(action, np.integer | np.ndarray) and action.shape == () and action.dtype.kind in "iu":
            return int(action)
        if action is None:
            raise IllegalAction(f"{self.agent_selection} must act: None is for agents whose game has ended")
        raise IllegalAction(
            f"an action is a whole number from 0 to {self._num_actions - 1}, not {action!r} ({type(action).__name__})"
        )

    def _refuse(self, agent: str, action: int) -> None:
        if self.illegal_action == "raise":
            raise IllegalAction(f"{agent}: {self.game.why_illegal(action)}")
        self._end([ILLEGAL_REWARD if other == agent else 0.0 for other in self.possible_agents], self.terminations)

    def _finish(self) -> None:
        """The game is over by its own rules."""
        if self.game.truncated:
            self._end([0.0] * len(self.possible_agents), self.truncations)
        else:
            self._end(self.game.returns(self.reward), self.terminations)

    def _end(self, returns: list[float], flags: dict[str, bool]) -> None:
        """The game has ended: rewards, flags, and each agent to be stepped with None once."""
        self._live = False
        self._upcoming = None
        self._tell()
        for agent, value in zip(self.possible_agents, returns, strict=True):
            self.rewards[agent] = value
            self._cumulative_rewards[agent] = value
            flags[agent] = True

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last action, terminated, truncated and info of the selected agent."""
        agent = self.agent_selection
        observation: Any = None
        if observe:
            observation = self._upcoming
            if observation is None:
                observation = self._see(agent)
            else:
                self._upcoming = None
        if not self.agents:
            raise RuntimeError("the game is over and every agent has been stepped with None: call reset()")
        if self.flat and observation is not None:
            observation = observation["observation"]
        return (
            observation,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Any:
        """What an agent sees now, in new arrays."""
        seen = self._see(agent)
        return seen["observation"] if self.flat else seen

    def _see(self, agent: str) -> Observation:
        seat = self._seat(agent)
        self._require_game()
        observation, mask = self.game.view(seat)
        if not self._live:
            mask[:] = 0
        return {"observation": observation, "action_mask": mask}

    def _seat(self, agent: str) -> int:
        try:
            return self._seats[agent]
        except (KeyError, TypeError):
            raise ValueError(
                f"no agent is called {agent!r}; the agents are {', '.join(self.possible_agents)}"
            ) from None

    def state(self) -> NDArray[np.float32]:
        """The whole truth, hidden cards included, for centralised critics (``state_space``)."""
        self._require_game()
        return self.game.state()

    def render(self) -> str | None:
        """The table as the selected agent sees it, as text (``"ansi"``) or printed (``"human"``)."""
        if self.render_mode is None:
            raise ValueError("nothing to render: make the environment with render_mode='ansi' or 'human'")
        self._require_game()
        text = self.game.to_text(self._seats[self.agent_selection])
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    # Copies, states, records.

    def snapshot(self) -> dict[str, Any]:
        """The game as a JSON-able dict of readable names."""
        self._require_game()
        return self.game.snapshot()

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go on from a snapshot; a wrong one is refused by an ``ImpossibleState`` that names the field."""
        self._start_from(self.game.record_of(snapshot))

    def clone(self) -> TabletopEnv[G]:
        """An independent copy that plays on identically."""
        return copy.deepcopy(self)

    def resample(self, agent: str, rng: np.random.Generator | int) -> None:
        """Redeal, in place, all that ``agent`` cannot know, consistently with what it does know, uniformly.

        Randomness comes from ``rng``; the game's own generator, which nobody knows either, is drawn anew too. The
        record of the game starts again from here.
        """
        seat = self._seat(agent)
        self._require_game()
        seed = as_seed(rng) if not isinstance(rng, np.random.Generator) else int(rng.integers(2**63))
        self.game.redeal_hidden(seat, seed)
        self._chronicle = Chronicle(self.game)
        self._upcoming = None
        self._tell()

    def scores(self) -> dict[str, int]:
        """Points of each agent as the table lies (the final ones after the end); solo: the opponent's as ``"auto"``."""
        self._require_game()
        points, _ = self.game.result()
        names = [*self.possible_agents, "auto"]
        return {names[i]: value for i, value in enumerate(points)}

    def winners(self) -> list[str]:
        """The agents that win or share the win as the table lies; nobody, when the game was ended without a result."""
        self._require_game()
        if self.game.truncated or not (self._live or self.game.actor < 0):
            return []
        _, wins = self.game.result()
        return [agent for agent, won in zip(self.possible_agents, wins, strict=False) if won]

    def game_record(self) -> str:
        """The game so far as a text that replays exactly (``replay``)."""
        self._require_game()
        return self._chronicle.to_text(self.game)

    def action_to_string(self, action: int) -> str:
        """An action's fixed name."""
        return self.game.action_to_string(action)

    def action_from_string(self, text: str) -> int:
        """The number of an action's name; ``ValueError`` if there is none."""
        return self.game.action_from_string(text)

    def _require_game(self) -> None:
        if not self.game.started:
            raise AttributeError("there is no game yet: call reset() first")

    def __getstate__(self) -> dict[str, Any]:
        derived = ("_play", "_record", "_tables")
        return {name: value for name, value in self.__dict__.items() if name not in derived}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        upcoming = self._upcoming
        self._prepare()
        self._upcoming = upcoming

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.game.settings().items())})"


def register(env_id: str, entry_point: str) -> None:
    """Make an environment known to ``pettingzoo.make("aec", env_id)``, where PettingZoo has a registry (from 1.27)."""
    try:
        from pettingzoo import register as register_with_pettingzoo
    except ImportError:
        return
    register_with_pettingzoo("aec", env_id, entry_point)

"""What an agent is: a policy, which sees what a player may see, and a name under which it is known.

A *compiled policy* is a function ``(observation, action_mask, rng) -> action`` under ``@policy``: Numba compiles it for
one signature, so that whole games are played without leaving compiled code. ``rng`` is a ``uint64`` array of one
element for ``tabletop.rng.draw_from`` and ``tabletop.masks.sample_legal``.

A *Python policy* is any function of the same three arguments, an object with such a method ``act``, or a class of
such objects (one is made for each seat of each game, so it may remember). Its ``rng`` is a ``numpy.random.Generator``.

A *searching policy* is an object with a method ``act_in(worlds, observation, action_mask, rng)``, or a class of such;
its ``worlds`` (``tabletop.worlds.Worlds``) deal it games as its player may believe them to be.

None is ever given the state of the game.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numba.core import config
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.core.registry import CPUDispatcher
from numba.experimental.function_type import _get_jit_address
from numpy.typing import NDArray

from .jit import (
    COMPILED,
    KERNEL_PACKAGES,
    OPTIONS,
    POLICY_SIGNATURE,
    announce,
    cache_folder,
    package_sources,
    sources_hash,
)

if TYPE_CHECKING:
    from .game import Game

_T = TypeVar("_T")
_OF_FILES = "agents_of_"
"""How the modules of ``FILE.py:NAME`` are called."""


class PolicyError(RuntimeError):
    """A policy that does not compile, or chose what is no legal action; the message names it."""


class CompiledPolicy(CPUDispatcher):  # type: ignore[misc]
    """Numba's dispatcher for a policy: compiled for one signature, so that compiled loops can call it by address."""

    def __init__(self, function: Callable[..., int]) -> None:
        options = {name: value for name, value in OPTIONS.items() if name != "no_cfunc_wrapper"}
        super().__init__(function, targetoptions=options)
        self._address: int | None = None
        compile_whole = self._compiler._compile_core

        def announced(*form: Any) -> Any:
            announce()
            return compile_whole(*form)

        self._compiler._compile_core = announced

    def __reduce__(self) -> Any:
        """By its name, so that another process finds it; a function within a function only this one does."""
        function = self.py_func
        if "<locals>" in function.__qualname__:
            return super().__reduce__()
        return _named, (function.__module__, function.__code__.co_filename, function.__qualname__)

    def address(self) -> int:
        """Where its machine code begins, made if need be; what it returns is turned into ``int64``."""
        if self._address is None:
            if tuple(POLICY_SIGNATURE.args) not in self.overloads:
                self.compile(POLICY_SIGNATURE)
            self._address = int(_get_jit_address(self, POLICY_SIGNATURE))
        return self._address


def policy(function: Callable[..., Any]) -> Any:
    """Make a compiled policy of a function (or of an ``@njit`` function): decorate it with ``@policy``.

    It is compiled when first used and kept on disk. Under ``NUMBA_DISABLE_JIT=1`` it stays a Python function.
    """
    function = getattr(function, "py_func", function)
    if not COMPILED:
        function.__dict__["compiled_policy"] = True
        return function
    dispatcher = CompiledPolicy(function)
    file = Path(function.__code__.co_filename)
    folder = cache_folder() if file.exists() else None
    if folder is not None:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder / f"policies-{_surroundings(file.resolve().parent)}")
        try:
            dispatcher.enable_caching()
        finally:
            config.CACHE_DIR = before
    return dispatcher


@functools.cache
def _surroundings(folder: Path) -> str:
    """A hash of what else a policy's machine code may depend on: files beside it, the games' code and card files."""
    root = Path(__file__).resolve().parents[1]
    data = [file for package in KERNEL_PACKAGES for file in (root / package).rglob("*.toml")]
    return sources_hash(sorted([*folder.glob("*.py"), *data, *package_sources(root)]))


def is_compiled(candidate: Any) -> bool:
    """Whether this is a compiled policy: games of such alone are played in compiled code."""
    return isinstance(candidate, CompiledPolicy) or bool(getattr(candidate, "compiled_policy", False))


class Searching:
    """Makes the ``act_in`` method of a searching policy, for one seat of one game."""

    def __init__(self, candidate: Any) -> None:
        self.candidate = candidate

    def __call__(self) -> Any:
        return (self.candidate() if isinstance(self.candidate, type) else self.candidate).act_in


def player_of(candidate: Any) -> Any:
    """A policy as the match plays it: a compiled one as it is, for any other a function that makes an ``act`` function
    (a ``Searching`` one: an ``act_in`` function).

    ``TypeError`` for what is no policy.
    """
    if is_compiled(candidate):
        return candidate
    if isinstance(candidate, Dispatcher):
        return policy(candidate)
    if callable(getattr(candidate, "act_in", None)):
        return Searching(candidate)
    if isinstance(candidate, type) and callable(getattr(candidate, "act", None)):
        return lambda: candidate().act
    act = getattr(candidate, "act", None)
    if callable(act):
        return lambda: act
    if callable(candidate) and not isinstance(candidate, type):
        return lambda: candidate
    raise TypeError(
        f"a policy is a function (observation, action_mask, rng) -> action or has such a method act, not {candidate!r}"
    )


def at_table(candidate: Any, game: Game) -> Any:
    """A policy as it plays a game. One that is made for certain tables only has a method ``at_table(game)``, which
    gives the policy to play or raises a ``ValueError`` that says why it cannot."""
    made_for = getattr(candidate, "at_table", None)
    return made_for(game) if callable(made_for) else candidate


def fingerprint(candidate: Any, players: int | None = None) -> str:
    """A hash of what defines a policy, in 12 hex digits: what its method ``fingerprint(players)`` says, where what it
    does may depend on the number of players, or that of the file it is written in.

    ``OSError`` or ``TypeError`` where there is no such file.
    """
    said = getattr(candidate, "fingerprint", None)
    if callable(said):
        return str(said(players))
    function = getattr(candidate, "py_func", candidate)
    written = function if inspect.isroutine(function) or inspect.isclass(function) else type(function)
    file = inspect.getsourcefile(written)
    if file is None:
        raise TypeError(f"{candidate!r} is written in no file")
    return file_hash(Path(file))


def file_hash(file: Path) -> str:
    """A hash of a text file, in 12 hex digits."""
    return hashlib.sha256(text_of(file)).hexdigest()[:12]


def text_of(file: Path) -> bytes:
    """What a text file holds, without the line ends of the system it was checked out on."""
    return file.read_bytes().replace(b"\r\n", b"\n")


def machine_code(named: Sequence[tuple[str, Any]]) -> Any:
    """Compiled policies, with their names, as the loops take them: their addresses (int64), good for this process only.

    ``PolicyError`` names one that does not compile. Where nothing is compiled: the policies themselves.
    """
    if not COMPILED:
        return tuple(player for _, player in named)
    addresses: NDArray[np.int64] = np.empty(len(named), np.int64)
    for i, (name, player) in enumerate(named):
        try:
            addresses[i] = player.address()
        except (NumbaError, TypeError) as error:
            raise PolicyError(f"agent {name!r} cannot be compiled: {error}") from error
    return addresses


def _named(module: str, file: str, name: str) -> Any:
    """A compiled policy of a module, or of the file that an agent ``FILE.py:NAME`` came from."""
    found: Any = _module_of(Path(file)) if module.startswith(_OF_FILES) else importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


# ------------------------------------------------------------------------------------------------ the registry


class UnknownAgent(ValueError):
    """No agent is known by this name; the message lists those that are."""


@dataclass(frozen=True)
class Agent:
    """A policy with its name. ``game`` is None for one that plays any game. ``aliases`` are names it answers to too."""

    name: str
    policy: Any
    game: str | None = None
    summary: str = ""
    aliases: tuple[str, ...] = ()
    players: tuple[int, ...] | None = None
    """The numbers of players that it can play with; None: any."""


GAMES = ("lastdroid", "robots")
"""The games' names, as agents know them."""

_REGISTRY: dict[tuple[str | None, str], Agent] = {}
_REGISTRIES = [_REGISTRY]
"""The last one is what is registered in: while a file is imported for ``FILE.py:NAME``, one of its own."""
_OF_MODULES: dict[str, dict[tuple[str | None, str], Agent]] = {}
"""The registries of such files."""


def register(
    name: str, *, game: str | None = None, aliases: Sequence[str] = (), summary: str | None = None
) -> Callable[[_T], _T]:
    """Make a policy known by a name, for one game or any: ``@register("mine", game="lastdroid")``, above ``@policy``.

    ``summary`` describes it; without it the first line of its docstring does. A name can be taken once for each game.
    What a file registers is found by ``FILE.py:NAME`` alone, unless it is imported like any module.
    ``aliases`` are further names by which it is found; it is listed, and plays when all agents play, under ``name``
    alone.
    """
    words: list[Any] = [name, *aliases]
    for word in words:
        if not isinstance(word, str) or not word or any(character in word for character in ", \t\n:"):
            raise ValueError(f"an agent's name is a word without commas, colons or spaces, not {word!r}")

    def registering(candidate: _T) -> _T:
        if game is not None and game not in GAMES:
            raise ValueError(f"no game is called {game!r}; known are {', '.join(GAMES)}")
        player_of(candidate)
        registry = _REGISTRIES[-1]
        rivals = (agent for (of, _), agent in registry.items() if of == game or None in (of, game))
        taken = {word for agent in rivals for word in (agent.name, *agent.aliases)}
        for word in words:
            if word in taken:
                raise ValueError(f"there is an agent called {word!r} already" + (f" for {game}" if game else ""))
        line = summary or (candidate.__doc__ or "").strip().split("\n")[0]
        players = getattr(candidate, "players", None)
        registry[game, name] = Agent(name, candidate, game, line.rstrip("."), tuple(aliases), players)
        return candidate

    return registering


@functools.cache
def _load_agents() -> None:
    """Import the modules that installed packages name as entry points of the group ``tabletop.agents``: they register
    their agents. The library's own are found without being installed too."""
    for point in importlib.metadata.entry_points(group="tabletop.agents"):
        point.load()
    for module in ("agents.baselines", "agents.searchers", *(f"agents.{game}" for game in GAMES)):
        if importlib.util.find_spec("agents") is not None:
            importlib.import_module(module)


def _in_order(name: str) -> list[tuple[int, int, str]]:
    """Numbers in a name count as numbers: search-30 comes before search-100."""
    parts = re.split(r"(\d+)", name)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts]


def agents_for(game: str, num_players: int | None = None) -> dict[str, Agent]:
    """All agents that play a game (with so many players), by name; one made for the game goes before one for any."""
    _load_agents()
    return {
        agent.name: agent
        for wanted in (None, game)
        for (found, _), agent in sorted(_REGISTRY.items(), key=lambda item: _in_order(item[0][1]))
        if found == wanted and (num_players is None or agent.players is None or num_players in agent.players)
    }


def find_agent(name: str, game: str) -> Agent:
    """The agent of this name or alias; ``"mine.py:MyBot"``: that of a Python file; ``"mine.zip"``: a model that
    sb3-contrib's ``MaskablePPO`` has saved; ``"mine.npz"``: a network. ``UnknownAgent`` if there is none."""
    if name.endswith(".npz"):
        return _saved_network(name)
    if name.endswith(".zip"):
        return _saved_model(name)
    if ":" in name:
        return _agent_of_file(name, game)
    known = agents_for(game)
    if name in known:
        return known[name]
    for agent in known.values():
        if name in agent.aliases:
            return replace(agent, name=name)
    every = sorted([*known, *(alias for agent in known.values() for alias in agent.aliases)])
    raise UnknownAgent(f"no agent for {game} is called {name!r}; known are {', '.join(every)}")


def whole_path(name: str) -> str:
    """The name of an agent; one that begins with a path, with the whole of it, so that it holds in any folder."""
    path, colon, wanted = name.rpartition(":") if not name.endswith((".npz", ".zip")) else (name, "", "")
    return f"{Path(path).expanduser().resolve()}{colon}{wanted}" if path else name


def _saved_network(name: str) -> Agent:
    """The network of a file, by the file's name."""
    file = Path(name).expanduser()
    if not file.is_file():
        raise UnknownAgent(f"there is no file {name!r}")
    from .networks import Network, NetworkAgent

    try:
        network = Network.load(file)
    except ValueError as error:
        raise UnknownAgent(str(error)) from error
    agent = NetworkAgent(network, file.stem)
    return Agent(file.stem, agent, None, f"The network saved in {file.name}", players=(network.table["players"],))


def _saved_model(name: str) -> Agent:
    """The policy of a saved model, by the file's name."""
    file = Path(name).expanduser()
    if not file.is_file():
        raise UnknownAgent(f"there is no file {name!r}")
    try:
        from .sb3 import SavedPolicy

        return Agent(file.stem, SavedPolicy(file), None, f"The model saved in {file.name}")
    except (ImportError, ValueError) as error:
        raise UnknownAgent(f"{name!r}: {error}") from error


def _agent_of_file(name: str, game: str) -> Agent:
    """The policy that a Python file defines, or registers for the game, under the name after the last colon."""
    path, _, wanted = name.rpartition(":")
    file = Path(path).expanduser()
    if file.suffix != ".py" or not file.is_file():
        raise UnknownAgent(f"{name!r}: {path!r} is no Python file; an agent of a file is written FILE.py:NAME")
    module = _module_of(file.resolve())
    candidate = _registered_in(module.__name__, wanted, game) or getattr(module, wanted, None)
    try:
        player_of(candidate)
    except TypeError as error:
        found = f"no {wanted!r}" if candidate is None else f"{wanted!r}, but {error}"
        raise UnknownAgent(f"{path} has {found}") from None
    return Agent(f"{file.stem}.{wanted}", candidate, None, (candidate.__doc__ or "").strip().split("\n")[0])


def _registered_in(module: str, wanted: str, game: str) -> Any:
    """What the module of a file has registered for the game, or for any, under a name or alias."""
    for agent in _OF_MODULES[module].values():
        if agent.game in (game, None) and wanted in (agent.name, *agent.aliases):
            return agent.policy
    return None


def _module_of(file: Path) -> Any:
    """The module that a file makes, imported again only after it was edited; like a script it finds the modules beside
    it."""
    _load_agents()  # or they would be taken for the file's own
    return _imported(file, sources_hash([file]))


@functools.cache
def _imported(file: Path, content: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"{_OF_FILES}{file.stem}_{content}", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where Numba looks for it when it loads compiled code
    sys.path.insert(0, str(file.parent))
    _REGISTRIES.append({})
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        raise UnknownAgent(f"{file} cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(file.parent))
        _OF_MODULES[spec.name] = _REGISTRIES.pop()
    return module

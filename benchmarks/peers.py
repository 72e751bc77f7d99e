"""What is measured of others: card and board games of the libraries that are installed (the extra ``peers``)."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .faces import LOOP, RAW, aec_play
from .measure import Case

PEER = "connect_four_v3"


def cases(quick: bool) -> Iterator[Case]:
    """One case after the other; a library that is not installed has none, nor, if it is to be quick, one that takes
    long to compile."""
    for package, of_library, slow in (
        ("pygame", _pettingzoo, False),
        ("rlcard", _rlcard, False),
        ("pyspiel", _openspiel, False),
        ("pgx", _pgx, True),
    ):
        if importlib.util.find_spec(package) is not None and not (quick and slow):
            yield from of_library()


def _pettingzoo() -> Iterator[Case]:
    from pettingzoo.classic import connect_four_v3

    yield Case(PEER, "raw_env", 2, 1, RAW, aec_play(connect_four_v3.raw_env, False), peer=True)
    yield Case(PEER, "env", 2, 1, LOOP, aec_play(connect_four_v3.env, True), peer=True)


def _rlcard() -> Iterator[Case]:
    import rlcard

    env = rlcard.make("gin-rummy", config={"seed": 0})
    rng = np.random.default_rng(0)

    def step() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    yield Case("rlcard gin-rummy", "step", 2, 1, "observation and legal actions", step, peer=True)


def _openspiel() -> Iterator[Case]:
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game("gin_rummy")
    observer = make_observation(game)
    rng = np.random.default_rng(0)

    def step() -> int:
        decisions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(actions, p=chances)))
                continue
            observer.set_from(state, state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    includes = "observer into a buffer, legal actions, apply; chance nodes, not counted"
    yield Case("open_spiel gin_rummy", "State", 2, 1, includes, step, peer=True)


def _pgx() -> Iterator[Case]:
    yield from (_pgx_case(game, 4096) for game in ("sparrow_mahjong", "leduc_holdem", "connect_four"))


def _pgx_case(game: str, batch: int) -> Case:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env: Any = pgx.make(game)
    one = auto_reset(env.step, env.init)
    steps = 8

    def many(state: Any, key: Any) -> Any:
        def body(carry: Any, _: Any) -> Any:
            state, key = carry
            key, choosing, resetting = jax.random.split(key, 3)
            logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
            action = jax.random.categorical(choosing, logits, axis=-1)
            state = jax.vmap(one)(state, action, jax.random.split(resetting, batch))
            return (state, key), state.observation.sum()

        return jax.lax.scan(body, (state, key), None, length=steps)

    run: Callable[..., Any] = jax.jit(many)
    held = [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch)), jax.random.PRNGKey(1)]

    def step() -> int:
        carry, seen = run(*held)
        seen.block_until_ready()
        held[:] = carry
        return steps * batch

    step()
    includes = "observation, mask, sampling, autoreset inside jit, on the CPU"
    return Case(f"pgx {game}", "jit", env.num_players, batch, includes, step, peer=True)

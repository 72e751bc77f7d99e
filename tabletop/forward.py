"""The forward pass of a small network in compiled code: one decision at a time, from an observation and a mask.

A network is a list of steps on one array of numbers, its *memory*: element 0 is zero, then comes the observation,
then what each step writes. ``networks`` turns a network into a *plan* (int64: a header, the steps, indices) and its
weights (float32); the kernels here know nothing else of it. Zeros are passed over: most of an observation, and about
half of what follows a rectifier, are zero.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
from numba import carray, njit
from numba.core import cgutils, config, types
from numba.experimental.function_type import _get_jit_address
from numba.extending import intrinsic

from .jit import COMPILED, OPTIONS, POLICY_SIGNATURE, cache_folder, sources_hash
from .rng import draw_from

STEPS, MEMORY, SAMPLE, HIDDEN, HIDDEN_SIZE, HEAD, HEAD_BIAS, SCORES, HEADER = range(9)
"""The header of a plan: how many steps; how long the memory is; whether the action is drawn; where the vector before
the head stands, its length; where the head's weights (a line for each action) and biases begin among the weights, -1
without a head; where the indices of the actions' scores in the memory begin in the plan, -1 without."""
DENSE, GATHER, POOL, COPY = range(4)
"""Kinds of steps: lines times a matrix; chosen elements; mean and greatest over lines; a copy."""
KIND, LINES, IN, OUT, FROM, TO, WEIGHTS, BIASES, PLUS, RELU, STEP = range(11)
"""A step of a plan. ``BIASES``: 1 if each line has a bias of its own. ``PLUS``: where a vector stands that is added to
every line, -1 without."""

_FINE = 1 << 30


def run(plan, weights, observation, memory):
    """Fill the memory, from the observation on."""
    memory[0] = 0.0
    for i in range(observation.shape[0]):
        memory[1 + i] = observation[i]
    for k in range(plan[STEPS]):
        step = plan[HEADER + k * STEP : HEADER + (k + 1) * STEP]
        lines, wide, out, source, target = step[LINES], step[IN], step[OUT], step[FROM], step[TO]
        if step[KIND] == DENSE:
            matrix = step[WEIGHTS]
            for line in range(lines):
                bias = matrix + (wide + line * step[BIASES]) * out
                result = memory[target + line * out : target + (line + 1) * out]
                for j in range(out):
                    result[j] = weights[bias + j]
                if step[PLUS] >= 0:
                    for j in range(out):
                        result[j] += memory[step[PLUS] + j]
                for i in range(wide):
                    value = memory[source + line * wide + i]
                    if value != 0.0:
                        row = weights[matrix + i * out : matrix + (i + 1) * out]
                        for j in range(out):
                            result[j] += value * row[j]
                if step[RELU] == 1:
                    for j in range(out):
                        result[j] = max(result[j], np.float32(0.0))
        elif step[KIND] == GATHER:
            for i in range(lines * out):
                memory[target + i] = memory[plan[source + i]]
        elif step[KIND] == POOL:
            share = np.float32(1.0 / lines)
            for j in range(wide):
                total = np.float32(0.0)
                most = memory[source + j]
                for line in range(lines):
                    value = memory[source + line * wide + j]
                    total += value
                    most = max(most, value)
                memory[target + j] = total * share
                memory[target + wide + j] = most
        else:
            for i in range(lines * wide):
                memory[target + i] = memory[source + i]


def logit(plan, weights, memory, action):
    """What the network makes of an action."""
    value = np.float32(0.0)
    if plan[HEAD] >= 0:
        size = plan[HIDDEN_SIZE]
        row = plan[HEAD] + action * size
        for i in range(size):
            value += memory[plan[HIDDEN] + i] * weights[row + i]
        value += weights[plan[HEAD_BIAS] + action]
    if plan[SCORES] >= 0:
        value += memory[plan[plan[SCORES] + action]]
    return value


def choose(plan, weights, observation, action_mask, rng):
    """The legal action of the greatest logit, the first of equals; or one drawn by the softmax of the legal ones, as
    the greatest of the logits with Gumbel noise."""
    memory = np.empty(plan[MEMORY], np.float32)
    run(plan, weights, observation, memory)
    best = -1
    greatest = -np.inf
    for action in range(action_mask.shape[0]):
        if action_mask[action] != 0:
            value = np.float64(logit(plan, weights, memory, action))
            if plan[SAMPLE] == 1:
                value -= np.log(-np.log((draw_from(rng, _FINE) + 0.5) / _FINE))
            if best < 0 or value > greatest:
                greatest = value
                best = action
    return best


def choose_at(plan_at, plan_size, weights_at, weights_size, observation, action_mask, rng):
    """``choose`` with a plan and weights that lie at these addresses."""
    plan = carray(_pointer(plan_at), (plan_size,), np.int64)
    weights = carray(_pointer(weights_at), (weights_size,), np.float32)
    return choose(plan, weights, observation, action_mask, rng)


@intrinsic
def _pointer(typing_context: Any, address: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), code


_SIGNATURE = types.int64(types.int64, types.int64, types.int64, types.int64, *POLICY_SIGNATURE.args)


@intrinsic
def _function_at(typing_context: Any, address: Any) -> Any:
    """``choose_at`` by the address (int64) of its machine code, so that it is not compiled again for each network."""
    function = types.FunctionType(_SIGNATURE)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = cgutils.create_struct_proxy(function)(context, builder)
        pointer = context.get_value_type(types.voidptr)
        made.c_addr = pointer(None)
        made.py_addr = pointer(None)
        made.jit_addr = builder.inttoptr(arguments[0], pointer)
        return made._getvalue()

    return function(types.int64), code


if COMPILED:
    _options = {name: value for name, value in OPTIONS.items() if name not in ("no_cfunc_wrapper", "nopython")}
    run, logit, choose = (njit(**_options)(part) for part in (run, logit, choose))


@functools.cache
def _compiled() -> tuple[Any, int]:
    """``choose_at``, compiled or from the cache, and the address of its machine code."""
    dispatcher = njit(**_options)(choose_at)
    folder = cache_folder()
    if folder is not None:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder / f"forward-{sources_hash([Path(__file__)])}")
        try:
            dispatcher.enable_caching()
        finally:
            config.CACHE_DIR = before
    dispatcher.compile(_SIGNATURE)
    return dispatcher, int(_get_jit_address(dispatcher, _SIGNATURE))


def compiled_choice(plan, weights):
    """A compiled policy that chooses by a plan and weights, and the address of its machine code. It reads them where
    they lie: they must stay alive, and may be changed in place."""
    plan_at, plan_size, weights_at, weights_size = plan.ctypes.data, len(plan), weights.ctypes.data, len(weights)
    _, code_at = _compiled()

    def policy(observation, action_mask, rng):
        return _function_at(code_at)(plan_at, plan_size, weights_at, weights_size, observation, action_mask, rng)

    dispatcher = njit(**_options)(policy)
    dispatcher.compile(POLICY_SIGNATURE)
    return dispatcher, int(_get_jit_address(dispatcher, POLICY_SIGNATURE))

"""The jit switch: ``@kernel`` compiles a function with Numba, or leaves it alone under ``NUMBA_DISABLE_JIT=1``.

Three things differ from ``numba.njit(cache=True)``:

* **Fewer forms.** Signed integers, whatever their width, become ``int64`` before compiling. Numba would compile
  one form for ``int16``, one for ``int64`` and one for every literal.
* **A cache that cannot go stale.** Numba looks at the file of the compiled function only, not at the files of the
  functions and constants it uses. Here the cache lies in a folder named by a hash of all kernel modules, so that a
  change anywhere means a new folder. ``NUMBA_CACHE_DIR`` is its root when set, else the user's cache folder.
* **An announcement.** The first compilation of a process is announced on standard error
  (``TABLETOP_QUIET=1`` silences it): it takes seconds, and happens once an installed version.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import cgutils, compiler, config, types
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic

_F = TypeVar("_F", bound=Callable[..., Any])

KERNEL_PACKAGES = ("tabletop", "lastdroid_env", "robots_env")
"""Packages with compiled code; an installation need not have all of them."""
KERNEL_FOLDER = "rules"
KERNEL_MODULES = frozenset(
    (
        "jit",
        "rng",
        "masks",
        "loops",
        "tree",
        "returns",
        "bits",
        "constants",
        "state",
        "tables",
        "actions",
        "encoder",
        "rollout",
    )
)
"""Where in them it is: these files make up the cache's name."""

OPTIONS: dict[str, Any] = {"nopython": True, "error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}
_KEPT_CACHES = 8

COMPILED: bool = not config.DISABLE_JIT
"""False under ``NUMBA_DISABLE_JIT=1``: every kernel is then the plain Python function."""


def _spare_scipy() -> None:
    """Keep Numba from importing scipy.linalg, a third of the start, just to know whether it is there."""
    from numba.np import linalg

    def is_there() -> None:
        if importlib.util.find_spec("scipy") is None:
            raise ImportError("scipy 0.16+ is required for linear algebra")

    asked = linalg.ensure_blas
    linalg.ensure_blas = is_there
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = asked


if COMPILED:
    _spare_scipy()


class CompilingOften(RuntimeWarning):
    """No folder for compiled code could be written, so that every process compiles anew."""


def sources_hash(files: list[Path]) -> str:
    """Hash of source files (names and contents) and of what else decides the machine code, in 16 hex digits."""
    digest = hashlib.sha256()
    setting = (numba.__version__, np.__version__, sys.version_info[:3], config.BOUNDSCHECK, config.OPT, config.DEBUG)
    digest.update(repr((setting, sorted(OPTIONS.items()))).encode())
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.parent.name}/{file.name}:{len(content)}:".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def package_sources(root: Path) -> list[Path]:
    """All Python sources of the kernel packages below ``root``, in a fixed order."""
    return sorted(file for package in KERNEL_PACKAGES for file in (root / package).rglob("*.py"))


def kernel_sources(root: Path) -> list[Path]:
    """Those of them that compiled code is made of; a test holds that these import no others."""
    return [file for file in package_sources(root) if file.stem in KERNEL_MODULES or file.parent.name == KERNEL_FOLDER]


def cache_root() -> Path:
    """Folder that holds the caches of all versions: ``NUMBA_CACHE_DIR``, else the user's cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen) / "tabletop"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "tabletop-kernels"


@functools.cache
def cache_folder() -> Path | None:
    """This version's cache folder, made if missing; None (with a warning) if it cannot be written."""
    folder = cache_root() / sources_hash(kernel_sources(Path(__file__).resolve().parent.parent))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
        _forget_old(folder.parent)
    except OSError as error:
        import warnings

        warnings.warn(
            f"compiled code cannot be kept in {folder} ({error.strerror}): every process compiles anew. "
            "Set NUMBA_CACHE_DIR to a folder that can be written.",
            CompilingOften,
            stacklevel=2,
        )
        return None
    return folder


def _forget_old(root: Path) -> None:
    versions = sorted((f for f in root.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime, reverse=True)
    for old in versions[_KEPT_CACHES:]:
        shutil.rmtree(old, ignore_errors=True)


class _Announcement:
    """Says once a process that something is being compiled."""

    def __init__(self) -> None:
        self.said = bool(os.environ.get("TABLETOP_QUIET"))

    def __call__(self) -> None:
        if not self.said:
            self.said = True
            print("tabletop: compiling (once a version; a minute or so for each game) ...", file=sys.stderr, flush=True)


announce = _Announcement()


def _widened(kind: Any) -> Any:
    if isinstance(kind, types.Integer | types.IntegerLiteral):
        whole = kind.literal_type if isinstance(kind, types.IntegerLiteral) else kind
        return types.int64 if whole.signed else whole
    return kind


class KernelDispatcher(CPUDispatcher):
    """Numba's dispatcher for a function that only compiled code calls.

    Integer arguments are widened. Neither a wrapper for Python nor machine code of its own is made: the entry point
    that uses the function takes its LLVM code in and keeps the whole in the cache.
    """

    def __init__(self, function: Callable[..., Any], *, inline: bool) -> None:
        super().__init__(function, targetoptions=dict(OPTIONS, forceinline=True) if inline else dict(OPTIONS))
        self._compiler._compile_core = self._compile_part

    def _compile_part(self, args: Any, return_type: Any) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        _without_allocation(flags)
        flags.no_cpython_wrapper = True
        flags.no_compile = True
        library = self.targetctx.codegen().create_library(self.py_func.__qualname__)
        library.enable_object_caching()
        library._finalize_final_module = functools.partial(_keep_llvm_code, library)
        result = compiler.compile_extra(
            self.typingctx, self.targetctx, self.py_func, args, return_type, flags, {}, library=library
        )
        key = _CompiledPart()
        result.target_context.insert_user_function(key, result.fndesc, [library])
        return result._replace(entry_point=key)

    def add_overload(self, result: Any) -> None:
        self.overloads[tuple(result.signature.args)] = result

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template(
            tuple(_widened(a) for a in args), {name: _widened(a) for name, a in kws.items()}
        )


class EntryDispatcher(KernelDispatcher):
    """The dispatcher of an entry point: called from Python, kept in the cache, compilation announced."""

    def __init__(self, function: Callable[..., Any]) -> None:
        CPUDispatcher.__init__(self, function, targetoptions=dict(OPTIONS))
        self._compiler._customize_flags = _without_allocation
        compile_whole = self._compiler._compile_core

        def announced(*form: Any) -> Any:
            announce()
            return compile_whole(*form)

        self._compiler._compile_core = announced

    def add_overload(self, result: Any) -> None:
        CPUDispatcher.add_overload(self, result)


POLICY_SIGNATURE = types.int64(types.float32[::1], types.int8[::1], types.uint64[::1])
"""Of a compiled policy: ``(observation, action_mask, rng) -> action``."""


def _policy_at(typing_context: Any, address: Any) -> Any:
    """The compiled policy whose machine code is at an address (int64): ``policy_at(address)(observation, mask, rng)``.

    Numba can take functions as arguments, but looks at all arguments anew at each such call, which takes longer than
    the call itself. Where nothing is compiled, a policy stands for its own address.
    """
    policy = types.FunctionType(POLICY_SIGNATURE)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = cgutils.create_struct_proxy(policy)(context, builder)
        pointer = context.get_value_type(types.voidptr)
        made.c_addr = pointer(None)
        made.py_addr = pointer(None)
        made.jit_addr = builder.inttoptr(arguments[0], pointer)
        return made._getvalue()

    return policy(types.int64), code


policy_at: Any = intrinsic(_policy_at) if COMPILED else lambda policy: policy


class _CompiledPart:
    """Stands for a compiled form of a kernel function where Numba wants its machine code."""


def _without_allocation(flags: Any) -> Any:
    """Kernels own no memory: without Numba's runtime a slice of an array costs no reference counting."""
    flags.nrt = False
    return flags


def _keep_llvm_code(library: Any) -> None:
    """In place of the emission of machine code."""
    library._finalize_dynamic_globals()
    library._verify_declare_only_symbols()
    library._finalized = True


def kernel(function: _F | None = None, *, inline: bool = False) -> Any:
    """Compile a function for use by other kernels: ``@kernel`` or ``@kernel(inline=True)``.

    ``inline`` forces LLVM to inline it: for one-liners and the few hot functions only, since it costs compile time.
    """
    if function is None:
        return lambda f: kernel(f, inline=inline)
    return KernelDispatcher(function, inline=inline) if COMPILED else function


def entry(function: _F) -> Any:
    """Compile a function that Python calls. Each links the kernels it uses, so there should be few."""
    if not COMPILED:
        return function
    dispatcher = EntryDispatcher(function)
    folder = cache_folder()
    if folder is not None and Path(function.__code__.co_filename).exists():
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            dispatcher.enable_caching()
        finally:
            config.CACHE_DIR = before
    return dispatcher


def kernel_view(records: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Records as the kernels take them: as they are when compiled, with attribute access when not."""
    return records if COMPILED else records.view(np.recarray)

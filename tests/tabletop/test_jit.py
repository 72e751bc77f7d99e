"""The jit switch: the cache's name, its folder, the number of compiled forms."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core import config

from tabletop import jit

ROOT = Path(jit.__file__).resolve().parent.parent
FIRST_STEP = "import lastdroid_env; env = lastdroid_env.env(); env.reset(seed=1); print(env.agent_selection)"

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="nothing is compiled under NUMBA_DISABLE_JIT=1")


def run(program, root=ROOT, **environment):
    done = subprocess.run(
        [sys.executable, "-W", "default", "-c", program],
        env={**os.environ, "PYTHONPATH": str(root), "TABLETOP_QUIET": "", **environment},
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done


def copied_sources(folder):
    for package in ("tabletop", "lastdroid_env"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_any_change_of_a_source_changes_the_caches_name(tmp_path):
    root = copied_sources(tmp_path)
    seen = {jit.sources_hash(jit.kernel_sources(root))}
    for name in ("lastdroid_env/constants.py", "lastdroid_env/rules/sheds.py", "tabletop/rng.py"):
        file = root / name
        file.write_text(file.read_text().replace("\n", "\n\n", 1))
        seen.add(jit.sources_hash(jit.kernel_sources(root)))
    (root / "lastdroid_env" / "rules" / "new.py").write_text("")
    seen.add(jit.sources_hash(jit.kernel_sources(root)))
    assert len(seen) == 5


def test_kernel_modules_import_no_others():
    """Else the machine code could depend on a file that the cache's name does not."""
    kernel = set(jit.kernel_sources(ROOT))
    assert kernel > {ROOT / "robots_env" / "bits.py", ROOT / "lastdroid_env" / "rules" / "sheds.py"}
    for file in kernel:
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith("tabletop")):
                folder = file.parents[node.level - 1] if node.level else ROOT
                module = folder.joinpath(*(node.module or "").split("."))
                found = (
                    [module.with_suffix(".py")]
                    if node.module and not module.is_dir()
                    else [(module / alias.name).with_suffix(".py") for alias in node.names]
                )
                assert kernel.issuperset(found), f"{file} imports {found}"


def test_bounds_checks_have_a_cache_of_their_own(monkeypatch):
    files = jit.kernel_sources(ROOT)
    plain = jit.sources_hash(files)
    monkeypatch.setattr(config, "BOUNDSCHECK", 1 if config.BOUNDSCHECK != 1 else 0)
    assert jit.sources_hash(files) != plain


@pytest.mark.long
def test_a_changed_constant_in_another_file_takes_effect(tmp_path):
    """Numba's own cache would serve the old machine code here."""
    root, cache = copied_sources(tmp_path / "src"), tmp_path / "cache"
    program = "import lastdroid_env; g = lastdroid_env.LastDroid(); g.deal(1); print(g.record['parts'][0, 0].tolist())"
    first = run(program, root, NUMBA_CACHE_DIR=str(cache))
    assert "compiling" in first.stderr and first.stdout.strip() == "[1, 1, 1, 2]"
    again = run(program, root, NUMBA_CACHE_DIR=str(cache))
    assert "compiling" not in again.stderr and again.stdout == first.stdout
    setup = root / "lastdroid_env" / "rules" / "setup.py"
    setup.write_text(setup.read_text().replace("g.parts[seat, ENERGY] = 2", "g.parts[seat, ENERGY] = 3"))
    changed = run(program, root, NUMBA_CACHE_DIR=str(cache))
    assert "compiling" in changed.stderr and changed.stdout.strip() == "[1, 1, 1, 3]"


def test_the_users_folder_is_the_root(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    jit.cache_folder.cache_clear()
    try:
        folder = jit.cache_folder()
        assert folder is not None and folder.parent.parent == tmp_path and folder.is_dir()
    finally:
        monkeypatch.undo()
        jit.cache_folder.cache_clear()


def test_old_caches_are_forgotten(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for age in range(20):
        old = tmp_path / "tabletop" / f"{age:016x}"
        old.mkdir(parents=True)
        os.utime(old, (age, age))
    jit.cache_folder.cache_clear()
    try:
        folder = jit.cache_folder()
        left = sorted(f.name for f in (tmp_path / "tabletop").iterdir())
        assert folder is not None and folder.name in left and len(left) == 8
    finally:
        monkeypatch.undo()
        jit.cache_folder.cache_clear()


def test_a_folder_that_cannot_be_written_is_said(monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    jit.cache_folder.cache_clear()
    try:
        with pytest.warns(jit.CompilingOften, match="Set NUMBA_CACHE_DIR to a folder that can be written"):
            assert jit.cache_folder() is None
    finally:
        monkeypatch.undo()
        jit.cache_folder.cache_clear()


def test_every_kernel_function_has_one_form():
    """int16, int64 and literals share a form: a second one means seconds of compiling for nothing."""
    program = (
        "import lastdroid_env, sys\n"
        "from tabletop.jit import KernelDispatcher\n"
        "game = lastdroid_env.LastDroid(); game.deal(1); game.result()\n"
        "seen = {}\n"
        "for module in list(sys.modules.values()):\n"
        "    if getattr(module, '__name__', '').startswith(('lastdroid_env', 'tabletop')):\n"
        "        for value in vars(module).values():\n"
        "            if isinstance(value, KernelDispatcher): seen[id(value)] = value\n"
        "many = [(d.py_func.__name__, len(d.overloads)) for d in seen.values() if len(d.overloads) > 1]\n"
        "print(len(seen), sum(len(d.overloads) for d in seen.values()), many)\n"
    )
    count, forms, many = run(program, NUMBA_CACHE_DIR="", NUMBA_DISABLE_JIT="").stdout.split(" ", 2)
    assert many.strip() == "[]"
    assert int(forms) <= int(count) < 200


def test_numbas_setting_is_left_alone():
    set_by_the_user = os.environ.get("NUMBA_CACHE_DIR", "")
    assert set_by_the_user == config.CACHE_DIR


def test_numba_is_kept_from_importing_scipys_linear_algebra():
    program = (
        FIRST_STEP
        + "; import sys; print([m for m in sys.modules if m.startswith(('scipy.linalg', 'torch', 'pandas'))])"
    )
    assert run(program).stdout.splitlines()[-1] == "[]"


def test_importing_needs_the_core_packages_only():
    """numpy, numba (which looks at scipy and yaml if they are there), gymnasium, pettingzoo, msgspec, and theirs."""
    program = (
        "import sys; before = set(sys.modules); " + FIRST_STEP + "; import sysconfig, os\n"
        "site = {sysconfig.get_paths()['purelib'], sysconfig.get_paths()['platlib']}\n"
        "found = {m.split('.')[0] for m, v in sys.modules.items() if m not in before\n"
        "         and any((getattr(v, '__file__', None) or '').startswith(s + os.sep) for s in site)}\n"
        "print(sorted(found))"
    )
    allowed = {
        "numpy", "numba", "llvmlite", "gymnasium", "farama_notifications", "pettingzoo", "msgspec", "cloudpickle",
        "typing_extensions", "tomli", "packaging", "scipy", "_cyutility", "yaml", "_yaml",
    }  # fmt: skip
    found = set(eval(run(program).stdout.splitlines()[-1]))
    assert found - allowed == set()


def test_a_function_without_a_file_is_compiled_without_a_cache():
    names: dict[str, object] = {}
    exec("from tabletop.jit import entry\n@entry\ndef twice(x):\n    return 2 * x\n", names)
    assert names["twice"](21) == 42  # type: ignore[operator]

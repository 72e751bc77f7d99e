"""The notebooks run from a clean kernel, print what was committed, and are fit to be committed."""

from __future__ import annotations

import base64
import functools
import io
import platform
import re

import nbformat
import numpy as np
import pytest
from nbclient.exceptions import CellExecutionError
from PIL import Image

from notebooks.run import COLOURS, FOLDER, METADATA, NOTEBOOKS, executed, shrink_pictures

ROOT = FOLDER.parent
LARGEST = 100_000
"""Bytes of a notebook."""
LARGEST_PICTURE = 30_000
"""Bytes of a picture, as base64."""
VARIES = "varies"
"""Tag of cells whose output depends on how the processor rounds."""
PLACE = re.compile(r"(?<![\w.])/(?:home|root|tmp|Users|var|opt|usr|mnt|private)/|\b[A-Z]:\\|0x[0-9a-f]{6,}")
"""Paths of a machine, and addresses in its memory."""
every = pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)


@functools.cache
def committed(file):
    return nbformat.read(file, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts(cell):
    """What a cell put out, by kind, without pictures."""
    found = []
    for output in cell.outputs:
        if output.output_type == "stream":
            found.append((output.name, output.text))
        else:
            found += [(kind, data) for kind, data in sorted(output.data.items()) if not kind.startswith("image/")]
    return found


def kinds(cell):
    """How a cell put something out: streams and sorts of data."""
    return [output.get("name") or sorted(output.data) for output in cell.outputs]


@every
def test_it_begins_with_what_it_needs(file):
    first = committed(file).cells[0]
    assert first.cell_type == "markdown"
    assert first.source.startswith("# ")
    assert "**Needs** the extra `notebooks`" in first.source
    assert re.search(r"\*\*Takes\*\* about \d+ seconds", first.source)


def test_the_page_gives_the_same_times():
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    told = {name: int(seconds) for name, seconds in re.findall(r"\]\((\w+\.ipynb)\).*\| (\d+) s \|$", page, re.M)}
    said = {
        file.name: int(match[1])
        for file in NOTEBOOKS
        if (match := re.search(r"Takes\*\* about (\d+) seconds", committed(file).cells[0].source))
    }
    assert said == told
    assert max(said.values()) <= 60


@every
def test_it_is_small(file):
    assert file.stat().st_size <= LARGEST
    for cell in code_cells(committed(file)):
        for output in cell.outputs:
            assert len(output.get("data", {}).get("image/png", "")) <= LARGEST_PICTURE, cell.source


@every
def test_it_tells_nothing_of_a_machine(file):
    notebook = committed(file)
    assert notebook.metadata == METADATA
    for cell in code_cells(notebook):
        assert set(cell.metadata) <= {"tags"}
        for kind, text in texts(cell):
            assert kind != "stderr", text
            assert not PLACE.search(text), text
            assert str(ROOT) not in text
            assert not platform.node() or not re.search(rf"\b{re.escape(platform.node())}\b", text)


@every
def test_its_cells_ran_in_order(file):
    cells = code_cells(committed(file))
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))


@every
def test_its_links_lead_somewhere(file):
    for cell in committed(file).cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", cell.source):
                assert (FOLDER / target).exists(), target


@pytest.mark.slow
@every
def test_it_runs_and_prints_the_same(file, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # whichever copy of the library is installed
    before, now = code_cells(committed(file)), code_cells(executed(file))
    for old, new in zip(before, now, strict=True):
        assert kinds(new) == kinds(old), new.source
        if VARIES not in old.metadata.get("tags", ()):
            assert texts(new) == texts(old), new.source


def test_pictures_are_shrunk_and_stay_pictures():
    out = io.BytesIO()
    Image.effect_noise((60, 40), 90).convert("RGB").save(out, "PNG")
    data = {"image/png": base64.b64encode(out.getvalue()).decode(), "text/plain": "a plot"}
    cell = nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("display_data", data)])
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("text"), cell])
    shrink_pictures(notebook)
    shrunk = Image.open(io.BytesIO(base64.b64decode(notebook.cells[1].outputs[0].data["image/png"])))
    assert shrunk.size == (60, 40)
    assert 1 < len(np.unique(np.asarray(shrunk.convert("RGB")).reshape(-1, 3), axis=0)) <= COLOURS


@pytest.mark.slow
def test_a_cell_that_fails_is_told(tmp_path):
    file = tmp_path / "broken.ipynb"
    cells = [nbformat.v4.new_code_cell("1 / 0"), nbformat.v4.new_code_cell("print('never')")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), file)
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        executed(file)

"""Executes the notebooks from a clean kernel and writes their outputs: ``python notebooks/run.py [NOTEBOOK ...]``."""

from __future__ import annotations

import base64
import io
import os
import sys
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from PIL import Image

FOLDER = Path(__file__).resolve().parent
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SECONDS = 600
"""For a cell, at most: what it takes where everything has to be compiled first, and more."""
COLOURS = 48
"""Of a picture: enough for plots, and a third of the bytes."""
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
"""Of a notebook: nothing of who ran it, when and with what."""


def executed(file: Path) -> Any:
    """A notebook with the outputs that it gives now, run in the root of the sources.

    A cell that fails raises ``CellExecutionError`` with its traceback.
    """
    notebook = nbformat.read(file, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(FOLDER.parent)}},
        coalesce_streams=True,
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],  # it would warn of its socket, which only this machine sees
    )
    client.execute(env={**os.environ, "TABLETOP_QUIET": "1"})
    notebook.metadata = METADATA
    return notebook


def shrink_pictures(notebook: Any) -> None:
    """Reduce the colours of all pictures."""
    for output in (output for cell in notebook.cells for output in cell.get("outputs", ())):
        if "image/png" in output.get("data", {}):
            picture = Image.open(io.BytesIO(base64.b64decode(output.data["image/png"]))).convert("RGB")
            out = io.BytesIO()
            picture.quantize(COLOURS).save(out, "PNG", optimize=True)
            output.data["image/png"] = base64.b64encode(out.getvalue()).decode("ascii")


def main(files: list[Path]) -> None:
    """Execute these notebooks, or all, and write them in place."""
    for file in files or NOTEBOOKS:
        began = time.perf_counter()
        notebook = executed(file)
        shrink_pictures(notebook)
        nbformat.write(notebook, file)
        print(f"{file.name}: {time.perf_counter() - began:.0f} s, {file.stat().st_size / 1000:.0f} KB", flush=True)


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])

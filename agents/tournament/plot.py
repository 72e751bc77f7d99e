"""A plot of ladders: ratings with their error bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .ladder import Ladder


def _new_figure(**options: Any) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(f"{error}: plots need pip install 'tabletop-droids[train]'") from error
    return Figure(**options)


def check_picture(file: str | Path) -> None:
    """``ValueError`` if a plot cannot be of the kind that the file's name says."""
    kinds = sorted(_new_figure().canvas.get_supported_filetypes())
    if Path(file).suffix.lower()[1:] not in kinds:
        raise ValueError(f"no plot can be written to {file}: its name must end in one of {', '.join(kinds)}")


def plot(ladders: Sequence[Ladder], file: str | Path) -> None:
    """Ladders side by side, as a picture whose kind the file's name says."""
    check_picture(file)
    most = max(len(ladder.standings) for ladder in ladders)
    figure = _new_figure(figsize=(4 * len(ladders), 1.2 + 0.35 * most), layout="constrained")
    axes = figure.subplots(1, len(ladders), squeeze=False)[0]
    for ax, ladder in zip(axes, ladders, strict=True):
        alone = ladder.num_players == 1
        for place, one in enumerate(ladder.standings):
            mean = one.win_rate if alone or one.rating is None else one.rating
            times = 100 if alone else 1
            value, low, high = (times * number for number in (mean.value, *mean.interval))
            bar = [[value - low], [high - value]] if math.isfinite(high - low) else None
            ax.errorbar(value, place, xerr=bar, fmt="o", markersize=3, color="C0", capsize=4)
        ax.set_yticks(range(len(ladder.standings)), [one.agent for one in ladder.standings])
        ax.invert_yaxis()
        ax.grid(axis="x", alpha=0.3)
        ax.set_xlabel("beats the Auto-Ecomechanic, %" if alone else "rating")
        ax.set_title(f"{ladder.title}, " + ("solo" if alone else f"{ladder.num_players} players"))
    try:
        figure.savefig(file, dpi=100)
    except (OSError, ValueError) as error:
        raise ValueError(f"no plot can be written to {file}: {error}") from error

"""What a run leaves behind for its reader: a CSV, TensorBoard's file, and the learning curve as a picture."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CSV, CURVE, TENSORBOARD = "progress.csv", "curve.png", "tensorboard"


class Log:
    """The CSV has a line for each evaluation; TensorBoard besides them what PPO says of each update."""

    def __init__(self, folder: Path, after: int) -> None:
        """``after``: steps that have been made; lines beyond them, of a run that was killed, are dropped."""
        from torch.utils.tensorboard import SummaryWriter

        self.file = folder / CSV
        self.lines = [line for line in read_csv(self.file) if float(line["steps"]) <= after]
        if self.lines:
            self._write_all()
        self.board = SummaryWriter(str(folder / TENSORBOARD), purge_step=after + 1)

    def update(self, steps: int, values: Mapping[str, float]) -> None:
        """What PPO says of an update."""
        for name, value in values.items():
            self.board.add_scalar(name, value, steps)

    def evaluation(self, steps: int, values: Mapping[str, Any]) -> None:
        """Add a line."""
        self.lines.append({"steps": str(steps), **{name: _short(value) for name, value in values.items()}})
        self._write_all()
        for name, value in values.items():
            if not isinstance(value, str):
                self.board.add_scalar(f"evaluation/{name}", value, steps)
        self.board.flush()

    def close(self) -> None:
        """Write what is still in memory."""
        self.board.close()

    def _write_all(self) -> None:
        from .pool import write_whole

        def write(part: Path) -> None:
            with part.open("w", newline="", encoding="utf-8") as out:
                writer = csv.DictWriter(out, list(self.lines[0]), lineterminator="\n")
                writer.writeheader()
                writer.writerows(self.lines)

        write_whole(self.file, write)


def read_csv(file: Path) -> list[dict[str, str]]:
    """The lines of a CSV; none if there is no such file."""
    if not file.exists():
        return []
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def draw(folder: Path, title: str) -> None:
    """The learning curve: win rates on fixed deals with their 95 % intervals, by steps and by minutes."""
    from matplotlib.figure import Figure

    lines = read_csv(folder / CSV)
    agents = [name.removesuffix(" low") for name in (lines[0] if lines else {}) if name.endswith(" low")]
    picture = Figure(figsize=(10, 4), layout="constrained")  # none of pyplot's: a notebook goes on with its own
    both = picture.subplots(1, 2, sharey=True)
    for axes, by, scale in zip(both, ("steps", "seconds"), (1e6, 60.0), strict=True):
        across = [float(line[by]) / scale for line in lines]
        for agent in agents:
            rate, low, high = (
                [100 * float(line[f"{agent}{part}"]) for line in lines] for part in ("", " low", " high")
            )
            (drawn,) = axes.plot(across, rate, label=f"against {agent}")
            axes.fill_between(across, low, high, color=drawn.get_color(), alpha=0.2, linewidth=0)
        axes.set(xlabel="million steps" if by == "steps" else "minutes", ylim=(0, 100))
        axes.grid(alpha=0.3)
    both[0].set(ylabel="games won, %")
    both[0].legend(loc="lower right")
    picture.suptitle(title)
    picture.savefig(folder / CURVE, dpi=110)


def _short(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"

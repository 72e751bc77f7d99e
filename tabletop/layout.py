"""The layout of an observation: one list of named sections, from which space, decoder and documentation come."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

ONE_HOT, FLAGS, COUNTS = "one-hot", "flags", "counts"


@dataclass(frozen=True)
class Section:
    """A named part of the observation.

    ``axes`` holds the labels of each axis; the shape follows from them. ``kind`` tells how to read the last axis:
    *one-hot* (at most one 1), *flags* (any number of 1s) or *counts* (a number divided by ``scale``, by ``scales``
    where they differ along the last axis). ``meaning`` is a sentence for the documentation.
    """

    name: str
    axes: tuple[tuple[str, ...], ...]
    kind: str
    meaning: str
    scale: float = 1.0
    scales: tuple[float, ...] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(labels) for labels in self.axes)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    def read(self, values: NDArray[np.float32]) -> Any:
        """The section's values (in its shape) in the words of its labels: see ``Layout.decode``."""
        return self._read(values, 0)

    def _read(self, values: NDArray[np.float32], axis: int) -> Any:
        labels = self.axes[axis]
        if axis < len(self.axes) - 1:
            return {label: self._read(row, axis + 1) for label, row in zip(labels, values, strict=True)}
        if self.kind == ONE_HOT:
            hot = np.flatnonzero(values)
            return labels[int(hot[0])] if len(hot) else None
        if self.kind == FLAGS:
            return [label for label, value in zip(labels, values, strict=True) if value]
        scales = self.scales or (self.scale,) * len(labels)
        counts = [round(float(value) * scale) for value, scale in zip(values, scales, strict=True)]
        return counts[0] if self.axes == ((self.name,),) else dict(zip(labels, counts, strict=True))


class Layout:
    """The sections of an observation: iterating gives them in their order, indexing by name.

    ``size`` is the length of the vector, ``offsets`` where each section begins, ``parts`` where each one lies.
    """

    def __init__(self, sections: Iterable[Section]) -> None:
        self.sections = tuple(sections)
        self.offsets: dict[str, int] = {}
        self.size = 0
        for section in self.sections:
            self.offsets[section.name] = self.size
            self.size += section.size
        self._by_name = {section.name: section for section in self.sections}
        self.parts = {name: slice(at, at + self[name].size) for name, at in self.offsets.items()}

    def __getitem__(self, name: str) -> Section:
        return self._by_name[name]

    def __iter__(self) -> Iterator[Section]:
        return iter(self.sections)

    def __len__(self) -> int:
        return len(self.sections)

    @functools.cached_property
    def fingerprint(self) -> str:
        """A name for the sections, their order and how they are read, in 16 hex digits."""
        told = [(part.name, part.axes, part.kind, part.scale, part.scales) for part in self.sections]
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]

    def split(self, observation: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """The raw sections of an observation by name, each in its own shape (views)."""
        if observation.shape != (self.size,):
            raise ValueError(
                f"an observation of this game and number of players has shape ({self.size},), not {observation.shape}"
            )
        return {section.name: observation[self.parts[section.name]].reshape(section.shape) for section in self.sections}

    def decode(self, observation: NDArray[np.float32]) -> dict[str, Any]:
        """An observation as readable values: section names to what they say, in the words of their labels.

        A one-hot section gives a label or None, flags give the list of labels that are set, counts give a dict of
        numbers (a number alone where the only label is the section's own name); a section of two axes gives a dict of
        these by the labels of the first.
        """
        values = self.split(observation)
        return {section.name: section.read(values[section.name]) for section in self.sections}

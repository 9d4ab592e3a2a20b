# SPDX-License-Identifier: Apache-2.0
"""Values of options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

BadIndices: TypeAlias = Literal["error", "ignore", "clip"]
"""What happens to indices out of bounds: an error, a scatter drops the row and a gather gives 0, or clipped."""

Negative: TypeAlias = Literal["error", "wrap", "oob"]
"""What negative indices are: an error, counted from the end, or out of bounds, which ``'ignore'`` implies."""

Duplicates: TypeAlias = Literal["in_order", "error"]
"""What happens to several updates of one slice: applied one after the other, or an error."""

Reduction: TypeAlias = Literal["add", "none", "sub", "mul", "div", "min", "max", "fmin", "fmax", "mean"]
"""How updates are combined; ``'none'`` replaces, and the last update stays."""

IfChanged: TypeAlias = Literal["redo", "fail"]
"""What happens if another commit changed the same rows: updates are applied to what it left, or an error."""

Clock: TypeAlias = Literal["commit", "valid", "none"]
"""The clock of a gather as of a time: of commits, of the batches' valid times, or the latest state."""

Layout: TypeAlias = Literal["array", "binary", "columns"]
"""How a tensor table stores slices."""

Element: TypeAlias = bool | int | float | complex | str
"""An element of a tensor."""

Columns: TypeAlias = str | Sequence[str]
"""One column name, or several; also an array or an index of names."""


def column_names(columns: Columns | None) -> list[str]:
    """Returns the names of columns, none of ``None``.

    Raises:
        TypeError: if they are no texts
    """
    if columns is None:
        return []
    # the class is asked: a Column of PySpark has any attribute
    names: Any = columns
    if hasattr(type(columns), "tolist"):
        names = names.tolist()
    if isinstance(names, str):
        return [names]
    try:
        listed = list(names)
    except TypeError:  # a Column is iterable by its methods, and refuses
        listed = [names]
    for name in listed:
        if not isinstance(name, str):
            raise TypeError(f"the name of a column is of type {type(name).__name__}: give a text")
    return listed

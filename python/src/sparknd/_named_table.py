# SPDX-License-Identifier: Apache-2.0
"""Tables by their names."""

from __future__ import annotations

from typing import TypeAlias

from . import _names
from .session import SparkSessionLike, active_session


class NamedTable:
    """A table in a catalog, which functions take in place of its name."""

    def __init__(self, name: TableName, *, spark: SparkSessionLike | None = None) -> None:
        """Names a table; nothing is read.

        Args:
            name: as SQL reads it, such as ``lake.shop.users``; other characters in backticks
            spark: default: that of a table that is given for the name, else the active session

        Raises:
            ValueError: if it is not a name
            TypeError: if it is no text
        """
        if not isinstance(name, (str, NamedTable)):
            raise TypeError(f"{name!r} is not the name of a table: give a text, or an object of the table")
        self._parts: list[str]
        self._spark: SparkSessionLike
        if isinstance(name, NamedTable):
            self._parts, self._spark = name._parts, name._spark if spark is None else spark
        else:
            self._parts, self._spark = _names.parts(name), active_session() if spark is None else spark

    @property
    def name(self) -> str:
        """The name, each part in backticks."""
        return _names.joined(self._parts)


TableName: TypeAlias = str | NamedTable
"""A table by its name, as SQL reads it, or by its object."""

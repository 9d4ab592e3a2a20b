# SPDX-License-Identifier: Apache-2.0
"""Statements of SQL: identifiers in backticks, all values as named arguments, DataFrames by PySpark's formatting.

``spark.sql(text, args, name=df)`` reads ``{name}`` in the text as a DataFrame. Classic PySpark makes a temporary
view for it, analyzes the statement at once, and drops the view. Spark Connect sends the DataFrame's plan along with
the statement, each time that it is analyzed. So no view is left, and none is missed when the statement runs later.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import Enum
from typing import Any

import numpy as np

from . import _names
from ._named_table import NamedTable, TableName
from ._sessions import of_one_session
from .session import DataFrameLike, SparkSessionLike, active_session

PROCEDURES = "nd.system"
"""The namespace of procedures: the session has ``spark.sql.catalog.nd=io.sparknd.sql.NdCatalog``."""

_SCALARS = (bool, int, float, str, bytes, bytearray, datetime.date, datetime.time, datetime.timedelta)

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class Statement:
    """A statement while it is composed."""

    def __init__(self) -> None:
        self._args: dict[str, Any] = {}
        self._frames: dict[str, DataFrameLike] = {}

    def frame(self, name: str, frame: DataFrameLike) -> str:
        """Returns text that names the view of a DataFrame."""
        require_frame(name, frame)
        self._frames[name] = frame
        return "{" + name + "}"

    def table(self, name: str, table: DataFrameLike | TableName) -> str:
        """Returns text that names a table or the view of a DataFrame."""
        if isinstance(table, NamedTable):
            return identifier(table.name)
        if isinstance(table, str):
            return identifier(_names.joined(_names.parts(table)))
        return self.frame(name, table)

    def value(self, name: str, value: Any) -> str:
        """Returns text for a value: arguments are scalars, and constructors of SQL make arrays, maps and structs."""
        value = _plain(name, value)
        if isinstance(value, datetime.datetime) and value.tzinfo is not None:
            # as an argument it would lose its zone in a session whose timestamps have none
            return f"timestamp_micros({self._argument(name, _micros(value))})"
        if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**63:
            value = Decimal(value)
        if isinstance(value, complex):
            real, imaginary = self._argument(name + "_re", value.real), self._argument(name + "_im", value.imag)
            return f"named_struct('re', {real}, 'im', {imaginary})"
        if isinstance(value, Decimal):
            return f"CAST({self._argument(name, str(value))} AS {_decimal_type(value)})"
        if isinstance(value, Mapping):
            entries = [part for key, each in value.items() for part in (key, option_text(f"{name}[{key!r}]", each))]
            return f"map({self._values(name, entries)})"
        if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
            return f"array({self._values(name, value)})"
        return self._argument(name, value)

    def _values(self, name: str, values: Sequence[Any]) -> str:
        return ", ".join(self.value(f"{name}_{i}", each) for i, each in enumerate(values))

    def _argument(self, name: str, value: Any) -> str:
        if value is not None and not isinstance(value, _SCALARS):
            raise TypeError(
                f"{name} is of type {type(value).__name__}: give a number, a boolean, a time or a text, "
                "which names of columns and conditions are"
            )
        self._args[name] = value
        return ":" + name

    def options(self, options: Mapping[str, Any]) -> list[str]:
        """Returns text for options by name; those that are ``None``, and empty mappings, are left out."""
        return [f"{name} => {self.value(name, value)}" for name, value in options.items() if _is_given(value)]

    def run(self, text: str, spark: SparkSessionLike | None = None) -> Any:
        """Runs the statement in the session of its first DataFrame, or else in the given or the active one.

        Raises:
            ValueError: if its DataFrames are of several sessions of Spark Connect
        """
        if not self._frames:
            spark = active_session() if spark is None else spark
            # without DataFrames, PySpark does not format the text
            return spark.sql(text.replace("{{", "{").replace("}}", "}"), self._args or None)
        frames = of_one_session(self._frames)
        session = next(iter(frames.values())).sparkSession
        return session.sql(text, self._args or None, **frames)


def _is_given(value: Any) -> bool:
    return len(value) > 0 if isinstance(value, Mapping) else value is not None


def identifier(name: str) -> str:
    """Returns a quoted name for the text of a statement, in which braces are PySpark's."""
    return name.replace("{", "{{").replace("}", "}}")


def is_frame(value: object) -> bool:
    """Returns whether a value is a DataFrame of Spark; asks its class, since a Column of PySpark has any attribute."""
    return hasattr(type(value), "sparkSession")


def require_frame(name: str, frame: object) -> None:
    """Checks the type of an argument.

    Raises:
        TypeError: if it is not a DataFrame of Spark
    """
    if not is_frame(frame):
        raise TypeError(f"{name} is of type {type(frame).__name__}, which is neither a DataFrame of Spark nor a table")


def _plain(name: str, value: Any) -> Any:
    """Returns what stands for a value: the item of a scalar, the list of an array or an index, the text of a path."""
    if isinstance(value, np.generic):
        return _item(name, value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, NamedTable):
        return value.name
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value.tolist() if hasattr(type(value), "tolist") else value


def _item(name: str, value: np.generic) -> Any:
    """Returns a scalar of NumPy as Python's: NumPy makes a number of a time in nanoseconds, and None of ``NaT``."""
    if not isinstance(value, (np.datetime64, np.timedelta64)):
        return value.item()
    if np.isnat(value):
        raise ValueError(f"{name} is NaT, which is no time")
    item = value.item()
    return value.astype(f"{value.dtype.kind}8[us]").item() if isinstance(item, int) else item


def _micros(time: datetime.datetime) -> int:
    return (time - _EPOCH) // datetime.timedelta(microseconds=1)


def instant(name: str, time: Any) -> Any:
    """Returns a time with its zone, which is that of this process if it has none; others, such as ages, as they are."""
    if isinstance(time, np.generic):
        time = _item(name, time)
    if isinstance(time, datetime.datetime) and time != time:
        raise ValueError(f"{name} is NaT, which is no time")
    if not isinstance(time, datetime.datetime) or time.tzinfo is not None:
        return time
    # a Timestamp of pandas has no zone of its own to convert to
    return getattr(time, "to_pydatetime", lambda: time)().astimezone()


def option_text(name: str, value: object) -> str:
    """Returns the text of a value in a mapping: SQL would cast texts beside a number to its type.

    Raises:
        TypeError: if it is no text, number or boolean
    """
    if isinstance(value, Enum):
        value = value.value  # the text of a member is its name
    if isinstance(value, (bool, np.bool_)):
        return str(value).lower()
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float, Decimal, np.integer, np.floating)):
        return str(value)
    # without the value, which may be a secret
    raise TypeError(f"{name} is of {type(value).__name__}: write a text, a number or a boolean")


def _decimal_type(value: Decimal) -> str:
    digits, exponent = value.as_tuple()[1:]
    if not isinstance(exponent, int):
        raise ValueError(f"{value} is not a decimal of SQL")
    scale = max(0, -exponent)
    return f"DECIMAL({max(len(digits) + max(0, exponent), scale, 1)}, {scale})"


def table_function(
    function: str,
    tables: Mapping[str, DataFrameLike | TableName],
    options: Mapping[str, Any],
) -> Any:
    """Returns the rows of a table function.

    It runs in the session of the first DataFrame, or else of the first table object, or else in the active one.
    """
    statement = Statement()
    arguments = [f"TABLE({statement.table(name, table)})" for name, table in tables.items()]
    arguments += statement.options(options)
    named = [table for table in tables.values() if isinstance(table, NamedTable)]
    return statement.run(f"SELECT * FROM {function}({', '.join(arguments)})", named[0]._spark if named else None)


def procedure(
    name: str,
    spark: SparkSessionLike,
    options: Mapping[str, Any],
    frames: Mapping[str, DataFrameLike] | None = None,
) -> list[dict[str, Any]]:
    """Runs a procedure, and returns its rows.

    Args:
        frames: arguments that are names of views
    """
    statement = Statement()
    arguments = statement.options(options)
    for argument, frame in (frames or {}).items():
        arguments.append(f"{argument} => '{statement.frame(argument, frame)}'")
    result = statement.run(f"CALL {PROCEDURES}.{name}({', '.join(arguments)})", spark)
    rows: list[dict[str, Any]] = result.toArrow().to_pylist()
    return rows

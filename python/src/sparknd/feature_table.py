# SPDX-License-Identifier: Apache-2.0
"""Feature tables: variables by keys of any type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
import pyarrow as pa

from . import inspection
from ._dtypes import complete
from ._local import local_frame
from ._named_table import TableName
from ._names import quoted
from ._statement import instant, is_frame
from ._stored_table import StoredTable
from .functions import gather_nd
from .options import Columns
from .results import FeatureInfo, TableCommit, result
from .session import DataFrameLike, Frame, SparkSessionLike

_ROW = "sparknd_row"
_KEY = "sparknd_key_"

_KEY_TYPES = {
    "string": pa.string(),
    "bigint": pa.int64(),
    "int": pa.int32(),
    "date": pa.date32(),
    "binary": pa.binary(),
}


class SchemaLike(Protocol):
    """What this package reads of ``pyspark.sql.types.StructType``."""

    @property
    def fields(self) -> Any:
        """The fields, each with ``name`` and ``dataType``."""


Definitions: TypeAlias = str | Mapping[str, Any] | SchemaLike
"""Columns and their types: ``{'views': 'bigint'}``, also with types of PySpark, such as ``LongType()``; as SQL has
them, ``'views BIGINT'``; or a ``StructType`` of PySpark.
"""


class FeatureTable(StoredTable):
    """Variables that share an axis in an Iceberg table: a row for each key, a column for each variable."""

    @classmethod
    def create(
        cls,
        name: str,
        keys: Definitions,
        variables: Definitions,
        *,
        reductions: Mapping[str, str] | None = None,
        windows: Mapping[str, str] | None = None,
        tiles: Mapping[str, str] | None = None,
        fills: Mapping[str, str | int | float | bool] | None = None,
        shapes: Mapping[str, str] | None = None,
        size: int | None = None,
        bucket_column: str | None = None,
        buckets: int | None = None,
        expected_rows: int | None = None,
        ttl: timedelta | None = None,
        ttl_column: str | None = None,
        properties: Mapping[str, str] | None = None,
        spark: SparkSessionLike | None = None,
    ) -> FeatureTable:
        """Creates a feature table without rows.

        Args:
            name: in an Iceberg catalog, as SQL reads it
            keys: key columns and their types: ``{'user': 'string'}``; also ``'uuid'``, a string in Spark
            variables: variables and their types: ``{'views': 'bigint', 'taste': 'array<float>'}``, or a schema of
                PySpark
            reductions: by variable: ``'add'``, ``'max'``, ``'last(seen)'``, ``'last_n(10, seen)'``, ...;
                default ``'update'``
            windows: windows of time by variable, such as ``'1 day, 7 days'``
            tiles: length of the tiles of windows by variable, such as ``'1 day'``
            fills: values of what was never written, by variable; default NULL
            shapes: dtype and shape of slices by variable, such as ``'float32[64]'``
            size: of a numbered axis, whose key is one bigint column
            bucket_column: column of the key that is bucketed; default: the first
            ttl: the age in ``ttl_column`` after which ``evict`` deletes rows
            spark: default: the active session
        """
        table = cls(name, spark=spark)
        options = {"keys": _definitions("keys", keys), "variables": _definitions("variables", variables)}
        table._call(
            "create_features",
            options
            | _by_variable(reductions, windows, tiles, fills, shapes)
            | {
                "size": size,
                "bucket_column": bucket_column,
                "buckets": buckets,
                "expected_rows": expected_rows,
                "ttl": ttl,
                "ttl_column": ttl_column,
                "properties": properties,
            },
        )
        return table

    @classmethod
    def adopt(
        cls,
        name: str,
        keys: Columns,
        *,
        reductions: Mapping[str, str] | None = None,
        windows: Mapping[str, str] | None = None,
        tiles: Mapping[str, str] | None = None,
        fills: Mapping[str, str | int | float | bool] | None = None,
        shapes: Mapping[str, str] | None = None,
        size: int | None = None,
        bucket_column: str | None = None,
        buckets: int | None = None,
        expected_rows: int | None = None,
        ttl: timedelta | None = None,
        ttl_column: str | None = None,
        properties: Mapping[str, str] | None = None,
        spark: SparkSessionLike | None = None,
    ) -> FeatureTable:
        """Makes a feature table of an Iceberg table that exists, by its metadata only.

        Args:
            keys: columns of the key, in order

        Other arguments are those of :meth:`create`.
        """
        table = cls(name, spark=spark)
        table._call(
            "adopt",
            {"keys": keys}
            | _by_variable(reductions, windows, tiles, fills, shapes)
            | {
                "size": size,
                "bucket_column": bucket_column,
                "buckets": buckets,
                "expected_rows": expected_rows,
                "ttl": ttl,
                "ttl_column": ttl_column,
                "properties": properties,
            },
        )
        return table

    def info(self) -> FeatureInfo:
        """Describes the table and counts its rows, blocks, files and bytes.

        Raises:
            TypeError: if it is a tensor
        """
        found = inspection.info(self)
        if not isinstance(found, FeatureInfo):
            raise TypeError(f"{self.name} is a tensor table: open it as a TensorTable")
        return found

    def scatter(
        self,
        updates: DataFrameLike,
        *,
        reduction: str | None = None,
        batch_id: str | None = None,
        order_by: Columns | None = None,
        index_columns: Columns | None = None,
        bad_indices: Literal["error", "ignore"] | None = None,
        valid_at: datetime | None = None,
    ) -> TableCommit:
        """Applies updates in one commit, each variable by the reduction that the table declares.

        Args:
            updates: key columns and variables; several rows of a key are welcome, a NULL changes nothing
            reduction: one for all variables, in place of those that the table declares: ``'update'``, ``'add'``,
                ``'mul'``, ``'min'``, ``'max'``, ``'count'`` or ``'last_n(10)'``; others keep a state, and are declared
            batch_id: a batch of one id is applied once, however often it is sent
            order_by: columns that order the updates of one key
            index_columns: key columns of ``updates``; default: those with the names of the table's
            bad_indices: ``'ignore'`` drops rows with bad keys; default ``'error'``
            valid_at: time from which the batch's values are true, such as the end of the day of its events, of the
                local time zone if it has none; an event after it is an error; default: that of the commit
        """
        options = {
            "reduction": reduction,
            "batch_id": batch_id,
            "order_by": order_by,
            "index_columns": index_columns,
            "bad_indices": bad_indices,
            "valid_at": instant("valid_at", valid_at),
        }
        return result(TableCommit, self._call("scatter_nd", options, {"updates": updates})[0])

    def gather(
        self,
        indices: Frame | TableName,
        *,
        bad_indices: Literal["error", "ignore"] | None = None,
        index_columns: Columns | None = None,
        value_columns: Columns | None = None,
        found: str | None = None,
    ) -> Frame:
        """Returns the rows of ``indices``, each with the variables of its key in columns of their own.

        Args:
            bad_indices: ``'ignore'`` gives bad keys fill values; default ``'error'``
            index_columns: key columns of ``indices``; default: those with the names of the table's
            value_columns: variables; default: all
            found: the name of a last column, of booleans: whether the table has the key; default: no such column
        """
        return gather_nd(
            self,
            indices,
            bad_indices=bad_indices,
            index_columns=index_columns,
            value_columns=value_columns,
            found=found,
        )

    def evict(
        self, where: str | None = None, *, batch_id: str | None = None, valid_at: datetime | None = None
    ) -> TableCommit:
        """Deletes rows, so that their variables have the fill value again.

        Args:
            where: a condition of SQL; default: rows whose time to live ended
            valid_at: time from which the rows are gone, of the local time zone if it has none; without ``where``, also
                the time by which their time to live ended; default: that of the commit
        """
        options = {"where": where, "batch_id": batch_id, "valid_at": instant("valid_at", valid_at)}
        return result(TableCommit, self._call("evict", options)[0])

    def __getitem__(self, keys: Any) -> pa.Table:
        """Returns the variables of keys, in their order: an Arrow table, since variables may be NULL.

        ``users['a']`` has one row, ``users[['a', 'b']]`` two. Composite keys are columns by name:
        ``visits[{'user': ['a', 'b'], 'day': [1, 2]}]``, also those of a table of Arrow or pandas. The keys are sent by
        this process.

        Returns:
            key columns, and a column for each variable; keys that were never written have fill values

        Raises:
            KeyError: if the columns are not those of the key
            TypeError: if a key is not of the type of its column: integers and dates are not cut from other values; if
                the keys are a DataFrame of Spark; or if the table is a tensor
        """
        if is_frame(keys):
            raise TypeError("the keys are a DataFrame of Spark: use gather, which takes it")
        # the key's own order, which may not be that of the columns
        names = self.info().key_columns
        described = {each.column: _KEY_TYPES.get(each.type.lower()) for each in self.describe()}
        types = {name: described[name] for name in names}
        given = _key_columns(keys, list(types))
        columns = {name: _key_array(name, given[name], type) for name, type in types.items()}
        rows = {len(column) for column in columns.values()}
        if len(rows) > 1:
            raise ValueError(f"key columns of {sorted(rows)} rows: give all the same number")
        sent = {f"{_KEY}{i}": column for i, column in enumerate(columns.values())}
        indices = local_frame(self._spark, pa.table({_ROW: np.arange(rows.pop()), **sent}))
        gathered = self.gather(indices, index_columns=list(sent)).toArrow().sort_by(_ROW)
        return gathered.drop_columns([_ROW]).rename_columns([*columns, *gathered.column_names[1 + len(columns) :]])


def _definitions(argument: str, columns: Definitions) -> str:
    if isinstance(columns, str):
        return columns
    if hasattr(columns, "fields") and not isinstance(columns, Mapping):
        columns = {field.name: field.dataType for field in columns.fields}
    if not isinstance(columns, Mapping):
        kind = type(columns).__name__
        raise TypeError(f"{argument} is of type {kind}: give names with their types, as {{'user': 'string'}}")
    return ", ".join(f"{quoted(name)} {_sql_type(name, each)}" for name, each in columns.items())


def _sql_type(column: str, given: Any) -> str:
    if isinstance(given, str):
        return given
    if isinstance(given, type) or not hasattr(given, "simpleString"):  # of a type of PySpark
        raise TypeError(
            f"the type of {column} is {given!r}: give one of SQL, as 'bigint', or of PySpark, as LongType()"
        )
    return _of_pyspark(given)


def _of_pyspark(given: Any) -> str:
    """The SQL of a type of PySpark, which in SQL's own text depends on `spark.sql.timestampType`."""
    name = given.typeName()
    if name == "timestamp":
        return "timestamp_ltz"
    if name == "array":
        return f"array<{_of_pyspark(given.elementType)}>"
    if name == "map":
        return f"map<{_of_pyspark(given.keyType)}, {_of_pyspark(given.valueType)}>"
    if name == "struct":
        fields = (f"{quoted(field.name)}: {_of_pyspark(field.dataType)}" for field in given.fields)
        return f"struct<{', '.join(fields)}>"
    text: str = given.simpleString()
    return text


def _by_variable(
    reductions: Mapping[str, str] | None,
    windows: Mapping[str, str] | None,
    tiles: Mapping[str, str] | None,
    fills: Mapping[str, str | int | float | bool] | None,
    shapes: Mapping[str, str] | None,
) -> dict[str, Any]:
    texts = {name: _text(name, value) for name, value in (fills or {}).items()}
    return {
        "reductions": reductions,
        "windows": windows,
        "tiles": tiles,
        "fills": texts,
        "shapes": shapes,
    }


def _text(name: str, value: str | int | float | bool) -> str:
    if isinstance(value, Enum):
        value = value.value  # the text of a member is its name
    if value is None or isinstance(value, bytes):
        raise TypeError(
            f"the fill value of {name} is {value!r}: write a number, a boolean or text; leave it out for NULL"
        )
    return str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)


def _key_columns(keys: Any, names: list[str]) -> Mapping[str, Any]:
    # tables of Arrow, and DataFrames such as those of pandas
    named = getattr(keys, "column_names", getattr(keys, "columns", None))
    if named is not None and not isinstance(keys, Mapping):
        columns = named.tolist() if hasattr(named, "tolist") else list(named)
        if len(columns) > len(set(columns)):
            raise KeyError(f"columns {columns} have a name twice: the key has {names}")
        keys = {name: keys[name] for name in columns}
    if not isinstance(keys, Mapping):
        if len(names) > 1:
            raise KeyError(f"the key has columns {names}: give a mapping of these to their values")
        return {names[0]: _listed(keys)}
    if set(keys) != set(names):
        raise KeyError(f"columns {list(keys)} are not those of the key, {names}")
    return {name: _listed(values) for name, values in keys.items()}


def _listed(values: Any) -> Any:
    if isinstance(values, np.ndarray) and values.ndim == 0:
        return [values[()]]
    if isinstance(values, Iterator):
        return list(values)
    return [values] if isinstance(values, (str, bytes)) or not hasattr(values, "__len__") else values


def _key_array(name: str, values: Any, type: pa.DataType | None) -> pa.Array:
    """Returns keys as Arrow has them, which cuts fractions, times of days, and zones without a word."""
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        values = values.to_pylist()
    elif hasattr(values, "dtype"):
        values = complete(values)
        if type is not None and pa.types.is_integer(type) and values.dtype.kind in "iu":
            return pa.array(values.astype(values.dtype.newbyteorder("="))).cast(type)
    listed = [value.as_py() if isinstance(value, pa.Scalar) else value for value in values]
    for value in listed:
        _require_key(name, value, type)
    if type is not None and pa.types.is_date(type):
        listed = [value.item() if isinstance(value, np.datetime64) else value for value in listed]
    return pa.array(listed, type)


def _require_key(name: str, value: Any, type: pa.DataType | None) -> None:
    if type is None or value is None:
        return
    if pa.types.is_integer(type) and (isinstance(value, bool) or not isinstance(value, (int, np.integer))):
        raise TypeError(f"key {value!r} of column {name} is not an integer")
    if pa.types.is_date(type) and not _is_date(value):
        raise TypeError(f"key {value!r} of column {name} is not a date")


def _is_date(value: Any) -> bool:
    if isinstance(value, np.datetime64):
        return np.datetime_data(value.dtype)[0] == "D"
    return isinstance(value, date) and not isinstance(value, datetime)

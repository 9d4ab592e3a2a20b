# SPDX-License-Identifier: Apache-2.0
"""What any table is as a tensor: ``info``, ``check`` and ``describe``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._named_table import NamedTable, TableName
from ._statement import procedure, require_frame
from .options import Columns
from .results import ColumnDescription, FeatureInfo, RowProblem, TensorInfo, result
from .session import DataFrameLike, SparkSessionLike


def info(
    table: DataFrameLike | TableName,
    shape: Sequence[int] | None = None,
    *,
    index_columns: Columns | None = None,
    value_column: str | None = None,
    spark: SparkSessionLike | None = None,
) -> TensorInfo | FeatureInfo:
    """Describes a table as a tensor, or a feature table.

    Args:
        table: a table or its name, or a DataFrame
        shape: the shape of the tensor; default: the table's
        index_columns: default: all columns but the value; of a tensor table, its own
        value_column: default: the last column; of a tensor table, its own
        spark: the session, unless ``table`` is a DataFrame; default: the table's, of a name the active one
    """
    options = {"shape": shape, "index_columns": index_columns, "value_column": value_column}
    row = _call("info", table, options, spark)[0]
    return result(FeatureInfo, row) if "key_columns" in row else result(TensorInfo, row)


def check(
    table: DataFrameLike | TableName,
    shape: Sequence[int] | None = None,
    *,
    index_columns: Columns | None = None,
    value_column: str | None = None,
    spark: SparkSessionLike | None = None,
) -> list[RowProblem]:
    """Finds rows that are invalid for a tensor or a feature table: NULLs, bad indices, wrong lengths, duplicates.

    Arguments are those of :func:`info`.

    Returns:
        one for each kind of problem; none if all is well
    """
    options = {"shape": shape, "index_columns": index_columns, "value_column": value_column}
    return [result(RowProblem, row) for row in _call("check", table, options, spark)]


def describe(table: TableName, *, spark: SparkSessionLike | None = None) -> list[ColumnDescription]:
    """Describes any Iceberg table by its columns."""
    return [result(ColumnDescription, row) for row in _call("describe", table, {}, spark)]


def _call(
    name: str, table: DataFrameLike | TableName, options: Mapping[str, Any], spark: SparkSessionLike | None
) -> list[dict[str, Any]]:
    if isinstance(table, (str, NamedTable)):
        named = NamedTable(table, spark=spark)
        return procedure(name, named._spark, {"table": named.name, **options})
    require_frame("table", table)
    return procedure(name, table.sparkSession, options, {"table": table})

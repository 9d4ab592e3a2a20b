# SPDX-License-Identifier: Apache-2.0
"""DataFrames of rows that this process sends."""

from __future__ import annotations

from typing import cast

import pyarrow as pa

from ._names import quoted
from ._statement import Statement, identifier
from .session import DataFrameLike, SparkSessionLike

_TYPES = {
    pa.bool_(): "boolean",
    pa.int8(): "tinyint",
    pa.int16(): "smallint",
    pa.int32(): "int",
    pa.int64(): "bigint",
    pa.float32(): "float",
    pa.float64(): "double",
    pa.string(): "string",
    pa.binary(): "binary",
    pa.date32(): "date",
    pa.null(): "void",
}


def local_frame(spark: SparkSessionLike, table: pa.Table) -> DataFrameLike:
    """Makes a DataFrame of an Arrow table, whose rows keep their order."""
    if table.num_rows:
        return spark.createDataFrame(table)
    # PySpark's Connect client refuses tables without rows
    columns = [f"CAST(NULL AS {_sql_type(field.type)}) AS {identifier(quoted(field.name))}" for field in table.schema]
    return cast(DataFrameLike, Statement().run(f"SELECT {', '.join(columns)} WHERE false", spark))


def _sql_type(arrow: pa.DataType) -> str:
    if pa.types.is_list(arrow):
        return f"array<{_sql_type(arrow.value_type)}>"
    if pa.types.is_struct(arrow):
        return f"struct<{', '.join(f'{field.name}: {_sql_type(field.type)}' for field in arrow)}>"
    if pa.types.is_decimal(arrow):
        return f"decimal({arrow.precision}, {arrow.scale})"
    return _TYPES[arrow]

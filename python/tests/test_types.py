# SPDX-License-Identifier: Apache-2.0
"""Types: the protocols fit the signatures of PySpark, and DataFrames of a call come out as what they are.

mypy checks this file; the signatures are those of ``pyspark/sql/session.py`` and ``dataframe.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import assert_type

    import sparknd as nd

    class SparkSession:
        def sql(self, sqlQuery: str, args: dict[str, Any] | list[Any] | None = None, **kwargs: Any) -> DataFrame: ...
        def table(self, tableName: str) -> DataFrame: ...
        @overload
        def createDataFrame(self, data: pa.Table, samplingRatio: float | None = ...) -> DataFrame: ...
        @overload
        def createDataFrame(self, data: list[Any], schema: str, *, verifySchema: bool = ...) -> DataFrame: ...
        def createDataFrame(self, data: Any, *args: Any, **kwargs: Any) -> DataFrame: ...

    class DataFrame:
        @property
        def sparkSession(self) -> SparkSession: ...
        def toArrow(self) -> pa.Table: ...
        def show(self, n: int = 20, truncate: bool | int = True, vertical: bool = False) -> None: ...

    def calls(spark: SparkSession, df: DataFrame) -> None:
        assert_type(nd.gather_nd(df, df, shape=(4, 2)), DataFrame)
        assert_type(nd.gather_nd("lake.shop.users", df), DataFrame)
        nd.tensor_scatter_nd_add(df, df, shape=[4]).show()
        nd.nearest("/models/items", df, k=3).show()
        table = nd.TensorTable.create("lake.shop.users", "float32", (4, 2), spark=spark)
        table.gather(df).show()
        table.gather_as_of(df, "at").show()
        assert_type(table.branch("audit"), nd.TensorTable)
        assert_type(table.scatter(df), nd.TableCommit)
        nd.to_numpy(df, (4, 2)).sum()
        assert_type(nd.gather_nd(table, df), DataFrame)
        named: DataFrame = table.gather("clicks")
        named.show()

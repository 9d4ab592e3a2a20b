# SPDX-License-Identifier: Apache-2.0
"""What this package calls of PySpark, as protocols.

Classic PySpark, Spark Connect and hosted Spark have these methods. Nothing else is called: no JVM gateway,
no RDD, and no module of PySpark is imported, but for :func:`active_session` and what ``_sessions`` does with DataFrames
of classic sessions.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

import pyarrow as pa


class SparkSessionLike(Protocol):
    """The methods of ``pyspark.sql.SparkSession`` that this package calls."""

    def sql(self, sqlQuery: str, args: dict[str, Any] | None = None, **kwargs: Any) -> DataFrameLike:
        """Runs a statement; ``{name}`` in it is the DataFrame ``kwargs[name]``, ``:name`` is ``args[name]``."""

    def table(self, tableName: str, /) -> DataFrameLike:
        """Returns the rows of a table or view."""

    def createDataFrame(self, data: Any, /) -> DataFrameLike:
        """Makes a DataFrame of an Arrow table."""


class DataFrameLike(Protocol):
    """The methods of ``pyspark.sql.DataFrame`` that this package calls."""

    @property
    def sparkSession(self) -> Any:
        """The session that the DataFrame belongs to, a :class:`SparkSessionLike`."""

    def toArrow(self) -> pa.Table:
        """Returns all rows."""


Frame = TypeVar("Frame", bound=DataFrameLike)
"""The type of DataFrames of a call: what goes in comes out."""


def active_session() -> SparkSessionLike:
    """Returns PySpark's active session of this thread, or else its default one.

    Raises:
        RuntimeError: if PySpark is not installed, or has neither
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as e:
        raise RuntimeError("PySpark is not installed, so there is no active session: pass spark=") from e
    try:
        session: SparkSessionLike = SparkSession.active()
    except RuntimeError as e:
        raise RuntimeError("Spark has no active session: pass spark=") from e
    return session

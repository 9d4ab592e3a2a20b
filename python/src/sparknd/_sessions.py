# SPDX-License-Identifier: Apache-2.0
"""DataFrames of several sessions in one statement, which runs in one of them.

Classic sessions of one driver share tables and data, but neither views nor settings. A DataFrame goes from one to
another as a global temporary view, which keeps its analyzed plan. Sessions of Spark Connect analyze a plan each time
anew, so the DataFrame of another session would have the views and settings of the one that runs the statement.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from . import _names
from .session import DataFrameLike


def of_one_session(frames: Mapping[str, DataFrameLike]) -> dict[str, DataFrameLike]:
    """Returns the DataFrames as those of the session of the first.

    Raises:
        ValueError: if they are of several sessions of Spark Connect
    """
    first, *rest = frames
    spark = frames[first].sparkSession
    others = [name for name in rest if _identity(frames[name].sparkSession) != _identity(spark)]
    for name in others:
        if not (_is_classic(spark) and _is_classic(frames[name].sparkSession)):
            raise ValueError(
                f"{name} is a DataFrame of another session than {first}, and sessions of Spark Connect "
                "share no views and settings: make both in one session"
            )
    return {name: _for_view(_moved(frame, spark) if name in others else frame) for name, frame in frames.items()}


def _is_classic(session: Any) -> bool:
    return _jvm_session(session) is not None


def _identity(session: Any) -> Any:
    """Returns what is equal for all objects of one session."""
    jvm_session = _jvm_session(session)
    return getattr(session, "session_id", session) if jvm_session is None else jvm_session


def _jvm_session(session: Any) -> Any:
    # the batch of foreachBatch has an object of PySpark for its session that no other DataFrame has
    return getattr(session, "_jsparkSession", None)


def _for_view(frame: Any) -> Any:
    """Returns the rows with a plan of their own: Spark uncaches the plan of a view that is dropped."""
    # as select("*") the plan would be the same to Spark
    return frame.where("true") if _is_classic(frame.sparkSession) else frame


def _moved(frame: Any, spark: Any) -> DataFrameLike:
    """Returns the DataFrame as one of another classic session."""
    view = f"sparknd_{uuid.uuid4().hex}"
    _for_view(frame).createGlobalTempView(view)
    try:
        # analyzed at once, so that it does not need the view
        moved: DataFrameLike = spark.table(_names.joined([spark.conf.get("spark.sql.globalTempDatabase"), view]))
        return moved
    finally:
        spark.catalog.dropGlobalTempView(view)

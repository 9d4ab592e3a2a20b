# SPDX-License-Identifier: Apache-2.0
"""Arguments have the names of SQL, all of them: the server describes its functions and procedures."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

import sparknd as nd

_FUNCTIONS: list[Callable[..., Any]] = [
    nd.gather_nd,
    nd.gather_nd_as_of,
    nd.scatter_nd,
    nd.tensor_scatter_nd_update,
    nd.tensor_scatter_nd_add,
    nd.tensor_scatter_nd_sub,
    nd.tensor_scatter_nd_mul,
    nd.tensor_scatter_nd_min,
    nd.tensor_scatter_nd_max,
]

_PROCEDURES: dict[str, list[Callable[..., Any]]] = {
    "create_tensor": [nd.TensorTable.create],
    "create_features": [nd.FeatureTable.create],
    "adopt": [nd.FeatureTable.adopt],
    "adopt_tensor": [nd.TensorTable.adopt],
    "scatter_nd": [nd.TensorTable.scatter, nd.FeatureTable.scatter],
    "resize": [nd.TensorTable.resize],
    "evict": [nd.FeatureTable.evict],
    "changes": [nd.TensorTable.changes],
    "publish": [nd.TensorTable.publish],
    "compact": [nd.TensorTable.compact],
    "expire": [nd.TensorTable.expire],
    "remove_orphans": [nd.TensorTable.remove_orphans],
    "info": [nd.info],
    "describe": [nd.describe],
    "check": [nd.check],
    "embedding_lookup": [nd.embedding_lookup],
    "nearest": [nd.nearest],
}


def arguments(*callables: Callable[..., Any]) -> set[str]:
    """The names of the arguments; that of a table is the object's, or the first one of its constructors."""
    names = {name for each in callables for name in inspect.signature(each).parameters}
    if "self" in names:
        return names - {"self"} | {"table"}
    return {"table" if name == "name" else name for name in names if name != "spark"}


def error_of(spark: Any, statement: str) -> str:
    with pytest.raises(Exception) as raised:  # noqa: PT011
        spark.sql(statement).toArrow()
    return str(raised.value)


@pytest.mark.parametrize("function", _FUNCTIONS, ids=lambda each: str(each.__name__))
def test_functions(spark: Any, function: Callable[..., Any]) -> None:
    tables = "TABLE(SELECT 1)" if function is nd.scatter_nd else "TABLE(SELECT 1), TABLE(SELECT 1)"
    error = error_of(spark, f"SELECT * FROM {function.__name__}({tables}, nonsense => 1)")
    listed = re.search(r"no argument 'nonsense'; it has ([\w, ]+)", error)
    assert listed, error
    assert arguments(function) == set(listed[1].split(", "))


def test_all_procedures_are_there(spark: Any) -> None:
    rows = spark.sql("SHOW PROCEDURES IN nd.system").toArrow().to_pylist()
    assert {row["procedure_name"] for row in rows} == set(_PROCEDURES)


@pytest.mark.parametrize("procedure", _PROCEDURES)
def test_procedures(spark: Any, procedure: str) -> None:
    names = arguments(*_PROCEDURES[procedure])
    for name in names:
        error = error_of(spark, f"CALL nd.system.{procedure}({name} => NULL)")
        assert "UNRECOGNIZED_PARAMETER_NAME" not in error, f"{procedure} has no {name}"
    error = error_of(spark, f"CALL nd.system.{procedure}({', '.join(['NULL'] * 99)})")
    counts = re.search(r"requires \[?([\d, ]+)\]? parameters", error)
    assert counts, error
    assert len(names) == int(counts[1].split(", ")[-1]), names


def test_results_have_the_columns_of_sql(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.create(table_name(), "int64", (4,), spark=spark)
    for statement, kind in [
        (f"CALL nd.system.info('{table.name}')", nd.TensorInfo),
        (f"CALL nd.system.describe('{table.name}')", nd.ColumnDescription),
        (f"CALL nd.system.check('{table.name}')", nd.RowProblem),
        (f"CALL nd.system.compact('{table.name}')", nd.TableCommit),
        (f"CALL nd.system.remove_orphans('{table.name}')", nd.OrphanFile),
        (f"CALL nd.system.expire('{table.name}', INTERVAL 1 DAY)", nd.ExpiredSnapshots),
        (f"CALL nd.system.resize('{table.name}', 5)", nd.TableSize),
    ]:
        assert spark.sql(statement).toArrow().column_names == [each.name for each in fields(kind)], statement

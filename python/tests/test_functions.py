# SPDX-License-Identifier: Apache-2.0
"""Table functions, compared with NumPy."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import sparknd as nd


def views(spark: Any) -> list[str]:
    return [row["viewName"] for row in spark.sql("SHOW VIEWS").toArrow().to_pylist() if row["isTemporary"]]


@pytest.mark.parametrize("seed", range(4))
def test_gather(spark: Any, seed: int) -> None:
    random = np.random.default_rng(seed)
    shape = tuple(random.integers(1, 6, 3))
    depth = int(random.integers(1, 4))
    params = random.standard_normal(shape).astype(np.float32)
    indices = np.stack([random.integers(0, shape[axis], 9) for axis in range(depth)], axis=1)
    asked = nd.from_numpy(np.arange(9), indices, value_column="row", spark=spark)
    table = nd.gather_nd(
        nd.from_numpy(params, index_depth=1, spark=spark),
        asked,
        shape=shape,
        index_columns=[f"i{axis}" for axis in range(depth)],
    ).toArrow()
    assert table.column_names == [*(f"i{axis}" for axis in range(depth)), "row", "value"]
    found = {row["row"]: row["value"] for row in table.to_pylist()}
    for row, index in enumerate(indices):
        np.testing.assert_array_equal(found[row], params[tuple(index)])


_UFUNCS: dict[str, Any] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("reduction", [*_UFUNCS, "update"])
def test_tensor_scatter(spark: Any, reduction: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    tensor = random.standard_normal((5, 3))
    indices, updates = random.integers(0, 5, 12), random.standard_normal((12, 3))
    function = getattr(nd, f"tensor_scatter_nd_{reduction}")
    result = function(
        nd.from_numpy(tensor, spark=spark), nd.from_numpy(updates, indices, spark=spark), shape=tensor.shape
    )
    if reduction == "update":
        tensor[indices] = updates
    else:
        _UFUNCS[reduction].at(tensor, indices, updates)
    np.testing.assert_array_equal(nd.to_numpy(result, tensor.shape), tensor)


@pytest.mark.parametrize("reduction", [None, "mul", "max", "none", "mean"])
def test_scatter(spark: Any, reduction: Any) -> None:
    updates = nd.from_numpy([9.0, 10.0, 11.0], [1, 3, 1], spark=spark)
    result = nd.to_numpy(nd.scatter_nd(updates, (5,), reduction=reduction), (5,))
    expected = {
        None: [0, 20, 0, 10, 0],
        "mul": [0] * 5,
        "max": [0, 11, 0, 10, 0],
        "none": [0, 11, 0, 10, 0],
        "mean": [0, 20 / 3, 0, 5, 0],
    }
    np.testing.assert_array_equal(result, expected[reduction])


@pytest.mark.parametrize(
    ("reduction", "values", "included", "excluded"),
    [("mean", [4.0, 6.0], 10 / 3, 5.0), ("mul", [4.0, 6.0], 0.0, 24.0), ("max", [-3.0, -2.0], 0.0, -2.0)],
)
def test_include_self(spark: Any, reduction: Any, values: Any, included: float, excluded: float) -> None:
    updates = nd.from_numpy(values, [0, 0], spark=spark)
    for option in ({}, {"include_self": True}):
        result = nd.to_numpy(nd.scatter_nd(updates, (2,), reduction=reduction, **option), (2,))  # type: ignore[arg-type]
        np.testing.assert_allclose(result, [included, 0], rtol=1e-15)
    result = nd.scatter_nd(updates, (2,), reduction=reduction, include_self=False)
    np.testing.assert_array_equal(nd.to_numpy(result, (2,)), [excluded, 0])
    if reduction != "mean":
        function = getattr(nd, f"tensor_scatter_nd_{reduction}")
        result = function(nd.from_numpy([100.0, 7.0], spark=spark), updates, shape=(2,), include_self=False)
        np.testing.assert_array_equal(nd.to_numpy(result, (2,)), [excluded, 7])


def test_include_self_needs_a_reduction(spark: Any) -> None:
    updates = nd.from_numpy([1.0], [0], spark=spark)
    with pytest.raises(Exception, match=r"include_self"):
        nd.tensor_scatter_nd_update(updates, updates, shape=(2,), include_self=False)


def test_order_by(spark: Any) -> None:
    profiles = spark.sql("SELECT * FROM VALUES (0, 'old'), (1, 'old') AS p(user, city)")
    events = spark.sql("SELECT * FROM VALUES (1, 'Rome', 30), (1, 'Oslo', 20) AS e(user, city, ts)")
    result = nd.tensor_scatter_nd_update(profiles, events, shape=[2], value_column="city", order_by=["ts"])
    assert nd.to_numpy(result, (2,)).tolist() == ["old", "Rome"]


def test_policies(spark: Any) -> None:
    params = nd.from_numpy(np.array([10, 20, 30]), spark=spark)
    asked = nd.from_numpy(np.arange(3), [2, 7, -1], value_column="row", spark=spark)

    def found(**options: Any) -> list[Any]:
        rows = nd.gather_nd(params, asked, shape=(3,), **options).toArrow().sort_by("row")
        return list(rows.column("value").to_pylist())

    assert found(bad_indices="ignore", negative="oob") == [30, 0, 0]
    assert found(bad_indices="ignore") == [30, 0, 0]
    with pytest.raises(Exception, match=r"\[-1\] is negative for .*'oob'"):
        found(bad_indices="ignore", negative="error")
    assert found(bad_indices="clip", negative="wrap") == [30, 30, 30]
    assert found(fill=-5, negative="oob") == [30, -5, -5]
    with pytest.raises(Exception, match=r"out of bounds"):
        found()
    updates = nd.from_numpy([1, 1], [0, 0], spark=spark)
    with pytest.raises(Exception, match=r"more than once|duplicate"):
        nd.scatter_nd(updates, (2,), duplicates="error").toArrow()


def test_fill_of_every_kind(spark: Any) -> None:
    asked = nd.from_numpy([0], [9], value_column="row", spark=spark)
    cases: list[tuple[Any, Any]] = [
        (np.array([1 + 2j]), 3 - 4j),
        (np.array(["a"], dtype=object), "it's :x {y}"),
        (np.array([True]), True),
        (np.array([1.5]), 2.5),
        (np.array([1.5], np.float32), -2),
        (np.array([1], np.int8), 5),
    ]
    for array, fill in cases:
        found = nd.gather_nd(nd.from_numpy(array, spark=spark), asked, shape=(1,), fill=fill)
        assert nd.to_numpy(found, (1,), index_columns="row")[0] == fill


def test_decimals_are_exact(spark: Any) -> None:
    accounts = spark.sql("SELECT * FROM VALUES (0, 10.00BD), (1, 20.00BD) AS a(id, balance)")
    bookings = spark.sql("SELECT * FROM VALUES (1, 0.10BD), (1, 0.20BD) AS b(id, amount)")
    result = nd.tensor_scatter_nd_add(accounts, bookings, shape=[2]).toArrow().sort_by("id")
    assert result.column("balance").to_pylist() == [Decimal("10.00"), Decimal("20.30")]


def test_a_result_can_be_read_again_and_leaves_no_view(spark: Any) -> None:
    before = views(spark)
    params = nd.from_numpy(np.arange(6.0).reshape(3, 2), spark=spark)
    asked = nd.from_numpy([0, 1], [2, 0], value_column="row", spark=spark)
    first = nd.gather_nd(params, asked, shape=(3, 2))
    nested = nd.gather_nd(nd.tensor_scatter_nd_add(params, params, shape=(3, 2)), asked, shape=(3, 2))
    assert views(spark) == before
    for _ in range(2):
        assert first.toArrow().sort_by("row").column("value").to_pylist() == [[4, 5], [0, 1]]
        assert nested.toArrow().sort_by("row").column("value").to_pylist() == [[8, 10], [0, 2]]
    assert views(spark) == before


def test_one_frame_may_be_both_tables(spark: Any) -> None:
    tensor = nd.from_numpy(np.arange(3), spark=spark)
    result = nd.tensor_scatter_nd_add(tensor, tensor, shape=(3,))
    np.testing.assert_array_equal(nd.to_numpy(result, (3,)), [0, 2, 4])


def test_frames_of_two_connect_sessions_are_an_error(spark: Any, other_spark: Any) -> None:
    # the plan of the other frame would be analyzed with the view of this session
    spark.sql("SELECT 0 AS i0").createOrReplaceTempView("asked_here_and_there")
    other_spark.sql("SELECT 2 AS i0").createOrReplaceTempView("asked_here_and_there")
    params = nd.from_numpy([5.0, 6.0, 7.0], spark=spark)
    with pytest.raises(ValueError, match=r"^indices is a DataFrame of another session than params, and sessions of"):
        nd.gather_nd(params, other_spark.table("asked_here_and_there"), shape=[3], index_columns="i0")
    with pytest.raises(ValueError, match=r"^updates is a DataFrame of another session than tensor, and sessions of"):
        nd.tensor_scatter_nd_add(params, nd.from_numpy([1.0], spark=other_spark), shape=[3])
    spark.sql("DROP VIEW asked_here_and_there")


def test_names_of_columns_and_tables(spark: Any) -> None:
    rows = spark.sql("SELECT id AS `it's {a} ``col```, id AS `:v` FROM range(3)")
    rows.createOrReplaceTempView("`a {view} :x`")
    asked = spark.sql("SELECT 2L AS `it's {a} ``col```")
    found = nd.gather_nd("`a {view} :x`", asked, shape=(3,), value_column=":v").toArrow()
    assert found.to_pylist() == [{"it's {a} `col`": 2, ":v": 2}]
    result = nd.tensor_scatter_nd_add(
        "`a {view} :x`", rows, shape=(3,), index_columns="it's {a} `col`", value_column=":v"
    )
    np.testing.assert_array_equal(nd.to_numpy(result, (3,)), [0, 2, 4])
    spark.sql("DROP VIEW `a {view} :x`")


def test_columns_of_info_and_check(spark: Any) -> None:
    df = spark.sql("SELECT * FROM VALUES (1.0D, 0, 'a'), (2.0D, 9, 'b') AS t(v, i, label)")
    info = nd.info(df, (4,), index_columns="i", value_column="v")
    assert isinstance(info, nd.TensorInfo)
    assert info.index_columns == ("i",)
    found = nd.check(df, (4,), index_columns="i", value_column="v")
    assert [each.problem for each in found] == ["index out of bounds"]


def test_info_and_check_of_frames(spark: Any) -> None:
    df = spark.sql("SELECT * FROM VALUES (0, 1.0D), (7, 2.0D), (0, 3.0D), (1, NULL) AS t(i, v)")
    info = nd.info(df, (4,))
    assert isinstance(info, nd.TensorInfo)
    assert (info.dtype, info.shape, info.index_columns, info.value_column) == ("float64", (4,), ("i",), "v")
    assert (info.slices, info.rows, info.layout) == (4, 4, None)
    assert [(each.problem, each.rows) for each in nd.check(df, (4,))] == [
        ("index out of bounds", 1),
        ("null or length of value", 1),
        ("slice named more than once", 1),
    ]

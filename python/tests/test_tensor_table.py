# SPDX-License-Identifier: Apache-2.0
"""Tensor tables, compared with NumPy."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest

import sparknd as nd


def snapshots(spark: Any, name: str) -> int:
    return int(spark.sql(f"SELECT * FROM {name}.snapshots").toArrow().num_rows)


def test_create_and_describe(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.create(
        table_name(),
        np.float32,
        (1000, 3),
        layout="columns",
        index_columns="user",
        value_columns=["clicks", "views", "spent"],
        fill=0,
        feature_fills={"spent": "inf"},
        expected_rows=100,
        properties={"owner": "shop"},
        spark=spark,
    )
    info = table.info()
    assert (info.dtype, info.shape, info.layout) == ("float32", (1000, 3), "columns")
    assert (info.index_columns, info.value_column, info.rows) == (("user",), "clicks, views, spent", 0)
    described = table.describe()
    assert [(each.column, each.role) for each in described] == [
        ("user", "index"),
        ("clicks", "value"),
        ("views", "value"),
        ("spent", "value"),
    ]
    assert (described[0].kind, described[0].size, described[3].fill) == ("tensor", 1000, "Infinity")
    np.testing.assert_array_equal(table[7], np.array([0, 0, np.inf], dtype=np.float32))


def test_a_procedure_runs_once(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.create(table_name(), "int64", (4,), spark=spark)
    commit = table.scatter(nd.from_numpy([1, 1, 5], [2, 2, 0], spark=spark))
    assert (commit.outcome, commit.updates, commit.dropped, commit.attempts) == ("committed", 3, 0, 1)
    assert snapshots(spark, table.name) == 1
    np.testing.assert_array_equal(table.to_numpy(), [5, 0, 2, 0])


def test_a_batch_counts_once(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.create(table_name(), "int64", (2,), spark=spark)
    updates = nd.from_numpy([3], [1], spark=spark)
    first = table.scatter(updates, batch_id="it's monday")
    again = table.scatter(updates, batch_id="it's monday")
    assert first.outcome == "committed"
    assert again.outcome != "committed"
    np.testing.assert_array_equal(table.to_numpy(), [0, 3])


@pytest.mark.parametrize("layout", ["array", "binary"])
@pytest.mark.parametrize("dtype", ["float32", "uint64", "float16", "complex64", "bool"])
def test_from_and_to_numpy(spark: Any, table_name: Callable[[], str], dtype: str, layout: Any) -> None:
    random = np.random.default_rng(3)
    array = (random.integers(0, 200, (5, 4, 2)) * (1 if dtype != "complex64" else 1 + 2j)).astype(dtype)
    table = nd.TensorTable.from_numpy(table_name(), array, layout=layout, index_depth=2, spark=spark)
    back = table.to_numpy()
    assert back.dtype == array.dtype
    np.testing.assert_array_equal(back, array)
    assert (table.shape, table.dtype) == ((5, 4, 2), dtype)


def test_from_numpy_with_a_dtype(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.from_numpy(table_name(), [1.5, 2], dtype="bfloat16", fill=7, spark=spark)
    assert (table.dtype, table.to_numpy().tolist()) == ("bfloat16", [1.5, 2])
    table.resize(3)
    assert table[2] == 7
    texts = nd.TensorTable.from_numpy(table_name(), ["a", "b"], dtype=str, spark=spark)
    assert texts.dtype == "string"
    large = nd.TensorTable.from_numpy(table_name(), [2**64 - 1, 0], dtype="uint64", spark=spark)
    assert large.to_numpy().tolist() == [2**64 - 1, 0]


def test_from_numpy_that_fails_leaves_no_table(
    spark: Any, table_name: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(*args: Any, **options: Any) -> None:
        raise ConnectionError("lost")

    name = table_name()
    with monkeypatch.context() as patch:
        patch.setattr(nd.TensorTable, "scatter", lose)
        with pytest.raises(ConnectionError, match="lost"):
            nd.TensorTable.from_numpy(name, [1, 2], spark=spark)
    assert nd.TensorTable.from_numpy(name, [1, 2], spark=spark).to_numpy().tolist() == [1, 2]


def test_a_feature_table_is_no_tensor(spark: Any, table_name: Callable[[], str]) -> None:
    users = nd.FeatureTable.create(table_name(), "user string", "views bigint", spark=spark)
    tensor = nd.TensorTable(users)
    calls: list[Callable[[], Any]] = [tensor.info, lambda: tensor.shape, lambda: tensor[5], tensor.to_numpy]
    for call in calls:
        with pytest.raises(TypeError, match="is a feature table: open it as a FeatureTable"):
            call()
    features = nd.FeatureTable(nd.TensorTable.create(table_name(), "int64", (2,), spark=spark))
    for call in (features.info, lambda: features["a"]):
        with pytest.raises(TypeError, match="is a tensor table: open it as a TensorTable"):
            call()


def test_names_for_all_tables(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.from_numpy(table_name(), [5, 6, 7], spark=spark)
    spark.sql("SELECT 2L AS i0").createOrReplaceTempView("named_clicks")
    assert table.gather("named_clicks").toArrow().column("value").to_pylist() == [7]
    assert nd.gather_nd(table, "named_clicks").toArrow().column("value").to_pylist() == [7]
    spark.sql("DROP VIEW named_clicks")


def test_a_column_for_each_element(spark: Any, table_name: Callable[[], str]) -> None:
    array = np.arange(6, dtype=np.float32).reshape(3, 2)
    table = nd.TensorTable.from_numpy(table_name(), array, layout="columns", value_columns=["x", "y"], spark=spark)
    assert table.to_dataframe().orderBy("i0").toArrow().column_names == ["i0", "x", "y"]
    np.testing.assert_array_equal(table.to_numpy(), array)
    np.testing.assert_array_equal(table[[2, 0]], array[[2, 0]])


@pytest.mark.parametrize("name", ["value", "VALUE"])
def test_an_index_column_may_be_named_as_values_are(spark: Any, table_name: Callable[[], str], name: str) -> None:
    array = np.arange(6).reshape(3, 2)
    table = nd.TensorTable.from_numpy(table_name(), array, index_columns=name, value_columns="v", spark=spark)
    assert table.to_dataframe().toArrow().column_names == [name, "v"]
    np.testing.assert_array_equal(table.to_numpy(), array)


def test_fill_value_above_those_of_sql(spark: Any, table_name: Callable[[], str]) -> None:
    largest = 2**64 - 1
    for fill in (largest, np.uint64(largest)):
        table = nd.TensorTable.create(table_name(), "uint64", (2,), fill=fill, spark=spark)
        assert table.to_numpy().tolist() == [largest, largest]


@pytest.mark.parametrize("size", [5.9, 2**64 + 7, "5O", True, float("nan")])
def test_sizes_are_not_cut(spark: Any, table_name: Callable[[], str], size: Any) -> None:
    table = nd.TensorTable.create(table_name(), "int8", (10,), spark=spark)
    for change in (
        lambda: table.resize(size),
        lambda: nd.TensorTable.create(table_name(), "int8", (size, 3), spark=spark),
        lambda: nd.TensorTable.create(table_name(), "int8", (10,), rows_per_block=size, spark=spark),
    ):
        with pytest.raises(
            Exception, match=r"it takes an (integer|array of integers)|should all be the same type|cannot be cast"
        ):
            change()
    assert table.shape == (10,)


def test_negative_ages_expire_nothing(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.create(table_name(), "int8", (10,), spark=spark)
    for _ in range(2):
        table.scatter(nd.from_numpy([1], [0], dtype="int8", spark=spark))
    with pytest.raises(Exception, match="it must not be negative"):
        table.expire(timedelta(days=-1))
    assert table.expire(timedelta(days=1)).snapshots_left == 2


def test_strings(spark: Any, table_name: Callable[[], str]) -> None:
    array = np.array(["a", "", "it's"])
    table = nd.TensorTable.from_numpy(table_name(), array, spark=spark)
    assert table.to_numpy().tolist() == ["a", "", "it's"]
    assert table[[2, 0]].tolist() == ["it's", "a"]


@pytest.mark.parametrize("depth", [1, 2])
def test_keys_as_in_numpy(spark: Any, table_name: Callable[[], str], depth: int) -> None:
    random = np.random.default_rng(4)
    array = random.integers(-100, 100, (6, 5, 3)).astype(np.int16)
    table = nd.TensorTable.from_numpy(table_name(), array, index_depth=depth, spark=spark)
    keys: list[Any] = [
        (1, 2),
        (5, -1),
        ([5, 2, 5], [0, 1, 4]),
        (np.array([[0], [3]]), np.array([[1, -2, 3]])),
        (4, [0, 0]),
        ([1, 2], [3, 4], [0, -1]),
        (3, 4, 2),
    ]
    if depth == 1:
        keys += [4, -6, [5, 0, 5], np.array([[1, 2], [3, 4]]), slice(1, 5, 2), slice(None), [], np.uint8(3)]
    for key in keys:
        found = table[key]
        np.testing.assert_array_equal(found, array[key], err_msg=repr(key))
        assert np.asarray(found).shape == np.asarray(array[key]).shape
        assert np.asarray(found).dtype == array.dtype


def test_keys_that_are_errors(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.create(table_name(), "float32", (4, 3, 2), index_depth=2, spark=spark)
    with pytest.raises(IndexError, match=r"1 indices for a tensor of shape \[4, 3, 2\] .* give 2 to 3"):
        table[1]
    with pytest.raises(IndexError, match="4 indices"):
        table[1, 2, 0, 0]
    with pytest.raises(TypeError, match="indices of type float64 are not integers"):
        table[1.5, 0]
    with pytest.raises(TypeError, match="among several indices"):
        table[0, 1:2]
    with pytest.raises(TypeError, match="bool"):
        table[[True], [False]]
    with pytest.raises(IndexError, match="index 4 is out of bounds for axis 0 with size 4"):
        table[4, 0]
    with pytest.raises(IndexError, match="index -4 is out of bounds for axis 1 with size 3"):
        table[[1, 2], [0, -4]]
    assert table[-4, -3].tolist() == [0, 0]


def test_gather_passes_other_columns_on(spark: Any, table_name: Callable[[], str]) -> None:
    array = np.arange(8.0).reshape(4, 2)
    table = nd.TensorTable.from_numpy(table_name(), array, index_columns="user", spark=spark)
    clicks = spark.sql("SELECT * FROM VALUES (2, 'buy'), (0, 'view'), (2, 'view') AS c(user, label)")
    rows = table.gather(clicks).toArrow().sort_by([("user", "ascending"), ("label", "ascending")]).to_pylist()
    assert rows == [
        {"user": 0, "label": "view", "value": [0.0, 1.0]},
        {"user": 2, "label": "buy", "value": [4.0, 5.0]},
        {"user": 2, "label": "view", "value": [4.0, 5.0]},
    ]
    of_rows = (
        nd.gather_nd(table.to_dataframe(), clicks).toArrow().sort_by([("user", "ascending"), ("label", "ascending")])
    )
    assert of_rows.to_pylist() == rows
    bad = spark.sql("SELECT 9L AS who")
    filled = table.gather(bad, index_columns="who", fill=-1.0).toArrow().to_pylist()
    assert filled == [{"who": 9, "value": [-1.0, -1.0]}]
    assert table.to_dataframe().toArrow().num_rows == 4


def test_options_of_scatter(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.create(table_name(), "int32", (4,), index_columns="user", spark=spark)
    events = spark.sql("SELECT * FROM VALUES (-1, 5, 2), (-1, 7, 1), (9, 1, 3) AS e(who, n, at)")
    commit = table.scatter(
        events,
        reduction="none",
        order_by="at",
        index_columns="who",
        value_column="n",
        bad_indices="ignore",
        negative="wrap",
        if_changed="fail",
    )
    assert (commit.updates, commit.dropped) == (3, 1)
    np.testing.assert_array_equal(table.to_numpy(), [0, 0, 0, 5])
    with pytest.raises(Exception, match=r"more than once|duplicate|twice"):
        table.scatter(
            nd.from_numpy(np.array([1, 1], np.int32), [0, 0], index_columns="user", spark=spark), duplicates="error"
        )


def test_include_self_and_ignored_indices(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.create(table_name(), "float64", (3,), spark=spark)
    table.scatter(nd.from_numpy([4.0, 6.0], [0, 0], spark=spark), reduction="mean", include_self=False)
    np.testing.assert_array_equal(table.to_numpy(), [5, 0, 0])
    table.scatter(nd.from_numpy([1.0, 1.0], [0, 1], spark=spark), reduction="mean")
    np.testing.assert_array_equal(table.to_numpy(), [3, 0.5, 0])
    commit = table.scatter(nd.from_numpy([1.0, 1.0], [-1, 9], spark=spark), bad_indices="ignore")
    assert commit.dropped == 2
    np.testing.assert_array_equal(table.to_numpy(), [3, 0.5, 0])
    with pytest.raises(Exception, match=r"include_self"):
        table.scatter(nd.from_numpy([1.0], [0], spark=spark), reduction="none", include_self=False)


def test_states(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.create(table_name(), "int64", (3,), spark=spark)
    first = table.scatter(nd.from_numpy([1], [0], spark=spark), batch_id="first")
    time.sleep(0.01)
    between = datetime.now(timezone.utc)
    time.sleep(0.01)
    table.scatter(nd.from_numpy([10, 20], [0, 2], spark=spark), batch_id="second")
    assert first.snapshot is not None
    np.testing.assert_array_equal(table.to_numpy(), [11, 0, 20])
    np.testing.assert_array_equal(table.snapshot(first.snapshot).to_numpy(), [1, 0, 0])
    np.testing.assert_array_equal(table.as_of(between).to_numpy(), [1, 0, 0])
    assert table.as_of(between)[0] == 1

    spark.sql(f"ALTER TABLE {table.name} CREATE TAG v1 AS OF VERSION {first.snapshot}")
    spark.sql(f"ALTER TABLE {table.name} CREATE BRANCH audit AS OF VERSION {first.snapshot}")
    np.testing.assert_array_equal(table.tag("v1").to_numpy(), [1, 0, 0])
    table.branch("audit").scatter(nd.from_numpy([5], [1], spark=spark))
    np.testing.assert_array_equal(table.branch("audit").to_numpy(), [1, 5, 0])
    np.testing.assert_array_equal(table.to_numpy(), [11, 0, 20])


def test_changes(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.create(table_name(), "int64", (5,), spark=spark)
    first = table.scatter(nd.from_numpy([1, 2], [0, 1], spark=spark), batch_id="first")
    table.scatter(nd.from_numpy([10, 20], [0, 2], spark=spark), batch_id="second")

    def rows(changes: Any) -> list[Any]:
        return [(row["i0"], row["value"], row["_change_type"]) for row in changes.toArrow().sort_by("i0").to_pylist()]

    since_batch = table.changes(since_batch="first")
    since_snapshot = table.changes(since_snapshot=first.snapshot, view="my changes")
    since_now = table.changes(since_batch="second")
    expected = [(0, 11, "UPDATE_AFTER"), (2, 20, "INSERT")]
    assert rows(since_batch) == rows(since_snapshot) == rows(spark.table("`my changes`")) == expected
    assert rows(since_now) == []
    with pytest.raises(Exception, match="since_batch"):
        table.changes()


def test_gather_as_of(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.create(table_name(), "int64", (3,), spark=spark)
    table.scatter(nd.from_numpy([1], [0], spark=spark))
    time.sleep(0.01)
    between = datetime.now(timezone.utc)
    time.sleep(0.01)
    table.scatter(nd.from_numpy([10], [0], spark=spark))
    labels = spark.sql(
        "SELECT * FROM VALUES (0L, :then), (0L, :later) AS l(i0, seen)",
        {"then": between, "later": datetime.now(timezone.utc)},
    )
    for found in (table.gather_as_of(labels, "seen"), nd.gather_nd_as_of(table.name, labels, "seen", clock="commit")):
        assert found.toArrow().sort_by("seen").column("value").to_pylist() == [1, 11]


def test_size_and_upkeep(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.create(table_name(), "float32", (1000,), rows_per_block=100, spark=spark)
    size = table.resize(2000)
    assert (size.size_before, size.size, table.shape) == (1000, 2000, (2000,))
    for rows in (range(50), range(50, 60), [5, 1500]):
        table.scatter(nd.from_numpy(np.full(len(rows), 2, np.float32), rows, spark=spark))
    assert table.check() == []
    assert table.compact().outcome == "committed"
    assert table.expire(timedelta(days=30)).snapshots_expired == 0
    assert table.expire(datetime.now(timezone.utc) + timedelta(days=1)).snapshots_left == 1
    assert table.remove_orphans(dry_run=True) == []
    assert table.remove_orphans(older_than=timedelta(days=2)) == []
    with pytest.raises(Exception, match="use a day or more"):
        table.remove_orphans(older_than=timedelta(hours=1))
    np.testing.assert_array_equal(table[[5, 1500, 6, 60]], [4, 2, 2, 0])


def test_adoption(spark: Any, table_name: Callable[[], str]) -> None:
    name = table_name()
    spark.sql(f"CREATE TABLE {name} (user bigint, vec array<float>) USING iceberg PARTITIONED BY (truncate(10, user))")
    spark.sql(f"INSERT INTO {name} VALUES (3, array(1.0F, 2.0F))")
    table = nd.TensorTable.adopt(name, "float32", (100, 2), index_columns="user", value_columns="vec", spark=spark)
    np.testing.assert_array_equal(table[[3, 4]], [[1, 2], [0, 0]])


def test_publication(spark: Any, table_name: Callable[[], str], tmp_path: Any) -> None:
    table = nd.TensorTable.from_numpy(table_name(), np.array([[1.0, 2.0], [3.0, 4.0]]), spark=spark)
    done = table.publish(
        f"jdbc:sqlite:{tmp_path}/online.db", name="online", values="json", properties={"journal_mode": "WAL"}
    )
    assert (done.upserted, done.deleted) == (2, 0)
    with contextlib.closing(sqlite3.connect(tmp_path / "online.db")) as store:
        found = store.execute("SELECT i0, value FROM online ORDER BY i0").fetchall()
        assert [(key, json.loads(value)) for key, value in found] == [(0, [1.0, 2.0]), (1, [3.0, 4.0])]
        assert store.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert table.publish(f"jdbc:sqlite:{tmp_path}/online.db", name="online", values="json").upserted == 0


def test_a_quoted_table(spark: Any) -> None:
    table = nd.TensorTable.create("lake.tests.`it's {odd} :t`", "int64", (2,), spark=spark)
    try:
        table.scatter(nd.from_numpy([4], [1], spark=spark))
        np.testing.assert_array_equal(table.to_numpy(), [0, 4])
        assert table[1] == 4
        assert [row["value"] for row in table.to_dataframe().toArrow().to_pylist()] == [4]
    finally:
        spark.sql(f"DROP TABLE {table.name}")


def test_errors_say_what_is_wrong(spark: Any, table_name: Callable[[], str]) -> None:
    with pytest.raises(Exception, match="UNKNOWN_DTYPE"):
        nd.TensorTable.create(table_name(), "float33", (2,), spark=spark)
    with pytest.raises(Exception, match="TABLE_OR_VIEW_NOT_FOUND"):
        nd.TensorTable("lake.tests.missing", spark=spark).info()
    table = nd.TensorTable.create(table_name(), "int64", (2,), spark=spark)
    with pytest.raises(Exception, match=r"\[7\] is out of bounds"):
        table.scatter(nd.from_numpy([4], [7], spark=spark))


def test_errors_are_those_of_pyspark_with_a_condition(spark: Any, table_name: Callable[[], str]) -> None:
    table = nd.TensorTable.create(table_name(), "int64", (2,), spark=spark)
    bad = nd.from_numpy([4], [7], spark=spark)
    # the procedure, the job of a procedure, a query that runs, and one that is analyzed
    calls: list[tuple[Callable[[], Any], str, str]] = [
        (lambda: nd.TensorTable("lake.tests.missing", spark=spark).compact(), "IllegalArgument", "SPARKND_"),
        (lambda: table.scatter(bad), "IllegalArgument", "SPARKND_INDEX_OUT_OF_BOUNDS"),
        (lambda: table.gather(bad).toArrow(), "IllegalArgument", "SPARKND_INDEX_OUT_OF_BOUNDS"),
        (lambda: nd.scatter_nd(bad, (2, 2, 2)).toArrow(), "Analysis", "SPARKND_"),
    ]
    for call, kind, condition in calls:
        with pytest.raises(Exception) as raised:  # noqa: PT011
            call()
        assert type(raised.value).__name__ == f"{kind}Exception"
        assert raised.value.getCondition().startswith(condition)  # type: ignore[attr-defined]

# SPDX-License-Identifier: Apache-2.0
"""Feature tables."""

from __future__ import annotations

import enum
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import sparknd as nd
from sparknd import feature_table


@pytest.fixture
def users(spark: Any, table_name: Callable[[], str]) -> nd.FeatureTable:
    return nd.FeatureTable.create(
        table_name(),
        {"user": "string"},
        {"views": "bigint", "seen": "timestamp", "city": "string", "taste": "array<float>"},
        reductions={"views": "add", "seen": "max", "city": "last(seen)", "taste": "add"},
        fills={"views": 0},
        shapes={"taste": "float32[2]"},
        ttl=timedelta(days=30),
        ttl_column="seen",
        buckets=4,
        spark=spark,
    )


def events(spark: Any) -> Any:
    return spark.sql(
        "SELECT * FROM VALUES "
        "('a', 1L, TIMESTAMP '2026-03-04 10:00:00', 'Rome', array(1F, 0F)), "
        "('b', 2L, TIMESTAMP '2026-03-04 11:00:00', 'Oslo', array(0F, 1F)), "
        "('a', 1L, TIMESTAMP '2026-03-04 09:00:00', 'Bonn', NULL) AS e(user, views, seen, city, taste)"
    )


def test_scatter_and_gather(spark: Any, users: nd.FeatureTable) -> None:
    commit = users.scatter(events(spark), batch_id="monday")
    assert (commit.outcome, commit.updates) == ("committed", 3)
    assert users.scatter(events(spark), batch_id="monday").outcome != "committed"
    labels = spark.sql("SELECT * FROM VALUES ('b', 1), ('new', 2), ('a', 3) AS l(customer, n)")
    found = users.gather(labels, index_columns="customer", value_columns=["views", "city"]).toArrow().sort_by("n")
    assert found.to_pylist() == [
        {"customer": "b", "n": 1, "views": 2, "city": "Oslo"},
        {"customer": "new", "n": 2, "views": 0, "city": None},
        {"customer": "a", "n": 3, "views": 2, "city": "Rome"},
    ]
    same = nd.gather_nd(users.name, labels, index_columns="customer", value_columns=["views", "city"])
    assert same.toArrow().sort_by("n").equals(found)


def test_which_keys_are_found(spark: Any, users: nd.FeatureTable) -> None:
    noon = datetime(2026, 3, 4, 12, tzinfo=timezone.utc)
    users.scatter(events(spark), valid_at=noon)
    labels = spark.sql("SELECT * FROM VALUES ('b', :at, 1), ('new', :at, 2) AS l(user, at, n)", {"at": noon})
    for found in (
        users.gather(labels, value_columns="views", found="is_known"),
        nd.gather_nd(users, labels, value_columns="views", found="is_known"),
        users.gather_as_of(labels, "at", clock="valid", value_columns="views", found="is_known"),
        nd.gather_nd_as_of(users, labels, "at", clock="none", value_columns="views", found="is_known"),
    ):
        rows = found.toArrow().sort_by("n")
        assert rows.column_names == ["user", "at", "n", "views", "is_known"]
        assert rows.column("is_known").to_pylist() == [True, False]
        assert rows.column("views").to_pylist() == [2, 0]


def test_keys(spark: Any, users: nd.FeatureTable) -> None:
    users.scatter(events(spark))
    found = users[["b", "new", "a", "b"]]
    assert found.column_names == ["user", "views", "seen", "city", "taste"]
    assert found.select(["user", "views", "city", "taste"]).to_pylist() == [
        {"user": "b", "views": 2, "city": "Oslo", "taste": [0, 1]},
        {"user": "new", "views": 0, "city": None, "taste": None},
        {"user": "a", "views": 2, "city": "Rome", "taste": [1, 0]},
        {"user": "b", "views": 2, "city": "Oslo", "taste": [0, 1]},
    ]
    assert users["a"].column("city").to_pylist() == ["Rome"]
    assert users[[]].num_rows == 0
    with pytest.raises(KeyError, match="customer"):
        users[{"customer": ["a"]}]


def test_composite_and_numbered_keys(spark: Any, table_name: Callable[[], str]) -> None:
    visits = nd.FeatureTable.create(
        table_name(),
        {"user": "string", "day": "date"},
        "n BIGINT",
        reductions={"n": "add"},
        bucket_column="day",
        spark=spark,
    )
    visits.scatter(spark.sql("SELECT 'a' AS user, DATE '2026-03-04' AS day, 3L AS n"))
    found = visits[{"user": ["a", "a"], "day": [date(2026, 3, 4), date(2026, 3, 5)]}]
    assert found.column("n").to_pylist() == [3, None]
    with pytest.raises(KeyError, match="give a mapping"):
        visits["a"]
    with pytest.raises(ValueError, match=r"rows: give all the same number"):
        visits[{"user": ["a"], "day": []}]
    pages = nd.FeatureTable.create(
        table_name(), {"id": "bigint"}, {"n": "bigint"}, size=10, fills={"n": 7}, spark=spark
    )
    assert pages[[3, 9]].column("n").to_pylist() == [7, 7]
    assert (pages.resize(20).size, pages.info().size) == (20, 20)


@pytest.mark.parametrize(
    ("type", "keys"),
    [
        ("int", [3, -4]),
        ("bigint", [2**40, 1]),
        ("date", [date(2026, 3, 4), date(1969, 1, 1)]),
        ("binary", [b"\x00a", b""]),
        ("string", ["it's", ""]),
    ],
)
def test_types_of_keys(spark: Any, table_name: Callable[[], str], type: str, keys: list[Any]) -> None:
    table = nd.FeatureTable.create(table_name(), f"k {type}", "n BIGINT", fills={"n": 7}, spark=spark)
    assert table[keys].column("n").to_pylist() == [7, 7]
    found = table[keys[:1]]
    table.scatter(spark.sql("SELECT :k AS k, 1L AS n", {"k": keys[0]}))
    assert table[keys[::-1]].column("n").to_pylist() == [7, 1]
    assert table[keys[0]].column("k").to_pylist() == found.column("k").to_pylist() == keys[:1]
    assert table[[]].column_names == ["k", "n"]


@pytest.mark.parametrize(
    "keys",
    [
        1.5,
        1.0,
        [1, 2.0],
        True,
        [1, True],
        Decimal(1),
        "1",
        date(2026, 3, 4),
        np.array([1.0]),
        np.array([True]),
        np.array([1.5], object),
        np.array(["2026-03-04"], "datetime64[D]"),
    ],
)
def test_integer_keys_are_not_cut(spark: Any, table_name: Callable[[], str], keys: Any) -> None:
    table = nd.FeatureTable.create(table_name(), "k bigint", "n BIGINT", spark=spark)
    with pytest.raises(TypeError, match=r"key .* of column k is not an integer"):
        table[keys]


@pytest.mark.parametrize(
    "keys",
    [
        5,
        [5],
        datetime(2026, 3, 4, 23),
        datetime(2026, 3, 4, 23, tzinfo=timezone(timedelta(hours=-5))),
        "2026-03-04",
        np.array([5]),
        np.array([5.5]),
        np.array([True]),
        np.array(["2026-03-04T23:00"], "datetime64[m]"),
        [np.datetime64("2026-03-04T23:00:00")],
    ],
)
def test_date_keys_are_not_cut(spark: Any, table_name: Callable[[], str], keys: Any) -> None:
    table = nd.FeatureTable.create(table_name(), "k date", "n BIGINT", spark=spark)
    with pytest.raises(TypeError, match=r"key .* of column k is not a date"):
        table[keys]


def test_keys_of_numpy_and_arrow(spark: Any, table_name: Callable[[], str]) -> None:
    numbers = nd.FeatureTable.create(table_name(), "k int", "n BIGINT", fills={"n": 7}, spark=spark)
    numbers.scatter(spark.sql("SELECT 3 AS k, 1L AS n"))
    for keys in [
        np.array([3, 4], ">i8"),
        np.array([3, 4], "uint64"),
        np.array([3, 4], object),
        pa.array([3, 4]),
        pa.chunked_array([[3], [4]]),
        (np.int8(3), 4),
    ]:
        assert numbers[keys].column("n").to_pylist() == [1, 7], keys
        assert numbers[{"k": keys}].column("k").to_pylist() == [3, 4]
    for key in [3, np.int64(3), np.array(3)]:
        assert numbers[key].num_rows == numbers[{"k": key}].num_rows == 1
    for large in [2**31, [2**31], np.array([2**31]), np.array([2**63], "uint64"), 2**70]:
        with pytest.raises((ValueError, OverflowError)):
            numbers[large]
    with pytest.raises(ValueError, match="have no value where it is masked"):
        numbers[np.ma.masked_equal([3, 4], 4)]
    days = nd.FeatureTable.create(table_name(), "k date", "n BIGINT", fills={"n": 7}, spark=spark)
    days.scatter(spark.sql("SELECT DATE '2026-03-04' AS k, 1L AS n"))
    assert days[np.array(["2026-03-04", "2026-03-05"], "datetime64[D]")].column("n").to_pylist() == [1, 7]
    assert days[np.datetime64("2026-03-04")].column("k").to_pylist() == [date(2026, 3, 4)]


def test_keys_of_iterators_and_scalars() -> None:
    def sent(keys: Any) -> list[Any]:
        return list(feature_table._key_array("k", feature_table._listed(keys), pa.int64()).to_pylist())

    assert sent(iter([1, 2])) == [1, 2]
    assert sent(pa.scalar(5)) == [5]
    assert sent(list(pa.array([1, 2]))) == [1, 2]


class NamedColumns:
    """As a ``DataFrame`` of pandas."""

    def __init__(self, **columns: Any) -> None:
        self.columns = np.array(list(columns))
        self._columns = columns

    def __len__(self) -> int:
        return 2

    def __getitem__(self, name: str) -> Any:
        return np.array(self._columns[name])

    def __iter__(self) -> Any:
        return iter(self.columns)


@pytest.mark.parametrize("kind", [NamedColumns, lambda **columns: pa.table(columns), lambda **c: pa.record_batch(c)])
def test_keys_of_tables_go_by_name(spark: Any, table_name: Callable[[], str], kind: Any) -> None:
    visits = nd.FeatureTable.create(table_name(), "user string, day int", "n BIGINT", fills={"n": 7}, spark=spark)
    visits.scatter(spark.sql("SELECT 'a' AS user, 3 AS day, 1L AS n"))
    assert visits[kind(day=[3, 4], user=["a", "b"])].to_pylist() == [
        {"user": "a", "day": 3, "n": 1},
        {"user": "b", "day": 4, "n": 7},
    ]
    users = nd.FeatureTable.create(table_name(), "user string", "n BIGINT", fills={"n": 7}, spark=spark)
    assert users[kind(user=["user", "a"])].column("user").to_pylist() == ["user", "a"]
    with pytest.raises(KeyError, match=r"columns \['customer'\] are not those of the key, \['user'\]"):
        users[kind(customer=["a"])]
    with pytest.raises(KeyError, match="are not those of the key"):
        users[kind(user=["a"], day=[1])]


def test_keys_of_tables_that_are_errors(spark: Any, users: nd.FeatureTable) -> None:
    twice = pa.table([pa.array(["a"]), pa.array(["b"])], ["user", "user"])
    with pytest.raises(KeyError, match=r"columns \['user', 'user'\] have a name twice"):
        users[twice]
    with pytest.raises(TypeError, match="the keys are a DataFrame of Spark: use gather"):
        users[spark.sql("SELECT 'a' AS user")]


def test_fill_values_of_enums() -> None:
    class City(str, enum.Enum):
        ROME = "Rome"

    class Count(enum.Enum):
        ONE = 1

    assert feature_table._text("city", City.ROME) == "Rome"
    assert feature_table._text("n", Count.ONE) == "1"  # type: ignore[arg-type]


class DataType:
    """As a type of PySpark."""

    def __init__(self, text: str) -> None:
        self._text = text

    def simpleString(self) -> str:
        return self._text

    def typeName(self) -> str:
        return self._text


class ArrayType(DataType):
    """As that of PySpark, which has the type of its elements."""

    def __init__(self, element: DataType) -> None:
        super().__init__("array")
        self.elementType = element


class MapType(DataType):
    """As that of PySpark, which has the types of its keys and values."""

    def __init__(self, key: DataType, value: DataType) -> None:
        super().__init__("map")
        self.keyType = key
        self.valueType = value


class StructType(DataType):
    """As that of PySpark, whose fields have names and types."""

    def __init__(self, **types: DataType) -> None:
        super().__init__("struct")
        self.fields = [SimpleNamespace(name=name, dataType=type) for name, type in types.items()]


def test_types_of_pyspark(spark: Any, table_name: Callable[[], str]) -> None:
    variables = StructType(views=DataType("bigint"), taste=DataType("array<float>"))
    table = nd.FeatureTable.create(table_name(), {"user": DataType("string")}, variables, spark=spark)
    assert [(each.column, each.type.lower()) for each in table.describe()] == [
        ("user", "string"),
        ("views", "bigint"),
        ("taste", "array<float>"),
    ]


def test_times_of_pyspark_have_zones_in_every_session() -> None:
    time = DataType("timestamp")
    by_name = MapType(DataType("string"), StructType(at=ArrayType(time)))
    definitions = feature_table._definitions("variables", {"seen": time, "all": by_name, "local": "timestamp"})
    assert (
        definitions == "`seen` timestamp_ltz, `all` map<string, struct<`at`: array<timestamp_ltz>>>, `local` timestamp"
    )


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (["user"], r"keys is of type list: give names with their types, as \{'user': 'string'\}"),
        ({"user": DataType}, "the type of user is <class .*: give one of SQL, as 'bigint', or of PySpark, as LongType"),
        ({"user": int}, "the type of user is <class 'int'>: give one of SQL"),
    ],
)
def test_definitions_that_are_errors(spark: Any, keys: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        nd.FeatureTable.create("lake.tests.none", keys, "n BIGINT", spark=spark)


def test_one_composite_key(spark: Any, table_name: Callable[[], str]) -> None:
    visits = nd.FeatureTable.create(table_name(), "user string, day int", "n BIGINT", fills={"n": 7}, spark=spark)
    assert visits[{"user": "ab", "day": 1}].to_pylist() == [{"user": "ab", "day": 1, "n": 7}]


def test_times_of_an_aware_datetime_do_not_follow_the_session(spark: Any, users: nd.FeatureTable) -> None:
    noon = datetime(2026, 3, 4, 12, tzinfo=timezone.utc)
    spark.sql("SET spark.sql.session.timeZone=America/New_York")
    spark.sql("SET spark.sql.timestampType=TIMESTAMP_NTZ")
    try:
        users.scatter(spark.sql("SELECT 'a' AS user, 2L AS views"), valid_at=noon)
        labels = spark.sql(
            "SELECT * FROM VALUES ('a', TIMESTAMP_LTZ '2026-03-04 11:59:59Z'), ('a', TIMESTAMP_LTZ '2026-03-04 12:00:00Z') "
            "AS l(user, at)"
        )
        found = users.gather_as_of(labels, "at", clock="valid", value_columns="views").toArrow().sort_by("at")
        assert found.column("views").to_pylist() == [0, 2]
    finally:
        spark.sql("RESET spark.sql.timestampType")
        spark.sql("RESET spark.sql.session.timeZone")


def test_info_and_describe(spark: Any, users: nd.FeatureTable) -> None:
    users.scatter(events(spark))
    info = users.info()
    assert info.key_columns == ("user",)
    assert set(info.variables) >= {"views", "seen", "city", "taste"}
    assert (info.rows, info.size) == (2, None)
    by_name = {each.column: each for each in users.describe()}
    assert (by_name["user"].role, by_name["views"].role, by_name["views"].reduction) == ("key", "variable", "add")
    assert (by_name["taste"].shape, by_name["taste"].dtype) == ((2,), "float32")
    assert by_name["city"].state_columns == ("city__seen",)
    assert users.check() == []


def test_changes_and_evictions(spark: Any, users: nd.FeatureTable) -> None:
    users.scatter(events(spark), batch_id="monday")
    evicted = users.evict("city = 'Oslo'", batch_id="no Oslo")
    assert (evicted.outcome, evicted.rows) == ("committed", 1)
    rows = users.changes(since_batch="monday").toArrow().to_pylist()
    assert [(row["user"], row["_change_type"], row["city"]) for row in rows] == [("b", "DELETE", None)]
    users.evict()
    assert users.info().rows == 0


def test_as_of_valid_times(spark: Any, users: nd.FeatureTable) -> None:
    noon = datetime(2026, 3, 4, 12, tzinfo=timezone.utc)
    users.scatter(events(spark), batch_id="monday", valid_at=noon)
    labels = spark.sql(
        "SELECT * FROM VALUES ('a', :before), ('a', :after) AS l(user, at)",
        {"before": noon - timedelta(hours=1), "after": noon + timedelta(hours=1)},
    )
    found = users.gather_as_of(labels, "at", clock="valid", value_columns="views").toArrow().sort_by("at")
    assert found.column("views").to_pylist() == [0, 2]


def test_evictions_have_valid_times(spark: Any, users: nd.FeatureTable) -> None:
    day = datetime(2026, 3, 5, tzinfo=timezone.utc)
    users.scatter(events(spark), valid_at=day)
    assert users.evict(valid_at=day).outcome == "empty"  # no time to live had ended
    users.evict("city = 'Oslo'", batch_id="no Oslo", valid_at=day + timedelta(days=1))
    # by the time of its commit, the eviction would hide this batch from labels of the past
    users.scatter(events(spark), valid_at=day + timedelta(days=2))
    labels = spark.sql(
        "SELECT 'a' AS user, :from + id * INTERVAL '1' DAY AS at FROM range(3) "
        "UNION ALL SELECT 'b' AS user, :from + id * INTERVAL '1' DAY AS at FROM range(3)",
        {"from": day},
    )
    found = users.gather_as_of(labels, "at", clock="valid", value_columns="views").toArrow()
    found = found.sort_by([("user", "ascending"), ("at", "ascending")])
    assert found.column("views").to_pylist() == [2, 2, 4, 2, 0, 2]


def test_windows(spark: Any, table_name: Callable[[], str]) -> None:
    users = nd.FeatureTable.create(
        table_name(),
        {"user": "string"},
        {"views": "bigint", "seen": "timestamp"},
        reductions={"views": "count(seen)", "seen": "max"},
        windows={"views": "1 day, 7 days"},
        tiles={"views": "1 day"},
        fills={"views": 0},
        spark=spark,
    )
    users.scatter(
        spark.sql(
            "SELECT 'a' AS user, TIMESTAMP '2026-03-01 10:00:00Z' + id * INTERVAL '1' DAY AS seen, 1L AS views "
            "FROM range(4)"
        )
    )
    labels = spark.sql("SELECT 'a' AS user, TIMESTAMP '2026-03-05 00:00:00Z' AS at")
    found = users.gather_as_of(labels, "at", clock="none", value_columns=["views_1d", "views_7d"]).toArrow()
    assert found.select(["views_1d", "views_7d"]).to_pylist() == [{"views_1d": 1, "views_7d": 4}]


def test_adoption(spark: Any, table_name: Callable[[], str]) -> None:
    name = table_name()
    spark.sql(
        f"CREATE TABLE {name} (customer string, spent double) USING iceberg TBLPROPERTIES ('format-version' = '3')"
    )
    spark.sql(f"INSERT INTO {name} VALUES ('a', 1.5)")
    orders = nd.FeatureTable.adopt(name, "customer", reductions={"spent": "add"}, fills={"spent": 0.0}, spark=spark)
    orders.scatter(spark.sql("SELECT * FROM VALUES ('a', 2D), ('b', 4D) AS o(customer, spent)"))
    assert orders[["a", "b", "c"]].column("spent").to_pylist() == [3.5, 4.0, 0.0]


def test_order_of_the_key(spark: Any, table_name: Callable[[], str]) -> None:
    name = table_name()
    spark.sql(f"CREATE TABLE {name} (day int, user int, n bigint) USING iceberg")
    visits = nd.FeatureTable.adopt(name, ["user", "day"], spark=spark)
    visits.scatter(spark.sql("SELECT * FROM VALUES (1, 2, 12L), (2, 1, 21L) AS v(user, day, n)"))
    found = visits[{"day": [2, 1], "user": [1, 2]}]
    assert found.column_names == ["user", "day", "n"]
    assert found.column("n").to_pylist() == [12, 21]


def test_reduction_of_a_call(spark: Any, users: nd.FeatureTable) -> None:
    for views in (3, 5):
        users.scatter(spark.sql(f"SELECT 'a' AS user, {views}L AS views"), reduction="update")
    assert users["a"].column("views").to_pylist() == [5]


def test_bad_keys(spark: Any, users: nd.FeatureTable) -> None:
    rows = spark.sql("SELECT * FROM VALUES ('a', 1L), (NULL, 2L) AS e(user, views)")
    with pytest.raises(Exception, match="NULL"):
        users.scatter(rows)
    assert users.scatter(rows, bad_indices="ignore").dropped == 1
    assert users.scatter(rows, bad_indices="ignore", reduction="max", index_columns=["user"]).dropped == 1
    assert users["a"].column("views").to_pylist() == [1]

# SPDX-License-Identifier: Apache-2.0
"""The text and the arguments of statements, without a server."""

from __future__ import annotations

import enum
import string
import sys
import time
import types
import typing
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import sparknd as nd
from sparknd import _names
from sparknd._statement import Statement, instant, option_text
from sparknd.session import active_session


class RecordedSession:
    """Records statements as PySpark would run them, and answers with given rows."""

    def __init__(self, answer: list[dict[str, Any]] | None = None) -> None:
        self.answer = answer or []
        self.statements: list[tuple[str, dict[str, Any]]] = []

    def sql(self, sqlQuery: str, args: dict[str, Any] | None = None, **kwargs: Any) -> RecordedFrame:
        text = (
            string.Formatter().format(sqlQuery, **{name: f"view_of_{name}" for name in kwargs}) if kwargs else sqlQuery
        )
        self.statements.append((text, args or {}))
        return RecordedFrame(self)

    def table(self, tableName: str, /) -> RecordedFrame:
        return RecordedFrame(self)

    def createDataFrame(self, data: Any, /) -> RecordedFrame:
        return RecordedFrame(self)


class RecordedFrame:
    def __init__(self, session: RecordedSession) -> None:
        self._session = session

    @property
    def sparkSession(self) -> RecordedSession:
        return self._session

    def toArrow(self) -> pa.Table:
        return pa.Table.from_pylist(self._session.answer)


class ClassicSession(RecordedSession):
    """As a classic session: objects with the same ``_jsparkSession`` are one session, whose views no other sees."""

    global_views: typing.ClassVar[list[str]] = []

    def __init__(self, jvm_session: str) -> None:
        super().__init__()
        self._jsparkSession = jvm_session
        self.conf = {"spark.sql.globalTempDatabase": "shared"}
        self.catalog = types.SimpleNamespace(dropGlobalTempView=self.global_views.remove)
        self.moved: list[str] = []

    def sql(self, sqlQuery: str, args: dict[str, Any] | None = None, **kwargs: Any) -> RecordedFrame:
        for name, frame in kwargs.items():
            if frame.sparkSession._jsparkSession != self._jsparkSession:
                raise LookupError(f"TABLE_OR_VIEW_NOT_FOUND of {name}")
            frame.is_cached = False
        return super().sql(sqlQuery, args, **kwargs)

    def table(self, tableName: str, /) -> RecordedFrame:
        assert [tableName] == [f"`shared`.`{view}`" for view in self.global_views]
        self.moved.append(tableName)
        return ClassicFrame(self)


class ClassicFrame(RecordedFrame):
    """Is uncached with a view of it, which PySpark makes and drops for a statement."""

    is_cached = True

    def where(self, condition: str) -> ClassicFrame:
        assert condition == "true"
        return ClassicFrame(self.sparkSession)

    def createGlobalTempView(self, name: str) -> None:
        self.is_cached = False
        ClassicSession.global_views.append(name)


def test_function_has_views_of_frames_and_named_arguments() -> None:
    session = RecordedSession()
    frame = RecordedFrame(session)
    nd.gather_nd(frame, frame, shape=(4, 2), index_columns="i", bad_indices="ignore", dtype=np.float16)
    assert session.statements == [
        (
            "SELECT * FROM gather_nd(TABLE(view_of_params), TABLE(view_of_indices), shape => array(:shape_0, :shape_1), "
            "bad_indices => :bad_indices, index_columns => :index_columns, dtype => :dtype)",
            {"shape_0": 4, "shape_1": 2, "bad_indices": "ignore", "index_columns": "i", "dtype": "float16"},
        )
    ]


def test_names_are_quoted_and_braces_are_not_those_of_the_formatter() -> None:
    session = RecordedSession()
    nd.tensor_scatter_nd_add("lake.`a {b} ``c``; --`.t", RecordedFrame(session), shape=[3])
    assert session.statements[0][0].startswith(
        "SELECT * FROM tensor_scatter_nd_add(TABLE(`lake`.`a {b} ``c``; --`.`t`), TABLE(view_of_updates)"
    )
    nd.describe("lake.`a {b}`", spark=session)
    assert session.statements[1] == ("CALL nd.system.describe(table => :table)", {"table": "`lake`.`a {b}`"})


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "lake.",
        ".users",
        "lake..users",
        "lake users",
        "lake.`users",
        "lake.a-b",
        "lake.users; DROP TABLE x",
        "``",
    ],
)
def test_what_is_not_a_name_is_an_error(name: str) -> None:
    with pytest.raises(ValueError, match="is not a table name"):
        _names.parts(name)


def test_parts_of_names() -> None:
    assert _names.parts("lake.shop.`user ``data```") == ["lake", "shop", "user `data`"]
    assert _names.parts("größe") == ["größe"]


@pytest.mark.parametrize(
    ("value", "text", "args"),
    [
        (np.int64(3), ":x", {"x": 3}),
        (np.array([1, 2]), "array(:x_0, :x_1)", {"x_0": 1, "x_1": 2}),
        ((), "array()", {}),
        (1.5 - 2j, "named_struct('re', :x_re, 'im', :x_im)", {"x_re": 1.5, "x_im": -2.0}),
        (Decimal("-1.50"), "CAST(:x AS DECIMAL(3, 2))", {"x": "-1.50"}),
        (Decimal("0.001"), "CAST(:x AS DECIMAL(3, 3))", {"x": "0.001"}),
        (Decimal("1E+3"), "CAST(:x AS DECIMAL(4, 0))", {"x": "1E+3"}),
        ({"a": "b'; --"}, "map(:x_0, :x_1)", {"x_0": "a", "x_1": "b'; --"}),
        ({"user": "u", "port": 5432}, "map(:x_0, :x_1, :x_2, :x_3)", ["user", "u", "port", "5432"]),
        ({"a": True, "b": np.bool_(False)}, "map(:x_0, :x_1, :x_2, :x_3)", ["a", "true", "b", "false"]),
        ({"a": np.float32(0.1), "b": Decimal("1.50")}, "map(:x_0, :x_1, :x_2, :x_3)", ["a", "0.1", "b", "1.50"]),
        (timedelta(days=3), ":x", {"x": timedelta(days=3)}),
        (2**64 - 1, "CAST(:x AS DECIMAL(20, 0))", {"x": "18446744073709551615"}),
        (np.uint64(2**63), "CAST(:x AS DECIMAL(19, 0))", {"x": "9223372036854775808"}),
        (-(2**63), ":x", {"x": -(2**63)}),
        (datetime(1970, 1, 2, tzinfo=timezone.utc), "timestamp_micros(:x)", {"x": 86_400_000_000}),
        (
            datetime(1969, 12, 31, 22, 0, 0, 1, tzinfo=timezone(timedelta(hours=-2))),
            "timestamp_micros(:x)",
            {"x": 1},
        ),
        (np.datetime64("2026-03-04T05:06:07.891234567"), ":x", {"x": datetime(2026, 3, 4, 5, 6, 7, 891234)}),
        (np.timedelta64(5, "ns"), ":x", {"x": timedelta(0)}),
        (np.datetime64("2026-03-04"), ":x", {"x": date(2026, 3, 4)}),
    ],
)
def test_values_are_arguments(value: Any, text: str, args: dict[str, Any] | list[str]) -> None:
    session = RecordedSession()
    statement = Statement()
    assert statement.value("x", value) == text
    statement.run("", session)
    found = session.statements[0][1]
    assert found == args if isinstance(args, dict) else list(found.values()) == args


@pytest.mark.parametrize("value", [None, b"hunter2", ["hunter2"], {"hunter2"}])
def test_a_value_of_a_mapping_is_not_shown(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^properties\['password'\] is of \w+: write a text, a number or a boolean$"):
        nd.TensorTable("lake.t", spark=RecordedSession()).publish("jdbc:x", properties={"password": value})


class Stamp(datetime):
    """As a ``Timestamp`` of pandas."""

    def astimezone(self, tz: Any = None) -> Any:
        raise TypeError("as that of pandas, without a zone")

    def to_pydatetime(self) -> datetime:
        return datetime(self.year, self.month, self.day, self.hour)


class NoTime(datetime):
    """As ``NaT`` of pandas, which is a datetime that equals none."""

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return True

    __hash__ = datetime.__hash__


def test_times_without_a_zone_are_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        session = RecordedSession([{"outcome": "committed", "snapshot": 1, "updates": 1}])
        table = nd.FeatureTable("lake.t", spark=session)
        naive = datetime(2026, 3, 4, 5)
        for call in (
            lambda: table.expire(naive),
            lambda: table.expire(np.datetime64(naive, "ns")),  # type: ignore[arg-type]
            lambda: table.remove_orphans(older_than=naive),
            lambda: table.scatter(RecordedFrame(session), valid_at=naive),
            lambda: table.evict("views < 3", valid_at=naive),
        ):
            with pytest.raises(TypeError, match="missing"):
                call()
            text, args = session.statements[-1]
            assert "timestamp_micros(:" in text
            assert datetime(2026, 3, 4, 10, tzinfo=timezone.utc).timestamp() * 1_000_000 in args.values()
        with pytest.raises(ValueError, match="older_than is NaT"):
            table.expire(np.datetime64("NaT"))  # type: ignore[arg-type]
        for local in (naive, np.datetime64(naive, "ns"), Stamp(2026, 3, 4, 5)):
            state = table.as_of(local)  # type: ignore[arg-type]
            assert state.name == "`lake`.`t`.`at_timestamp_1772618400000`"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_statement_runs_in_the_session_of_its_frames() -> None:
    # foreachBatch has a session of its own, which has the views of its frames
    ours, others = RecordedSession(), RecordedSession([{"outcome": "committed", "snapshot": 1, "updates": 1}])
    with pytest.raises(TypeError, match="missing"):
        nd.TensorTable("lake.t", spark=ours).scatter(RecordedFrame(others))
    assert not ours.statements
    assert others.statements[0][0] == "CALL nd.system.scatter_nd(table => :table, updates => 'view_of_updates')"


def test_frames_of_other_classic_sessions_are_moved() -> None:
    # the batch of foreachBatch is of a clone of the session, which a static frame is not
    batch, static = ClassicSession("clone"), ClassicSession("main")
    assert nd.gather_nd(ClassicFrame(batch), ClassicFrame(static)).sparkSession is batch
    assert nd.tensor_scatter_nd_add(ClassicFrame(static), ClassicFrame(batch)).sparkSession is static
    assert [text.partition("(")[0] for text, _ in batch.statements] == ["SELECT * FROM gather_nd"]
    assert [text.partition("(")[0] for text, _ in static.statements] == ["SELECT * FROM tensor_scatter_nd_add"]
    assert (len(batch.moved), len(static.moved)) == (1, 1)
    assert not ClassicSession.global_views


def test_frames_that_are_cached_stay_cached() -> None:
    ours, others = ClassicFrame(ClassicSession("main")), ClassicFrame(ClassicSession("clone"))
    nd.gather_nd(ours, others)
    assert ours.is_cached
    assert others.is_cached


def test_objects_of_one_classic_session_are_one() -> None:
    first, second = ClassicSession("main"), ClassicSession("main")
    nd.gather_nd(ClassicFrame(first), ClassicFrame(second))
    assert len(first.statements) == 1
    assert not first.moved


def test_a_frame_that_cannot_be_moved_leaves_no_view(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, /) -> RecordedFrame:
        assert name == f"`shared`.`{ClassicSession.global_views[0]}`"
        raise PermissionError(name)

    batch, static = ClassicSession("clone"), ClassicSession("main")
    monkeypatch.setattr(batch, "table", refuse)
    with pytest.raises(PermissionError):
        nd.gather_nd(ClassicFrame(batch), ClassicFrame(static))
    assert not ClassicSession.global_views
    assert not batch.statements


def test_names_of_snapshots() -> None:
    table = nd.FeatureTable("lake.shop.users", spark=RecordedSession())
    assert table.branch("audit").name == "`lake`.`shop`.`users`.`branch_audit`"
    assert table.tag("v1").name == "`lake`.`shop`.`users`.`tag_v1`"
    assert table.snapshot(42).name == "`lake`.`shop`.`users`.`snapshot_id_42`"
    at = datetime(2026, 3, 4, 5, 6, 7, 891999, tzinfo=timezone(timedelta(hours=2)))
    assert table.as_of(at).name == "`lake`.`shop`.`users`.`at_timestamp_1772593567891`"
    assert repr(table.branch("audit")) == "FeatureTable('`lake`.`shop`.`users`.`branch_audit`')"


@pytest.mark.parametrize("time", [date(2026, 3, 4), np.datetime64("2026-03-04"), "2026-03-04", None])
def test_states_are_of_times(time: Any) -> None:
    table = nd.TensorTable("lake.t", spark=RecordedSession())
    with pytest.raises(TypeError, match="is not a time: give a datetime"):
        table.as_of(time)
    for no_time in (np.datetime64("NaT"), NoTime(2026, 3, 4)):
        with pytest.raises(ValueError, match="time is NaT"):
            table.as_of(no_time)  # type: ignore[arg-type]


def test_tables_are_not_iterated() -> None:
    session = RecordedSession()
    for table in (nd.TensorTable("lake.t", spark=session), nd.FeatureTable("lake.t", spark=session)):
        with pytest.raises(TypeError, match="is not iterable"):
            list(table)  # type: ignore[call-overload]
        with pytest.raises(TypeError, match=r"is not a container|is not iterable"):
            1 in table  # type: ignore[misc]  # noqa: B015
    assert not session.statements


def test_tables_in_place_of_names() -> None:
    ours, others = RecordedSession(), RecordedSession()
    table = nd.TensorTable("lake.`a {b}`", spark=ours)
    frame = RecordedFrame(others)
    nd.gather_nd(table, frame)
    nd.gather_nd_as_of(table, frame, "at")
    nd.tensor_scatter_nd_add(table, frame)
    assert [text.partition(",")[0] for text, _ in others.statements] == [
        "SELECT * FROM gather_nd(TABLE(`lake`.`a {b}`)",
        "SELECT * FROM gather_nd_as_of(TABLE(`lake`.`a {b}`)",
        "SELECT * FROM tensor_scatter_nd_add(TABLE(`lake`.`a {b}`)",
    ]
    nd.describe(table)
    nd.check(nd.FeatureTable(table))
    assert [args for _, args in ours.statements] == [{"table": "`lake`.`a {b}`"}] * 2
    nd.describe(table, spark=others)
    assert others.statements[-1][1] == {"table": "`lake`.`a {b}`"}


def test_names_for_all_tables_run_in_the_session_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, active = RecordedSession(), RecordedSession()
    monkeypatch.setattr("sparknd._statement.active_session", lambda: active)
    table = nd.TensorTable("lake.t", spark=ours)
    nd.gather_nd(table, "clicks")
    nd.gather_nd("lake.t", table)
    nd.tensor_scatter_nd_add(table, "updates")
    table.gather("clicks")
    table.gather_as_of("labels", "at", found="is_known")
    assert [text for text, _ in ours.statements] == [
        "SELECT * FROM gather_nd(TABLE(`lake`.`t`), TABLE(`clicks`))",
        "SELECT * FROM gather_nd(TABLE(`lake`.`t`), TABLE(`lake`.`t`))",
        "SELECT * FROM tensor_scatter_nd_add(TABLE(`lake`.`t`), TABLE(`updates`))",
        "SELECT * FROM gather_nd(TABLE(`lake`.`t`), TABLE(`clicks`))",
        "SELECT * FROM gather_nd_as_of(TABLE(`lake`.`t`), TABLE(`labels`), at => :at, found => :found)",
    ]
    nd.scatter_nd("events", shape=(10,))
    nd.gather_nd("lake.t", "clicks")
    assert [text.partition("(")[0] for text, _ in active.statements] == [
        "SELECT * FROM scatter_nd",
        "SELECT * FROM gather_nd",
    ]


class Column:
    """As that of PySpark: it has any attribute, which is a Column, and cannot be called."""

    def __getattr__(self, name: str) -> Column:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __iter__(self) -> Any:
        raise TypeError("Column is not iterable")


def test_columns_of_pyspark_are_no_options() -> None:
    session = RecordedSession()
    frame, column = RecordedFrame(session), Column()
    table = nd.FeatureTable("lake.t", spark=session)
    calls: dict[str, Any] = {
        "order_by is of type Column": lambda: nd.scatter_nd(frame, (10,), order_by=column),  # type: ignore[arg-type]
        "index_columns_1 is of type Column": lambda: nd.scatter_nd(
            frame,
            (10,),
            index_columns=["a", column],  # type: ignore[list-item]
        ),
        "where is of type Column": lambda: table.evict(column),  # type: ignore[arg-type]
        "shape is of type set": lambda: nd.scatter_nd(frame, {10}),  # type: ignore[arg-type]
        "updates is of type Column, which is neither": lambda: table.scatter(column),  # type: ignore[arg-type]
        "indices is of type Column, which is neither": lambda: table.gather(column),  # type: ignore[arg-type]
        "the name of a column is of type Column: give a text": lambda: nd.from_numpy(
            [1],
            index_columns=column,  # type: ignore[arg-type]
            spark=session,
        ),
    }
    for message, call in calls.items():
        with pytest.raises(TypeError, match=f"^{message}"):
            call()
    assert not session.statements


def test_what_is_no_table_is_an_error() -> None:
    session = RecordedSession()
    frame, table = RecordedFrame(session), nd.TensorTable("lake.t", spark=session)
    calls: list[Any] = [
        lambda: nd.gather_nd(Path("lake.t"), frame),  # type: ignore[arg-type]
        lambda: nd.info(pa.table({"i": [1]})),
        lambda: nd.nearest("/models/items", table),  # type: ignore[type-var]
        lambda: table.scatter("updates"),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"^\w+ is of type \w+, which is neither a DataFrame of Spark nor a table$"):
            call()
    with pytest.raises(TypeError, match=r"^5 is not the name of a table"):
        nd.TensorTable(5, spark=session)  # type: ignore[arg-type]
    assert not session.statements


def test_folders_may_be_paths() -> None:
    session = RecordedSession()
    frame = RecordedFrame(session)
    nd.nearest(Path("/models/items"), frame)
    nd.embedding_lookup(Path("/models/items"), frame)
    assert [args["embedding"] for _, args in session.statements] == [str(Path("/models/items"))] * 2


@pytest.mark.parametrize("array", [["a", 1], np.array([1, None], object), [["x"], ["y", "z"]], pa.array([1, None])])
def test_a_table_is_not_created_for_an_array_that_is_an_error(array: Any) -> None:
    session = RecordedSession()
    with pytest.raises((TypeError, ValueError)):
        nd.TensorTable.from_numpy("lake.t", array, spark=session)
    with pytest.raises(ValueError, match="do not go together"):
        nd.TensorTable.from_numpy("lake.t", [[1]], index_columns="i", index_depth=2, spark=session)
    assert not session.statements


class FailingSession(RecordedSession):
    """Creates tables, but commits nothing."""

    def __init__(self, *failing: str) -> None:
        super().__init__()
        self._failing = failing

    def sql(self, sqlQuery: str, args: dict[str, Any] | None = None, **kwargs: Any) -> RecordedFrame:
        frame = super().sql(sqlQuery, args, **kwargs)
        if any(each in sqlQuery for each in self._failing):
            raise ConnectionError(f"lost at {sqlQuery.split()[0]}")
        return frame


def test_a_table_whose_elements_are_not_sent_is_dropped() -> None:
    session = FailingSession("scatter_nd")
    with pytest.raises(ConnectionError, match="lost at CALL"):
        nd.TensorTable.from_numpy("lake.`a {b}`", [1.5], spark=session)
    assert [text.partition("(")[0] for text, _ in session.statements] == [
        "CALL nd.system.create_tensor",
        "CALL nd.system.scatter_nd",
        "DROP TABLE `lake`.`a {b}` PURGE",
    ]
    for part in ("create_tensor", "scatter_nd"):
        session = FailingSession(part, "DROP")
        with pytest.raises(ConnectionError, match="lost at CALL") as raised:
            nd.TensorTable.from_numpy("lake.t", [1.5], spark=session)
        notes = getattr(raised.value, "__notes__", [])
        # Python 3.10 has no notes
        expected = part == "scatter_nd" and sys.version_info >= (3, 11)
        assert notes == ["`lake`.`t` was created, and could not be dropped again: lost at DROP"] * expected


@pytest.mark.parametrize("keys", [1.5, "a", ([0], [1.5]), (0, slice(1)), [True]])
def test_keys_that_are_no_integers_are_found_first(keys: Any) -> None:
    session = RecordedSession()
    with pytest.raises(TypeError, match=r"not integers|among several indices"):
        nd.TensorTable("lake.t", spark=session)[keys]
    assert not session.statements


def test_texts_of_enums_are_their_values() -> None:
    class Name(str, enum.Enum):
        ADD = "add"

    assert option_text("reductions['v']", Name.ADD) == "add"


def test_options_may_be_members_of_enums() -> None:
    class Reduction(enum.Enum):
        ADD = "add"

    assert option_text("reductions['v']", Reduction.ADD) == "add"
    session = RecordedSession()
    statement = Statement()
    assert statement.value("reduction", Reduction.ADD) == ":reduction"
    statement.run("", session)
    assert session.statements == [("", {"reduction": "add"})]


def test_times_of_subclasses() -> None:
    assert instant("older_than", Stamp(2026, 3, 4)) == datetime(2026, 3, 4).astimezone()
    zoned = Stamp(2026, 3, 4, tzinfo=timezone.utc)
    assert instant("older_than", zoned) is zoned


def test_active_session(monkeypatch: pytest.MonkeyPatch) -> None:
    session = RecordedSession()
    found = [session]

    def active() -> RecordedSession:
        """Also the default session, in a thread that has none."""
        if not found:
            raise RuntimeError("[NO_ACTIVE_OR_DEFAULT_SESSION]")
        return found.pop()

    module = types.ModuleType("pyspark.sql")
    module.SparkSession = types.SimpleNamespace(getActiveSession=lambda: None, active=active)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pyspark", types.ModuleType("pyspark"))
    monkeypatch.setitem(sys.modules, "pyspark.sql", module)
    assert active_session() is session
    with pytest.raises(RuntimeError, match="no active session: pass spark="):
        active_session()


def test_without_pyspark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(RuntimeError, match="PySpark is not installed"):
        nd.TensorTable("lake.t")

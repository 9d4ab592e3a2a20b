# SPDX-License-Identifier: Apache-2.0
"""A Spark Connect client that has the methods of PySpark which this package and its tests call.

Its plans and literals are those that ``pyspark.sql.connect`` sends; see ``plan.py``, ``sql_formatter.py`` and
``expressions.py`` there. It is for tests, because it can be had where PySpark cannot.
"""

from __future__ import annotations

import calendar
import datetime
import decimal
import string
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import grpc
import pyarrow as pa
from google.rpc import error_details_pb2, status_pb2
from spark.connect import base_pb2, base_pb2_grpc, expressions_pb2, relations_pb2, types_pb2

_EPOCH = datetime.date(1970, 1, 1)
_MICROSECOND = datetime.timedelta(microseconds=1)


class ConnectError(Exception):
    """An error that the server reports, with its whole message, as ``pyspark.errors.PySparkException``."""

    def __init__(self, message: str, condition: str | None = None) -> None:
        super().__init__(message)
        self._condition = condition

    def getCondition(self) -> str | None:
        return self._condition


class AnalysisException(ConnectError):  # noqa: N818
    pass


class IllegalArgumentException(ConnectError):  # noqa: N818
    pass


# classes of the server for which PySpark has one, classic PySpark for no others
_CONVERTED = {
    "org.apache.spark.sql.AnalysisException": AnalysisException,
    "java.lang.IllegalArgumentException": IllegalArgumentException,
}


class ConnectSession:
    """As ``pyspark.sql.connect.session.SparkSession``."""

    def __init__(self, address: str) -> None:
        limit = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
        self._channel = grpc.insecure_channel(address, options=limit)
        self._stub = base_pb2_grpc.SparkConnectServiceStub(self._channel)
        self._id = str(uuid.uuid4())
        self._plan_id = 0
        self._user = base_pb2.UserContext(user_id="test")

    def close(self) -> None:
        self._channel.close()

    @property
    def session_id(self) -> str:
        return self._id

    def sql(self, sqlQuery: str, args: dict[str, Any] | None = None, **kwargs: Any) -> ConnectFrame:
        formatter = _Formatter()
        if kwargs:
            sqlQuery = formatter.format(sqlQuery, **kwargs)
        root = self.relation()
        root.sql.query = sqlQuery
        for name, value in (args or {}).items():
            root.sql.named_arguments[name].CopyFrom(_literal_column(value))
        relation = root
        if formatter.views:
            relation = self.relation()
            relation.with_relations.root.CopyFrom(root)
            for frame, name in formatter.views:
                view = self.relation()
                view.subquery_alias.input.CopyFrom(frame.plan)
                view.subquery_alias.alias = name
                relation.with_relations.references.append(view)
        plan = base_pb2.Plan()
        plan.command.sql_command.input.CopyFrom(relation)
        results = [
            response.sql_command_result.relation
            for response in self.execute(plan)
            if response.HasField("sql_command_result")
        ]
        return ConnectFrame(self, results[0])

    def table(self, tableName: str, /) -> ConnectFrame:
        relation = self.relation()
        relation.read.named_table.unparsed_identifier = tableName
        return ConnectFrame(self, relation)

    @property
    def read(self) -> ConnectReader:
        return ConnectReader(self)

    def createDataFrame(self, data: Any, /) -> ConnectFrame:
        if not len(data):
            raise ValueError("[CANNOT_INFER_EMPTY_SCHEMA] as PySpark says of any data without rows and schema")
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, data.schema) as writer:
            writer.write_table(data)
        local = self.relation()
        local.local_relation.data = sink.getvalue().to_pybytes()
        relation = self.relation()
        relation.to_df.input.CopyFrom(local)
        relation.to_df.column_names.extend(data.column_names)
        return ConnectFrame(self, relation)

    def relation(self) -> Any:
        self._plan_id += 1
        return relations_pb2.Relation(common=relations_pb2.RelationCommon(plan_id=self._plan_id))

    def execute(self, plan: Any) -> Iterator[Any]:
        request = base_pb2.ExecutePlanRequest(session_id=self._id, user_context=self._user, plan=plan)
        try:
            yield from self._stub.ExecutePlan(request)
        except grpc.RpcError as e:
            raise self._converted(e) from e

    def _converted(self, error: Any) -> ConnectError:
        """The server's exception: the status of a call has only the beginning of its message."""
        for key, value in error.trailing_metadata() or []:
            if key != "grpc-status-details-bin":
                continue
            for detail in status_pb2.Status.FromString(value).details:
                info = error_details_pb2.ErrorInfo()
                if detail.Unpack(info) and "errorId" in info.metadata:
                    request = base_pb2.FetchErrorDetailsRequest(
                        session_id=self._id, user_context=self._user, error_id=info.metadata["errorId"]
                    )
                    details = self._stub.FetchErrorDetails(request)
                    if details.errors:
                        root = details.errors[details.root_error_idx]
                        return _error(root, info.metadata.get("errorClass"))
        return ConnectError(str(error.details()))


def _error(error: Any, condition: str | None) -> ConnectError:
    kinds = (_CONVERTED[each] for each in error.error_type_hierarchy if each in _CONVERTED)
    return next(kinds, ConnectError)(error.message, condition)


class ConnectReader:
    """As ``pyspark.sql.connect.readwriter.DataFrameReader``."""

    def __init__(self, session: ConnectSession) -> None:
        self._session = session

    def parquet(self, *paths: str) -> ConnectFrame:
        relation = self._session.relation()
        relation.read.data_source.format = "parquet"
        relation.read.data_source.paths.extend(paths)
        return ConnectFrame(self._session, relation)


class ConnectFrame:
    """As ``pyspark.sql.connect.dataframe.DataFrame``."""

    def __init__(self, session: ConnectSession, plan: Any) -> None:
        self._session = session
        self.plan = plan

    @property
    def sparkSession(self) -> ConnectSession:
        return self._session

    def toArrow(self) -> pa.Table:
        batches: list[Any] = []
        schema = None
        for response in self._session.execute(base_pb2.Plan(root=self.plan)):
            if response.HasField("arrow_batch"):
                reader = pa.ipc.open_stream(response.arrow_batch.data)
                schema = reader.schema
                batches.extend(reader)
        assert schema is not None
        return pa.Table.from_batches(batches, schema)

    def createOrReplaceTempView(self, name: str) -> None:
        plan = base_pb2.Plan()
        view = plan.command.create_dataframe_view
        view.input.CopyFrom(self.plan)
        view.name, view.is_global, view.replace = name, False, True
        list(self._session.execute(plan))

    def select(self, *columns: str) -> ConnectFrame:
        relation = self._session.relation()
        relation.project.input.CopyFrom(self.plan)
        for column in columns:
            relation.project.expressions.add().unresolved_attribute.unparsed_identifier = column
        return ConnectFrame(self._session, relation)

    def orderBy(self, *columns: str) -> ConnectFrame:
        relation = self._session.relation()
        relation.sort.input.CopyFrom(self.plan)
        relation.sort.is_global = True
        for column in columns:
            order = relation.sort.order.add()
            order.child.unresolved_attribute.unparsed_identifier = column
            order.direction = expressions_pb2.Expression.SortOrder.SORT_DIRECTION_ASCENDING
            order.null_ordering = expressions_pb2.Expression.SortOrder.SORT_NULLS_FIRST
        return ConnectFrame(self._session, relation)

    def show(self) -> None:
        relation = self._session.relation()
        relation.show_string.input.CopyFrom(self.plan)
        relation.show_string.num_rows, relation.show_string.truncate = 20, 20
        print(ConnectFrame(self._session, relation).toArrow().column(0)[0].as_py())


class _Formatter(string.Formatter):
    """As ``pyspark.sql.connect.sql_formatter.SQLStringFormatter``."""

    def __init__(self) -> None:
        self.views: list[tuple[ConnectFrame, str]] = []

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        value, first = super().get_field(field_name, args, kwargs)
        assert isinstance(value, ConnectFrame), f"{field_name} is no DataFrame"
        for frame, name in self.views:
            if frame is value:
                return name, first
        name = f"_pyspark_connect_temp_view_{uuid.uuid4().hex}"
        self.views.append((value, name))
        return name, first


def _literal_column(value: Any) -> Any:
    """As ``pyspark.sql.connect.functions.lit`` of a scalar."""
    literal = expressions_pb2.Expression.Literal()
    if value is None:
        literal.null.CopyFrom(types_pb2.DataType(null=types_pb2.DataType.NULL()))
    elif isinstance(value, bool):
        literal.boolean = value
    elif isinstance(value, int):
        if -(2**31) <= value < 2**31:
            literal.integer = value
        else:
            literal.long = value
    elif isinstance(value, float):
        literal.double = value
    elif isinstance(value, str):
        literal.string = value
    elif isinstance(value, bytes):
        literal.binary = value
    elif isinstance(value, datetime.datetime):
        literal.timestamp = _micros(value)
    elif isinstance(value, datetime.date):
        literal.date = (value - _EPOCH).days
    elif isinstance(value, datetime.timedelta):
        literal.day_time_interval = value // _MICROSECOND
    else:
        kind = "decimal" if isinstance(value, decimal.Decimal) else type(value).__name__
        raise TypeError(f"the statement has an argument of type {kind}")
    return expressions_pb2.Expression(literal=literal)


def _micros(value: datetime.datetime) -> int:
    seconds = calendar.timegm(value.utctimetuple()) if value.tzinfo else time.mktime(value.timetuple())
    return int(seconds) * 1_000_000 + value.microsecond

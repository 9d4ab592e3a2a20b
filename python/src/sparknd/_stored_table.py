# SPDX-License-Identifier: Apache-2.0
"""What tensor tables and feature tables have in common."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from . import _names, inspection
from ._named_table import NamedTable, TableName
from ._statement import instant, procedure
from .embeddings import unique_view
from .functions import gather_nd_as_of
from .options import Clock, Columns
from .results import (
    ColumnDescription,
    ExpiredSnapshots,
    OrphanFile,
    RowProblem,
    TableCommit,
    TablePublication,
    TableSize,
    result,
)
from .session import DataFrameLike, Frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Self = TypeVar("Self", bound="StoredTable")


class StoredTable(NamedTable):
    """A table of SparkND in an Iceberg catalog, by its name."""

    # Python would try table[0], table[1], ... without end
    __iter__ = None
    __contains__ = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def _call(
        self, name: str, options: Mapping[str, Any] | None = None, frames: Mapping[str, DataFrameLike] | None = None
    ) -> list[dict[str, Any]]:
        return procedure(name, self._spark, {"table": self.name, **(options or {})}, frames)

    def to_dataframe(self) -> DataFrame:
        """Returns the rows that are stored, in the columns of the table."""
        return cast("DataFrame", self._spark.table(self.name))

    def _within(self: Self, part: str) -> Self:
        return type(self)(_names.joined([*self._parts, part]), spark=self._spark)

    def branch(self: Self, name: str) -> Self:
        """Returns the table on a branch, to read and write."""
        return self._within("branch_" + name)

    def tag(self: Self, name: str) -> Self:
        """Returns the table as it was at a tag, to read."""
        return self._within("tag_" + name)

    def snapshot(self: Self, snapshot: int) -> Self:
        """Returns the table at a snapshot, to read.

        Args:
            snapshot: Iceberg's number
        """
        return self._within(f"snapshot_id_{snapshot}")

    def as_of(self: Self, time: datetime) -> Self:
        """Returns the table as readers saw it at a time, to read.

        Args:
            time: in milliseconds; without a time zone it is of the local one, as PySpark takes it

        Raises:
            TypeError: if it is not a time
        """
        time = instant("time", time)
        if not isinstance(time, datetime):
            raise TypeError(f"time {time!r} is not a time: give a datetime")
        since = time.astimezone(timezone.utc) - datetime(1970, 1, 1, tzinfo=timezone.utc)
        return self._within(f"at_timestamp_{since // timedelta(milliseconds=1)}")

    def gather_as_of(
        self,
        indices: Frame | TableName,
        at: str,
        *,
        clock: Clock | None = None,
        expired: Literal["error", "null"] | None = None,
        bad_indices: Literal["error", "ignore"] | None = None,
        index_columns: Columns | None = None,
        value_columns: Columns | None = None,
        found: str | None = None,
    ) -> Frame:
        """Returns the rows of ``indices``, each with what the table held for its key at its own time.

        Arguments are those of :func:`sparknd.gather_nd_as_of`.
        """
        return gather_nd_as_of(
            self,
            indices,
            at,
            clock=clock,
            expired=expired,
            bad_indices=bad_indices,
            index_columns=index_columns,
            value_columns=value_columns,
            found=found,
        )

    def changes(
        self,
        *,
        since_batch: str | None = None,
        since_snapshot: int | None = None,
        view: str | None = None,
    ) -> DataFrame:
        """Returns the rows that differ from an earlier state, with ``_change_type`` and ``_changed_variables``.

        Args:
            since_batch: id of the batch after which rows differ; this or ``since_snapshot``
            view: name of the temporary view that holds the changes; default: one of its own

        Returns:
            the rows of the view, which lasts as long as the session: a Connect client reads it by its name
        """
        options = {
            "since_batch": since_batch,
            "since_snapshot": since_snapshot,
            "view": _names.quoted(view or unique_view("changes")),
        }
        return cast("DataFrame", self._spark.table(self._call("changes", options)[0]["view"]))

    def publish(
        self,
        sink: str,
        *,
        name: str | None = None,
        values: Literal["bytes", "json"] | None = None,
        properties: Mapping[str, str] | None = None,
    ) -> TablePublication:
        """Brings an online store to the state of the table.

        Args:
            sink: ``redis://host:port``, ``rediss://...`` or ``jdbc:...``
            name: prefix of keys, or table in the store; default: the table's last name
            properties: of JDBC connections, such as ``user`` and ``password``
        """
        options = {"sink": sink, "name": name, "values": values, "properties": properties}
        return result(TablePublication, self._call("publish", options)[0])

    def resize(self, size: int) -> TableSize:
        """Changes the first dimension of a tensor, or the size of a numbered axis, for all branches."""
        return result(TableSize, self._call("resize", {"size": size})[0])

    def compact(self) -> TableCommit:
        """Puts the rows of each block into one file."""
        return result(TableCommit, self._call("compact")[0])

    def expire(self, older_than: datetime | timedelta) -> ExpiredSnapshots:
        """Forgets snapshots before a time, or older than an age, and deletes the files that only they had.

        Args:
            older_than: a time without a time zone is of the local one, as PySpark takes it
        """
        return result(ExpiredSnapshots, self._call("expire", {"older_than": instant("older_than", older_than)})[0])

    def remove_orphans(
        self, *, older_than: datetime | timedelta | None = None, dry_run: bool | None = None
    ) -> list[OrphanFile]:
        """Deletes data files that failed scatters left.

        Args:
            older_than: a time, as of :meth:`expire`, or an age of at least one day; default: 3 days
            dry_run: True only lists them
        """
        options = {"older_than": instant("older_than", older_than), "dry_run": dry_run}
        return [result(OrphanFile, row) for row in self._call("remove_orphans", options)]

    def describe(self) -> list[ColumnDescription]:
        """Describes the table by its columns."""
        return inspection.describe(self.name, spark=self._spark)

    def check(self) -> list[RowProblem]:
        """Finds rows that are invalid, such as duplicates that another engine wrote; none if all is well."""
        return inspection.check(self.name, spark=self._spark)

# SPDX-License-Identifier: Apache-2.0
"""What procedures return: fields have the names of the columns in SQL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar


@dataclass(frozen=True)
class TableCommit:
    """A commit to a table.

    Attributes:
        outcome: ``'committed'``, ``'staged'``, or why there was nothing to commit
        snapshot: Iceberg's number of the snapshot, if there is one
        updates: rows of updates that were applied
        dropped: rows of updates that were dropped because of their index, or that had no effect on a variable in
            windows because their tile was evicted before
        rows: rows of the table that were written
        attempts: 2 or more if other commits were faster
    """

    outcome: str
    snapshot: int | None
    updates: int
    dropped: int
    rows: int
    blocks: int
    files_added: int
    files_replaced: int
    bytes_written: int
    attempts: int


@dataclass(frozen=True)
class TableSize:
    """The size of the first dimension before and after ``resize``."""

    table: str
    size_before: int
    size: int


@dataclass(frozen=True)
class ExpiredSnapshots:
    """How many snapshots ``expire`` removed, and how many are left."""

    snapshots_expired: int
    snapshots_left: int


@dataclass(frozen=True)
class OrphanFile:
    """A data file that a failed scatter left.

    Attributes:
        deleted: False in a dry run
    """

    file: str
    deleted: bool


@dataclass(frozen=True)
class TablePublication:
    """What ``publish`` sent to an online store."""

    kind: str
    snapshot: int | None
    upserted: int
    deleted: int
    bytes: int


@dataclass(frozen=True)
class RowProblem:
    """Rows that are invalid for a tensor or a feature table.

    Attributes:
        rows: the number of such rows
        example: the index or key of one, as JSON
    """

    problem: str
    rows: int
    example: str


@dataclass(frozen=True)
class TensorInfo:
    """A table as a tensor.

    Attributes:
        value_column: its name; with layout ``'columns'`` the names, with commas
        slices: ``prod(shape[:k])`` for ``k`` index columns
        rows: slices that are stored
        layout: this and all below are None unless it is a tensor's own table
    """

    dtype: str
    shape: tuple[int, ...]
    index_columns: tuple[str, ...]
    value_column: str
    slices: int
    rows: int
    layout: str | None = None
    rows_per_block: int | None = None
    snapshot: int | None = None
    blocks: int | None = None
    data_files: int | None = None
    deletion_vectors: int | None = None
    bytes: int | None = None


@dataclass(frozen=True)
class FeatureInfo:
    """A feature table.

    Attributes:
        size: entries of a numbered axis, else None
    """

    key_columns: tuple[str, ...]
    variables: tuple[str, ...]
    size: int | None
    rows: int
    partitions: str
    snapshot: int | None
    blocks: int
    data_files: int
    deletion_vectors: int
    bytes: int


@dataclass(frozen=True)
class ColumnDescription:
    """A column of an Iceberg table, as SparkND reads it.

    Attributes:
        kind: ``'tensor'``, ``'features'`` or ``'table'``
        role: ``'index'``, ``'value'``, ``'key'``, ``'variable'``, ``'state'`` or ``'other'``
        type: the type of SQL
        size: entries of a numbered axis
        rows: of the table, as all fields from ``axis`` on
    """

    kind: str
    column: str
    role: str
    type: str
    dtype: str | None
    shape: tuple[int, ...] | None
    fill: str | None
    reduction: str | None
    state_columns: tuple[str, ...]
    axis: str | None
    size: int | None
    partitions: str
    blocks: int | None
    rows: int | None
    rows_per_block: int | None
    largest_block: int | None


Result = TypeVar("Result")


def result(kind: type[Result], row: Mapping[str, Any]) -> Result:
    """Returns a row of a procedure; columns of later versions are left out."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in row.items() if name in names}
    )

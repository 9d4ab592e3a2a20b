# SPDX-License-Identifier: Apache-2.0
"""Saved embedding tables."""

from __future__ import annotations

import os
import uuid
from typing import Any, Literal, cast

from ._names import quoted
from ._statement import procedure, require_frame
from .options import BadIndices, Negative
from .session import Frame


def nearest(
    embedding: str | os.PathLike[str],
    queries: Frame,
    *,
    k: int | None = None,
    metric: Literal["cosine", "dot", "euclidean"] | None = None,
    view: str | None = None,
) -> Frame:
    """Returns the nearest rows of a saved embedding table to each query.

    Args:
        embedding: directory of the saved table
        queries: columns ``id`` and ``embedding``, a vector of the table's dimension
        k: number of rows for each query; default 10
        metric: default ``'cosine'``
        view: name of the temporary view that holds the result; default: one of its own

    Returns:
        columns ``query_id``, ``rank``, ``id`` and ``score``: a view, which lasts as long as the session
    """
    options = {"embedding": embedding, "k": k, "metric": metric}
    return _answer("nearest", options, {"queries": queries}, view)


def embedding_lookup(
    embedding: str | os.PathLike[str],
    rows: Frame,
    *,
    ids: str | None = None,
    weights: str | None = None,
    combiner: Literal["mean", "sum", "sqrtn"] | None = None,
    bad_indices: BadIndices | None = None,
    negative: Negative | None = None,
    into: str | None = None,
    max_norm: float | None = None,
    view: str | None = None,
) -> Frame:
    """Returns rows with the combined embeddings of a list of ids in each, as ``tf.nn.embedding_lookup_sparse``.

    Args:
        embedding: directory of the saved table
        ids: column of ids or of arrays of ids; default ``'ids'``
        weights: column of the ids' weights; default: none
        combiner: default ``'mean'``
        bad_indices: of ids out of bounds; default ``'error'``, and no other for a table of keys
        negative: of negative ids; default ``'error'``, or ``'oob'`` with ``bad_indices='ignore'``; and no other than
            ``'error'`` for a table of keys
        into: name of the added column; default ``'embedding'``
        max_norm: rows with a larger Euclidean norm are scaled to it before they are weighted; default: no limit
        view: as for :func:`nearest`
    """
    options = {
        "embedding": embedding,
        "ids": ids,
        "weights": weights,
        "combiner": combiner,
        "bad_indices": bad_indices,
        "negative": negative,
        "into": into,
        "max_norm": max_norm,
    }
    return _answer("embedding_lookup", options, {"rows": rows}, view)


def _answer(name: str, options: dict[str, Any], frames: dict[str, Frame], view: str | None) -> Frame:
    ((argument, frame),) = frames.items()
    require_frame(argument, frame)
    spark = frame.sparkSession
    view = quoted(view or unique_view(name))
    procedure(name, spark, {**options, "view": view}, frames)
    return cast(Frame, spark.table(view))


def unique_view(name: str) -> str:
    """Returns the name of a view that nothing else has."""
    return f"sparknd_{name}_{uuid.uuid4().hex}"

# SPDX-License-Identifier: Apache-2.0
"""Saved embedding tables, compared with NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sparknd as nd

# a table of shape [300, 4] in the tests of the engine
_SAVED = str(Path(__file__).parents[2] / "spark-ext/embedding/src/test/resources/saved/float32")


@pytest.fixture(scope="module")
def weights(spark: Any) -> Any:
    looked_up = nd.embedding_lookup(_SAVED, spark.sql("SELECT id AS i, array(id) AS ids FROM range(300)"))
    return nd.to_numpy(looked_up.select("i", "embedding"), (300, 4))


def test_lookup(spark: Any, weights: Any) -> None:
    rows = spark.sql("SELECT 'a' AS user, array(1L, 2L, 2L) AS pages, array(1F, 0.5F, 0.5F) AS w")
    summed = nd.embedding_lookup(_SAVED, rows, ids="pages", combiner="sum", into="sum")
    weighted = nd.embedding_lookup(_SAVED, summed, ids="pages", weights="w", view="weighted pages")
    assert nd.embedding_lookup(Path(_SAVED), rows, ids="pages").toArrow().num_rows == 1
    for _ in range(2):
        (row,) = weighted.toArrow().to_pylist()
        assert row["user"] == "a"
        np.testing.assert_allclose(row["sum"], weights[1] + 2 * weights[2], rtol=1e-6)
        np.testing.assert_allclose(row["embedding"], (weights[1] + weights[2]) / 2, rtol=1e-6)
    assert spark.table("`weighted pages`").toArrow().num_rows == 1


def test_max_norm(spark: Any, weights: Any) -> None:
    rows = spark.sql("SELECT array(1L, 2L) AS ids, 1 AS k")
    norms = np.linalg.norm(weights[1:3], axis=1)
    limit = float(norms.min() * 0.5)
    found = nd.embedding_lookup(_SAVED, rows, combiner="sum", max_norm=limit).toArrow().to_pylist()
    np.testing.assert_allclose(found[0]["embedding"], sum(weights[i] * limit / norms[i - 1] for i in (1, 2)), rtol=1e-5)
    (same,) = nd.embedding_lookup(_SAVED, rows, combiner="sum", max_norm=float("inf")).toArrow().to_pylist()
    np.testing.assert_allclose(same["embedding"], weights[1] + weights[2], rtol=1e-6)


def test_nearest(spark: Any, weights: Any) -> None:
    query = [0.5, -0.25, 1.0, 0.0]
    queries = spark.sql("SELECT 9L AS id, array(0.5F, -0.25F, 1F, 0F) AS embedding")
    found = nd.nearest(_SAVED, queries, k=300, metric="dot").toArrow().sort_by("rank")
    assert found.column_names == ["query_id", "rank", "id", "score"]
    scores = weights @ np.array(query, dtype=np.float32)
    written = found.column("id").to_numpy()  # rows that were never written are not compared
    assert len(written) > 10
    np.testing.assert_array_equal(written, sorted(written, key=lambda i: -scores[i]))
    np.testing.assert_allclose(found.column("score").to_numpy(), scores[written], rtol=1e-5)
    few = nd.nearest(_SAVED, queries, k=5, metric="dot").toArrow().sort_by("rank")
    assert few.column("id").to_pylist() == written[:5].tolist()

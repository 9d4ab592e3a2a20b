# SPDX-License-Identifier: Apache-2.0
"""SparkND in Python: N-dimensional gather and scatter for Apache Spark.

    import sparknd as nd

Everything runs as SQL in the session, which has SparkND's jars: classic PySpark, Spark Connect or hosted Spark.
"""

from ._dtypes import DTypeLike
from .arrays import from_numpy, to_numpy
from .embeddings import embedding_lookup, nearest
from .feature_table import FeatureTable
from .functions import (
    gather_nd,
    gather_nd_as_of,
    scatter_nd,
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_mul,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)
from .inspection import check, describe, info
from .results import (
    ColumnDescription,
    ExpiredSnapshots,
    FeatureInfo,
    OrphanFile,
    RowProblem,
    TableCommit,
    TablePublication,
    TableSize,
    TensorInfo,
)
from .session import DataFrameLike, SparkSessionLike
from .tensor_table import TensorTable

__version__ = "0.1.0.dev0"

__all__ = [
    "ColumnDescription",
    "DTypeLike",
    "DataFrameLike",
    "ExpiredSnapshots",
    "FeatureInfo",
    "FeatureTable",
    "OrphanFile",
    "RowProblem",
    "SparkSessionLike",
    "TableCommit",
    "TablePublication",
    "TableSize",
    "TensorInfo",
    "TensorTable",
    "check",
    "describe",
    "embedding_lookup",
    "from_numpy",
    "gather_nd",
    "gather_nd_as_of",
    "info",
    "nearest",
    "scatter_nd",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_mul",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
    "to_numpy",
]

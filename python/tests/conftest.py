# SPDX-License-Identifier: Apache-2.0
"""The session: a Connect server that ``run-tests`` started."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A client of the server: that of ``connect_client``, or real PySpark with ``SPARKND_TEST_CLIENT=pyspark``."""
    yield from _client("getOrCreate")


@pytest.fixture
def other_spark() -> Iterator[Any]:
    """A client of the same server with a session of its own."""
    yield from _client("create")


def _client(builder_method: str) -> Iterator[Any]:
    address = os.environ.get("SPARKND_REMOTE")
    if address is None:
        pytest.exit("no Connect server: start the tests by python/run-tests", returncode=2)
    if os.environ.get("SPARKND_TEST_CLIENT") == "pyspark":
        from pyspark.sql import SparkSession

        session = getattr(SparkSession.builder.remote(address), builder_method)()
        yield session
        session.stop()
    else:
        from connect_client import ConnectSession

        client = ConnectSession(address.removeprefix("sc://"))
        yield client
        client.close()


@pytest.fixture
def table_name() -> Callable[[], str]:
    """Returns names of tables that do not exist."""
    return lambda: f"lake.tests.t{uuid.uuid4().hex}"

# SPDX-License-Identifier: Apache-2.0
"""The examples of the documentation print what the pages show."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

_ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)

# what a page reads but does not make
_BEFORE = {
    "README.md": "INSERT OVERWRITE DIRECTORY 'data/events.parquet' USING parquet SELECT id AS user, 1D AS amount FROM range(9)",
    "docs/how-to/from-feature-stores.md": """
        INSERT OVERWRITE DIRECTORY 'data/history' USING parquet
        SELECT * FROM VALUES ('u1', TIMESTAMP '2026-03-01 09:00:00Z', 'Rome', 'free'),
                             ('u1', TIMESTAMP '2026-03-02 12:00:00Z', 'Oslo', 'free'),
                             ('u1', TIMESTAMP '2026-03-03 08:00:00Z', 'Oslo', 'gold') AS h(user, ts, city, plan)""",
}


def _pages() -> list[str]:
    """Returns the pages with examples of the package. Other Python of ``docs/how-to`` is run by ``JavaPagesTest``."""
    files = [*(_ROOT / page for page in _BEFORE), *sorted((_ROOT / "docs" / "reference").rglob("*.md"))]
    return [file.relative_to(_ROOT).as_posix() for file in files if _BLOCK.search(file.read_text(encoding="utf-8"))]


def test_pages_have_examples() -> None:
    functions = ("gather_nd", "gather_nd_as_of", "scatter_nd", "tensor_scatter_nd", "scalar-functions")
    expected = {"README.md", "docs/reference/python.md"} | {f"docs/reference/sql/{name}.md" for name in functions}
    assert expected <= set(_pages())


@pytest.mark.parametrize("page", ["reference/python.md", "get-started/install.md", "get-started/shells.md"])
def test_jars_that_pages_name_are_built(page: str) -> None:
    text = (_ROOT / "docs" / page).read_text(encoding="utf-8")
    jars = set(re.findall(r"\bsparknd[\w./-]*\.jar\b", text))
    assert jars
    for jar in jars:
        # the checkout is in a folder of this name
        assert jar.startswith("sparknd/")
        assert (_ROOT / jar.removeprefix("sparknd/")).is_file(), jar
    if "call_function(" in text:
        assert any("sparknd-udfs" in jar for jar in jars)


@pytest.mark.parametrize("page", _pages())
def test_examples(spark: Any, page: str) -> None:
    if page in _BEFORE:
        spark.sql(_BEFORE[page])
    text = (_ROOT / page).read_text(encoding="utf-8")
    names: dict[str, Any] = {"spark": spark}
    for block in _BLOCK.finditer(text):
        line = text.count("\n", 0, block.start()) + 2
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + block[1], page, "exec"), names)
        expected, found = (block[2] or "").strip(), printed.getvalue().strip()
        assert [each.rstrip() for each in found.splitlines()] == [each.rstrip() for each in expected.splitlines()], (
            f"{page}:{line}"
        )

# SPDX-License-Identifier: Apache-2.0
"""The examples of the documentation print what the page says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

_PAGE = Path(__file__).parents[2] / "docs" / "reference" / "python.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)


def test_examples(spark: Any) -> None:
    text = _PAGE.read_text(encoding="utf-8")
    blocks = list(_BLOCK.finditer(text))
    assert len(blocks) > 5
    names: dict[str, Any] = {"spark": spark}
    for block in blocks:
        line = text.count("\n", 0, block.start()) + 2
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + block[1], str(_PAGE), "exec"), names)
        expected, found = (block[2] or "").strip(), printed.getvalue().strip()
        assert [each.rstrip() for each in found.splitlines()] == [each.rstrip() for each in expected.splitlines()], (
            f"{_PAGE}:{line}"
        )

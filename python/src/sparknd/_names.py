# SPDX-License-Identifier: Apache-2.0
"""Identifiers of SQL."""

from __future__ import annotations

import re

_PART = re.compile(r"`((?:[^`]|``)+)`|(\w+)")


def quoted(identifier: str) -> str:
    """Returns one identifier in backticks."""
    return "`" + identifier.replace("`", "``") + "`"


def parts(name: str) -> list[str]:
    """Returns the identifiers of a name as SQL reads it, such as ``lake.shop.`user data```.

    Raises:
        ValueError: if it is not a name
    """
    found: list[str] = []
    at = 0
    while True:
        match = _PART.match(name, at)
        if match is None:
            raise ValueError(
                f"{name!r} is not a table name, at {name[at:]!r}: "
                "write names of other characters than letters, digits and _ in backticks"
            )
        found.append(match[1].replace("``", "`") if match[1] is not None else match[2])
        at = match.end()
        if at == len(name):
            return found
        if name[at] != ".":
            raise ValueError(
                f"{name!r} is not a table name, at {name[at:]!r}: "
                "write names of other characters than letters, digits and _ in backticks"
            )
        at += 1


def joined(identifiers: list[str]) -> str:
    """Returns the name of the identifiers, each in backticks."""
    return ".".join(quoted(each) for each in identifiers)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes jars again with nothing compressed in them: xz does that better.

usage: store.py JAR...
"""
import os
import sys
import zipfile


def store(path):
    with zipfile.ZipFile(path) as jar, zipfile.ZipFile(path + ".stored", "w") as stored:
        for name in dict.fromkeys(jar.namelist()):  # a few jars have an entry twice
            stored.writestr(zipfile.ZipInfo(name), jar.read(name))
    os.replace(path + ".stored", path)


if __name__ == "__main__":
    for each in sys.argv[1:]:
        store(each)

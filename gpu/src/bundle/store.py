#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rewrites jars for a bundle: entries are stored uncompressed, because xz compresses them better, and
most native libraries for systems other than Linux on x86-64 are removed.

usage: store.py JAR...
"""
import os
import re
import sys
import zipfile

ELSEWHERE = re.compile(
    r"\.(dll|dylib|jnilib)$"
    r"|/(aarch64|arm\w*|i386|loongarch64|mips64|ppc64\w*|riscv64|s390x|x86|android-\w+)/[^/]+\.(so|a)$"
)


def store(path):
    with zipfile.ZipFile(path) as jar, zipfile.ZipFile(path + ".stored", "w") as stored:
        for name in dict.fromkeys(jar.namelist()):  # a few jars have duplicate entries
            if not ELSEWHERE.search(name):
                stored.writestr(zipfile.ZipInfo(name), jar.read(name))
    os.replace(path + ".stored", path)


if __name__ == "__main__":
    for each in sys.argv[1:]:
        store(each)

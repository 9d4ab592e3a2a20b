#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the code for one GPU architecture in a shared library, so that libcudf fits a small bundle.

usage: keep_one_arch.py IN.so ARCH OUT.so      (ARCH: 90 for sm_90)

The section .nv_fatbin of a library holds one fat binary per source file, with one entry per
architecture. The script moves the entries of ARCH to the front of each fat binary and fills the rest
with zeros, which xz compresses away; the layout of the file does not change.
"""
import struct
import subprocess
import sys

MAGIC = 0xBA55ED50
MACHINE_CODE = 2


def section(path):
    """Returns the offset and length of .nv_fatbin in the file."""
    listing = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True)
    for line in listing.stdout.splitlines():
        if "] .nv_fatbin " in line:
            fields = line.split("]", 1)[1].split()
            return int(fields[3], 16), int(fields[4], 16)
    sys.exit(f"{path} has no section .nv_fatbin")


def entries(data, start, end):
    """Yields the entries of a fat binary: kind, architecture, start and end."""
    while start < end:
        kind, _, header, length = struct.unpack_from("<HHIQ", data, start)
        arch = struct.unpack_from("<I", data, start + 28)[0]
        yield kind, arch, start, start + header + length
        start += header + length


def keep(data, arch, start, length):
    """Zeroes code of other architectures; returns the number of bytes kept."""
    kept, at, end = 0, start, start + length
    while at < end - 16:
        magic, _, header, size = struct.unpack_from("<IHHQ", data, at)
        if magic != MAGIC:
            at += 8
            continue
        first, last = at + header, at + header + size
        wanted = b"".join(
            bytes(data[begin:stop])
            for kind, its, begin, stop in entries(data, first, last)
            if kind == MACHINE_CODE and its == arch
        )
        if wanted:
            data[first:last] = wanted + bytes(size - len(wanted))
            struct.pack_into("<Q", data, at + 8, len(wanted))
            kept += len(wanted)
        at = last
    return kept


def main(source, arch, target):
    with open(source, "rb") as file:
        data = bytearray(file.read())
    kept = keep(data, int(arch), *section(source))
    if not kept:
        sys.exit(f"{source} has no code for sm_{arch}")
    with open(target, "wb") as file:
        file.write(data)


if __name__ == "__main__":
    main(*sys.argv[1:])

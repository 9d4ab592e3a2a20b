# SPDX-License-Identifier: Apache-2.0
"""Writes the .npy files of this folder, with NumPy 2.4.6: python3 make_golden.py"""

import warnings

import numpy as np

INTS = {n: [np.iinfo(n).min, 1, 2, 42, np.iinfo(n).max - 1, np.iinfo(n).max]
        for n in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")}
FLOATS = {n: [0.0, -0.0, 1.5, -np.inf, np.nan, np.finfo(n).max]
          for n in ("float16", "float32", "float64")}
COMPLEX = {n: [0, complex(-0.0, 1), complex(1.5, -2), complex(np.inf, -np.inf),
               complex(np.nan, 0), complex(-1, -1)] for n in ("complex64", "complex128")}
STRINGS = ["", "a", "\u017elu\u0165", "\U0001f600x", "a\0b", "\u65e5\u672c\u8a9e"]
VALUES = {"bool": [True, False, True, True, False, False], **INTS, **FLOATS, **COMPLEX,
          "string": STRINGS}

for name, values in VALUES.items():
    array = np.array(values, dtype="U4" if name == "string" else name).reshape(2, 3)
    np.save(f"little_{name}.npy", array)
    np.save(f"big_{name}.npy", array.astype(array.dtype.newbyteorder(">")))
    np.save(f"fortran_{name}.npy", np.asfortranarray(array))

np.save("bytes.npy", np.array([b"", b"a", b"abc", "\u017e".encode()]))
np.save("latin1_bytes.npy", np.array([b"\xe9"]))
np.save("scalar.npy", np.array(2.5))
np.save("empty.npy", np.zeros((0, 3), "i4"))
np.save("empty_strings.npy", np.array(["", ""]))
np.save("rank8.npy", np.arange(2 * 3 * 2 * 2 * 2, dtype="i2").reshape(2, 1, 3, 1, 2, 2, 1, 2))
np.save("fortran_rank4.npy", np.asfortranarray(np.arange(120, dtype="i4").reshape(2, 3, 4, 5)))
# the unpadded header ends at a multiple of 64
np.save("aligned.npy", np.zeros((0,) + (1,) * 12 + (100,), "i1"))
# one more digit of the first dimension would make the header longer, were there not fewer spaces after it
np.save("growing.npy", np.zeros((10,) + (1,) * 12 + (0,), "i1"))

for version in (2, 3):
    with open(f"version{version}.npy", "wb") as file:
        np.lib.format.write_array(file, np.arange(6, dtype="f4").reshape(2, 3), (version, 0))

np.save("objects.npy", np.array([None, 1], dtype=object))
np.save("structured.npy", np.zeros(2, dtype=[("a", "i4"), ("b", "f8")]))
np.save("datetime.npy", np.zeros(2, dtype="M8[ns]"))
np.save("void.npy", np.array([0x3F80, 0xC000], "u2").view("V2"))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    np.save("utf8_structured.npy", np.zeros(2, dtype=[("\u65e5", "i4")]))

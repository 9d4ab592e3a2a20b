# SPDX-License-Identifier: Apache-2.0
"""Case files: a line of JSON for each call, with what the library returned."""

import json
import sys

import ml_dtypes
import numpy as np

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
COMPLEX_PART = {"complex64": np.float32, "complex128": np.float64}


def text(array):
    """A tensor as ``float32[2,1] 1.5 nan``; parts of complex elements are joined by a bar."""
    array = np.asarray(array)
    name = "string" if array.dtype.kind in "OSU" else array.dtype.name
    dims = ",".join(map(str, array.shape))
    return " ".join([f"{name}[{dims}]", *(element(name, x) for x in array.ravel())])


def element(name, x):
    if name == "string":
        return "'" + (x.decode() if isinstance(x, bytes) else str(x)) + "'"
    if name in COMPLEX_PART:
        part = COMPLEX_PART[name]
        return decimal(part(x.real)) + "|" + decimal(part(x.imag))
    if name == "bool" or "int" in name:
        return str(int(x))
    return decimal(x if name == "float64" else np.float32(x))


def decimal(x):
    return str(x).removesuffix(".0")


class CaseFile:
    """The cases of one library; calls that differ in operator and arguments only share a line."""

    def __init__(self, library, **versions):
        self.path = f"{library}.jsonl"
        self.versions = versions
        self.lines = {}
        self.refused = []

    def scatter(self, run, op, name, data, indices, updates, **args):
        self._add(run, op, name, args, data=data, indices=indices, updates=updates)

    def gather(self, run, op, name, data, indices, **args):
        self._add(run, op, name, args, data=data, indices=indices)

    def _add(self, run, op, name, args, **tensors):
        result = {"op": op, "args": args} if args else {"op": op}
        try:
            given = [np.array(tensor, copy=True) for tensor in tensors.values()]
            result["expected"] = text(run(op, *given, **args))
        except Exception as e:  # each library has its own classes
            if not name.startswith("bad"):
                message = str(e).splitlines()[0][:80]
                self.refused.append(f"{op} {args} of {tensors['data'].dtype}, {name}: {message}")
                return
            result["error"] = True
        case = {"case": name} | {role: text(tensor) for role, tensor in tensors.items()}
        self.lines.setdefault(json.dumps(case), case | {"results": []})["results"].append(result)

    def write(self):
        with open(self.path, "w", encoding="utf-8") as file:
            for line in [{"versions": self.versions}, *self.lines.values()]:
                print(json.dumps(line, separators=(",", ":"), ensure_ascii=False), file=file)
        for line in self.refused:
            print("refused:", line, file=sys.stderr)
        count = sum(len(line["results"]) for line in self.lines.values())
        print(f"{self.path}: {count} calls", file=sys.stderr)

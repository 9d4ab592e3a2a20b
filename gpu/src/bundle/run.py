#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins the pieces of a bundle that lie beside this file, unpacks them, and runs the kernels' tests
and benchmark on the GPU. Needs an NVIDIA driver and Python 3; nothing is installed or fetched.

usage: run.py [tests|bench|all]

The benchmark is run beside PyTorch where python3 has it.
"""
import importlib.util
import pathlib
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
HOME = HERE / "sparknd-gpu"
JAVA = [
    str(HOME / "jre/bin/java"),
    "--add-modules=jdk.incubator.vector",
    "-Xmx4g",
    "-Dsparknd.test.kernels=cudf",
    "-Dsparknd.gpu.required=true",
    "-Dai.rapids.refcount.debug=true",
    "-cp",
    f"{HOME}/jars/*",
]


class Pieces:
    """The pieces as one stream."""

    def __init__(self, paths):
        self.paths = list(paths)
        self.file = None

    def read(self, size):
        while self.file or self.paths:
            self.file = self.file or open(self.paths.pop(0), "rb")
            data = self.file.read(size)
            if data:
                return data
            self.file.close()
            self.file = None
        return b""


def unpack():
    if not HOME.exists():
        pieces = sorted(HERE.glob("sparknd-gpu.[0-9][0-9]"))
        with tarfile.open(fileobj=Pieces(pieces), mode="r|xz") as archive:
            archive.extractall(HERE)


def tests():
    classes = (HOME / "tests.txt").read_text().split()
    selected = [f"--select-class={name}" for name in classes]
    run = JAVA + ["org.junit.platform.console.ConsoleLauncher", "execute", "--details=summary"]
    return subprocess.run(run + ["--disable-banner"] + selected).returncode


def lines(command):
    output = subprocess.run(command, capture_output=True, text=True)
    if output.returncode:
        sys.exit(output.stdout + output.stderr)
    return dict(line.split() for line in output.stdout.splitlines() if line.count(" ") == 1)


def bench():
    """Three runs of each in turn: the median of the medians, and their ratio."""
    directory = str(HERE / "indices")
    ours = JAVA[:3] + JAVA[-2:] + ["io.sparknd.kernel.cudf.RowsBenchmark", "cudf", directory]
    theirs = [sys.executable, str(HOME / "rows_pytorch.py"), directory]
    has_torch = importlib.util.find_spec("torch") is not None
    runs = []
    for _ in range(3):
        runs.append((lines(ours), lines(theirs) if has_torch else {}))
    print(subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout.strip())
    print("| work | ours, ms | PyTorch, ms | ratio | PyTorch deterministic, ms | ratio |")
    print("| --- | --- | --- | --- | --- | --- |")
    for work in runs[0][0]:
        mine = middle(run[0][work] for run in runs)
        cells = [f"{mine:.3f}"]
        for peer in (work, f"{work}-deterministic"):
            other = middle(run[1][peer] for run in runs if peer in run[1])
            cells += [f"{other:.3f}", f"{mine / other:.2f}"] if other else ["", ""]
        print(f"| {work} | {' | '.join(cells)} |")
    return 0


def middle(texts):
    values = sorted(float(text) for text in texts)
    return values[len(values) // 2] if values else None


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "all"
    unpack()
    failed = tests() if wanted in ("tests", "all") else 0
    if wanted in ("bench", "all"):
        failed = bench() or failed
    sys.exit(failed)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Unpacks the bundle from the pieces next to this file and runs tests and a benchmark on the GPU.
Requires an NVIDIA driver and Python 3; installs and downloads nothing.

usage: run.py [tests|spark|bench|transfers|queries|all|check]

tests   kernel tests without Spark
spark   Spark queries and distributed tensors with the RAPIDS Accelerator
bench   kernel benchmark; also of PyTorch if python3 has it
transfers
        the same kernels on rows in Java arrays, beside those of the CPU
queries queries with scalar functions, with the Accelerator and without
all     all of the above, in this order
check   checks without a GPU: that the bundle works, and which queries the Accelerator would run
"""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
HOME = HERE / "sparknd-gpu"
JAVA = str(HOME / "jre/bin/java")
ALONE = ["--add-modules=jdk.incubator.vector", "-Xmx4g", "-cp", f"{HOME}/jars/*"]
KERNELS = [
    "-Dsparknd.test.kernels=cudf",
    "-Dsparknd.gpu.required=true",
    "-Dai.rapids.refcount.debug=true",
] + ALONE
SPARK = [
    f"@{HOME}/spark-jvm.options",
    "-Xmx4g",
    "-Dspark.plugins=com.nvidia.spark.SQLPlugin",
    "-Dspark.rapids.sql.explain=NONE",
    # expressions that cannot run on the GPU must not be bridged to the CPU within a GPU operator
    "-Dspark.rapids.sql.expression.cpuBridge.enabled=false",
    "-Dai.rapids.refcount.debug=true",
    "-cp",
    f"{HOME}/jars/*:{HOME}/spark/*",
]
ON_GPU = [
    "-Dspark.rapids.sql.mode=executeOnGPU",
    # cuDF's dictionary pages hold one zero: -0.0 in a file that it writes may become 0.0
    "-Dspark.rapids.sql.format.parquet.write.enabled=false",
    "-Dsparknd.gpu.required=true",
    # checks for a GPU before a test starts a session; without a GPU, the session ends the JVM
    "-Djunit.jupiter.extensions.autodetection.enabled=true",
]
# the Accelerator logs long explanations as warnings
EXPLAINED = ["-Dspark.rapids.sql.mode=explainOnly", "-Dspark.log.level=ERROR"]


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
    return junit(KERNELS, "tests.txt")


def spark():
    return junit(ON_GPU + SPARK, "spark.txt")


def check():
    return junit(EXPLAINED + SPARK, "check.txt")


def junit(options, names):
    run = [JAVA] + options
    run += ["org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner"]
    # without this, jqwik writes its run database to a missing folder
    run += ["--details=summary", "--config=jqwik.database="]
    run += [f"--select-class={name}" for name in (HOME / names).read_text().split()]
    # without a network, the host name may not resolve
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}
    return subprocess.run(run, env=environment).returncode


def lines(command):
    output = subprocess.run(command, capture_output=True, text=True)
    if output.returncode:
        sys.exit(output.stdout + output.stderr)
    return dict(line.split() for line in output.stdout.splitlines() if line.count(" ") == 1)


def bench():
    """Runs both alternately three times; prints the median of the medians and their ratio."""
    directory = str(HERE / "indices")
    ours = [JAVA] + ALONE + ["io.sparknd.kernel.cudf.RowsBenchmark", "cudf", directory]
    theirs = [sys.executable, str(HOME / "rows_pytorch.py"), directory]
    has_torch = importlib.util.find_spec("torch") is not None
    runs = []
    for _ in range(3):
        runs.append((lines(ours), lines(theirs) if has_torch else {}))
    print(subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout.strip())
    print("| work | ours, ms | PyTorch, ms | ratio | other, ms | ratio | deterministic, ms | ratio |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for work in runs[0][0]:
        mine = middle(run[0][work] for run in runs)
        cells = [f"{mine:.3f}"]
        for peer in (work, f"{work}-other", f"{work}-deterministic"):
            other = middle(run[1][peer] for run in runs if peer in run[1])
            cells += [f"{other:.3f}", f"{mine / other:.2f}"] if other else ["", ""]
        print(f"| {work} | {' | '.join(cells)} |")
    return 0


def transfers():
    """Prints the times of kernels whose rows travel to the GPU and back, beside the CPU kernels."""
    command = [JAVA] + ALONE + ["io.sparknd.kernel.cudf.TransferBenchmark", "cudf"]
    return subprocess.run(command).returncode


def queries():
    """Prints the times of queries with the Accelerator and on the CPU."""
    command = [JAVA, "-Dspark.rapids.sql.mode=executeOnGPU"] + SPARK
    command += ["io.sparknd.udf.gpu.QueryBenchmark", str(HERE)]
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}
    return subprocess.run(command, env=environment).returncode


def middle(texts):
    values = sorted(float(text) for text in texts)
    return values[len(values) // 2] if values else None


STAGES = {stage.__name__: [stage] for stage in (tests, spark, bench, transfers, queries, check)}
STAGES["all"] = [tests, spark, bench, transfers, queries]

if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "all"
    if wanted not in STAGES:
        sys.exit(__doc__)
    unpack()
    sys.exit(any([stage() for stage in STAGES[wanted]]))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""RowsBenchmark in PyTorch, on the indices that it wrote, on rows of 64 float32 in GPU memory:
index_select, index_put_, index_add_ and scatter_reduce_, and other calls that may be faster.

usage: rows_pytorch.py DIRECTORY [ROWS] [DEVICE]

Prints one line per benchmark: its name and the median in milliseconds.
"""
import statistics
import sys
import time

import numpy as np
import torch

WIDTH, WARM_UP, ROUNDS = 64, 5, 21

directory = sys.argv[1]
rows = int(sys.argv[2]) if len(sys.argv) > 2 else 4 << 20
device = sys.argv[3] if len(sys.argv) > 3 else "cuda"

table = torch.full((rows, WIDTH), 0.5, device=device)


def indices(name):
    return torch.from_numpy(np.load(f"{directory}/{name}.npy").astype(np.int64)).to(device)


uniform, zipf = indices("uniform"), indices("zipf")
payload = torch.full((len(uniform), WIDTH), 0.5, device=device)
wide, zipf_wide = (rows[:, None].expand(-1, WIDTH) for rows in (uniform, zipf))


def wait():
    if device == "cuda":
        torch.cuda.synchronize()


def measure(name, work):
    times = []
    for number in range(WARM_UP + ROUNDS):
        wait()
        start = time.perf_counter()
        work()
        wait()
        if number >= WARM_UP:
            times.append((time.perf_counter() - start) * 1e3)
    print(f"{name} {statistics.median(times):.4f}", flush=True)


measure("gather", lambda: torch.index_select(table, 0, uniform, out=payload))
measure("update", lambda: table.index_put_((uniform,), payload))
measure("add", lambda: table.index_add_(0, uniform, payload))
measure("max", lambda: table.scatter_reduce_(0, wide, payload, "amax"))
measure("add-zipf", lambda: table.index_add_(0, zipf, payload))
measure("update-other", lambda: table.index_copy_(0, uniform, payload))
measure("add-other", lambda: table.scatter_add_(0, wide, payload))
measure("add-zipf-other", lambda: table.scatter_add_(0, zipf_wide, payload))
torch.use_deterministic_algorithms(True)
measure("add-deterministic", lambda: table.index_add_(0, uniform, payload))
measure("add-zipf-deterministic", lambda: table.index_add_(0, zipf, payload))
measure("update-deterministic", lambda: table.index_put_((uniform,), payload))

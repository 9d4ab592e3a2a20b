/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceCopy;
import io.sparknd.kernel.SliceFold;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Times the kernels on rows of 64 float32 in Java arrays, transfers to the device and back
 * included, beside the CPU kernels: one task, and eight tasks that share the device.
 *
 * <pre>TransferBenchmark cudf|host [ROWS]</pre>
 *
 * <p>Prints a table of medians in milliseconds.
 */
public final class TransferBenchmark {
  private static final int WIDTH = 64;
  private static final int BLOCK_ROWS = 16; // blocks of 4 KiB, the engine's
  private static final int WARM_UP = 2;
  private static final int ROUNDS = 5;
  private static final int[] COUNTS = {1 << 12, 1 << 16, 1 << 20};

  private final KernelProvider processor = KernelProviders.automatic();
  private final KernelProvider device;
  private final KernelProvider resident;

  private TransferBenchmark(Devices devices) {
    this.device = new CudfProvider(devices, 256L << 20, () -> 0);
    this.resident = new CudfProvider(devices, 256L << 20, () -> 4L << 30);
  }

  public static void main(String[] args) throws Exception {
    Devices devices = args[0].equals("cudf") ? new CudfDevices() : new HostDevices();
    int rows = args.length > 1 ? Integer.parseInt(args[1]) : 4 << 20;
    System.out.println("| work | tasks | rows | device, ms | resident, ms | CPU, ms | ratio |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
    TransferBenchmark benchmark = new TransferBenchmark(devices);
    for (int tasks : new int[] {1, 8}) {
      benchmark.run(tasks, rows / tasks);
    }
  }

  private void run(int tasks, int rows) throws Exception {
    for (int count : COUNTS) {
      List<Task> all = new ArrayList<>();
      for (int task = 0; task < tasks; task++) {
        all.add(new Task(rows, count / tasks, new Random(task)));
      }
      print("gather", all, count, Task::gather);
      print("update", all, count, (task, kernels) -> task.scatter(kernels, Scatter.update()));
      print("add", all, count, (task, kernels) -> task.scatter(kernels, Scatter.add()));
    }
  }

  private interface Work {
    void run(Task task, KernelProvider kernels);
  }

  private void print(String name, List<Task> tasks, int count, Work work) throws Exception {
    double there = millis(tasks, task -> work.run(task, device));
    double here = millis(tasks, task -> work.run(task, processor));
    String stays =
        name.equals("gather")
            ? "%.2f".formatted(millis(tasks, task -> task.gatherFromVersion(resident)))
            : "";
    System.out.printf(
        Locale.ROOT,
        "| %s | %d | %d | %.2f | %s | %.2f | %.2f |%n",
        name,
        tasks.size(),
        count,
        there,
        stays,
        here,
        there / here);
  }

  private interface Step {
    void run(Task task);
  }

  private static double millis(List<Task> tasks, Step step) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      double[] millis = new double[ROUNDS];
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        long start = System.nanoTime();
        runAll(threads, tasks, step);
        millis[Math.max(0, round)] = (System.nanoTime() - start) / 1e6;
      }
      Arrays.sort(millis);
      return millis[ROUNDS / 2];
    } finally {
      threads.shutdown();
    }
  }

  private static void runAll(ExecutorService threads, List<Task> tasks, Step step)
      throws Exception {
    List<Callable<Void>> calls =
        tasks.stream()
            .map(
                task ->
                    (Callable<Void>)
                        () -> {
                          step.run(task);
                          return null;
                        })
            .toList();
    for (Future<Void> call : threads.invokeAll(calls)) {
      call.get();
    }
  }

  /** One task's partition, and its updates. */
  private static final class Task {
    private final Object[] blocks;
    private final long[] indices;
    private final float[] payload;

    Task(int rows, int count, Random random) {
      this.blocks = new float[rows / BLOCK_ROWS][];
      Arrays.setAll(blocks, block -> new float[BLOCK_ROWS * WIDTH]);
      this.indices = IntStream.range(0, count).mapToLong(i -> random.nextInt(rows)).toArray();
      this.payload = new float[count * WIDTH];
      Arrays.fill(payload, 0.5f);
    }

    private SliceBlocks slices() {
      return SliceBlocks.owned(Storage.FLOAT, blocks, BLOCK_ROWS, WIDTH);
    }

    void scatter(KernelProvider kernels, Scatter how) {
      SliceFold fold = new SliceFold(kernels, DType.FLOAT32, how, slices());
      fold.apply(indices, null, 0, 0, indices.length, payload);
      fold.finish();
    }

    void gather(KernelProvider kernels) {
      copy(new SliceCopy(kernels, Storage.FLOAT, slices()));
    }

    void gatherFromVersion(KernelProvider kernels) {
      copy(SliceCopy.fromVersion(kernels, Storage.FLOAT, slices()));
    }

    private void copy(SliceCopy copy) {
      copy.apply(indices, null, 0, 0, indices.length, payload);
      copy.finish();
    }
  }
}

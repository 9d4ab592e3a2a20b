/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * Times the kernels on rows of 64 float32. Rows and indices are in device memory. {@code
 * rows_pytorch.py} does the same work on the same indices, which this class writes.
 *
 * <pre>RowsBenchmark cudf|host DIRECTORY [ROWS INDICES]</pre>
 *
 * <p>Prints one line per benchmark: its name and the median in milliseconds.
 */
public final class RowsBenchmark {
  private static final int WIDTH = 64;
  private static final int WARM_UP = 5;
  private static final int ROUNDS = 21;

  private final Device device;
  private final int rows;
  private final int count;
  private final Device.Memory table;
  private final Device.Memory payload;

  private RowsBenchmark(Device device, int rows, int count) {
    this.device = device;
    this.rows = rows;
    this.count = count;
    this.table = filled(rows);
    this.payload = filled(count);
  }

  public static void main(String[] args) throws Exception {
    Devices devices = args[0].equals("cudf") ? new CudfDevices() : new HostDevices();
    Path directory = Files.createDirectories(Path.of(args[1]));
    int rows = args.length > 2 ? Integer.parseInt(args[2]) : 4 << 20;
    int count = args.length > 3 ? Integer.parseInt(args[3]) : 1 << 20;
    new RowsBenchmark(devices.forThisTask(), rows, count).run(directory);
  }

  private void run(Path directory) throws Exception {
    Random random = new Random(1);
    int[] uniform = random.ints(count, 0, rows).toArray();
    int[] frequent = zipf(random);
    write(directory.resolve("uniform.npy"), uniform);
    write(directory.resolve("zipf.npy"), frequent);
    time("gather", uniform, index -> index.gather(payload));
    time("update", uniform, index -> index.move(payload));
    time("add", uniform, index -> fold(index, Reduction.ADD));
    time("max", uniform, index -> fold(index, Reduction.MAX));
    time("add-zipf", frequent, index -> fold(index, Reduction.ADD));
  }

  private void fold(DeviceRows index, Reduction step) {
    index.fold(DType.FLOAT32, step, payload, WIDTH);
  }

  /** Draws row {@code r} with probability proportional to {@code 1/(r + 1)^1.1}, by inversion. */
  private int[] zipf(Random random) {
    double[] shares = new double[rows];
    double sum = 0;
    for (int row = 0; row < rows; row++) {
      sum += Math.pow(row + 1, -1.1);
      shares[row] = sum;
    }
    int[] drawn = new int[count];
    for (int i = 0; i < count; i++) {
      int at = Arrays.binarySearch(shares, random.nextDouble() * sum);
      drawn[i] = Math.min(rows - 1, at < 0 ? -at - 1 : at);
    }
    return drawn;
  }

  private static void write(Path file, int[] indices) {
    Npy.write(Tensor.of(Shape.of(indices.length), indices), file);
  }

  private interface Work {
    void on(DeviceRows index);
  }

  private void time(String name, int[] indices, Work work) {
    try (DeviceTransfer transfer = new DeviceTransfer(device, Storage.FLOAT, WIDTH, count);
        DeviceRows index = new DeviceRows(device, table, rows, (long) WIDTH * Float.BYTES)) {
      index.take(transfer, indices, count);
      device.await();
      double[] millis = new double[ROUNDS];
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        long start = System.nanoTime();
        work.on(index); // waits for the device
        if (round >= 0) {
          millis[round] = (System.nanoTime() - start) / 1e6;
        }
      }
      Arrays.sort(millis);
      System.out.printf(Locale.ROOT, "%s %.4f%n", name, millis[ROUNDS / 2]);
    }
  }

  private Device.Memory filled(int rows) {
    float[] row = new float[WIDTH];
    Arrays.fill(row, 0.5f);
    Device.Memory memory = device.memory((long) rows * WIDTH * Float.BYTES);
    try (DeviceTransfer transfer = new DeviceTransfer(device, Storage.FLOAT, WIDTH, rows)) {
      transfer.toDevice(new Repeated(row), rows, memory);
    }
    return memory;
  }

  private record Repeated(float[] values) implements DeviceTransfer.Rows {
    @Override
    public Object array(int row) {
      return values;
    }

    @Override
    public int unit(int row) {
      return 0;
    }
  }
}

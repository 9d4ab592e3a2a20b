/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.NpyEncoder;
import io.sparknd.tensor.NpyHeader;
import io.sparknd.tensor.NpyWriter;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;

/** Tensors to the driver, whole or block by block. */
final class TensorSink {
  /** Bytes that the driver holds at a time while it writes a tensor out. */
  private static final long WINDOW_BYTES = 128L << 20;

  /** Of a whole tensor that one job brings to the driver. */
  private static final long ONE_JOB_BYTES = 1L << 20;

  private TensorSink() {}

  /** Takes a block's array. */
  interface BlockConsumer {
    void accept(Object block) throws IOException;
  }

  static int units(DistributedTensor tensor, Object block) {
    return tensor.dtype().storage().length(block);
  }

  static Tensor collect(DistributedTensor tensor) {
    BlockLayout layout = tensor.layout();
    Tensor result = Tensor.zeros(tensor.dtype(), tensor.shape());
    Iterator<TensorPartition> partitions = run(() -> partitions(tensor));
    while (run(partitions::hasNext)) {
      TensorPartition partition = partitions.next();
      Object[] blocks = partition.blocks();
      for (int local = 0; local < blocks.length; local++) {
        long first = layout.firstElement(layout.block(partition.index(), local));
        int at = (int) first * tensor.dtype().units();
        System.arraycopy(blocks[local], 0, result.array(), at, units(tensor, blocks[local]));
      }
    }
    return result;
  }

  /**
   * A job for all partitions where they are small; else one for each, so that neither the driver's
   * memory nor maxResultSize bounds the tensor.
   */
  private static Iterator<TensorPartition> partitions(DistributedTensor tensor) {
    return tensor.layout().bytes() <= ONE_JOB_BYTES
        ? tensor.rdd().collect().iterator()
        : tensor.rdd().toLocalIterator();
  }

  /** Hands every block to {@code consumer} in the order of the tensor, a window at a time. */
  static void forEachBlock(DistributedTensor tensor, BlockConsumer consumer) throws IOException {
    BlockLayout layout = tensor.layout();
    long stripe =
        (long) layout.blockElements()
            * BlockLayout.elementBytes(tensor.dtype())
            * layout.partitions();
    int step = (int) Math.max(1, Math.min(1 << 20, WINDOW_BYTES / stripe));
    for (long local = 0; local < layout.blocksIn(0); local += step) {
      int from = (int) local;
      int to = (int) Math.min(layout.blocksIn(0), local + step);
      List<RawUnits[]> window = run(() -> window(tensor.rdd(), from, to));
      for (int i = 0; i < to - from; i++) {
        for (RawUnits[] blocks : window) {
          if (i < blocks.length) {
            consumer.accept(blocks[i].array());
          }
        }
      }
    }
  }

  private static List<RawUnits[]> window(JavaRDD<TensorPartition> rdd, int from, int to) {
    return rdd.map(
            partition -> {
              Object[] blocks = partition.blocks();
              int end = Math.min(to, blocks.length);
              return Arrays.stream(blocks, Math.min(from, end), end)
                  .map(RawUnits::new)
                  .toArray(RawUnits[]::new);
            })
        .collect();
  }

  static void toNpy(DistributedTensor tensor, Path file) {
    NpyHeader header =
        tensor.dtype() == DType.STRING
            ? NpyHeader.ofStrings(tensor.shape(), width(tensor))
            : NpyHeader.of(tensor.dtype(), tensor.shape());
    try (NpyWriter writer = NpyWriter.open(file, header)) {
      forEachBlock(tensor, block -> writer.append(block, 0, units(tensor, block)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int width(DistributedTensor tensor) {
    return run(
        () ->
            tensor
                .rdd()
                .map(
                    partition ->
                        Arrays.stream(partition.blocks())
                            .mapToInt(
                                block ->
                                    NpyEncoder.width(
                                        (String[]) block, 0, ((String[]) block).length))
                            .max()
                            .orElse(0))
                .reduce(Math::max));
  }

  private static <T> T run(java.util.function.Supplier<T> action) {
    try {
      return action.get();
    } catch (RuntimeException e) {
      throw TaskErrors.unwrapped(e);
    }
  }
}

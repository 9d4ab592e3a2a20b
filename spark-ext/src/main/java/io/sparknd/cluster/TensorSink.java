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
import java.util.SortedMap;
import java.util.TreeMap;
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
        int at = (int) layout.firstElement(partition.index(), local) * tensor.dtype().units();
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
    long most = WINDOW_BYTES / BlockLayout.elementBytes(tensor.dtype());
    long step = Math.max(layout.blockElements(), most);
    for (long first = 0; first < tensor.shape().elements(); first += step) {
      long from = first;
      long to = Math.min(tensor.shape().elements(), first + step);
      for (RawUnits block : run(() -> window(tensor.rdd(), layout, from, to)).values()) {
        consumer.accept(block.array());
      }
    }
  }

  /** The blocks that begin in the elements {@code [from, to)}, by their first. */
  private static SortedMap<Long, RawUnits> window(
      JavaRDD<TensorPartition> rdd, BlockLayout layout, long from, long to) {
    List<RawUnits[]> parts = rdd.map(partition -> window(partition, layout, from, to)).collect();
    SortedMap<Long, RawUnits> window = new TreeMap<>();
    for (int partition = 0; partition < parts.size(); partition++) {
      int local = layout.blocksBefore(partition, from);
      for (RawUnits block : parts.get(partition)) {
        window.put(layout.firstElement(partition, local++), block);
      }
    }
    return window;
  }

  private static RawUnits[] window(
      TensorPartition partition, BlockLayout layout, long from, long to) {
    return Arrays.stream(
            partition.blocks(),
            layout.blocksBefore(partition.index(), from),
            layout.blocksBefore(partition.index(), to))
        .map(RawUnits::new)
        .toArray(RawUnits[]::new);
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

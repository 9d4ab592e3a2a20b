/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.scatter.LayoutShuffle;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.NpyHeader;
import io.sparknd.tensor.NpyWriter;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Brings tensors to the driver, whole or block by block. */
public final class TensorSink {
  /** Maximum bytes that one job or task sends to the driver. */
  private static final long WINDOW_BYTES = 128L << 20;

  /** Bytes of a range partition that is made for transfer to the driver. */
  private static final long RANGE_BYTES = 16L << 20;

  /** Maximum bytes of a tensor that {@link #collect} fetches in one job. */
  private static final long ONE_JOB_BYTES = 1L << 20;

  private TensorSink() {}

  /** Receives the array of a block. */
  public interface BlockConsumer {
    void accept(Object block) throws IOException;
  }

  public static int units(TensorBlocks tensor, Object block) {
    return tensor.dtype().storage().length(block);
  }

  public static Tensor collect(TensorBlocks tensor) {
    Tensor result = Tensor.zeros(tensor.dtype(), tensor.shape());
    Scale scale = run(() -> Scale.of(tensor));
    TensorBlocks read =
        hasLargePartition(tensor.layout(), scale) ? inRanges(tensor, scale) : tensor;
    Iterator<TensorPartition> partitions = run(() -> partitions(read, scale));
    while (run(partitions::hasNext)) {
      TensorPartition partition = partitions.next();
      Object[] blocks = partition.blocks();
      for (int local = 0; local < blocks.length; local++) {
        long first = read.layout().firstElement(partition.index(), local);
        int at = (int) first * tensor.dtype().units();
        System.arraycopy(blocks[local], 0, result.array(), at, units(tensor, blocks[local]));
      }
    }
    return result;
  }

  /** Whether any partition is too large for a task to send to the driver. */
  private static boolean hasLargePartition(BlockLayout layout, Scale scale) {
    return IntStream.range(0, layout.partitions())
        .anyMatch(partition -> layout.bytesIn(partition) * scale.most() > WINDOW_BYTES);
  }

  /**
   * How many times as large a tensor is as its layout says, which knows only the number of strings.
   *
   * @param most of any block
   * @param mean of the tensor
   */
  private record Scale(double most, double mean) {
    /** Returns the scale of a tensor; of strings, from a job that looks for their length. */
    static Scale of(TensorBlocks tensor) {
      return tensor.dtype() == DType.STRING ? of(tensor, TextSizes.of(tensor)) : new Scale(1, 1);
    }

    static Scale of(TensorBlocks tensor, TextSizes sizes) {
      long elements = tensor.shape().elements();
      return elements == 0
          ? new Scale(1, 1)
          : new Scale(scale(sizes.most), scale((double) sizes.all / elements));
    }

    /** Returns the scale of strings with so many chars. */
    private static double scale(double chars) {
      return 1 + chars * Character.BYTES / BlockLayout.elementBytes(DType.STRING);
    }
  }

  /**
   * Collects small tensors in one job. Larger ones take one job for each partition, so that neither
   * the driver's memory nor maxResultSize bounds the tensor.
   */
  private static Iterator<TensorPartition> partitions(TensorBlocks tensor, Scale scale) {
    return tensor.layout().bytes() * scale.mean() <= ONE_JOB_BYTES
        ? PartitionTasks.collected(tensor.rdd()).iterator()
        : tensor.rdd().toLocalIterator();
  }

  /**
   * Passes every block to {@code consumer} in the order of the tensor. A large tensor is first
   * shuffled into that order: repeated requests to every partition for its next few blocks would
   * read all data on disk each time.
   */
  public static void forEachBlock(TensorBlocks tensor, BlockConsumer consumer) throws IOException {
    forEachBlock(tensor, run(() -> Scale.of(tensor)), consumer);
  }

  private static void forEachBlock(TensorBlocks tensor, Scale scale, BlockConsumer consumer)
      throws IOException {
    if (tensor.layout().bytes() * scale.mean() <= WINDOW_BYTES) {
      for (Object block : run(() -> sorted(tensor)).values()) {
        consumer.accept(block);
      }
      return;
    }
    Iterator<TensorPartition> ranges = run(() -> inRanges(tensor, scale).rdd().toLocalIterator());
    while (run(ranges::hasNext)) {
      for (Object block : ranges.next().blocks()) {
        consumer.accept(block);
      }
    }
  }

  /** Returns all blocks by their first elements. */
  private static SortedMap<Long, Object> sorted(TensorBlocks tensor) {
    BlockLayout layout = tensor.layout();
    SortedMap<Long, Object> sorted = new TreeMap<>();
    for (TensorPartition partition : PartitionTasks.collected(tensor.rdd())) {
      for (int local = 0; local < partition.blocks().length; local++) {
        long first = layout.firstElement(partition.index(), local);
        sorted.put(first, partition.blocks()[local]);
      }
    }
    return sorted;
  }

  /**
   * Returns the tensor in consecutive range partitions, each small enough to send to the driver.
   */
  private static TensorBlocks inRanges(TensorBlocks tensor, Scale scale) {
    BlockLayout layout = tensor.layout();
    long blockBytes = (long) layout.blockElements() * BlockLayout.elementBytes(layout.dtype());
    long blocks = (long) Math.max(1, RANGE_BYTES / (blockBytes * scale.most()));
    long step = blocks * layout.rows().perBlock();
    long rows = tensor.shape().elements() / layout.rowElements();
    int ranges = Math.toIntExact(-Math.floorDiv(-rows, step));
    long[] firstRows = LongStream.range(0, ranges).map(range -> range * step).toArray();
    int[] owners = IntStream.range(0, ranges).toArray();
    return LayoutShuffle.moved(tensor, layout.inRanges(ranges, firstRows, owners));
  }

  /** Writes an {@code .npy} file. A job looks for the length of strings, if there are any. */
  public static void toNpy(TensorBlocks tensor, Path file) {
    if (tensor.dtype() == DType.STRING) {
      TextSizes sizes = run(() -> TextSizes.of(tensor));
      write(
          tensor, NpyHeader.ofStrings(tensor.shape(), sizes.width), Scale.of(tensor, sizes), file);
    } else {
      write(tensor, NpyHeader.of(tensor.dtype(), tensor.shape()), Scale.of(tensor), file);
    }
  }

  private static void write(TensorBlocks tensor, NpyHeader header, Scale scale, Path file) {
    try (NpyWriter writer = NpyWriter.open(file, header)) {
      forEachBlock(tensor, scale, block -> writer.append(block, 0, units(tensor, block)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T run(java.util.function.Supplier<T> action) {
    try {
      return action.get();
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }
}

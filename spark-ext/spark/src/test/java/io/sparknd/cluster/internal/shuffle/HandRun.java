/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.scatter.FoldOptions;
import io.sparknd.cluster.internal.scatter.PartitionFold;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Runs the tasks of a scatter by slices one after the other, without Spark. */
final class HandRun {
  private static final ClassTag<BatchKey> KEY = ClassTag$.MODULE$.apply(BatchKey.class);
  private static final ClassTag<ShuffleBatch> BATCH = ClassTag$.MODULE$.apply(ShuffleBatch.class);
  private static final int CHUNK = 100;

  private final BlockLayout layout;
  private final BlockLayout.Pieces pieces;
  private final Tensor data;
  private final List<List<Tuple2<BatchKey, ShuffleBatch>>> arrived = new ArrayList<>();

  /**
   * Creates the partitions of {@code data}.
   *
   * @param depth number of index dimensions
   */
  HandRun(Tensor data, int depth, Partitioning cut) {
    this.data = data;
    this.layout = BlockLayout.of(data.dtype(), data.shape(), cut, cut.partitions());
    this.pieces = layout.pieces(data.shape().from(depth).elements());
    IntStream.range(0, layout.partitions()).forEach(p -> arrived.add(new ArrayList<>()));
  }

  /**
   * Sends the updates of a source. Each batch is serialized and deserialized before the next one is
   * requested.
   */
  void send(int source, long[] offsets, Tensor updates, MapSideCombine combining) {
    Iterator<NumberedRows> chunks = chunks(offsets, updates);
    RowBinner binner =
        combining == null
            ? new RowBinner(source, chunks, data.dtype().storage(), pieces)
            : new RowBinner(source, chunks, combining, pieces);
    SerializerInstance serializer = new BatchSerializer(data.dtype().storage()).newInstance();
    binner.forEachRemaining(
        batch -> arrived.get(batch._1().partition()).add(travelled(serializer, batch)));
  }

  private static Tuple2<BatchKey, ShuffleBatch> travelled(
      SerializerInstance serializer, Tuple2<BatchKey, ShuffleBatch> batch) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SerializationStream out = serializer.serializeStream(bytes);
    out.writeKey(batch._1(), KEY);
    out.writeValue(batch._2(), BATCH);
    out.close();
    DeserializationStream in =
        serializer.deserializeStream(new ByteArrayInputStream(bytes.toByteArray()));
    return new Tuple2<>(in.readKey(KEY), in.readValue(BATCH));
  }

  private Iterator<NumberedRows> chunks(long[] offsets, Tensor updates) {
    int units = (int) (pieces.perSlice() * pieces.units());
    List<NumberedRows> chunks = new ArrayList<>();
    for (int from = 0; from < offsets.length; from += CHUNK) {
      int to = Math.min(offsets.length, from + CHUNK);
      Object rows = data.dtype().storage().copyOfRange(updates.array(), from * units, to * units);
      chunks.add(new NumberedRows(Arrays.copyOfRange(offsets, from, to), to - from, rows));
    }
    return chunks.iterator();
  }

  /** Returns the number of received updates. */
  int arrived() {
    return arrived.stream().flatMap(List::stream).mapToInt(batch -> batch._2().count()).sum();
  }

  /** Applies all received updates, in the order of the sources, and returns the tensor. */
  Tensor fold(Scatter how) {
    PartitionFold fold =
        new PartitionFold(data.dtype(), how, pieces, "auto", null, FoldOptions.NEW_VERSION);
    Tensor result = data.copy();
    for (int p = 0; p < layout.partitions(); p++) {
      arrived.get(p).sort((a, b) -> a._1().compareTo(b._1()));
      Iterator<TensorPartition> parent = Collections.singletonList(partition(p)).iterator();
      TensorPartition next = fold.call(parent, arrived.get(p).iterator()).next();
      for (int local = 0; local < next.blocks().length; local++) {
        int units = layout.unitsIn(p, local);
        System.arraycopy(next.blocks()[local], 0, result.array(), firstUnit(p, local), units);
      }
    }
    return result;
  }

  private TensorPartition partition(int index) {
    DType dtype = data.dtype();
    Object[] blocks = dtype.storage().allocateBlocks((int) layout.blocksIn(index));
    for (int local = 0; local < blocks.length; local++) {
      int first = firstUnit(index, local);
      int end = first + layout.unitsIn(index, local);
      blocks[local] = dtype.storage().copyOfRange(data.array(), first, end);
    }
    return TensorPartition.of(dtype.storage(), index, blocks);
  }

  private int firstUnit(int partition, int local) {
    long element = layout.firstElement(partition, local);
    return (int) element * layout.dtype().units();
  }
}

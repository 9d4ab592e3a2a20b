/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.partition.TensorSource;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.scatter.FoldOptions;
import io.sparknd.cluster.internal.scatter.PartitionFold;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.cluster.internal.shuffle.RowBinner;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.NpyDecoder;
import io.sparknd.tensor.NpyHeader;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** Creates tensors from {@code .npy} files, which the executors read in parallel. */
public final class NpySource {
  /** Maximum bytes that one task reads of a column-major file. */
  private static final long SOURCE_BYTES = 16L << 20;

  private NpySource() {}

  /**
   * Returns the tensor in {@code file}.
   *
   * @param as the dtype to read the bits as; null for the dtype in the file
   */
  public static TensorBlocks open(
      SparkSession spark, String file, @Nullable DType as, Partitioning partitioning) {
    HadoopFiles files = HadoopFiles.of(spark, file);
    NpyHeader header = header(files, as);
    BlockLayout layout = TensorSource.layout(spark, header.dtype(), header.shape(), partitioning);
    boolean columnMajor = header.fortranOrder() && header.shape().rank() > 1;
    JavaRDD<TensorPartition> rdd =
        columnMajor
            ? transposed(spark, files, header, layout)
            : TensorSource.numbers(spark, layout)
                .map(index -> partition(files, header, layout, index));
    VersionLineage.persist(rdd, 0);
    return TensorBlocks.of(spark, layout, rdd);
  }

  private static NpyHeader header(HadoopFiles files, @Nullable DType as) {
    try (FSDataInputStream in = files.open()) {
      String name = files.toString();
      NpyHeader header = as == null ? NpyHeader.read(in, name) : NpyHeader.read(in, name, as);
      header.checkFileSize(files.length());
      return header;
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(files.toString(), e);
    }
  }

  private static TensorPartition partition(
      HadoopFiles files, NpyHeader header, BlockLayout layout, int index) {
    Storage storage = layout.dtype().storage();
    Object[] blocks = storage.allocateBlocks((int) layout.blocksIn(index));
    try (FSDataInputStream in = files.open()) {
      NpyDecoder decoder = new NpyDecoder(header);
      for (int local = 0; local < blocks.length; local++) {
        blocks[local] = storage.allocate(layout.unitsIn(index, local));
        in.seek(header.position(layout.firstElement(index, local)));
        decoder.read(in, layout.elementsIn(index, local), blocks[local], 0);
      }
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(files.toString(), e);
    }
    return TensorPartition.of(storage, index, blocks);
  }

  /** Reads a column-major file in its own order and shuffles each element to its block. */
  private static JavaRDD<TensorPartition> transposed(
      SparkSession spark, HadoopFiles files, NpyHeader header, BlockLayout layout) {
    DType dtype = header.dtype();
    Pieces pieces = layout.pieces(1);
    long step = Math.max(1, SOURCE_BYTES / Math.max(1, header.itemBytes()));
    long sources = Math.max(1, -Math.floorDiv(-header.shape().elements(), step));
    JavaRDD<Long> starts =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(
                LongStream.range(0, sources).map(source -> source * step).boxed().toList(),
                (int) sources);
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> batches =
        BatchShuffle.byReference(
            starts.mapPartitionsWithIndex(
                (source, start) ->
                    new RowBinner(
                        source,
                        new ColumnMajorChunks(files, header, start.next(), step),
                        dtype.storage(),
                        pieces),
                false),
            layout.partitions(),
            dtype.storage(),
            BatchShuffle.Order.ANY);
    String kernel = SparkNdSetting.KERNEL.in(spark);
    return TensorSource.filled(spark, layout, null)
        .rdd()
        .zipPartitions(
            batches,
            new PartitionFold(
                dtype, Scatter.update(), pieces, kernel, null, FoldOptions.NEW_VERSION));
  }

  /** Elements of a column-major file, with their row-major offsets. */
  private static final class ColumnMajorChunks implements Iterator<NumberedRows> {
    private static final int CHUNK_ELEMENTS = 8192;

    private final HadoopFiles files;
    private final NpyHeader header;
    private final long to;
    private final Shape reversed;
    private final long[] strides;
    private long at;

    ColumnMajorChunks(HadoopFiles files, NpyHeader header, long from, long most) {
      this.files = files;
      this.header = header;
      Shape shape = header.shape();
      this.at = from;
      this.to = Math.min(shape.elements(), from + most);
      long[] dims = new long[shape.rank()];
      this.strides = new long[shape.rank()];
      for (int d = 0; d < dims.length; d++) {
        dims[d] = shape.dim(dims.length - 1 - d);
        strides[d] = shape.from(dims.length - d).elements();
      }
      this.reversed = Shape.of(dims);
    }

    @Override
    public boolean hasNext() {
      return at < to;
    }

    @Override
    public NumberedRows next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int count = (int) Math.min(CHUNK_ELEMENTS, to - at);
      Object values = header.dtype().storage().allocate(count * header.dtype().units());
      try (FSDataInputStream in = files.open()) {
        in.seek(header.position(at));
        new NpyDecoder(header).read(in, count, values, 0);
      } catch (IOException e) {
        throw TensorErrors.unreadableFile(files.toString(), e);
      }
      NumberedRows chunk = new NumberedRows(offsets(count), count, values);
      at += count;
      return chunk;
    }

    private long[] offsets(int count) {
      long[] offsets = new long[count];
      for (int i = 0; i < count; i++) {
        long[] coordinates = reversed.coordinates(at + i);
        for (int d = 0; d < coordinates.length; d++) {
          offsets[i] += coordinates[d] * strides[d];
        }
      }
      return offsets;
    }
  }
}

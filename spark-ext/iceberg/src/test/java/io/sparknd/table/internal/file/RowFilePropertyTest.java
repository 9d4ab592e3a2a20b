/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.oracle.TensorAssert;
import io.sparknd.table.internal.file.ValueColumns.BinaryColumn;
import io.sparknd.table.internal.file.Written.Layout;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.iceberg.io.InputFile;

/** Tests that written rows are read back, all of them and any subset. */
class RowFilePropertyTest {

  @Property(tries = 250)
  void writtenRowsAreReadBack(
      @ForAll DType dtype,
      @ForAll Layout layout,
      @ForAll @IntRange(min = 1, max = 3) int depth,
      @ForAll @IntRange(min = 0, max = 3) int rank,
      @ForAll Size size,
      @ForAll Codec codec,
      @ForAll long seed) {
    Assume.that(dtype != DType.STRING || layout != Layout.BINARY);
    Random random = new Random(seed);
    RowFormat format =
        Written.format(
            dtype, layout, dims(depth, 40, random), dims(rank, rank == 1 ? 70 : 7, random));
    Written rows = Written.random(format, size.rows(random), random);
    InMemoryOutputFile file = new InMemoryOutputFile();
    rows.to(file, properties(codec, random), 1 + random.nextInt(2000));
    readAll(file.toInputFile(), rows);
    readSome(file.toInputFile(), rows, random);
  }

  private static Shape dims(int rank, int most, Random random) {
    return Shape.of(IntStream.range(0, rank).mapToLong(i -> 1 + random.nextInt(most)).toArray());
  }

  /** Returns sizes that give many pages and row groups. */
  private static Map<String, String> properties(Codec codec, Random random) {
    return Map.of(
        "write.parquet.compression-codec", codec.name(),
        "write.parquet.page-size-bytes", Integer.toString(1 + random.nextInt(20_000)),
        "write.parquet.row-group-size-bytes", Integer.toString(1 + random.nextInt(1_000_000)));
  }

  private static void readAll(InputFile input, Written rows) {
    try (RowFileReader file = RowFileReader.open(new TableFile("lake.t", input), rows.format())) {
      assertThat(file.rows()).isEqualTo(rows.offsets().length);
      assertThat(file.offsets()).isEqualTo(rows.offsets());
      Tensor expected = rows.values();
      int shift = 3;
      Object target = rows.format().dtype().storage().allocate(length(expected) + shift);
      file.values(target, shift);
      Object read =
          rows.format().dtype().storage().copyOfRange(target, shift, length(expected) + shift);
      assertSameBits(Tensor.wrap(expected.dtype(), expected.shape(), read), expected, rows);
    }
  }

  private static void readSome(InputFile input, Written rows, Random random) {
    double share = random.nextDouble();
    int[] positions =
        IntStream.range(0, rows.offsets().length)
            .filter(i -> random.nextDouble() < share)
            .toArray();
    int[] slots = IntStream.range(0, positions.length).toArray();
    Tensor expected = rows.values(positions);
    Object target = rows.format().dtype().storage().allocate(length(expected));
    try (RowFileReader file = RowFileReader.open(new TableFile("lake.t", input), rows.format())) {
      file.values(positions, slots, positions.length, target);
    }
    assertSameBits(Tensor.wrap(expected.dtype(), expected.shape(), target), expected, rows);
  }

  /** Half floats are float32 in files, unless they are bytes. */
  private static void assertSameBits(Tensor actual, Tensor expected, Written rows) {
    boolean isBytes = rows.format().values() instanceof BinaryColumn;
    TensorAssert.assertSameBits(actual, isBytes ? expected : TensorAssert.quietHalves(expected));
  }

  private static int length(Tensor tensor) {
    return tensor.dtype().storage().length(tensor.array());
  }

  enum Size {
    EMPTY,
    ONE,
    FEW,
    MANY;

    int rows(Random random) {
      return switch (this) {
        case EMPTY -> 0;
        case ONE -> 1;
        case FEW -> 1 + random.nextInt(50);
        case MANY -> 1 + random.nextInt(5000);
      };
    }
  }

  enum Codec {
    UNCOMPRESSED,
    SNAPPY,
    ZSTD,
    LZ4_RAW,
    GZIP
  }
}

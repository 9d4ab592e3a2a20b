/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.oracle.RandomCalls;
import io.sparknd.table.internal.file.ValueColumns.ArrayColumn;
import io.sparknd.table.internal.file.ValueColumns.BinaryColumn;
import io.sparknd.table.internal.file.ValueColumns.FeatureColumns;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.iceberg.io.OutputFile;

/** Random rows of a format, which can be written to files. */
record Written(RowFormat format, long[] offsets, int[] slots, Tensor payload) {

  enum Layout {
    ARRAY,
    BINARY,
    FEATURES
  }

  static RowFormat format(DType dtype, Layout layout, Shape outer, Shape slice) {
    Shape inner = layout == Layout.FEATURES ? Shape.of(slice.elements()) : slice;
    ValueColumns values =
        switch (layout) {
          case ARRAY -> new ArrayColumn("value");
          case BINARY -> new BinaryColumn("value");
          case FEATURES -> new FeatureColumns(names("f", (int) slice.elements()));
        };
    return new RowFormat(dtype, outer.concat(inner), names("i", outer.rank()), values);
  }

  private static List<String> names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
  }

  /** Returns at most {@code rows} rows at random offsets; the payload is in another order. */
  static Written random(RowFormat format, int rows, Random random) {
    TreeSet<Long> offsets = new TreeSet<>();
    for (int i = 0; i < rows; i++) {
      offsets.add((long) (random.nextDouble() * format.outer().elements()));
    }
    List<Integer> slots = new ArrayList<>(IntStream.range(0, offsets.size()).boxed().toList());
    int turned = slots.size() / 2;
    java.util.Collections.shuffle(slots.subList(0, turned), random);
    return new Written(
        format,
        offsets.stream().mapToLong(Long::longValue).toArray(),
        slots.stream().mapToInt(Integer::intValue).toArray(),
        RandomCalls.tensor(format.dtype(), Shape.of(slots.size()).concat(format.slice()), random));
  }

  /** Writes the rows in several calls. */
  RowFileWriter to(OutputFile file, Map<String, String> properties, int step) {
    try (RowFileWriter writer = RowFileWriter.create(file, format, properties)) {
      for (int from = 0; from < offsets.length; from += step) {
        int to = Math.min(offsets.length, from + step);
        writer.append(
            java.util.Arrays.copyOfRange(offsets, from, to),
            java.util.Arrays.copyOfRange(slots, from, to),
            to - from,
            payload.array());
      }
      return writer;
    }
  }

  /** Returns the values in row order. */
  Tensor values() {
    return values(IntStream.range(0, slots.length).toArray());
  }

  /** Returns the values of some rows. */
  Tensor values(int[] rows) {
    int units = format.units();
    Object array = format.dtype().storage().allocate(rows.length * units);
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(payload.array(), slots[rows[i]] * units, array, i * units, units);
    }
    return Tensor.wrap(format.dtype(), Shape.of(rows.length).concat(format.slice()), array);
  }
}

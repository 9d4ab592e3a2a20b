/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.functions;

/**
 * The values of a row with a string key. Updates are added to them. They are small integers, so
 * sums are exact in any order.
 */
enum KeyedValues {
  /** 64 float32 in one array column; in Paimon, which cannot add arrays, 64 columns. */
  VECTOR(Layout.WIDTH) {
    @Override
    List<Column> columns(List<Column> elements) {
      Column[] floats =
          elements.stream().map(element -> element.cast("float")).toArray(Column[]::new);
      return List.of(functions.array(floats).as("value"));
    }

    @Override
    String ddl() {
      return "value ARRAY<FLOAT>";
    }

    @Override
    String assignments() {
      return "value = " + Layout.sum("t.value", "u.value");
    }

    @Override
    FeatureTableSpec with(FeatureTableSpec spec) {
      return spec.with(
          Variable.of("value", DType.FLOAT32, Layout.WIDTH).reducedBy(VariableReduction.add()));
    }

    @Override
    DataType paimonType() {
      return DataTypes.FLOAT();
    }

    @Override
    long hash(InternalRow row, long seed) {
      ArrayData elements = row.getArray(1);
      long hash = seed;
      for (int i = 0; i < elements.numElements(); i++) {
        hash = XXH64.hashInt(Float.floatToIntBits(elements.getFloat(i)), hash);
      }
      return hash;
    }

    @Override
    List<Column> sums() {
      return List.of(functions.array(sums("value[%d]", "float")).as("value"));
    }
  },

  /** Eight counters, a bigint column each. */
  COUNTERS(8) {
    @Override
    List<Column> columns(List<Column> elements) {
      return IntStream.range(0, width())
          .mapToObj(i -> elements.get(i).cast("bigint").as("c" + i))
          .toList();
    }

    @Override
    String ddl() {
      return joined("c%d BIGINT");
    }

    @Override
    String assignments() {
      return joined("c%1$d = t.c%1$d + u.c%1$d");
    }

    @Override
    FeatureTableSpec with(FeatureTableSpec spec) {
      FeatureTableSpec all = spec;
      for (int i = 0; i < width(); i++) {
        all = all.with(Variable.of("c" + i, "bigint").reducedBy(VariableReduction.add()));
      }
      return all;
    }

    @Override
    DataType paimonType() {
      return DataTypes.BIGINT();
    }

    @Override
    long hash(InternalRow row, long seed) {
      long hash = seed;
      for (int i = 1; i <= width(); i++) {
        hash = XXH64.hashLong(row.getLong(i), hash);
      }
      return hash;
    }

    @Override
    List<Column> sums() {
      Column[] sums = sums("c%d", "bigint");
      return IntStream.range(0, width()).mapToObj(i -> sums[i].as("c" + i)).toList();
    }
  };

  /** Ten updates of a float32 below 2^20, and its first value, have an exact sum. */
  private static final int MAX = (1 << 20) - 1;

  private final int width;

  KeyedValues(int width) {
    this.width = width;
  }

  /** The number of values of a row. */
  int width() {
    return width;
  }

  /** The columns of a row in Spark, of these elements. */
  abstract List<Column> columns(List<Column> elements);

  /** The columns for {@code CREATE TABLE}. */
  abstract String ddl();

  /** What a {@code MERGE} of {@code u} into {@code t} sets. */
  abstract String assignments();

  /** Adds the variables to the specification of a feature table. */
  abstract FeatureTableSpec with(FeatureTableSpec spec);

  /** The type of each value in Paimon. */
  abstract DataType paimonType();

  /** The columns of a row that is the sum of a group of rows. */
  abstract List<Column> sums();

  /**
   * The values of a row.
   *
   * @param hash an integer column
   * @param salt other values for each salt
   */
  List<Column> draw(Column hash, int salt) {
    return columns(
        IntStream.range(0, width)
            .mapToObj(
                i ->
                    functions
                        .hash(hash, functions.lit(salt), functions.lit(i))
                        .bitwiseAND(functions.lit(MAX)))
            .toList());
  }

  /** The names of the columns in Spark. */
  List<String> names() {
    return Arrays.stream(ddl().split(", ")).map(column -> column.split(" ", 2)[0]).toList();
  }

  /**
   * Returns the hash of a row's values, as Spark's {@code xxhash64} computes it.
   *
   * @param row a key and the values
   * @param seed the hash of the key
   */
  abstract long hash(InternalRow row, long seed);

  Column[] sums(String element, String type) {
    return IntStream.range(0, width)
        .mapToObj(i -> functions.expr(String.format("sum(" + element + ")", i)).cast(type))
        .toArray(Column[]::new);
  }

  String joined(String element) {
    return IntStream.range(0, width)
        .mapToObj(i -> String.format(element, i))
        .collect(Collectors.joining(", "));
  }

  /** The name in table names and benchmark ids. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

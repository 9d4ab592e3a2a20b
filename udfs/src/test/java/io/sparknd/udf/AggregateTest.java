/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static io.sparknd.udf.Sql.SPARK;
import static io.sparknd.udf.Sql.failure;
import static io.sparknd.udf.Sql.refusal;
import static io.sparknd.udf.Sql.text;
import static io.sparknd.udf.Sql.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.NaiveEngine;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code scatter_nd_agg}. */
class AggregateTest {
  private static final int ROWS = 800;
  private static final Shape SHAPE = Shape.of(4, 3, 2);

  /** Rules of the optimizer compute what an aggregate gives without rows. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT (SELECT scatter_nd_agg(i, v, array(2)) FROM e WHERE e.k = u.k) AS t"
            + " FROM VALUES (7) AS u(k)",
        "SELECT scatter_nd_agg(i, v, array(2)) AS t, count(DISTINCT k), count(DISTINCT v) FROM e"
            + " WHERE k > 7",
        "SELECT coalesce(scatter_nd_agg(i, v, array(2)), array(9D, 9D)) AS t FROM e WHERE k > 7"
      })
  void noRowsGiveZeros(String query) {
    SPARK
        .sql("SELECT k, array(0) AS i, 1D AS v FROM VALUES (1), (2) AS x(k)")
        .createOrReplaceTempView("e");
    assertThat(SPARK.sql(query).first().<Double>getList(0)).containsExactly(0.0, 0.0);
  }

  /** Rows with an explicit order, in arbitrary partitions, give the oracle's result. */
  @Tag("slow")
  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"BOOL", "INT8", "INT16", "INT32", "INT64", "FLOAT32", "FLOAT64", "STRING"})
  void orderedUpdatesApplyInTheirOrder(DType dtype) {
    Random random = new Random(dtype.ordinal());
    for (Reduction reduction : Reduction.values()) {
      boolean offered = reduction != Reduction.SUB && reduction != Reduction.DIV;
      if (offered && reduction.isDefinedFor(dtype)) {
        checkOrdered(dtype, reduction, dtype == DType.STRING ? 60 : ROWS, random);
      }
    }
  }

  private static void checkOrdered(DType dtype, Reduction reduction, int count, Random random) {
    Tensor values = RandomCalls.tensor(dtype, Shape.of(count, 2), random);
    Tensor indices = Tensor.zeros(DType.INT64, Shape.of(count, 2));
    long[] all = (long[]) indices.array();
    for (int i = 0; i < all.length; i++) {
      all[i] = random.nextInt((int) SHAPE.dim(i % 2));
    }
    Scatter how = Scatter.of(reduction).withSelf(IncludeSelf.EXCLUDED);
    Tensor expected =
        NaiveEngine.scatter(Tensor.zeros(dtype, SHAPE), ScatterCall.of(how, indices, values));
    rows(values, all, random).createOrReplaceTempView("updates");
    for (Held held : Held.values()) {
      String slice = held == Held.NESTED ? "v" : "named_struct('shape', nd_shape(v), 'values', v)";
      assertThat(
              value(
                  String.format(
                      "scatter_nd_agg(array(i, j), %s, array(4, 3, 2), '%s', order_by => o)"
                          + " FROM updates",
                      slice, reduction)))
          .as("%s %s", dtype, reduction)
          .isEqualTo(held.list(expected));
    }
  }

  private static Dataset<Row> rows(Tensor values, long[] indices, Random random) {
    List<Row> rows = new ArrayList<>();
    List<?> slices = (List<?>) Held.NESTED.list(values);
    for (int row = 0; row < slices.size(); row++) {
      rows.add(
          RowFactory.create(
              (long) row,
              (int) indices[2 * row],
              indices[2 * row + 1],
              ((List<?>) slices.get(row)).toArray()));
    }
    Collections.shuffle(rows, random);
    StructType schema =
        new StructType(
            new StructField[] {
              DataTypes.createStructField("o", DataTypes.LongType, false),
              DataTypes.createStructField("i", DataTypes.IntegerType, false),
              DataTypes.createStructField("j", DataTypes.LongType, false),
              DataTypes.createStructField("v", Held.NESTED.type(values.dtype(), 1), false)
            });
    return SPARK.createDataFrame(rows, schema).repartition(1 + random.nextInt(7));
  }

  /**
   * Without an explicit order, updates are sorted by value, so the bits do not depend on the
   * partitioning.
   */
  @Test
  void floatSumsHaveTheSameBitsForEveryPartitioning() {
    Set<Object> results = new HashSet<>();
    for (int partitions : new int[] {1, 2, 5, 16}) {
      results.add(
          value(
              "scatter_nd_agg(int(id % 7), float(1 / (1 + pmod(hash(id), 1000))), array(7)) FROM"
                  + " (SELECT /*+ REPARTITION("
                  + partitions
                  + ") */ id FROM range(0, 20000, 1, 3))"));
    }
    assertThat(results).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void eachGroupHasItsOwnTensor(Codegen codegen) {
    codegen.run(
        SPARK,
        () ->
            assertThat(
                    text(
                        "sort_array(collect_list(t)) FROM (SELECT scatter_nd_agg(int(id DIV 2), id,"
                            + " array(3)) t FROM range(0, 6, 1, 4) GROUP BY id % 2)"))
                .isEqualTo("[[0, 2, 4], [1, 3, 5]]"));
  }

  /** A group with so many updates that those of equal slices are combined. */
  @Tag("slow")
  @Test
  void manyUpdatesOfFewSlicesAreCombined() {
    assertThat(value("scatter_nd_agg(int(id % 3), id, array(3)) FROM range(0, 100000, 1, 5)"))
        .isEqualTo(List.of(1666683333L, 1666616667L, 1666650000L));
    assertThat(
            value("scatter_nd_agg(int(id % 3), id, array(3), 'min') FROM range(5, 100000, 1, 5)"))
        .isEqualTo(List.of(6L, 7L, 5L));
    assertThat(value("scatter_nd_agg(int(id % 2), double(id), array(2), 'mean') FROM range(5000)"))
        .isEqualTo(List.of(2499.0, 2500.0));
  }

  @Test
  void nullRowsAreSkippedAndNoRowsGiveZeros() {
    assertThat(
            value(
                "scatter_nd_agg(i, v, array(2)) FROM VALUES (0, 5), (NULL, 7), (1, NULL) AS t(i,"
                    + " v)"))
        .isEqualTo(List.of(5, 0));
    assertThat(
            value(
                "scatter_nd_agg(array(i, j), v, array(2, 2)) FROM VALUES (0, 1, 5), (NULL, NULL, 7),"
                    + " (1, NULL, 7) AS t(i, j, v)"))
        .isEqualTo(List.of(List.of(0, 5), List.of(0, 0)));
    assertThat(value("scatter_nd_agg(int(id), 1, array(2)) FROM range(0)"))
        .isEqualTo(List.of(0, 0));
    assertThat(value("scatter_nd_agg(int(id), 1, array(2)) FILTER (WHERE id = 1) FROM range(5)"))
        .isEqualTo(List.of(0, 1));
  }

  @Tag("slow")
  @Test
  void orderDependentResultsNeedOrderBy() {
    String rows = " FROM VALUES (0, 1, DATE'2026-01-02'), (0, 2, DATE'2026-01-01') AS t(i, v, o)";
    assertThat(failure("scatter_nd_agg(i, v, array(2), 'none')" + rows))
        .startsWith("index [0] occurs in more than one row of the group")
        .contains("pass order_by");
    assertThat(value("scatter_nd_agg(i, v, array(2), 'none', o)" + rows)).isEqualTo(List.of(1, 0));
    assertThat(value("scatter_nd_agg(i, v, array(2), 'none')" + rows + " WHERE v = 2"))
        .isEqualTo(List.of(2, 0));
    assertThat(failure("scatter_nd_agg(i, string(v), array(2))" + rows)).contains("pass order_by");
    assertThat(failure("scatter_nd_agg(i, v, array(2), order_by => if(v = 1, NULL, o))" + rows))
        .startsWith("order_by is null in a row with index [0]");
  }

  @Test
  void badRowsAreNamed() {
    assertThat(failure("scatter_nd_agg(array(int(id), 0), 1, array(2, 2)) FROM range(3)"))
        .startsWith("index = [2, 0] is out of bounds for shape [2, 2]:");
    assertThat(
            value(
                "scatter_nd_agg(int(id), 1, array(2), bad_indices => 'ignore') FROM range(-1, 3)"))
        .isEqualTo(List.of(1, 1));
    assertThat(failure("scatter_nd_agg(sequence(0, id), 1, array(2, 2)) FROM range(1)"))
        .contains("index [0] has 1 values; value and shape need 2");
    assertThat(failure("scatter_nd_agg(0, sequence(0, id), array(2, 2)) FROM range(1)"))
        .contains("value has shape [1]; index [0] into tensor [2, 2] needs [2]");
  }

  @Test
  void badTypesAreRefused() {
    assertThat(refusal("scatter_nd_agg(0, 1, array(id)) FROM range(3)"))
        .contains("shape is array(id); it must be a constant");
    assertThat(refusal("scatter_nd_agg(0, 1, array(2), 'sub')"))
        .contains("scatter_nd_agg has no reduction 'sub'");
    assertThat(refusal("scatter_nd_agg(0, 1, array(2), order_by => 'x')"))
        .contains("order_by is string");
    assertThat(refusal("scatter_nd_agg('x', 1, array(2))")).contains("index is string");
    assertThat(refusal("scatter_nd_agg(0, array(array(1)), array(2))"))
        .contains("value is array<array<int>>; a slice of shape [2] has rank 0 to 1");
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.embedding.nearest.VectorMetric;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Tests the changed rows of a version against all rows of both versions. */
class TableChangesTest {
  private static final List<DType> DTYPES = List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);

  private final SparkSession spark = LocalSpark.session();

  @Property(tries = 2, shrinking = ShrinkingMode.OFF)
  void updatesOfTheChangedRowsMakeTheVersion(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 4) int partitions,
      @ForAll @IntRange(min = 1, max = 90) int dim) {
    SplittableRandom random = new SplittableRandom(seed);
    EmbeddingSpec plain =
        random.nextBoolean()
            ? EmbeddingSpec.keyed(dim, Optimizer.sgd(1))
            : EmbeddingSpec.of(400, dim, Optimizer.sgd(1));
    EmbeddingSpec spec =
        plain.withDType(DTYPES.get(random.nextInt(DTYPES.size()))).withPartitions(partitions);
    if (random.nextBoolean()) {
      spec = spec.withRowUsage();
    }
    EmbeddingTable before = trained(EmbeddingTable.create(spark, spec), random);
    EmbeddingTable after = trained(trained(before, random), random);
    Map<Long, List<Float>> earlier = rows(before.toDataset());
    Map<Long, List<Float>> later = rows(after.toDataset());
    Set<Long> expected =
        later.keySet().stream()
            .filter(id -> !later.get(id).equals(earlier.get(id)))
            .collect(Collectors.toSet());
    Map<Long, List<Float>> changes = rows(after.changesSince(before));
    assertThat(changes.keySet()).isEqualTo(expected);
    Map<Long, List<Float>> updated = new HashMap<>(earlier);
    updated.putAll(changes);
    assertThat(updated).isEqualTo(later);
    assertThat(after.changesSince(after).count()).isZero();
  }

  /** With rows of 4 elements, 16 share a block. */
  @Example
  void withUsageOtherRowsOfABlockAreNotThoseOfTheTable() {
    EmbeddingSpec spec = EmbeddingSpec.of(400, 4, Optimizer.sgd(1)).withRowUsage();
    EmbeddingTable before = step(EmbeddingTable.create(spark, spec), 3, 6);
    assertThat(rows(before.toDataset())).containsOnlyKeys(3L, 4L, 5L);
    EmbeddingTable after = step(before, 5, 7);
    assertThat(rows(after.changesSince(before))).containsOnlyKeys(5L, 6L);
    assertThat(after.writtenRows()).isEqualTo(4);
    EmbeddingTable rest = after.evict(RowEviction.rare(2)).table();
    assertThat(rows(rest.toDataset())).containsOnlyKeys(5L);
    assertThat(rows(step(rest, 3, 4).changesSince(rest))).containsOnlyKeys(3L);
    Dataset<Row> nearest = rest.nearest(before.toDataset(), 9, VectorMetric.DOT);
    assertThat(nearest.select("id").distinct().count()).isEqualTo(1);
  }

  @Example
  void idsOfEvictedRowsAreThoseThatTheVersionHasNot() {
    for (EmbeddingSpec spec :
        List.of(
            EmbeddingSpec.keyed(20, Optimizer.sgd(1)),
            EmbeddingSpec.of(400, 20, Optimizer.sgd(1)).withInitializer(Initializer.constant(3)))) {
      EmbeddingTable before =
          step(step(EmbeddingTable.create(spark, spec.withRowUsage()), 0, 150), 100, 150);
      EmbeddingTable after = step(before.evict(RowEviction.idle(1)).table(), 20, 30);
      Map<Long, List<Float>> copy = rows(before.toDataset());
      Dataset<Row> gone = before.toDataset().select("id").except(after.toDataset().select("id"));
      List<Long> ids = gone.as(Encoders.LONG()).collectAsList();
      assertThat(ids).contains(0L, 99L).doesNotContain(20L, 29L, 100L);
      Dataset<Row> lists = gone.selectExpr("id", "array(id) AS ids");
      Dataset<Row> initial = after.lookup(Lookup.sum(), lists, LookupColumns.of("ids"));
      float expected = spec.isKeyed() ? 0 : 3;
      assertThat(rows(initial.select("id", "embedding")))
          .containsOnlyKeys(ids)
          .allSatisfy((id, weights) -> assertThat(weights).containsOnly(expected));
      copy.keySet().removeAll(Set.copyOf(ids));
      copy.putAll(rows(after.changesSince(before)));
      assertThat(copy).isEqualTo(rows(after.toDataset()));
    }
  }

  /** Returns the table after a gradient of 1 for each id from {@code first} to {@code end}. */
  private EmbeddingTable step(EmbeddingTable table, long first, long end) {
    return table.apply(
        spark
            .range(first, end)
            .selectExpr("id", "array_repeat(1f, " + table.dim() + ") AS gradient"),
        TensorColumns.of("gradient", "id"));
  }

  /** Returns the table after gradients, some of which are 0 and change nothing. */
  private EmbeddingTable trained(EmbeddingTable table, SplittableRandom random) {
    return table.apply(
        spark
            .range(random.nextInt(300))
            .selectExpr(
                "id * " + (1 + random.nextInt(5)) + " % 400 AS id",
                "array_repeat(CAST(id % 3 AS float), " + table.dim() + ") AS gradient"),
        TensorColumns.of("gradient", "id"));
  }

  private static Map<Long, List<Float>> rows(Dataset<Row> rows) {
    return rows.collectAsList().stream()
        .collect(Collectors.toMap(row -> row.getLong(0), row -> row.getList(1)));
  }

  @Example
  void tablesOfAnotherKindAreRejected() {
    EmbeddingSpec spec = EmbeddingSpec.of(9, 4, Optimizer.sgd(1)).withPartitions(2);
    EmbeddingTable table = EmbeddingTable.create(spark, spec);
    EmbeddingTable other = EmbeddingTable.create(spark, spec.withPartitions(3));
    assertThatThrownBy(() -> table.changesSince(other))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("repartition one of them");
    EmbeddingTable later =
        table.apply(
            spark.sql("SELECT 3L AS id, array(1f, 1f, 1f, 1f) AS gradient"),
            TensorColumns.of("gradient", "id"));
    assertThatThrownBy(() -> table.changesSince(later))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("after 0 steps since one after 1 steps");
  }
}

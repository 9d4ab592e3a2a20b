/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests trainings that lose a partition of the mini-batches and recompute it with different rows.
 */
class RepeatableBatchesTest {
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(300, 4, Optimizer.adagrad(0.1))
          .withInitializer(Initializer.uniform(-1, 1, 5))
          .withPartitions(3);
  private static final AtomicInteger COMPUTED = new AtomicInteger();

  private final SparkSession spark = LocalSpark.session();
  private final JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());

  @BeforeEach
  void nothingWasComputed() {
    COMPUTED.set(0);
  }

  @Test
  void recomputedRowsInAnotherOrderAreAnError() {
    Set<Integer> before = kept();
    Batches<List<Row>> batches = Batches.of(shuffling(), 3);
    assertThatThrownBy(() -> train(batches, before))
        .isInstanceOf(SparkNdException.class)
        .hasMessageMatching("partition [01] of .*") // either task may fail first
        .hasMessageContaining("a different order")
        .hasMessageContaining("orderBy");
  }

  @Test
  void rowsOrderedByAKeyGiveTheSameBatchesAfterRecomputation() {
    Set<Integer> before = kept();
    Trained lost = train(Batches.of(shuffling(), 3, List.of("one")), before);
    assertThat(COMPUTED.get()).isGreaterThan(2);
    TensorAssert.assertSameBits(
        lost.table().weights().collect(),
        training(Batches.of(pairs().coalesce(2), 3, List.of("one")))
            .run()
            .table()
            .weights()
            .collect());
  }

  @Test
  void tiesOfTheOrderKeyAreBrokenByTheOtherColumns() {
    Set<Integer> before = kept();
    Dataset<Row> rows = shuffling().selectExpr("one % 2 AS parity", "one", "other");
    Trained lost = train(Batches.of(rows.drop("parity"), 3, List.of("other")), before);
    assertThat(lost.steps()).hasSize(6);
  }

  @Test
  void missingOrderColumnsAreRejected() {
    assertThatThrownBy(() -> Batches.of(pairs(), 3, List.of("two")))
        .isInstanceOf(SparkNdException.class)
        .hasMessage("column 'two' is not among one, other");
  }

  @Test
  void recomputedBatchesWithOtherIdsAreAnError() {
    JavaRDD<long[]> rdd =
        context
            .parallelize(List.of(0), 1)
            .flatMap(
                ignored -> {
                  long first = 10L * COMPUTED.getAndIncrement();
                  return List.of(new long[] {first, first + 1}, new long[] {first + 2, first + 3})
                      .iterator();
                });
    Pulls model = new Pulls(SPEC.rows(), 1);
    assertThatThrownBy(
            () -> EmbeddingTable.create(spark, SPEC).train(Batches.of(rdd), model).steps(4).run())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("step 0")
        .hasMessageContaining("shard 0")
        .hasMessageContaining("id 10");
  }

  @Test
  void recomputedBatchesWithFewerIdsAreAnError() {
    JavaRDD<long[]> rdd =
        context
            .parallelize(List.of(0), 1)
            .map(
                ignored ->
                    COMPUTED.getAndIncrement() == 0 ? new long[] {1, 2, 3, 4} : new long[] {1, 2});
    Pulls model = new Pulls(SPEC.rows(), 2);
    assertThatThrownBy(
            () -> EmbeddingTable.create(spark, SPEC).train(Batches.of(rdd), model).steps(4).run())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("step 0")
        .hasMessageContaining("id 3");
  }

  /** Trains and drops the cached mini-batches after step 2. */
  private Trained train(Batches<List<Row>> batches, Set<Integer> before) {
    Set<Integer> batchesOnly = kept();
    batchesOnly.removeAll(before);
    assertThat(batchesOnly).hasSize(1);
    return training(batches)
        .reportTo(
            (step, end) -> {
              if (step.step() == 2) {
                batchesOnly.forEach(rdd -> context.sc().unpersistRDD(rdd, true));
              }
            })
        .run();
  }

  private Training<List<Row>> training(Batches<List<Row>> batches) {
    return EmbeddingTable.create(spark, SPEC)
        .train(batches, new RowPulls(new Pulls(300, 3)))
        .steps(6);
  }

  private Set<Integer> kept() {
    return new HashSet<>(context.getPersistentRDDs().keySet());
  }

  private Dataset<Row> pairs() {
    return spark.sql("SELECT id * 7 % 290 AS one, id * id % 290 AS other FROM range(0, 16, 1, 2)");
  }

  /** Returns rows whose order changes each time a partition is computed. */
  private Dataset<Row> shuffling() {
    Dataset<Row> pairs = pairs();
    return pairs.mapPartitions(
        (MapPartitionsFunction<Row, Row>) RepeatableBatchesTest::rotated,
        Encoders.row(pairs.schema()));
  }

  private static Iterator<Row> rotated(Iterator<Row> rows) {
    List<Row> all = new ArrayList<>();
    rows.forEachRemaining(all::add);
    Collections.rotate(all, COMPUTED.getAndIncrement() / 2);
    return all.iterator();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.testkit;

import io.sparknd.embedding.Batches;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.OptimizerSlot.Precision;
import io.sparknd.embedding.optimizer.RowUpdate;
import io.sparknd.tensor.DType;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;

/** The checks of an optimizer in tables. */
final class TableChecks {
  private static final int ROWS = 61;
  private static final int DIM = 5;
  private static final int STEPS = 6;
  private static final int PARTITIONS = 4;
  private static final Initializer INITIALIZER = Initializer.uniform(-1, 1, 3);
  private static final SampleGradients GRADIENTS = new SampleGradients(ROWS, DIM);

  private final Supplier<? extends Optimizer> optimizer;
  private final SparkSession spark;
  private final String directory;

  TableChecks(Supplier<? extends Optimizer> optimizer, SparkSession spark, String directory) {
    this.optimizer = optimizer;
    this.spark = spark;
    this.directory = directory;
  }

  List<OptimizerFailure> failures() {
    FailureList failures = new FailureList();
    failures.check("sparse equals dense", this::sparse);
    check(failures, DType.FLOAT32);
    boolean narrows =
        optimizer.get().slots().stream().anyMatch(slot -> slot.precision() == Precision.TABLE);
    if (narrows) {
      check(failures, DType.BFLOAT16);
    }
    return failures.all();
  }

  private void check(FailureList failures, DType state) {
    failures.check("partitions", () -> partitioned(state));
    failures.check("save and load", () -> resumed(state));
  }

  private Optional<String> sparse() {
    return dense().weightDifference("in arrays", whole(DType.FLOAT32, 1), "in a table");
  }

  private DenseRows dense() {
    Optimizer one = optimizer.get();
    DenseRows rows = DenseRows.of(ROWS, DIM, INITIALIZER, one.slots());
    for (long step = 0; step < STEPS; step++) {
      RowUpdate update = one.update(step, DIM);
      for (long row : GRADIENTS.ids(step)) {
        rows.apply(update, (int) row, GRADIENTS.of(step, row));
      }
    }
    return rows;
  }

  private Optional<String> partitioned(DType state) {
    return compared(state, "in one partition", whole(state, PARTITIONS), "in " + PARTITIONS);
  }

  private Optional<String> resumed(DType state) {
    String path = directory + "/optimizer-checks-" + UUID.randomUUID();
    try (EmbeddingTable half = trained(created(state, 1), STEPS / 2)) {
      half.save(path);
    }
    EmbeddingTable loaded = EmbeddingTable.load(spark, path, optimizer.get());
    String name = "saved and loaded after step " + (STEPS / 2 - 1);
    return compared(state, "trained at once", weights(loaded, STEPS - STEPS / 2), name);
  }

  /** Compares weights with those of a training in one partition, without a stop. */
  private Optional<String> compared(DType state, String name, float[] found, String foundName) {
    DenseRows expected = new DenseRows(DIM, whole(state, 1), List.of(), new float[0][]);
    return expected
        .weightDifference(name, found, foundName)
        .map(problem -> problem + ", with state in " + state);
  }

  private float[] whole(DType state, int partitions) {
    return weights(created(state, partitions), STEPS);
  }

  private EmbeddingTable created(DType state, int partitions) {
    return EmbeddingTable.create(
        spark,
        EmbeddingSpec.of(ROWS, DIM, optimizer.get())
            .withStateDType(state)
            .withInitializer(INITIALIZER)
            .withPartitions(partitions));
  }

  private static float[] weights(EmbeddingTable table, int steps) {
    try (table;
        EmbeddingTable trained = trained(table, steps)) {
      return (float[]) trained.weights().collect().array();
    }
  }

  private static EmbeddingTable trained(EmbeddingTable table, int steps) {
    return table
        .train(Batches.generated(1, (step, shard) -> step), GRADIENTS)
        .steps(steps)
        .stepsPerJob(STEPS)
        .run()
        .table();
  }
}

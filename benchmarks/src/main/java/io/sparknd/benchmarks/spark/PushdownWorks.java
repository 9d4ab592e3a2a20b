/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.op.Scatter;
import io.sparknd.sql.GatherNd;
import io.sparknd.sql.TensorScatterNd;
import io.sparknd.tensor.Shape;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Benchmarks P: queries that need little of a table function's result, beside the same query on
 * plain tables. The peer of a scatter filters a table that holds the result already.
 */
final class PushdownWorks {
  private static final double GOAL = 1.2;

  private final QueryInputs inputs;
  private final Shape shape;

  /** An id that is neither the first nor a frequent one. */
  private final int id;

  PushdownWorks(QueryInputs inputs, Size size) {
    this.inputs = inputs;
    this.shape = Shape.of(size.rows(), Size.WIDTH);
    this.id = size.rows() / 3;
  }

  List<SparkWork> works() {
    return List.of(
        new SparkWork("P1", "one row of a scatter", GOAL, this::scatterFilter),
        new SparkWork("P2", "one row of a gather", GOAL, this::gatherFilter),
        new SparkWork("P3", "gather without its slices", GOAL, this::gatherColumn),
        new SparkWork("P4", "ten rows of a gather", GOAL, this::gatherLimit));
  }

  private Dataset<Row> gathered() {
    return GatherNd.of(inputs.table(), inputs.lookups())
        .withShape(shape)
        .withIndexColumns("id")
        .toDataset();
  }

  private Dataset<Row> added() {
    return TensorScatterNd.of(Scatter.add(), inputs.table(), inputs.updates())
        .withShape(shape)
        .toDataset();
  }

  private Dataset<Row> joined() {
    return inputs.lookups().join(inputs.table(), "id").select("position", "id", "value");
  }

  private List<Contestant> scatterFilter() {
    String one = "id = " + id;
    return List.of(
        Query.ours(() -> added().where(one)),
        Query.peer(
            "64 sums + join",
            () -> TableJobs.add(inputs.table().where(one), inputs.updates().where(one))),
        Query.peer("filter of the stored result", () -> inputs.added().where(one)));
  }

  private List<Contestant> gatherFilter() {
    String one = "position = " + id;
    return List.of(
        Query.ours(() -> gathered().where(one)),
        Query.peer("filter + join", () -> joined().where(one)));
  }

  private List<Contestant> gatherColumn() {
    return List.of(
        Query.ours(() -> gathered().select("position", "id")),
        Query.peer("select", () -> inputs.lookups().select("position", "id")));
  }

  private List<Contestant> gatherLimit() {
    return List.of(
        Query.ours(() -> gathered().limit(10).selectExpr("size(value) AS n")),
        Query.peer("join + limit", () -> joined().limit(10).selectExpr("size(value) AS n")));
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.op.Scatter;
import io.sparknd.sql.GatherNd;
import io.sparknd.sql.TensorScatterNd;
import io.sparknd.tensor.Shape;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Benchmarks A to D: table functions with all data in files. Benchmarks E: the same with the table
 * in memory on both sides; ours is a {@link DistributedTensor}.
 */
final class TableWorks {
  private final QueryInputs inputs;
  private final Shape tableShape;
  private final Shape cellsShape;

  TableWorks(QueryInputs inputs, Size size) {
    this.inputs = inputs;
    this.tableShape = Shape.of(size.rows(), Size.WIDTH);
    this.cellsShape = Shape.of(size.cells());
  }

  List<SparkWork> all() {
    return List.of(
        new SparkWork("A", "update rows of a table", 1 / 2.5, this::update),
        new SparkWork("B", "add to rows of a table", 1 / 3.0, this::add),
        new SparkWork("C1", "gather rows, beside a shuffled join", 1 / 3.0, this::gather),
        new SparkWork("C2", "gather rows, beside a broadcast join", 1 / 1.3, this::gatherSmall),
        new SparkWork("D", "add to scalar cells", 1 / 5.0, this::addCells),
        new SparkWork("EA", "update rows, table in memory", 1 / 4.0, this::updateResident),
        new SparkWork("EB", "add to rows, table in memory", 1 / 4.0, this::addResident),
        new SparkWork("EC", "gather rows, table in memory", 1 / 4.0, this::gatherResident),
        new SparkWork("ED", "add to cells, cells in memory", 1 / 4.0, this::addCellsResident));
  }

  private DistributedTensor tensor() {
    return TensorJobs.tensor(inputs.table(), tableShape);
  }

  private DistributedTensor cells() {
    return TensorJobs.tensor(inputs.cells(), cellsShape);
  }

  private Dataset<Row> scattered(Scatter how) {
    return TensorScatterNd.of(how, inputs.table(), inputs.updates())
        .withShape(tableShape)
        .toDataset();
  }

  private Dataset<Row> cellsAdded() {
    return TensorScatterNd.of(Scatter.add(), inputs.cells(), inputs.cellUpdates())
        .withShape(cellsShape)
        .toDataset();
  }

  private Dataset<Row> gathered() {
    return GatherNd.of(inputs.table(), inputs.lookups())
        .withShape(tableShape)
        .withIndexColumns("id")
        .toDataset();
  }

  private static Dataset<Row> resident(Dataset<Row> rows) {
    Dataset<Row> cached = rows.cache();
    cached.count();
    return cached;
  }

  private List<Contestant> update() {
    return List.of(
        Query.ours(() -> scattered(Scatter.update())),
        Query.peer("max_by + left join", () -> TableJobs.update(inputs.table(), inputs.updates())));
  }

  private List<Contestant> add() {
    return List.of(
        Query.ours(() -> scattered(Scatter.add())),
        Query.peer("64 sums + join", () -> TableJobs.add(inputs.table(), inputs.updates())));
  }

  private List<Contestant> gather() {
    return List.of(
        Query.ours(this::gathered),
        Query.peer(
            "shuffled join", () -> TableJobs.gatherShuffled(inputs.table(), inputs.lookups())));
  }

  private List<Contestant> gatherSmall() {
    return List.of(
        Query.ours(this::gathered),
        Query.peer(
            "broadcast join", () -> TableJobs.gatherBroadcast(inputs.table(), inputs.lookups())));
  }

  private List<Contestant> addCells() {
    return List.of(
        Query.ours(this::cellsAdded),
        Query.peer(
            "sum + full outer join",
            () -> TableJobs.addCells(inputs.cells(), inputs.cellUpdates())));
  }

  private List<Contestant> updateResident() {
    DistributedTensor tensor = tensor();
    Dataset<Row> table = resident(inputs.table());
    return List.of(
        Query.ours(() -> TensorJobs.scattered(tensor, Scatter.update(), inputs.updates())),
        Query.peer(
            "cache() + max_by + left join", () -> TableJobs.update(table, inputs.updates())));
  }

  private List<Contestant> addResident() {
    DistributedTensor tensor = tensor();
    Dataset<Row> table = resident(inputs.table());
    return List.of(
        Query.ours(() -> TensorJobs.scattered(tensor, Scatter.add(), inputs.updates())),
        Query.peer("cache() + 64 sums + join", () -> TableJobs.add(table, inputs.updates())));
  }

  private List<Contestant> gatherResident() {
    DistributedTensor tensor = tensor();
    Dataset<Row> table = resident(inputs.table());
    return List.of(
        Query.ours(() -> TensorJobs.gathered(tensor, inputs.lookups())),
        Query.peer(
            "cache() + shuffled join", () -> TableJobs.gatherShuffled(table, inputs.lookups())),
        Query.peer(
            "cache() + broadcast join", () -> TableJobs.gatherBroadcast(table, inputs.lookups())));
  }

  private List<Contestant> addCellsResident() {
    DistributedTensor tensor = cells();
    Dataset<Row> cells = resident(inputs.cells());
    return List.of(
        Query.ours(() -> TensorJobs.scattered(tensor, Scatter.add(), inputs.cellUpdates())),
        Query.peer(
            "cache() + sum + full outer join",
            () -> TableJobs.addCells(cells, inputs.cellUpdates())));
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.op.Scatter;
import io.sparknd.sql.GatherNd;
import io.sparknd.sql.TensorScatterNd;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Benchmarks A to D: table functions with all data in files. Benchmarks EA to ED: the same with the
 * table in memory on both sides, as a {@link DistributedTensor} and by {@code cache()}.
 */
final class TableWorks {
  private final QueryInputs inputs;
  private final Shape tableShape;
  private final Shape cellsShape;
  private final SourceFloors floors;

  TableWorks(QueryInputs inputs, Size size) {
    this.inputs = inputs;
    this.tableShape = Shape.of(size.rows(), Size.WIDTH);
    this.cellsShape = Shape.of(size.cells());
    this.floors = new SourceFloors(size.rows()); // as many updates and lookups
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

  /** All peers: SparkND, then every form on the same inputs. */
  private static List<SparkPeer> peers(
      Supplier<Dataset<Row>> ours,
      List<QueryForm> forms,
      Supplier<Dataset<Row>> table,
      Supplier<Dataset<Row>> updates) {
    List<SparkPeer> all = new ArrayList<>();
    all.add(Query.ours(ours));
    forms.forEach(form -> all.add(form.on(table, updates)));
    return all;
  }

  /** All peers, then what each does at least; the rows of the table are in files. */
  private List<SparkPeer> peersOfFiles(
      Supplier<Dataset<Row>> ours, List<QueryForm> forms, Supplier<Dataset<Row>> updates) {
    List<SparkPeer> all = peers(ours, forms, inputs::table, updates);
    all.addAll(floors.ofFiles(inputs::table, updates));
    return all;
  }

  /** All peers, then what each does at least; the rows of the table are cached. */
  private List<SparkPeer> peersOfCached(
      Supplier<Dataset<Row>> ours, List<QueryForm> forms, Supplier<Dataset<Row>> updates) {
    Dataset<Row> table = resident(inputs.table());
    List<SparkPeer> all = peers(ours, forms, () -> table, updates);
    all.addAll(floors.ofCached(() -> table, updates));
    return all;
  }

  private List<SparkPeer> update() {
    return peersOfFiles(
        () -> scattered(Scatter.update()), RowUpdateQueries.forms(), inputs::updates);
  }

  private List<SparkPeer> add() {
    return peersOfFiles(() -> scattered(Scatter.add()), RowAddQueries.forms(), inputs::updates);
  }

  private List<SparkPeer> gather() {
    return peersOfFiles(this::gathered, RowGatherQueries.shuffled(), inputs::lookups);
  }

  private List<SparkPeer> gatherSmall() {
    return peersOfFiles(this::gathered, RowGatherQueries.broadcasts(), inputs::lookups);
  }

  private List<SparkPeer> addCells() {
    return peers(this::cellsAdded, CellAddQueries.forms(), inputs::cells, inputs::cellUpdates);
  }

  private List<SparkPeer> updateResident() {
    DistributedTensor tensor = tensor();
    return peersOfCached(
        () -> TensorJobs.scattered(tensor, Scatter.update(), inputs.updates()),
        RowUpdateQueries.forms(),
        inputs::updates);
  }

  private List<SparkPeer> addResident() {
    DistributedTensor tensor = tensor();
    return peersOfCached(
        () -> TensorJobs.scattered(tensor, Scatter.add(), inputs.updates()),
        RowAddQueries.forms(),
        inputs::updates);
  }

  private List<SparkPeer> gatherResident() {
    DistributedTensor tensor = tensor();
    List<QueryForm> forms = new ArrayList<>(RowGatherQueries.shuffled());
    forms.addAll(RowGatherQueries.broadcasts());
    return peersOfCached(
        () -> TensorJobs.gathered(tensor, inputs.lookups()), forms, inputs::lookups);
  }

  private List<SparkPeer> addCellsResident() {
    DistributedTensor tensor = cells();
    Dataset<Row> cells = resident(inputs.cells());
    return peers(
        () -> TensorJobs.scattered(tensor, Scatter.add(), inputs.cellUpdates()),
        CellAddQueries.forms(),
        () -> cells,
        inputs::cellUpdates);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.commit.StreamEpoch;
import io.sparknd.table.result.TableCommit;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scatters each epoch of a streaming query in one commit. Tasks write their rows to files; the
 * driver scatters these. The query's id and the epoch name the batch, so that an epoch which Spark
 * runs again after a failure changes nothing.
 */
final class StreamScatter implements StreamingWrite {
  private static final Logger LOG = LoggerFactory.getLogger(StreamScatter.class);

  /** The local property of the jobs of a continuous query, StreamExecution's. */
  private static final String CONTINUOUS = "__is_continuous_processing";

  private final SparkSession spark = SparkSession.active();
  private final RowScatter scatter;
  private final Table table;
  private final String query;
  private final ScatterOptions options;
  private final StagedRows staged;

  StreamScatter(
      RowScatter scatter, Table table, StructType columns, String query, ScatterOptions options) {
    this.scatter = scatter;
    this.table = table;
    this.query = query;
    this.options = options;
    this.staged = StagedRows.of(scatter.table(), columns);
  }

  @Override
  public StreamingDataWriterFactory createStreamingWriterFactory(PhysicalWriteInfo info) {
    if ("true".equals(context().getLocalProperty(CONTINUOUS))) {
      throw CatalogErrors.continuousTrigger(scatter.table());
    }
    Broadcast<Table> toTasks = broadcast();
    StagedRows rows = staged;
    return (partition, task, epoch) -> new StagedRowsWriter(toTasks.value(), rows, partition, task);
  }

  private Broadcast<Table> broadcast() {
    return context().broadcast(SerializableTableWithSize.copyOf(table));
  }

  private JavaSparkContext context() {
    return JavaSparkContext.fromSparkContext(spark.sparkContext());
  }

  @Override
  public void commit(long epoch, WriterCommitMessage[] messages) {
    List<String> files = locations(messages);
    Dataset<Row> rows = rows(files, bytes(messages));
    TableCommit did = scatter.run(rows, options.ofEpoch(new StreamEpoch(query, epoch)));
    if (did.outcome() == TableCommit.Outcome.REPLAYED) {
      warnOfReplay(epoch);
    }
    delete(files);
  }

  /** If the checkpoint is one epoch older than the table, nothing else tells of the lost rows. */
  private void warnOfReplay(long epoch) {
    LOG.atWarn()
        .addKeyValue("table_name", scatter.table())
        .addKeyValue("query_id", query)
        .addKeyValue("epoch", epoch)
        .log(
            "{} has epoch {} of streaming query {}; its rows are not applied again",
            scatter.table(),
            epoch,
            query);
  }

  @Override
  public void abort(long epoch, WriterCommitMessage[] messages) {
    delete(locations(messages));
  }

  /** Returns the files' rows in the order of the tasks that wrote them. */
  private Dataset<Row> rows(List<String> files, long bytes) {
    Broadcast<Table> toTasks = broadcast();
    StagedRows reader = staged;
    JavaRDD<InternalRow> rows =
        files.isEmpty()
            ? context().emptyRDD()
            : context()
                .parallelize(files, files.size())
                .mapPartitions(locations -> reader.read(toTasks.value(), locations.next()), true);
    return StagedRelation.toDataset(spark, rows.rdd(), staged.stored(), bytes);
  }

  private static List<String> locations(WriterCommitMessage[] messages) {
    return written(messages)
        .map(StagedRowsFile::location)
        .filter(location -> !location.isEmpty())
        .toList();
  }

  private static long bytes(WriterCommitMessage[] messages) {
    return written(messages).mapToLong(StagedRowsFile::bytes).sum();
  }

  private static Stream<StagedRowsFile> written(WriterCommitMessage[] messages) {
    return Stream.of(messages)
        .filter(StagedRowsFile.class::isInstance)
        .map(StagedRowsFile.class::cast);
  }

  private void delete(List<String> files) {
    for (String location : files) {
      try {
        table.io().deleteFile(location);
      } catch (RuntimeException e) {
        LOG.atWarn()
            .addKeyValue("table_name", scatter.table())
            .addKeyValue("path", location)
            .setCause(e)
            .log("{} could not be deleted; remove_orphans deletes it", location);
      }
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.Machine;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.TensorCatalog;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.RecordReaderIterator;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.types.DataTypes;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * Replays a micro-batch of a streaming query, as Spark does after a driver that died between the
 * commit to the table and the entry in the checkpoint's log of commits: the entry is deleted, and
 * the query starts again. The micro-batch adds 10 to a sum.
 *
 * <p>Paimon has no connector for Spark 4 among the dependencies here. What its sink does with a
 * micro-batch is done by {@code foreachBatch}: a write and a commit of a new {@code
 * BatchWriteBuilder} (apache/paimon, issue 9666).
 */
public final class MicroBatchReplay {
  private static final String USER = "the user";

  private final SparkSession spark;
  private final Path folder;

  private MicroBatchReplay(SparkSession spark, Path folder) {
    this.spark = spark;
    this.folder = folder;
  }

  /**
   * @param args the directory of the report
   */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("sparknd-replay");
    SparkSession.Builder builder =
        SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false");
    LocalCatalog.settings("lake", Files.createDirectory(folder.resolve("lake")))
        .forEach(builder::config);
    builder.config("spark.sql.catalog.lake", TensorCatalog.class.getName());
    try (SparkSession spark = builder.getOrCreate()) {
      spark.sparkContext().setLogLevel("ERROR");
      String page = new MicroBatchReplay(spark, folder).page();
      System.out.print(page);
      Files.writeString(Files.createDirectories(Path.of(args[0])).resolve("replay.md"), page);
    } finally {
      Directory.deleteAll(folder);
    }
  }

  private String page() throws Exception {
    List<Long> ours = ours();
    List<Long> paimon = paimon();
    return String.format(
        Locale.ROOT,
        "# A micro-batch that Spark replays%n%n%s, Spark %s, Paimon %s: `benchmarks/run replay`.%n%n"
            + "A micro-batch adds 10 to a sum; the entry of the checkpoint that says so is deleted;"
            + " the query starts again.%n%n"
            + "| | sum | sum after the replay |%n| --- | --- | --- |%n"
            + "| SparkND, `toTable` of a feature table | %d | %d |%n"
            + "| Paimon, aggregation `sum`, a batch write in `foreachBatch` as in its sink | %d | %d |%n",
        Machine.describe(),
        org.apache.spark.package$.MODULE$.SPARK_VERSION(),
        Table.class.getPackage().getImplementationVersion(),
        ours.get(0),
        ours.get(1),
        paimon.get(0),
        paimon.get(1));
  }

  private interface Query {
    StreamingQuery start(DataStreamWriter<Row> writer) throws Exception;
  }

  private interface Sum {
    long read() throws Exception;
  }

  /** Returns the sum after the micro-batch, and after its replay. */
  private List<Long> replay(String name, Query query, Sum sum) throws Exception {
    Path input = Files.createDirectories(folder.resolve(name + "-input"));
    Files.writeString(input.resolve("0.json"), "{\"user\": \"" + USER + "\", \"views\": 10}\n");
    Path checkpoint = folder.resolve(name + "-checkpoint");
    List<Long> sums = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      Dataset<Row> events =
          spark.readStream().schema("user STRING, views BIGINT").json(input.toString());
      DataStreamWriter<Row> writer =
          events
              .writeStream()
              .option("checkpointLocation", checkpoint.toString())
              .trigger(Trigger.AvailableNow());
      query.start(writer).awaitTermination();
      sums.add(sum.read());
      forget(checkpoint.resolve("commits"));
    }
    return sums;
  }

  /** Deletes the entry of the only micro-batch, with its checksum. */
  private static void forget(Path commits) throws IOException {
    Files.delete(commits.resolve("0"));
    Files.deleteIfExists(commits.resolve(".0.crc"));
  }

  private List<Long> ours() throws Exception {
    spark.sql("CREATE NAMESPACE lake.shop");
    FeatureTable users =
        FeatureTable.create(
            spark,
            "lake.shop.users",
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add())));
    return replay(
        "sparknd",
        writer -> writer.toTable(users.name()),
        () -> users.toDataset().first().<Long>getAs("views"));
  }

  private List<Long> paimon() throws Exception {
    Options options = new Options();
    options.set("warehouse", folder.resolve("paimon").toUri().toString());
    Identifier name = Identifier.create("shop", "users");
    try (Catalog catalog = CatalogFactory.createCatalog(CatalogContext.create(options))) {
      catalog.createDatabase("shop", true);
      catalog.createTable(
          name,
          Schema.newBuilder()
              .column("user", DataTypes.STRING().notNull())
              .column("views", DataTypes.BIGINT())
              .primaryKey("user")
              .option("bucket", "1")
              .option("merge-engine", "aggregation")
              .option("fields.views.aggregate-function", "sum")
              .build(),
          false);
      Table users = catalog.getTable(name);
      return replay(
          "paimon",
          writer ->
              writer
                  .foreachBatch(
                      (VoidFunction2<Dataset<Row>, Long>) (rows, epoch) -> commit(users, rows))
                  .start(),
          () -> sum(users));
    }
  }

  private static void commit(Table users, Dataset<Row> rows) {
    BatchWriteBuilder builder = users.newBatchWriteBuilder();
    try (BatchTableWrite write = builder.newWrite();
        BatchTableCommit commit = builder.newCommit()) {
      for (Row row : rows.collectAsList()) {
        write.write(GenericRow.of(BinaryString.fromString(row.getString(0)), row.getLong(1)));
      }
      commit.commit(write.prepareCommit());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static long sum(Table users) throws Exception {
    var read = users.newReadBuilder();
    try (RecordReaderIterator<InternalRow> rows =
        new RecordReaderIterator<>(read.newRead().createReader(read.newScan().plan()))) {
      return rows.next().getLong(1);
    }
  }
}

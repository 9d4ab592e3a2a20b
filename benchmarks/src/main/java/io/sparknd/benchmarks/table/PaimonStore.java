/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.cluster.internal.columnar.InternalRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataTypes;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;

/**
 * Paimon's primary-key table that adds, with as many buckets as our table, written and read by its
 * Java API in Spark tasks. Updates are shuffled by bucket first, as Paimon's own connector does.
 */
final class PaimonStore implements KeyedStore {
  private static final int TASKS = 8;
  private static final String LATEST = "LATEST";

  private final SparkSession spark;
  private final KeyedInputs inputs;
  private final Compaction compaction;
  private final Path path;
  private final Identifier identifier;
  private final Catalog catalog;
  private Directory directory;
  private byte[] latest;

  /** When sorted runs of a bucket are merged. */
  enum Compaction {
    /** By Paimon's defaults: in the commit that makes a fifth run. */
    DEFAULT,
    /** In every commit, all runs of the buckets that it touches. */
    FULL
  }

  PaimonStore(SparkSession spark, KeyedInputs inputs, Compaction compaction, Path directory) {
    this.spark = spark;
    this.inputs = inputs;
    this.compaction = compaction;
    String name = "paimon_" + compaction.name().toLowerCase(Locale.ROOT);
    Path warehouse = directory.resolve("paimon").toAbsolutePath();
    this.identifier = Identifier.create(Lake.NAMESPACE, name);
    this.path = warehouse.resolve(Lake.NAMESPACE + ".db").resolve(name);
    Options options = new Options();
    options.set("warehouse", warehouse.toUri().toString());
    options.set("cache-enabled", "false"); // a restored table has the paths of the later one again
    this.catalog = CatalogFactory.createCatalog(CatalogContext.create(options));
  }

  @Override
  public String name() {
    return "Paimon, " + (compaction == Compaction.FULL ? "full compaction" : "default compaction");
  }

  @Override
  public Family family() {
    return Family.PAIMON;
  }

  @Override
  public Mode mode() {
    return compaction == Compaction.FULL ? Mode.COPY_ON_WRITE : Mode.MERGE_ON_READ;
  }

  @Override
  public void create(KeyedChange change) {
    try {
      catalog.createDatabase(Lake.NAMESPACE, true);
      catalog.dropTable(identifier, true);
      Directory.deleteAll(path);
      catalog.createTable(identifier, schema(change), false);
      commit(change.values(), inputs.table(change.values(), change.rows()), Compaction.FULL);
      directory = new Directory(path);
      latest = Files.readAllBytes(latest());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Schema schema(KeyedChange change) {
    Schema.Builder schema =
        Schema.newBuilder()
            .column("key", DataTypes.STRING().notNull())
            .primaryKey("key")
            .option("bucket", Integer.toString(change.buckets()))
            .option("merge-engine", "aggregation")
            .option("file.format", "parquet")
            .option("file.compression", change.codec().toString())
            .option("snapshot.num-retained.min", "1000"); // no expiry while time is taken
    for (int i = 0; i < change.values().width(); i++) {
      schema.column("c" + i, change.values().paimonType());
      schema.option("fields.c" + i + ".aggregate-function", "sum");
    }
    return schema.build();
  }

  private FileStoreTable table() {
    try {
      return (FileStoreTable) catalog.getTable(identifier);
    } catch (Catalog.TableNotExistException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void update(KeyedChange change, Dataset<Row> updates) {
    commit(change.values(), updates, compaction);
  }

  private void commit(KeyedValues values, Dataset<Row> updates, Compaction how) {
    FileStoreTable table = table();
    StructType schema = new StructType().add("bucket", "int", false);
    for (var field : updates.schema().fields()) {
      schema = schema.add(field);
    }
    PaimonBuckets buckets = new PaimonBuckets(table, values);
    JavaRDD<InternalRow> keyed = InternalRows.of(updates).mapPartitions(buckets::assign);
    Dataset<Row> shuffled =
        InternalRows.toDataset(spark, keyed, schema)
            .repartitionById(TASKS, functions.expr("pmod(bucket, " + TASKS + ")"));
    PaimonWriteTask task = new PaimonWriteTask(table.newBatchWriteBuilder(), values, how);
    List<CommitMessage> messages = InternalRows.of(shuffled).mapPartitions(task::run).collect();
    try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
      commit.commit(messages);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public RowHash read(KeyedChange change) {
    FileStoreTable table = table();
    List<Split> splits = table.newReadBuilder().newScan().plan().splits();
    PaimonReadTask task = new PaimonReadTask(table.newReadBuilder(), change.values());
    return JavaSparkContext.fromSparkContext(spark.sparkContext())
        .parallelize(splits, splits.size())
        .map(task::run)
        .fold(RowHash.NONE, RowHash::and);
  }

  @Override
  public void restore() {
    try {
      directory.restore();
      Files.write(latest(), latest); // a commit overwrites it
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file with the number of the latest snapshot. */
  private Path latest() {
    return path.resolve("snapshot").resolve(LATEST);
  }

  @Override
  public long files() {
    return table().newReadBuilder().newScan().plan().splits().stream()
        .mapToLong(split -> ((DataSplit) split).dataFiles().size())
        .sum();
  }

  @Override
  public long bytesAdded() {
    return directory.bytesAdded();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * A JVM that scatters into a table of a catalog in a directory and prints each commit. The contents
 * of a batch follow from its name, so the parent process can compute them.
 */
final class WriterProcess implements AutoCloseable {
  static final Shape SHAPE = Shape.of(48, 4);
  static final int ROWS_PER_BLOCK = 12;

  /** The writers do not update rows from here on. */
  static final int LAST = 44;

  private static final int UPDATES = 6;
  private static final String DONE = "committed ";
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "i0");

  private final Process process;
  private final Path log;
  private final List<String> said = new ArrayList<>();
  private final Thread listener;

  private WriterProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.listener = new Thread(this::listen);
    listener.start();
  }

  static WriterProcess start(Path catalog, Path log, String table, int writer, int commits)
      throws IOException {
    ProcessBuilder process =
        JavaProcess.of(
            WriterProcess.class,
            catalog.toString(),
            table,
            Integer.toString(writer),
            Integer.toString(commits));
    return new WriterProcess(process.redirectError(log.toFile()).start(), log);
  }

  private void listen() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(DONE)) {
          synchronized (said) {
            said.add(line.substring(DONE.length()));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the batches that the process reported as committed. */
  List<String> committed() {
    synchronized (said) {
      return List.copyOf(said);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int exit() throws InterruptedException {
    int code = process.waitFor();
    listener.join();
    return code;
  }

  /** Returns the error output. */
  String log() throws IOException {
    return Files.readString(log);
  }

  /** Kills the process as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    exit();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Returns the scatter of a batch. About one in four overwrites; the others add. */
  static ScatterCall batch(String name) {
    Random random = new Random(name.hashCode());
    boolean overwrites = random.nextInt(4) == 0;
    long[] rows = random.longs(UPDATES, 0, LAST).toArray();
    float[] values = new float[UPDATES * (int) SHAPE.dim(1)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return ScatterCall.of(
        overwrites ? Scatter.update() : Scatter.add(),
        Tensor.wrap(DType.INT64, Shape.of(UPDATES, 1), rows),
        Tensor.wrap(DType.FLOAT32, Shape.of(UPDATES, SHAPE.dim(1)), values));
  }

  /** Commits a batch. */
  static TableCommit send(SparkSession spark, TensorTable table, String name) {
    ScatterCall call = batch(name);
    return table.write().scatter(call.how(), rows(spark, call), COLUMNS).batchId(name).commit();
  }

  private static Dataset<Row> rows(SparkSession spark, ScatterCall call) {
    long[] indices = (long[]) call.indices().array();
    float[] values = (float[]) call.updates().array();
    int width = (int) SHAPE.dim(1);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < indices.length; i++) {
      rows.add(
          RowFactory.create(indices[i], Arrays.copyOfRange(values, i * width, (i + 1) * width)));
    }
    StructType schema =
        new StructType()
            .add("i0", DataTypes.LongType, false)
            .add("value", DataTypes.createArrayType(DataTypes.FloatType, false), false);
    return spark.createDataFrame(rows, schema).coalesce(1);
  }

  /**
   * Runs the writer.
   *
   * @param args directory of the catalog, table, number of the writer, number of commits
   */
  public static void main(String[] args) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", false)
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.default.parallelism", 1)
            .config("spark.sql.shuffle.partitions", 1);
    for (Map.Entry<String, String> setting :
        LocalCatalog.settings(args[1].substring(0, args[1].indexOf(".")), Path.of(args[0]))
            .entrySet()) {
      builder.config(setting.getKey(), setting.getValue());
    }
    SparkSession spark = builder.getOrCreate();
    TensorTable table = TensorTable.open(spark, args[1]);
    for (int i = 0; i < Integer.parseInt(args[3]); i++) {
      String name = args[2] + "-" + i;
      send(spark, table, name);
      System.out.println(DONE + name);
    }
    System.exit(0);
  }
}

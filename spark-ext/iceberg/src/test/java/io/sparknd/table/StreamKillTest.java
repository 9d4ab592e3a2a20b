/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a streaming query again and again: each micro-batch must be applied once. */
@Tag("slow")
class StreamKillTest {
  private static final int EPOCHS = 24;
  private static final int ROWS = 20;
  private static final int USERS = 7;
  private static final int KILLS = 2;

  @TempDir Path folder;

  private final Map<String, Long> views = new TreeMap<>();
  private final Map<String, Long> last = new TreeMap<>();

  private Path input() throws Exception {
    Random random = new Random(22);
    Path input = Files.createDirectory(folder.resolve("input"));
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      List<String> lines = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        String user = "user " + random.nextInt(USERS);
        long seen = random.nextInt(1000);
        views.merge(user, seen, Long::sum);
        last.merge(user, (long) epoch * ROWS + row, Long::max);
        lines.add(
            "{\"user\": \"%s\", \"views\": %d, \"at\": %d}"
                .formatted(user, seen, epoch * ROWS + row));
      }
      Path file = Files.write(input.resolve("%03d.json".formatted(epoch)), lines);
      assertThat(file.toFile().setLastModified(1_000_000_000_000L + epoch * 1000L)).isTrue();
    }
    return input;
  }

  private Process start(Path lake, FeatureTable table, Path input) throws Exception {
    return StreamProcess.start(
        lake, table.name(), input, folder.resolve("checkpoint"), folder.resolve("log").toFile());
  }

  /** Kills the query at a random time after its first micro-batch and before its last. */
  private void killAfterACommit(Process process) throws Exception {
    int before = committed();
    while (committed() == before && process.isAlive()) {
      Thread.sleep(20);
    }
    Thread.sleep(ThreadLocalRandom.current().nextInt(1000));
    assertThat(process.isAlive()).as(Files.readString(folder.resolve("log"))).isTrue();
    process.destroyForcibly().waitFor();
    assertThat(committed()).isGreaterThan(before).isLessThan(EPOCHS);
  }

  /** Returns the number of micro-batches that Spark has recorded as committed. */
  private int committed() {
    String[] names = folder.resolve("checkpoint").resolve("commits").toFile().list();
    return names == null ? 0 : (int) Stream.of(names).filter(name -> name.matches("\\d+")).count();
  }

  @Test
  void eachMicroBatchIsAppliedOnce() throws Exception {
    SparkSession spark = TestTables.spark();
    Path lake = Files.createDirectory(folder.resolve("lake"));
    String catalog = "kills" + ProcessHandle.current().pid();
    StreamProcess.catalog(catalog, lake).forEach(spark.conf()::set);
    spark.sql("CREATE NAMESPACE " + catalog + ".shop");
    FeatureTable table =
        FeatureTable.create(
            spark,
            catalog + ".shop.users",
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add()))
                .with(Variable.of("at", "bigint").reducedBy(VariableReduction.max()))
                .withBuckets(3));
    Path input = input();
    for (int kill = 0; kill < KILLS; kill++) {
      killAfterACommit(start(lake, table, input));
    }
    Process rest = start(lake, table, input);
    assertThat(rest.waitFor()).as(Files.readString(folder.resolve("log"))).isZero();
    Map<String, Long> foundViews = new TreeMap<>();
    Map<String, Long> foundLast = new TreeMap<>();
    for (Row row : table.toDataset().collectAsList()) {
      foundViews.put(row.getString(0), row.getLong(1));
      foundLast.put(row.getString(0), row.getLong(2));
    }
    assertThat(foundViews).isEqualTo(views);
    assertThat(foundLast).isEqualTo(last);
    table.removeOrphans(Duration.ZERO);
    assertThat(table.orphans(Duration.ZERO)).isEmpty();
    assertThat(table.toDataset().count()).isEqualTo(USERS);
  }
}

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
import java.util.concurrent.TimeUnit;
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
    Random random = new Random(1);
    int kills = 0;
    for (int runs = 0; runs < 10 * KILLS; runs++) {
      Process process =
          StreamProcess.start(
              lake,
              table.name(),
              input,
              folder.resolve("checkpoint"),
              folder.resolve("log").toFile());
      boolean hasEnded =
          kills < KILLS && process.waitFor(6000 + random.nextInt(4000), TimeUnit.MILLISECONDS);
      if (kills == KILLS) {
        assertThat(process.waitFor()).as(Files.readString(folder.resolve("log"))).isZero();
        break;
      }
      if (!hasEnded) {
        process.destroyForcibly().waitFor();
        kills++;
      } else {
        assertThat(process.exitValue()).as(Files.readString(folder.resolve("log"))).isZero();
        break;
      }
    }
    assertThat(kills).isPositive();
    Map<String, Long> foundViews = new TreeMap<>();
    Map<String, Long> foundLast = new TreeMap<>();
    for (Row row : table.toDataset().collectAsList()) {
      foundViews.put(row.getString(0), row.getLong(1));
      foundLast.put(row.getString(0), row.getLong(2));
    }
    assertThat(foundViews).isEqualTo(views);
    assertThat(foundLast).isEqualTo(last);
    System.out.println("killed " + kills + " times");
    table.removeOrphans(Duration.ZERO);
    assertThat(table.orphans(Duration.ZERO)).isEmpty();
    assertThat(table.toDataset().count()).isEqualTo(USERS);
  }
}

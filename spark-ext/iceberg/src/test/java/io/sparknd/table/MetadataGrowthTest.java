/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static io.sparknd.table.HookedLake.updates;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.op.Scatter;
import io.sparknd.table.options.Retention;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that metadata files of a table do not accumulate. */
@Tag("slow")
class MetadataGrowthTest {
  private static final int COMMITS = 30;

  @Test
  void oldMetadataFilesAreDeleted() {
    TensorTable table = HookedLake.create();
    commit(table);
    assertThat(kinds(table).get("metadata.json")).isLessThanOrEqualTo(21);
  }

  /** Compares {@code expire} with Iceberg's own procedure on two tables with the same history. */
  @Test
  void expireLeavesNoFileThatIcebergsProcedureWouldDelete() {
    TensorTable own = HookedLake.create();
    TensorTable other = HookedLake.create();
    commit(own);
    commit(other);
    own.expire(Retention.of(Duration.ZERO));
    String name = other.name().substring(other.name().indexOf('.') + 1);
    HookedLake.spark()
        .sql(
            "CALL hooked.system.expire_snapshots(table => '"
                + name
                + "', older_than => TIMESTAMP '2100-01-01', retain_last => 1)");
    assertThat(kinds(own)).isEqualTo(kinds(other));
  }

  private static void commit(TensorTable table) {
    for (int i = 0; i < COMMITS; i++) {
      table.scatter(Scatter.add(), updates(i % 20, i % 20 + 3, 1), COLUMNS);
    }
  }

  /** Returns the number of files of each kind. */
  private static Map<String, Long> kinds(TensorTable table) {
    return HookedLake.files(table).stream()
        .collect(
            Collectors.groupingBy(MetadataGrowthTest::kind, TreeMap::new, Collectors.counting()));
  }

  private static String kind(String file) {
    if (file.endsWith(".metadata.json")) {
      return "metadata.json";
    }
    if (file.endsWith(".avro")) {
      return file.contains("/snap-") ? "manifest list" : "manifest";
    }
    return file.substring(file.lastIndexOf('.') + 1);
  }
}

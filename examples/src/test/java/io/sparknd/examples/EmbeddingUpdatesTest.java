/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class EmbeddingUpdatesTest {
  @Test
  void readsBackWhatItAdded(@TempDir Path directory) throws IOException {
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .getOrCreate()) {
      List<Row> rows =
          EmbeddingUpdates.run(spark, directory.resolve("items")).orderBy("click").collectAsList();
      assertThat(rows).hasSize(6);
      for (Row row : rows) {
        List<Float> slice = row.getList(row.fieldIndex("value"));
        assertThat(slice).hasSize(4);
        // each gradient adds 1 to the first column and -0.5 to the last
        assertThat(slice.get(0)).isPositive();
        assertThat(slice.get(3)).isEqualTo(-0.5f * slice.get(0));
      }
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Block;
import io.sparknd.docs.Page;
import io.sparknd.docs.SqlExample;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The SQL example of the README gives what it shows, on a file of the user. */
@Tag("slow")
class ReadmeSqlTest {
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate();
  }

  @AfterAll
  static void stop() throws Exception {
    SparkSession.clearActiveSession();
    spark.close();
  }

  @Test
  void showsTotalsOfTheFile(@TempDir Path folder) {
    spark
        .sql("SELECT * FROM VALUES (3L, 2.0D), (7L, 4.0D), (3L, 0.5D) AS e(user, amount)")
        .write()
        .parquet(folder.resolve("events.parquet").toString());
    Block example = Page.of("README.md").blocks("sql").get(0);
    assertThat(example.text()).contains("`data/events.parquet`");
    String shown = SqlExample.shown(spark, example.text().replace("`data/", "`" + folder + "/"));
    assertThat(example.shows(shown)).as("%s\ngave\n%s", example.text(), shown).isTrue();
  }
}

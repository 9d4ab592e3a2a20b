/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.embedding.EmbeddingKeys;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.examples.support.ExampleSession;
import io.sparknd.table.LocalCatalog;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the example with an Iceberg table and a table of Parquet files. */
@Tag("slow")
class ClickWeightsTest {
  @TempDir private Path directory;

  @Test
  void likedItemsHaveLargerWeights() throws Exception {
    try (SparkSession spark = ExampleSession.open("clicks")) {
      LocalCatalog.addTo(spark, "lake", directory.resolve("lake"));
      spark.sql(
          "CREATE TABLE lake.logs.clicks USING iceberg AS SELECT id % 7 = item AS clicked,"
              + " id % 70 AS user_id, concat('item', item) AS item_id"
              + " FROM (SELECT id, if(id % 2 = 0, id % 7, id % 5) AS item FROM range(4000))");
      spark.table("lake.logs.clicks").write().parquet(directory.resolve("files").toString());
      ClickWeights.main(new String[] {"lake.logs.clicks", directory.resolve("one").toString()});
      ClickWeights.main(
          new String[] {
            "parquet.`" + directory.resolve("files") + "`", directory.resolve("other").toString()
          });
      EmbeddingTable one = EmbeddingTable.load(spark, directory.resolve("one").toString());
      EmbeddingTable other = EmbeddingTable.load(spark, directory.resolve("other").toString());
      assertThat(weight(one, "item6")).isGreaterThan(weight(one, "item0"));
      assertThat(one.toDataset().count()).isEqualTo(77);
      assertThat(one.toDataset().except(other.toDataset()).isEmpty()).isTrue();
    }
  }

  private static float weight(EmbeddingTable table, String item) {
    return (float)
        table
            .toDataset()
            .where("id = " + EmbeddingKeys.of("item_id", item) + "L")
            .first()
            .getList(1)
            .get(0);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.LocalCluster;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.publish.RedisSink;
import io.sparknd.tensor.DType;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** Rows of a publication do not pass the driver: 640 MiB of them from one with 512 MiB of heap. */
@Tag("slow")
class PublishHeapTest {
  private static final int ROWS = 80 << 10;
  private static final int DIM = 2 << 10;

  @TempDir Path folder;

  @Test
  void rowsDoNotPassTheDriver() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      Path lake = Files.createDirectory(folder.resolve("lake"));
      File log = folder.resolve("log").toFile();
      Process driver =
          JavaProcess.of(PublishHeapTest.class, lake.toString(), server.address())
              .redirectErrorStream(true)
              .redirectOutput(log)
              .start();
      assertThat(driver.waitFor()).as(Files.readString(log.toPath())).isZero();
      try (Jedis redis = server.client()) {
        assertThat(redis.dbSize()).isEqualTo(ROWS + 1);
        assertThat(redis.hstrlen("users:" + (ROWS - 1), "taste")).isEqualTo(DIM * Float.BYTES);
      }
    }
  }

  /**
   * Publishes a table from the driver of a cluster.
   *
   * @param args directory of the catalog, address of the store
   */
  public static void main(String[] args) throws Exception {
    assertThat(Runtime.getRuntime().maxMemory()).isLessThan((long) ROWS * DIM * Float.BYTES);
    try (LocalCluster cluster =
        LocalCluster.start(StreamProcess.catalog("lake", Path.of(args[0])))) {
      SparkSession spark = cluster.session();
      spark.sql("CREATE NAMESPACE lake.shop");
      FeatureTable users =
          FeatureTable.create(
              spark,
              "lake.shop.users",
              FeatureTableSpec.keyedBy("user", "bigint")
                  .with(Variable.of("taste", DType.FLOAT32, DIM))
                  .withBuckets(64));
      users.scatter(
          spark.sql(
              "SELECT id AS user, array_repeat(float(id), "
                  + DIM
                  + ") AS taste FROM range("
                  + ROWS
                  + ")"));
      users.publish(RedisSink.at(args[1]).withName("users"));
    }
    System.exit(0);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests reads of data files with a flipped bit. */
class DamagedPagesTest {
  private static final long MARK = 0x1122334455667788L;

  private SparkSession spark;

  @BeforeEach
  void session() {
    spark = TestTables.spark();
  }

  @AfterEach
  void unset() {
    spark.conf().unset(SparkNdSetting.VERIFY_CHECKSUMS.key());
  }

  private Dataset<Row> updates(long value) {
    return spark.range(0, 20, 1, 1).selectExpr("id AS i0", value + "L AS value");
  }

  @Test
  void damagedPageIsAnErrorOnReadAndScatter() throws IOException {
    TensorTable table = TestTables.create(TensorSpec.of(DType.INT64, Shape.of(20)));
    TensorColumns columns = TensorColumns.of("value", "i0");
    table.scatter(Scatter.update(), updates(MARK), columns);
    Path file = damage(Path.of(URI.create(table.iceberg().location())));
    assertThatThrownBy(() -> table.scatter(Scatter.add(), updates(1), columns))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(file.getFileName() + ": column value of row group 0 cannot be read")
        .hasMessageContaining("CRC");
    assertThatThrownBy(() -> gathered(table))
        .hasStackTraceContaining(file.getFileName() + ": column value of row group 0");
  }

  @Test
  void checksumsAreVerifiedUnlessDisabled() throws IOException {
    TensorTable table = TestTables.create(TensorSpec.of(DType.INT64, Shape.of(20)));
    table.scatter(Scatter.update(), updates(MARK), TensorColumns.of("value", "i0"));
    damage(Path.of(URI.create(table.iceberg().location())));
    spark.conf().set(SparkNdSetting.VERIFY_CHECKSUMS.key(), "false");
    assertThat(gathered(table)).hasSize(20);
  }

  @Test
  void settingOfAnotherSessionDoesNotDisableVerification() throws IOException {
    TensorTable table = TestTables.create(TensorSpec.of(DType.INT64, Shape.of(20)));
    table.scatter(Scatter.update(), updates(MARK), TensorColumns.of("value", "i0"));
    damage(Path.of(URI.create(table.iceberg().location())));
    SparkSession other = spark.newSession();
    other.conf().set(SparkNdSetting.VERIFY_CHECKSUMS.key(), "false");
    SparkSession.setActiveSession(other);
    try {
      assertThatThrownBy(() -> gathered(table))
          .hasStackTraceContaining("column value of row group");
    } finally {
      SparkSession.setActiveSession(spark);
    }
  }

  @Test
  void damagedPageIsAnErrorInTableFunctions() throws IOException {
    Path directory = Files.createTempDirectory("sparknd-damaged");
    spark
        .range(0, 20, 1, 1)
        .selectExpr("id AS i0", "array(" + MARK + "L, id) AS value")
        .write()
        .mode("overwrite")
        .option("parquet.page.write-checksum.enabled", "true")
        .option("parquet.enable.dictionary", "false")
        .option("compression", "none")
        .parquet(directory.toString());
    Path file = damage(directory);
    spark.read().parquet(directory.toString()).createOrReplaceTempView("damaged");
    assertThatThrownBy(
            () ->
                spark
                    .sql(
                        "SELECT * FROM gather_nd(TABLE(damaged), TABLE(SELECT id FROM range(20)),"
                            + " array(20, 2))")
                    .collectAsList())
        .hasStackTraceContaining(file.getFileName().toString())
        .hasStackTraceContaining("column value of row group 0 cannot be read");
  }

  private List<Row> gathered(TensorTable table) {
    return table.gather(Gather.strict(), spark.range(20).toDF("i0"), List.of("i0")).collectAsList();
  }

  /** Flips a bit of the first {@link #MARK} in a data file. */
  private static Path damage(Path directory) throws IOException {
    byte[] mark =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(MARK).array();
    try (Stream<Path> files = Files.walk(directory)) {
      Path file = files.filter(each -> each.toString().endsWith(".parquet")).findFirst().get();
      byte[] bytes = Files.readAllBytes(file);
      int at = 0;
      while (!Arrays.equals(bytes, at, at + Long.BYTES, mark, 0, Long.BYTES)) {
        at++;
      }
      bytes[at + 2] ^= 1;
      Files.write(file, bytes);
      Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
      return file;
    }
  }
}

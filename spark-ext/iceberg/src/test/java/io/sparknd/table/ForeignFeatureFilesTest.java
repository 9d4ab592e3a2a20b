/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.UserTables.events;
import static io.sparknd.table.UserTables.sql;
import static io.sparknd.table.UserTables.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests feature tables whose files other programs wrote. */
class ForeignFeatureFilesTest {
  @Test
  void rowsThatSparkWroteAreUpdated() {
    FeatureTable table = users();
    sql(
        "INSERT INTO "
            + table.name()
            + " (user, views, taste) VALUES ('z', 5, array(1F, 1F, 1F)), ('a', NULL, NULL)");
    sql("UPDATE " + table.name() + " SET views = 6 WHERE user = 'z'");
    table.scatter(
        sql(
            "SELECT * FROM VALUES ('a', 1L, array(2F, 2F, 2F)), ('z', 1L, array(3F, 3F, 3F)) AS"
                + " t(user, views, taste)"));
    assertThat(table.toDataset().selectExpr("user", "views", "taste").collectAsList())
        .extracting(Row::toString)
        .containsExactlyInAnyOrder(
            "[a,1,ArraySeq(2.5, 2.5, 2.5)]", "[z,7,ArraySeq(4.0, 4.0, 4.0)]");
  }

  /** Iceberg widens the elements of an array; the dtype is a property, which stays. */
  @Test
  void slicesThatOthersWidenedAreRead() {
    FeatureTable table = users();
    table.scatter(events("('u1', 1L, '2026-03-01', 5.00, 'Oslo', array(1F, 2F, 0.1F))"));
    table.iceberg().refresh();
    table.iceberg().updateSchema().updateColumn("taste.element", Types.DoubleType.get()).commit();
    FeatureTable wide = FeatureTable.open(TestTables.spark(), table.name());
    wide.scatter(
        sql(
            "SELECT * FROM VALUES ('u1', array(1e300D, 0D, 0D)), ('u2', array(0D, 0D, 1e300D)) AS"
                + " e(user, taste)"));
    wide.compact();
    assertThat(
            wide.gather(sql("SELECT * FROM VALUES 'u1', 'u2', 'u3' AS u(user)"), List.of("user"))
                .orderBy("user")
                .select("taste")
                .collectAsList())
        .extracting(Row::toString)
        .containsExactly(
            "[ArraySeq(1.0E300, 2.5, 0.6000000238418579)]",
            "[ArraySeq(0.5, 0.5, 1.0E300)]",
            "[ArraySeq(0.5, 0.5, 0.5)]");
    assertThatThrownBy(
            () ->
                wide.addVariable(
                    new Variable(
                        "other",
                        DataTypes.createArrayType(DataTypes.DoubleType),
                        Optional.of(DType.FLOAT32),
                        Optional.of(Shape.of(3)),
                        Optional.empty(),
                        Optional.empty())))
        .hasMessageContaining("cannot hold elements of dtype float32");
  }

  /** Files of other writers may have times in milliseconds, which Iceberg's reader converts. */
  @Test
  void timesInMillisecondsAreConverted() throws Exception {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.keyedBy("k", "bigint")
                .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max()))
                .with(Variable.of("local", "timestamp_ntz"))
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(1));
    appendMilliseconds(table.iceberg());
    Dataset<Row> keys = sql("SELECT 1L AS k");
    String[] shown = {"unix_millis(seen)", "CAST(local AS string)", "n"};
    String stored = "[1700000000123,2023-11-14 22:13:20.123,7]";
    assertThat(table.toDataset().selectExpr(shown).first()).hasToString(stored);
    assertThat(table.gather(keys, List.of("k")).selectExpr(shown).first()).hasToString(stored);
    table.scatter(sql("SELECT 1L AS k, timestamp_millis(1600000000000) AS seen, 1L AS n"));
    assertThat(table.toDataset().selectExpr(shown).first())
        .hasToString("[1700000000123,2023-11-14 22:13:20.123,8]");
  }

  private static void appendMilliseconds(Table table) throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message m { required int64 k = 1; optional int64 seen (TIMESTAMP(MILLIS,true)) = 2;"
                + " optional int64 local (TIMESTAMP(MILLIS,false)) = 3; optional int64 n = 4; }");
    String file = table.locationProvider().newDataLocation("others.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(file))
            .withType(schema)
            .build()) {
      long millis = 1_700_000_000_123L;
      writer.write(
          new SimpleGroup(schema)
              .append("k", 1L)
              .append("seen", millis)
              .append("local", millis)
              .append("n", 7L));
    }
    append(table, file);
  }

  /** Appends a file of one row of the only bucket. */
  private static void append(Table table, String file) {
    DataFile added =
        DataFiles.builder(table.spec())
            .withPath(file)
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(table.io().newInputFile(file).getLength())
            .withRecordCount(1)
            .withPartitionValues(List.of("0"))
            .build();
    table.newAppend().appendFile(added).commit();
  }

  @Test
  void columnsOfFilesWithoutFieldIdsGoByName(@TempDir Path folder) throws Exception {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("city", "string"))
                .with(Variable.of("country", "string"))
                .withBuckets(1));
    Path files = folder.resolve("foreign");
    sql("SELECT 'Norway' AS country, 'u1' AS user, 'Oslo' AS city")
        .coalesce(1)
        .write()
        .parquet(files.toString());
    try (DirectoryStream<Path> found = Files.newDirectoryStream(files, "*.parquet")) {
      append(table.iceberg(), found.iterator().next().toString());
    }
    assertThat(table.gather(sql("SELECT 'u1' AS user"), List.of("user")).first().toString())
        .isEqualTo("[u1,Oslo,Norway]");
  }
}

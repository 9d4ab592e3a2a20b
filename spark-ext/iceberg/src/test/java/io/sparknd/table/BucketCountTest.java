/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.UserTables.sql;
import static io.sparknd.table.UserTables.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.AsOf;
import io.sparknd.op.Scatter;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.options.FeatureColumns;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Term;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the number of buckets of feature tables, which grows with them, and partition fields of
 * others.
 */
class BucketCountTest {
  @Test
  void bucketsGrowWithTheRows() {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.keyedBy("k", "string")
                .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(2)
                .withProperty("sparknd.rows-per-bucket", "100"));
    String rows = "SELECT concat('key ', id) AS k, id AS v FROM range(2000)";
    table.scatter(sql(rows));
    table.compact();
    table.iceberg().refresh();
    assertThat(table.iceberg().spec().toString()).contains("bucket[16]");
    table.scatter(sql(rows));
    table.scatter(sql("SELECT concat('key ', id) AS k, -id AS v FROM range(0, 4000, 2)"));
    assertThat(texts(table.toDataset().collectAsList()))
        .isEqualTo(
            texts(
                sql("SELECT concat('key ', id), sum(v) FROM (SELECT id, 2 * id AS v FROM"
                        + " range(2000) UNION ALL SELECT id, -id FROM range(0, 4000, 2)) GROUP"
                        + " BY id")
                    .collectAsList()));
    assertThat(sql("SELECT * FROM " + table.name() + " WHERE k = 'key 1999'").first().getLong(1))
        .isEqualTo(2 * 1999);
  }

  @Test
  void bucketsOfAnyNumberOfRowsDoNotGrow() {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.keyedBy("k", "bigint")
                .withBuckets(2)
                .withProperty("sparknd.rows-per-bucket", Long.toString(Long.MAX_VALUE)));
    table.scatter(sql("SELECT id AS k FROM range(10)"));
    table.compact();
    table.iceberg().refresh();
    assertThat(table.iceberg().spec().toString()).contains("bucket[2]");
  }

  /** Format version 1 keeps a void field of the buckets before, and so do later versions of it. */
  @Test
  void bucketsOfFormatVersionOneGrow() {
    FeatureTable made =
        UserTables.create(
            FeatureTableSpec.keyedBy("k", "bigint")
                .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(1)
                .withProperty("sparknd.rows-per-bucket", "10")
                .withProperty("format-version", "1"));
    made.scatter(sql("SELECT id AS k, 1L AS v FROM range(40)"));
    made.compact();
    FeatureTable table = FeatureTable.open(TestTables.spark(), made.name());
    assertThat(table.iceberg().spec().fields()).hasSize(2);
    table.scatter(sql("SELECT id AS k, 10L AS v FROM range(80)"));
    table.compact();
    for (String version : List.of("2", "3")) {
      sql(
          "ALTER TABLE "
              + table.name()
              + " SET TBLPROPERTIES ('format-version' = '"
              + version
              + "')");
      FeatureTable opened = FeatureTable.open(TestTables.spark(), table.name());
      assertThat(opened.iceberg().spec().fields()).hasSize(3);
      opened.iceberg().manageSnapshots().createBranch("audit" + version).commit();
      opened.branch("audit" + version).scatter(sql("SELECT 1000L AS k, 1L AS v"));
      opened.scatter(sql("SELECT id AS k, 100L AS v FROM range(30)"));
      assertThat(opened.evict("k = 7").rows()).isEqualTo(1);
    }
    FeatureTable last = FeatureTable.open(TestTables.spark(), table.name());
    assertThat(last.iceberg().spec().toString()).contains("bucket[4]");
    assertThat(last.gather(sql("SELECT id FROM range(100)"), List.of("id")).collectAsList())
        .extracting(row -> row.isNullAt(1) ? -1 : row.getLong(1))
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(0, 100)
                .mapToObj(k -> k == 7 || k >= 80 ? -1 : k < 30 ? 211 : k < 40 ? 11L : 10)
                .toList());
    assertThat(sql("SELECT v FROM " + table.name() + " WHERE k = 79").first().getLong(0))
        .isEqualTo(10);
    TestTables.spark().conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    Dataset<Row> described = sql("CALL nd.system.describe('" + table.name() + "')");
    assertThat(described.select("partitions").first().getString(0)).isEqualTo("bucket[4](k)");
  }

  @Test
  void filesMayHaveNumbersOfBucketsThatDivideNoOther() {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.keyedBy("k", "string")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(6));
    Dataset<Row> ones = sql("SELECT concat('u', id) AS k, 1L AS n FROM range(50)");
    table.scatter(ones);
    for (int buckets : List.of(4, 12)) {
      table.iceberg().refresh();
      table
          .iceberg()
          .updateSpec()
          .removeField(table.iceberg().spec().fields().get(0).name())
          .addField("k_bucket_" + buckets, Expressions.bucket("k", buckets))
          .commit();
      table.scatter(ones.where("k LIKE '%" + buckets / 4 + "'"));
    }
    table.scatter(ones);
    Dataset<Row> wrong = table.toDataset().where("n <> 2 + int(k LIKE '%1') + int(k LIKE '%3')");
    assertThat(wrong.collectAsList()).isEmpty();
    for (int i = 0; i < 50; i++) {
      assertThat(table.toDataset().where("k = 'u" + i + "'").count()).isEqualTo(1);
    }
  }

  /** Iceberg's ALTER TABLE adds a partition field by metadata only: files keep their spec. */
  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void partitionFieldsOfOthersRefuseCommitsAlone(boolean isNumbered, boolean isDropped) {
    FeatureTableSpec key =
        isNumbered
            ? FeatureTableSpec.numbered("k", 1000)
            : FeatureTableSpec.keyedBy("k", "bigint").withBuckets(4);
    FeatureTable table =
        UserTables.create(
            key.with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .with(Variable.of("day", "date")));
    Dataset<Row> ones = sql("SELECT id AS k, 1L AS n, date'2026-03-04' AS day FROM range(50)");
    table.scatter(ones);
    Table iceberg = table.iceberg();
    iceberg.refresh();
    PartitionField field = iceberg.spec().fields().get(0);
    if (isDropped) {
      iceberg.updateSpec().removeField(field.name()).commit();
    } else {
      iceberg.updateSpec().addField("day_id", Expressions.ref("day")).commit();
    }
    String undo =
        isDropped
            ? "ADD PARTITION FIELD "
                + field.transform().toString().replace('[', '(').replace("]", ", k)")
            : "DROP PARTITION FIELD day_id";
    assertThatThrownBy(() -> table.scatter(ones))
        .isInstanceOf(SparkNdException.class)
        .hasMessageEndingWith("run ALTER TABLE " + table.name() + " " + undo);
    assertThatThrownBy(table::compact).hasMessageContaining(undo);
    FeatureTable reopened = FeatureTable.open(TestTables.spark(), table.name());
    Dataset<Row> labels = sql("SELECT id AS k, current_timestamp() AS at FROM range(50)");
    assertThat(reopened.gather(labels, List.of("k")).where("n = 1").count()).isEqualTo(50);
    assertThat(reopened.gatherAsOf(labels, List.of("k"), AsOf.latest("at")).where("n = 1").count())
        .isEqualTo(50);
    if (isDropped) {
      iceberg.updateSpec().addField(transform(field)).commit();
    } else {
      sql("INSERT INTO " + table.name() + " (k, n, day) VALUES (77, 5, date'2026-03-05')");
      assertThat(reopened.gather(sql("SELECT 77L AS k"), List.of("k")).first().getLong(1))
          .isEqualTo(5);
      iceberg.refresh();
      iceberg.updateSpec().removeField("day_id").commit();
    }
    table.scatter(ones);
    table.compact();
    assertThat(table.toDataset().where("n = if(k = 77, 5, 2)").count())
        .isEqualTo(isDropped ? 50 : 51);
  }

  private static Term transform(PartitionField field) {
    String text = field.transform().toString();
    int width = Integer.parseInt(text.substring(text.indexOf('[') + 1, text.length() - 1));
    return text.startsWith("bucket")
        ? Expressions.bucket("k", width)
        : Expressions.truncate("k", width);
  }

  @Test
  void aBranchOfFewerBucketsIsWritten() {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.keyedBy("k", "string")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(2)
                .withProperty("sparknd.rows-per-bucket", "1"));
    Dataset<Row> ones = sql("SELECT concat('u', id) AS k, 1L AS n FROM range(20)");
    table.scatter(ones);
    table.iceberg().manageSnapshots().createBranch("audit").commit();
    table.compact();
    FeatureTable audit = table.branch("audit");
    audit.scatter(ones);
    audit.evict("k = 'u3'");
    audit.compact();
    audit.scatter(ones);
    for (int i = 0; i < 20; i++) {
      String key = "k = 'u" + i + "'";
      assertThat(audit.toDataset().where(key).select("n").first().get(0))
          .isEqualTo(i == 3 ? 1L : 3L);
      assertThat(table.toDataset().where(key).select("n").first().get(0)).isEqualTo(1L);
    }
    table.addVariable(Variable.of("m", "bigint").withFill("4"));
    FeatureTable after = FeatureTable.open(TestTables.spark(), table.name()).branch("audit");
    assertThat(after.toDataset().where("k = 'u1'").first()).hasToString("[u1,3,4]");
  }

  /** Compactions count the rows of the branch, whose files do not fit the blocks of main. */
  @Test
  void aBranchOfFewerBucketsIsCompacted() {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.keyedBy("k", "bigint")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(2)
                .withProperty("sparknd.rows-per-bucket", "5"));
    table.scatter(sql("SELECT id AS k, 1L AS n FROM range(40)"));
    table.iceberg().manageSnapshots().createBranch("audit").commit();
    table.compact();
    FeatureTable audit = table.branch("audit");
    audit.scatter(sql("SELECT 1L AS k, 1L AS n"));
    assertThat(audit.compact().rows()).isEqualTo(40);
    assertThat(audit.toDataset().selectExpr("count(*)", "sum(n)").first()).hasToString("[40,41]");
  }

  @Test
  void updatesBetweenTwoNumbersOfBucketsAreNotLost() {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.keyedBy("k", "bigint")
                .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(2));
    table.scatter(sql("SELECT id AS k, 1L AS v FROM range(500)"));
    table.iceberg().refresh();
    table
        .iceberg()
        .updateSpec()
        .removeField(table.iceberg().spec().fields().get(0).name())
        .addField("finer", Expressions.bucket("k", 8))
        .commit();
    table.scatter(sql("SELECT 3 * id AS k, 1L AS v FROM range(100)"));
    table.scatter(sql("SELECT 5 * id AS k, 1L AS v FROM range(200)"));
    assertThat(texts(table.toDataset().collectAsList()))
        .isEqualTo(
            texts(
                sql("SELECT k, sum(v) FROM (SELECT id AS k, 1 AS v FROM range(500) UNION ALL"
                        + " SELECT 3 * id, 1 FROM range(100) UNION ALL SELECT 5 * id, 1 FROM"
                        + " range(200)) GROUP BY k")
                    .collectAsList()));
    table.compact();
    assertThat(table.toDataset().count()).isEqualTo(600);
  }

  /** Iceberg names partition fields and columns in one space of names. */
  @Test
  void columnsMayHaveTheNamesOfPartitionFields() {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.keyedBy("k", "bigint")
                .with(Variable.of("k_bucket", "bigint").reducedBy(VariableReduction.add()))
                .with(Variable.of("k_bucket_8", "bigint"))
                .with(Variable.of("n", "bigint"))
                .withBuckets(1)
                .withProperty("sparknd.rows-per-bucket", "2"));
    for (int i = 0; i < 2; i++) {
      table.scatter(sql("SELECT id AS k, 1L AS k_bucket, id AS k_bucket_8 FROM range(32)"));
      table.compact();
    }
    table.iceberg().refresh();
    assertThat(table.iceberg().spec().toString()).contains("k_bucket_8_: bucket[8](1)");
    assertThat(table.toDataset().where("k_bucket = 2 AND k_bucket_8 = k").count()).isEqualTo(32);
    assertThatThrownBy(() -> table.addVariable(Variable.of("k_bucket_8_", "bigint")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(
            "'k_bucket_8_' is the name of a partition field of table " + table.name());
    assertThatThrownBy(() -> table.renameVariable("n", "k_bucket_"))
        .hasMessageContaining("'k_bucket_' is the name of a partition field");
    FeatureTable numbered =
        UserTables.create(
            FeatureTableSpec.numbered("k", 10).with(Variable.of("k_trunc", "bigint")));
    numbered.scatter(sql("SELECT 3L AS k, 4L AS k_trunc"));
    assertThat(texts(numbered.toDataset().collectAsList())).containsExactly("[3, 4]");
    TensorTable tensor =
        TestTables.create(
            TensorSpec.of(DType.INT64, Shape.of(4, 2))
                .withIndexColumns("i")
                .withFeatures("i_trunc", "n"));
    tensor
        .write()
        .scatterFeatures(
            Scatter.add(), sql("SELECT 3L AS i, 5L AS i_trunc"), FeatureColumns.of("i_trunc"))
        .commit();
    TensorTable opened = TensorTable.open(TestTables.spark(), tensor.name());
    assertThat(texts(opened.toDataset().collectAsList())).containsExactly("[3, ArraySeq(5, 0)]");
  }
}

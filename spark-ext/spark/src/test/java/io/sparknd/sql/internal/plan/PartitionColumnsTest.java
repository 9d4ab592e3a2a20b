/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.catalog.HiveTableRelation;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import scala.Option;

/** Tests partition columns of Hive tables, which their catalog entries list. */
class PartitionColumnsTest {
  private final SparkSession spark = LocalSpark.session().newSession();

  @AfterEach
  void dropTable() {
    spark.sql("DROP TABLE IF EXISTS sparknd_test_hive");
  }

  @Test
  void partitionColumnOfAHiveTableIsNotTheValue() throws Exception {
    spark.sql("CREATE TABLE sparknd_test_hive (v INT, id INT) USING parquet PARTITIONED BY (id)");
    CatalogTable entry =
        ((org.apache.spark.sql.classic.SparkSession) spark)
            .sessionState()
            .catalog()
            .getTableMetadata(TableIdentifier.apply("sparknd_test_hive"));
    LogicalPlan plan =
        ClassicSpark.of(spark.table("sparknd_test_hive")).queryExecution().analyzed();
    List<AttributeReference> columns =
        ScalaSeqs.<Attribute>list(plan.output()).stream()
            .map(AttributeReference.class::cast)
            .toList();
    HiveTableRelation relation =
        new HiveTableRelation(
            entry,
            ScalaSeqs.of(columns.subList(0, 1)),
            ScalaSeqs.of(columns.subList(1, 2)),
            Option.empty(),
            Option.empty());
    TableArgument table = new TableArgument("tensor", relation);
    assertThat(table.isPartitionColumn(0)).isFalse();
    assertThat(table.isPartitionColumn(1)).isTrue();
  }
}

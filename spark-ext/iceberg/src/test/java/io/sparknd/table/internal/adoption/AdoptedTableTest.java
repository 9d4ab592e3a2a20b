/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.adoption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.TestTables;
import io.sparknd.table.exceptions.CommitConflictException;
import io.sparknd.tensor.SparkNdException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that rows that others write during the check of an adoption are checked, too. */
class AdoptedTableTest {
  private final SparkSession spark = TestTables.spark();
  private final String name = TestTables.name();
  private final AtomicInteger checks = new AtomicInteger();

  @BeforeEach
  void makeTable() {
    spark.sql("CREATE TABLE " + name + " (k bigint) USING iceberg");
  }

  @Test
  void overtakenCheckIsRepeated() {
    AdoptedTable.open(spark, name)
        .checked(
            () -> {
              if (checks.incrementAndGet() == 1) {
                spark.sql("INSERT INTO " + name + " VALUES (1)");
              } else if (checks.get() == 2) {
                spark.sql("ALTER TABLE " + name + " ADD COLUMN v int");
              }
            });
    assertThat(checks).hasValue(3);
  }

  @Test
  void tableThatNeverRestsIsNotAdopted() {
    AdoptedTable table = AdoptedTable.open(spark, name);
    assertThatThrownBy(
            () ->
                table.checked(
                    () ->
                        spark.sql(
                            "INSERT INTO " + name + " VALUES (" + checks.incrementAndGet() + ")")))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("was not adopted");
    assertThat(checks).hasValue(10);
  }

  @Test
  void adoptionsAtTheSameMomentDoNotMix() {
    AdoptedTable table = AdoptedTable.open(spark, name);
    String other = "('sparknd.key' = 'k', 'sparknd.variable.v.reduction' = 'max')";
    assertThatThrownBy(
            () ->
                table.adopt(
                    checks::incrementAndGet,
                    transaction -> {
                      spark.sql("ALTER TABLE " + name + " SET TBLPROPERTIES " + other);
                      transaction.updateProperties().set("sparknd.dtype", "int64").commit();
                    }))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has the property sparknd.key");
    assertThat(checks).hasValue(1);
    table.table().refresh();
    assertThat(table.table().properties())
        .containsEntry("sparknd.variable.v.reduction", "max")
        .doesNotContainKey("sparknd.dtype");
  }

  @Test
  void rowsThatAreWrittenBeforeTheCommitAreChecked() {
    AdoptedTable table = AdoptedTable.open(spark, name);
    table.adopt(
        checks::incrementAndGet,
        transaction -> {
          if (checks.get() == 1) {
            spark.sql("INSERT INTO " + name + " VALUES (1)");
          }
          transaction.updateProperties().set("sparknd.key", "k").commit();
        });
    assertThat(checks).hasValue(2);
    assertThat(table.table().properties()).containsEntry("sparknd.key", "k");
    assertThat(table.head()).isNotNull();
  }

  @Test
  void tableThatAnotherAdoptedMeanwhileIsRefused() {
    AdoptedTable table = AdoptedTable.open(spark, name);
    assertThatThrownBy(
            () ->
                table.checked(
                    () ->
                        spark.sql(
                            "ALTER TABLE " + name + " SET TBLPROPERTIES ('sparknd.key' = 'k')")))
        .hasMessageContaining("has the property sparknd.key");
  }
}

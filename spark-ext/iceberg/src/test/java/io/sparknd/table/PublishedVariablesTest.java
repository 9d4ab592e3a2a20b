/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.PublishedTables.check;
import static io.sparknd.table.PublishedTables.publishInVain;
import static io.sparknd.table.PublishedTables.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.OnlineReplica.Store;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.publish.JdbcSink;
import io.sparknd.table.publish.ValueFormat;
import io.sparknd.table.result.TablePublication.Kind;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests publications of feature tables whose variables and forms of values change. */
class PublishedVariablesTest {
  private final SparkSession spark = TestTables.spark();

  @BeforeEach
  void activate() {
    SparkSession.setActiveSession(spark);
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void variablesMayComeAndGo(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      table.addVariable(Variable.of("age", "int").withFill(3)).dropVariable("taste");
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      assertThat(replica.rows(List.of("age", "views")).get("u05")).containsExactly("3", "12");
      table.renameVariable("age", "years");
      table.publish(replica.sink());
      assertThat(replica.rows(List.of("years")).get("u05")).containsExactly("3");
      if (store == Store.REDIS) {
        assertThat(replica.rows(List.of("age", "taste")).get("u05")).containsOnlyNulls();
      } else {
        assertThatThrownBy(() -> replica.rows(List.of("taste"))).hasMessageContaining("taste");
      }
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void aVariableOfTheSameNameMayBeAnotherOne(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      table.dropVariable("city").addVariable(Variable.of("city", "string").withFill("Rome"));
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      assertThat(replica.rows(List.of("city")).get("u02")).containsExactly("Rome");
    }
  }

  /** To SQLite, names that differ in the case of letters are the same. */
  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void aVariableMayReturnInAnotherCase(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      table.dropVariable("city").addVariable(Variable.of("City", "bigint").withFill(5));
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      assertThat(replica.rows(List.of("City")).get("u02")).containsExactly("5");
      if (replica.sink() instanceof JdbcSink sink) {
        try (Connection connection = DriverManager.getConnection(sink.url());
            ResultSet type =
                connection
                    .createStatement()
                    .executeQuery("SELECT \"City\" FROM \"" + sink.name().orElseThrow() + "\"")) {
          assertThat(type.getMetaData().getColumnTypeName(1)).matches("(?i)bigint|int8|integer");
        }
      }
    }
  }

  @Test
  void theTextNullIsAnotherFillValueThanNone() throws Exception {
    try (OnlineReplica replica = Store.SQLITE.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      spark.sql(
          "ALTER TABLE "
              + table.name()
              + " SET TBLPROPERTIES ('sparknd.variable.city.fill' = 'null')");
      table = FeatureTable.open(spark, table.name());
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      assertThat(replica.rows(List.of("city")).get("u01")).containsExactly("null");
    }
  }

  /** The failed steps have added a column, which the next one does not expect. */
  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void aVariableMayBeAnotherOneAfterAFailedStep(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      table.addVariable(Variable.of("code", "int").withFill(3));
      publishInVain(table, replica);
      table.dropVariable("code").addVariable(Variable.of("code", "string").withFill("007"));
      publishInVain(table, replica);
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      assertThat(replica.rows(List.of("code")).get("u02")).containsExactly("007");

      table.addVariable(Variable.of("size", "int").withFill(1));
      publishInVain(table, replica);
      table.dropVariable("size");
      table.publish(replica.sink());
      check(replica, table);
      table.addVariable(Variable.of("size", "string").withFill("XL"));
      table.publish(replica.sink());
      assertThat(replica.rows(List.of("size")).get("u02")).containsExactly("XL");
    }
  }

  /** All columns were dropped and added again, also those of types of the database. */
  @Test
  void anotherFormOfValuesChangesOnlyEncodedColumns() throws Exception {
    try (OnlineReplica replica = Store.SQLITE.start()) {
      FeatureTable table = users().addVariable(Variable.of("tags", "array<string>"));
      table.scatter(spark.sql("SELECT 'u05' AS user, array('new') AS tags"));
      table.publish(replica.sink());
      List<String> kept = List.of("views", "city", "tags");
      Map<String, List<String>> before = replica.rows(kept);
      JdbcSink bytes = ((JdbcSink) replica.sink()).withValues(ValueFormat.BYTES);
      replica.refuse("u05");
      assertThatThrownBy(() -> table.publish(bytes)).isInstanceOf(SparkNdException.class);
      assertThat(replica.rows(kept)).isEqualTo(before);
      replica.accept("u05");
      table.publish(bytes);
      assertThat(replica.rows(kept)).isEqualTo(before);
      try (Connection connection = DriverManager.getConnection(bytes.url());
          Statement statement = connection.createStatement();
          ResultSet taste =
              statement.executeQuery("SELECT hex(taste) FROM users WHERE user = 'u05'")) {
        assertThat(taste.next()).isTrue();
        assertThat(taste.getString(1)).isEqualTo("0000A04000000000");
      }
    }
  }

  /**
   * PostgreSQL cuts names after 63 bytes, and {@code \\} is an escape in patterns of its driver.
   */
  @Tag("slow")
  @Test
  void columnsOfAnyNameMayComeAndGo() throws Exception {
    try (OnlineReplica replica = Store.POSTGRES.start()) {
      FeatureTable table = users();
      String wide = "é".repeat(40);
      table
          .addVariable(Variable.of(wide, "int").withFill(1))
          .addVariable(Variable.of("a\\b", "int").withFill(2))
          .addVariable(Variable.of("100%", "int").withFill(3));
      JdbcSink sink = ((JdbcSink) replica.sink()).withName("users" + "s".repeat(80));
      table.publish(sink);
      table.dropVariable("a\\b").addVariable(Variable.of("a\\b", "string").withFill("new"));
      assertThat(table.publish(sink).kind()).isEqualTo(Kind.FULL);
      table.dropVariable(wide).dropVariable("100%");
      assertThat(table.publish(sink).kind()).isEqualTo(Kind.FULL);
      try (Connection connection = DriverManager.getConnection(sink.url());
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT * FROM users" + "s".repeat(58))) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString("a\\b")).isEqualTo("new");
        assertThat(row.getMetaData().getColumnCount()).isEqualTo(6);
      }
    }
  }

  @Test
  void aBinaryFillValueIsNoOtherColumnEachTime(@TempDir Path folder) {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("sketch", "binary").withFill("abc"))
                .withBuckets(1));
    table.scatter(spark.sql("SELECT 'u' AS user"));
    JdbcSink sink = JdbcSink.at("jdbc:sqlite:" + folder.resolve("online.db"));
    assertThat(table.publish(sink).kind()).isEqualTo(Kind.FULL);
    assertThat(FeatureTable.open(spark, table.name()).publish(sink).kind())
        .isEqualTo(Kind.UNCHANGED);
  }
}

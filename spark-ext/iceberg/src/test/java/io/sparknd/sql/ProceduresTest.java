/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the procedures {@code CALL nd.system.…} on ordinary tables. */
class ProceduresTest {
  private final SparkSession spark = LocalSpark.session().newSession();

  @BeforeEach
  void makeCatalog() {
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    SparkSession.setActiveSession(spark);
  }

  private List<String> rows(String statement) {
    return spark.sql(statement).toJSON().collectAsList();
  }

  private void view(String query) {
    spark.sql("CREATE OR REPLACE TEMP VIEW emb AS " + query);
  }

  @Test
  void infoDescribesATable() {
    view("SELECT id AS user, array(1.0F, 2.0F) AS vec FROM range(3)");
    assertThat(rows("CALL nd.system.info('emb', array(4, 2))"))
        .containsExactly(
            "{\"dtype\":\"float32\",\"shape\":[4,2],\"index_columns\":[\"user\"],"
                + "\"value_column\":\"vec\",\"slices\":4,\"rows\":3}");
  }

  @Test
  void shapeMayBeATableProperty() {
    spark.sql(
        "CREATE VIEW sparknd_test_view TBLPROPERTIES ('sparknd.shape' = '3') AS SELECT id, 1.0D AS"
            + " v FROM range(3)");
    try {
      assertThat(rows("CALL nd.system.info(table => 'sparknd_test_view')").get(0))
          .contains("\"shape\":[3]");
    } finally {
      spark.sql("DROP VIEW sparknd_test_view");
    }
  }

  @Test
  void validTensorPassesTheCheck() {
    view("SELECT id AS user, array(1.0F, 2.0F) AS vec FROM range(4)");
    assertThat(rows("CALL nd.system.check(table => 'emb', shape => array(4, 2))")).isEmpty();
  }

  @Test
  void everyKindOfBadRowIsFound() {
    view(
        "SELECT * FROM VALUES (0, array(1.0F, 2.0F)), (0, array(3.0F, 4.0F)), (NULL, array(1.0F,"
            + " 2.0F)), (4, array(1.0F, 2.0F)), (-1, array(1.0F, 2.0F)), (1, array(1.0F)), (2,"
            + " NULL), (3, array(1.0F, NULL)) AS t(user, vec)");
    assertThat(rows("CALL nd.system.check('emb', array(4, 2))"))
        .containsExactly(
            "{\"problem\":\"null index\",\"rows\":1,\"example\":\"{}\"}",
            "{\"problem\":\"index out of bounds\",\"rows\":2,"
                + "\"example\":\"{\\\"user\\\":4}\"}",
            "{\"problem\":\"null or length of value\",\"rows\":3,"
                + "\"example\":\"{\\\"user\\\":1}\"}",
            "{\"problem\":\"slice named more than once\",\"rows\":1,"
                + "\"example\":\"{\\\"user\\\":0}\"}");
  }

  /** The count of the check is not confused with an index column. */
  @Test
  void anyIndexColumnNameCanBeChecked() {
    for (String name : List.of("n", "N", "count")) {
      view("SELECT * FROM VALUES (0, 1.0F), (0, 2.0F), (1, 3.0F) AS t(" + name + ", v)");
      assertThat(rows("CALL nd.system.check('emb', array(4))"))
          .containsExactly(
              "{\"problem\":\"slice named more than once\",\"rows\":1,\"example\":\"{\\\""
                  + name
                  + "\\\":0}\"}");
    }
  }

  @Test
  void columnsMayBeNamed() {
    view("SELECT * FROM VALUES ('a', 1.0F, 0), ('b', 2.0F, 9), ('c', 3.0F, 0) AS t(label, v, i)");
    for (String columns : List.of("'i'", "array('i')")) {
      assertThat(
              rows(
                  "CALL nd.system.check('emb', array(4), index_columns => "
                      + columns
                      + ", value_column => 'v')"))
          .containsExactly(
              "{\"problem\":\"index out of bounds\",\"rows\":1,\"example\":\"{\\\"i\\\":9}\"}",
              "{\"problem\":\"slice named more than once\",\"rows\":1,\"example\":\"{\\\"i\\\":0}\"}");
    }
    assertThat(
            rows("CALL nd.system.info('emb', array(4), index_columns => 'i', value_column => 'v')"))
        .allMatch(row -> row.contains("\"index_columns\":[\"i\"],\"value_column\":\"v\""));
    for (String column : List.of("label", "none")) {
      assertThatThrownBy(
              () ->
                  rows("CALL nd.system.check('emb', array(4), index_columns => '" + column + "')"))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(column);
    }
  }

  @Test
  void nestedAndFlatValuesAreMeasured() {
    view("SELECT 0 AS i, array(array(1, 2), array(3)) AS v UNION ALL SELECT 1, array(array(1, 2))");
    assertThat(rows("CALL nd.system.check('emb', array(2, 2, 2))").get(0)).contains("\"rows\":2");
    view("SELECT 0 AS i, array(1, 2, 3, 4) AS v");
    assertThat(rows("CALL nd.system.check('emb', array(1, 2, 2))")).isEmpty();
  }

  @Test
  void malformedTableNamesAndUnknownProceduresAreRejected() {
    assertThatThrownBy(() -> rows("CALL nd.system.info('emb; DROP TABLE x', array(4))"))
        .hasMessageContaining("is not a table name");
    assertThatThrownBy(() -> rows("CALL nd.system.scater('emb')"))
        .isInstanceOf(SparkThrowable.class)
        .hasMessageContaining("nd has no procedure system.scater");
    assertThat(spark.sql("SHOW PROCEDURES FROM nd.system").collectAsList()).hasSize(15);
  }
}

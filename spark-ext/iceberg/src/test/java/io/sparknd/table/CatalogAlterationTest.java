/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.TensorCatalogTables.EVENTS;
import static io.sparknd.table.TensorCatalogTables.insert;
import static io.sparknd.table.TensorCatalogTables.name;
import static io.sparknd.table.TensorCatalogTables.rows;
import static io.sparknd.table.TensorCatalogTables.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests {@code ALTER TABLE} in a {@link TensorCatalog}. */
class CatalogAlterationTest {
  private static SparkSession spark;

  @BeforeAll
  static void addCatalog() {
    TensorCatalogTables.addCatalog();
    spark = TestTables.spark();
  }

  @Test
  void columnsComeAndGo() {
    String table = users();
    insert(table, EVENTS);
    spark.sql("ALTER TABLE " + table + " ADD COLUMN likes BIGINT DEFAULT 3 COMMENT 'of a user'");
    spark.sql(
        "ALTER TABLE " + table + " SET TBLPROPERTIES ('sparknd.variable.likes.reduction' = 'add')");
    spark.sql("INSERT INTO " + table + " (user, likes) VALUES ('u1', 1), ('u1', 1)");
    assertThat(rows("SELECT user, likes FROM " + table + " ORDER BY user"))
        .containsExactly("[u1,5]", "[u2,3]");
    spark.sql("ALTER TABLE " + table + " RENAME COLUMN likes TO hearts");
    spark.sql("INSERT INTO " + table + " (user, hearts) VALUES ('u1', 1)");
    assertThat(rows("SELECT hearts FROM " + table + " WHERE user = 'u1'")).containsExactly("[6]");
    spark.sql("ALTER TABLE " + table + " DROP COLUMN hearts");
    assertThat(FeatureTable.open(spark, table).variables())
        .containsExactly("views", "seen", "city", "taste");
    assertThat(FeatureTable.open(spark, table).iceberg().properties().keySet())
        .noneMatch(property -> property.contains("hearts"));
  }

  /** Others leave the properties of columns that they drop. */
  @Test
  void addedColumnsHaveNoPropertiesOfDroppedOnes() {
    String table = users();
    insert(table, EVENTS);
    FeatureTable.open(spark, table).iceberg().updateSchema().deleteColumn("views").commit();
    spark.sql("REFRESH TABLE " + table);
    spark.sql("ALTER TABLE " + table + " ADD COLUMN views BIGINT");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u1', 5)");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u1', 7)");
    assertThat(rows("SELECT user, views FROM " + table + " ORDER BY user"))
        .containsExactly("[u1,7]", "[u2,null]");
    assertThat(FeatureTable.open(spark, table).iceberg().properties().keySet())
        .noneMatch(property -> property.contains("views"));
  }

  @Test
  void rowsOfAnAddedColumnAloneHaveFillValues() {
    String table = users();
    spark.sql("ALTER TABLE " + table + " ADD COLUMN likes BIGINT DEFAULT 3");
    spark.sql("INSERT INTO " + table + " (user, likes) VALUES ('u', 4)");
    assertThat(rows("SELECT views, city, likes FROM " + table)).containsExactly("[0,null,4]");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u', 5), ('v', 1)");
    assertThat(rows("SELECT user, views, likes FROM " + table + " ORDER BY user"))
        .containsExactly("[u,5,4]", "[v,1,3]");
  }

  @Test
  void aDefaultMayBeNull() {
    String table = name();
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user STRING NOT NULL, views BIGINT DEFAULT NULL) USING iceberg"
            + " TBLPROPERTIES ('sparknd.key' = 'user')");
    spark.sql("ALTER TABLE " + table + " ADD COLUMN likes BIGINT DEFAULT NULL");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u', 1)");
    assertThat(rows("SELECT * FROM " + table)).containsExactly("[u,1,null]");
  }

  @Test
  void aDefaultOfATimestampIsAnInstant() {
    String table = name();
    String zone = spark.conf().get("spark.sql.session.timeZone");
    spark.conf().set("spark.sql.session.timeZone", "Asia/Tokyo");
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user STRING NOT NULL, seen TIMESTAMP DEFAULT TIMESTAMP'1969-12-31 09:00:00.5')"
            + " USING iceberg TBLPROPERTIES ('sparknd.key' = 'user')");
    spark.conf().set("spark.sql.session.timeZone", zone);
    Dataset<Row> found =
        FeatureTable.open(spark, table).gather(spark.sql("SELECT 'u' AS user"), List.of("user"));
    assertThat(found.selectExpr("unix_millis(seen)").first().getLong(0)).isEqualTo(-86_399_500L);
  }

  @Test
  void declarationsAreChecked() {
    String table = users();
    insert(table, EVENTS);
    String set = "ALTER TABLE " + table + " SET TBLPROPERTIES ";
    for (List<String> wrong :
        List.of(
            List.of("('sparknd.key' = 'city')", "is fixed"),
            List.of("('sparknd.variable.veiws.reduction' = 'max')", "has no variable veiws"),
            List.of("('sparknd.variable.views.redaction' = 'max')", "OPTION"),
            List.of("('sparknd.variable.views.reduction' = 'most')", "unknown"),
            List.of("('sparknd.variable.views.fill' = 'none')", "fill"),
            List.of("('sparknd.variable.city.order' = 'views')", "has values"))) {
      assertThatThrownBy(() -> spark.sql(set + wrong.get(0))).hasMessageContaining(wrong.get(1));
    }
    assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " ALTER COLUMN views TYPE DOUBLE"))
        .hasMessageContaining("the type of column views of feature table")
        .hasMessageContaining("cannot change");
    assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " DROP COLUMN user"))
        .isInstanceOf(SparkNdException.class);
    for (String statement : List.of("DROP COLUMNS (taste, user)", "REPLACE COLUMNS (a INT)")) {
      assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " " + statement))
          .as(statement)
          .isInstanceOf(SparkNdException.class);
      assertThat(FeatureTable.open(spark, table).variables())
          .containsExactly("views", "seen", "city", "taste");
    }
    spark.sql(set + "('sparknd.variable.views.reduction' = 'max', 'owner.team' = 'search')");
    insert(table, EVENTS);
    assertThat(rows("SELECT user, views FROM " + table + " ORDER BY user"))
        .containsExactly("[u1,4]", "[u2,2]");
    assertThat(FeatureTable.open(spark, table).iceberg().properties())
        .containsEntry("owner.team", "search");
  }

  /** Values that exist are read as the wider type, and the next ones are written as such. */
  @Test
  void variablesAreWidened() {
    String table = name();
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user INT NOT NULL, views INT DEFAULT 0, weight FLOAT, price DECIMAL(5, 2), half"
            + " FLOAT, plain INT, best STRING) USING iceberg TBLPROPERTIES ('sparknd.key' ="
            + " 'user', 'sparknd.variable.views.reduction' = 'add', 'sparknd.variable.views.dtype'"
            + " = 'int32', 'sparknd.variable.weight.reduction' = 'add',"
            + " 'sparknd.variable.price.reduction' = 'add', 'sparknd.variable.half.dtype' ="
            + " 'bfloat16', 'sparknd.variable.best.reduction' = 'last',"
            + " 'sparknd.variable.best.order' = 'plain')");
    spark.sql(
        "INSERT INTO "
            + table
            + " (user, views, weight, price, half, plain, best) VALUES (1, 2147483647, 0.5, 999.99,"
            + " 1, 1, 'a')");
    String alter = "ALTER TABLE " + table + " ALTER COLUMN ";
    for (String refused :
        List.of("user TYPE BIGINT", "half TYPE DOUBLE", "plain TYPE BIGINT", "views TYPE DOUBLE")) {
      assertThatThrownBy(() -> spark.sql(alter + refused))
          .as(refused)
          .hasMessageContaining("cannot change in this way");
    }
    spark.sql(alter + "views TYPE BIGINT");
    spark.sql(alter + "weight TYPE DOUBLE");
    spark.sql(alter + "price TYPE DECIMAL(7, 2)");
    for (int i = 0; i < 2; i++) {
      spark.sql(
          "INSERT INTO "
              + table
              + " (user, views, weight, price) VALUES (1, 1, 1e300, 0.01), (2, 1, 1, 1)");
    }
    spark.sql("ALTER TABLE " + table + " SET TBLPROPERTIES ('sparknd.variable.views.fill' = '7')");
    Dataset<Row> found =
        FeatureTable.open(spark, table)
            .gather(spark.sql("SELECT id AS user FROM VALUES 1, 2, 3 AS v(id)"), List.of("user"))
            .select("user", "views", "weight", "price", "best")
            .orderBy("user");
    assertThat(found.collectAsList())
        .extracting(Row::toString)
        .containsExactly(
            "[1,2147483649,2.0E300,1000.01,a]", "[2,2,2.0,2.00,null]", "[3,7,null,null,null]");
    assertThat(FeatureTable.open(spark, table).iceberg().properties())
        .containsEntry("sparknd.variable.views.stored", "int64");
  }

  @Test
  void misspeltPropertiesThatOthersSetMayBeUnset() {
    String table = users();
    String misspelt = "sparknd.variable.seen.reducton";
    FeatureTable.open(spark, table).iceberg().updateProperties().set(misspelt, "min").commit();
    spark.sql("REFRESH TABLE " + table);
    assertThatThrownBy(() -> insert(table, EVENTS))
        .hasStackTraceContaining("the nearest that it knows is sparknd.variable.seen.reduction");
    String alter = "ALTER TABLE " + table + " ";
    for (String change :
        List.of(
            "SET TBLPROPERTIES ('sparknd.variable.seen.reduction' = 'min')",
            "UNSET TBLPROPERTIES ('" + misspelt + "', 'sparknd.variable.city.order')")) {
      assertThatThrownBy(() -> spark.sql(alter + change)).isInstanceOf(SparkNdException.class);
    }
    assertThatThrownBy(() -> spark.sql(alter + "SET TBLPROPERTIES ('sparknd.format' = '2')"))
        .isInstanceOf(SparkNdException.class);
    spark.sql(alter + "UNSET TBLPROPERTIES ('" + misspelt + "')");
    insert(table, EVENTS);
    assertThatThrownBy(() -> spark.sql(alter + "SET TBLPROPERTIES ('sparknd.format' = '2')"))
        .hasMessageContaining("is fixed");
  }

  private static String slices() {
    String table = name();
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user STRING NOT NULL, taste ARRAY<FLOAT>, code BINARY) USING iceberg"
            + " TBLPROPERTIES ('sparknd.key' = 'user', 'sparknd.variable.taste.shape' = '[2]',"
            + " 'sparknd.variable.code.dtype' = 'int64', 'sparknd.variable.code.shape' = '[ 1 ]')");
    spark.sql(
        "ALTER TABLE "
            + table
            + " SET TBLPROPERTIES ('sparknd.variable.code.dtype' = 'int32',"
            + " 'sparknd.variable.code.shape' = '[1,2]')");
    spark.sql("INSERT INTO " + table + " VALUES ('u', array(1F, 2F), X'0100000002000000')");
    return table;
  }

  /** Bytes would be read as other numbers, without an error. */
  @Test
  void dtypeAndShapeOfValuesAreFixed() {
    String table = slices();
    for (List<String> wrong :
        List.of(
            List.of("SET TBLPROPERTIES ('%s.taste.shape' = '[3]')", "float32[2]", "float32[3]"),
            List.of("SET TBLPROPERTIES ('%s.taste.dtype' = 'float16')", "float32[2]", "float16[2]"),
            List.of("SET TBLPROPERTIES ('%s.code.dtype' = 'float32')", "int32[1, 2]", "float32[1,"),
            List.of("SET TBLPROPERTIES ('%s.code.shape' = '[2]')", "int32[1, 2]", "int32[2]"),
            List.of("UNSET TBLPROPERTIES ('%s.taste.shape')", "float32[2]", "array<float>"))) {
      String change = wrong.get(0).formatted("sparknd.variable");
      assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " " + change))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("has values of " + wrong.get(1))
          .hasMessageContaining("would be read as " + wrong.get(2));
    }
    String record = "SET TBLPROPERTIES ('sparknd.variable.code.stored' = 'float32[2]')";
    assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " " + record))
        .hasMessageContaining("is fixed");
    spark.sql("INSERT INTO " + table + " (user, code) VALUES ('v', X'0300000004000000')");
    assertThat(rows("SELECT user, taste, hex(code) FROM " + table + " ORDER BY user"))
        .containsExactly("[u,ArraySeq(1.0, 2.0),0100000002000000]", "[v,null,0300000004000000]");
  }

  /** Earlier snapshots are read with the properties of now. */
  @Test
  void dtypesAreFixedUntilSnapshotsWithValuesExpire() {
    String table = slices();
    FeatureTable.open(spark, table).evict("true");
    String change =
        "ALTER TABLE " + table + " SET TBLPROPERTIES ('sparknd.variable.code.dtype' = 'float32')";
    assertThatThrownBy(() -> spark.sql(change)).hasMessageContaining("has values of int32[1, 2]");
    FeatureTable.open(spark, table).expire(Retention.of(Duration.ZERO));
    spark.sql(change);
    spark.sql("INSERT INTO " + table + " (user, code) VALUES ('v', X'0000803F00000040')");
    assertThat(
            FeatureTable.open(spark, table)
                .gather(spark.sql("SELECT 'v' AS user"), List.of("user"), "code")
                .first()
                .get(1))
        .isEqualTo(new byte[] {0, 0, (byte) 0x80, 0x3f, 0, 0, 0, 0x40});
  }

  @Test
  void dtypesThatOthersDeclareAnewAreNoticed() throws Exception {
    String table = slices();
    String property = "sparknd.variable.code.dtype";
    FeatureTable.open(spark, table).iceberg().updateProperties().set(property, "float32").commit();
    spark.sql("REFRESH TABLE " + table);
    String insert = "INSERT INTO " + table + " (user, code) VALUES ('v', X'0300000004000000')";
    String gather = "SELECT * FROM gather_nd(TABLE(" + table + "), TABLE(SELECT 'u' AS user))";
    for (String statement : List.of(insert, gather, "ALTER TABLE " + table + " DROP COLUMN code")) {
      assertThatThrownBy(() -> spark.sql(statement).collect())
          .hasStackTraceContaining("variable code of table " + table + " are float32[1, 2]")
          .hasStackTraceContaining("and int32[1, 2] by its values: set " + property);
    }
    spark.sql("ALTER TABLE " + table + " SET TBLPROPERTIES ('" + property + "' = 'int32')");
    spark.sql(insert);
    assertThat(rows(gather)).hasSize(1);
  }

  /** The catalog knows the record, and lets through what only sets the properties back. */
  @Test
  void changedPropertiesOfATensorAreSetBack() {
    String name = name();
    TensorTable.create(spark, name, TensorSpec.of(DType.FLOAT32, Shape.of(100, 2)));
    TensorTable.open(spark, name)
        .iceberg()
        .updateProperties()
        .set("sparknd.dtype", "bfloat16")
        .set("sparknd.shape", "[100, 1]")
        .commit();
    String alter = "ALTER TABLE " + name + " SET TBLPROPERTIES (";
    for (String wrong :
        List.of(
            "'sparknd.dtype' = 'float32')",
            "'sparknd.dtype' = 'float32', 'sparknd.shape' = '[50, 2]')",
            "'sparknd.dtype' = 'float32', 'sparknd.shape' = '[100, 2]', 'a' = 'b')")) {
      assertThatThrownBy(() -> spark.sql(alter + wrong)).isInstanceOf(SparkNdException.class);
    }
    spark.sql(alter + "'sparknd.dtype' = 'float32', 'sparknd.shape' = '[100, 2]')");
    spark.sql("INSERT INTO " + name + " VALUES (7, array(1F, 2F))");
    assertThat(rows("SELECT * FROM " + name)).containsExactly("[7,ArraySeq(1.0, 2.0)]");
    assertThatThrownBy(() -> spark.sql(alter + "'sparknd.stored' = 'bfloat16')"))
        .hasMessageContaining("is fixed");
  }

  @Test
  void recordsOfExpiredSnapshotsAreNotChanged() {
    String tensor = name();
    TensorTable.create(spark, tensor, TensorSpec.of(DType.FLOAT32, Shape.of(100, 2)));
    String features = name();
    spark.sql(
        "CREATE TABLE "
            + features
            + " (user STRING NOT NULL, views BIGINT) USING iceberg TBLPROPERTIES"
            + " ('sparknd.key' = 'user')");
    for (String table : List.of(tensor, features)) {
      for (String property : List.of("sparknd.batch-history.7", "sparknd.valid-through.7")) {
        for (String change :
            List.of("UNSET TBLPROPERTIES ('%s')", "SET TBLPROPERTIES ('%s' = '')")) {
          String alter = "ALTER TABLE " + table + " " + String.format(change, property);
          assertThatThrownBy(() -> spark.sql(alter))
              .hasMessageContaining("records a snapshot that expired");
        }
      }
      spark.sql("ALTER TABLE " + table + " SET TBLPROPERTIES ('other.property' = '1')");
    }
  }

  @Test
  void axesGrowByAProperty() {
    String tensor = name();
    TensorTable.create(spark, tensor, TensorSpec.of(DType.FLOAT32, Shape.of(100, 2)));
    spark.sql("ALTER TABLE " + tensor + " SET TBLPROPERTIES ('sparknd.shape' = '[200, 2]')");
    spark.sql("INSERT INTO " + tensor + " VALUES (150, array(1F, 1F))");
    assertThat(TensorTable.open(spark, tensor).shape()).isEqualTo(Shape.of(200, 2));
    for (List<String> wrong :
        List.of(
            List.of("SET TBLPROPERTIES ('sparknd.shape' = '[150, 2]')", "150"),
            List.of("SET TBLPROPERTIES ('sparknd.shape' = '[200, 3]')", "first dimension"),
            List.of("SET TBLPROPERTIES ('sparknd.shape' = '[300, 2]', 'a' = 'b')", "another"),
            List.of("SET TBLPROPERTIES ('sparknd.dtype' = 'int32')", "is fixed"),
            List.of("DROP COLUMN value", "holds the tensor"))) {
      assertThatThrownBy(() -> spark.sql("ALTER TABLE " + tensor + " " + wrong.get(0)))
          .hasMessageContaining(wrong.get(1));
    }
    String numbered = name();
    spark.sql(
        "CREATE TABLE "
            + numbered
            + " (id BIGINT NOT NULL, views BIGINT) USING iceberg TBLPROPERTIES"
            + " ('sparknd.key' = 'id', 'sparknd.size' = '10',"
            + " 'sparknd.variable.views.reduction' = 'add')");
    spark.sql("ALTER TABLE " + numbered + " SET TBLPROPERTIES ('sparknd.size' = '20')");
    spark.sql("INSERT INTO " + numbered + " VALUES (19, 1), (19, 2)");
    assertThat(rows("SELECT * FROM " + numbered)).containsExactly("[19,3]");
    assertThatThrownBy(() -> spark.sql("INSERT INTO " + numbered + " VALUES (20, 1)"))
        .hasStackTraceContaining("out of bounds");
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.TensorCatalogTables.name;
import static io.sparknd.table.TensorCatalogTables.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code CREATE TABLE} of feature tables. */
class CreateTableTest {
  private static final AtomicBoolean IS_HIDDEN = new AtomicBoolean();
  private static SparkSession spark;

  @BeforeAll
  static void addCatalogs() {
    TensorCatalogTables.addCatalog();
    spark = TestTables.spark();
    String catalog = "spark.sql.catalog.nd_race";
    LocalCatalog.settings("nd_race", TestTables.place().resolveSibling("nd-race"))
        .forEach(spark.conf()::set);
    spark.conf().set(catalog, HiddenTables.class.getName());
    spark.conf().set(catalog + ".warehouse", TestTables.place().resolve("race").toUri().toString());
    spark.conf().set(catalog + ".uri", "jdbc:sqlite:" + TestTables.place().resolve("race.db"));
    spark.sql("CREATE NAMESPACE IF NOT EXISTS nd_race.shop");
  }

  /** A catalog that may say of each table that it is not there, as before another job made it. */
  public static final class HiddenTables extends TensorCatalog {
    @Override
    public boolean tableExists(Identifier identifier) {
      return !IS_HIDDEN.get() && super.tableExists(identifier);
    }
  }

  @Test
  void tablesThatAnotherJobCreatesMeanwhileAreTaken() {
    String table = name().replace("nd_lake", "nd_race");
    String create =
        "CREATE TABLE %s " + table + " (user STRING NOT NULL, views BIGINT) USING iceberg";
    String features = create + " TBLPROPERTIES ('sparknd.key' = 'user')";
    spark.sql(features.formatted(""));
    spark.sql("INSERT INTO " + table + " VALUES ('u', 1)");
    IS_HIDDEN.set(true);
    try {
      spark.sql(features.formatted("IF NOT EXISTS"));
      spark.sql(create.formatted("IF NOT EXISTS")); // as Iceberg's own table
      assertThatThrownBy(() -> spark.sql(features.formatted("")))
          .isInstanceOf(TableAlreadyExistsException.class)
          .hasMessageContaining("users");
    } finally {
      IS_HIDDEN.set(false);
    }
    assertThat(spark.table(table).count()).isEqualTo(1);
  }

  /** Runs what SHOW CREATE TABLE says of a table, and returns the name of the new table. */
  private static String copy(String table) {
    String copy = name();
    String text = spark.sql("SHOW CREATE TABLE " + table).first().getString(0);
    spark.sql(text.replace(table + " ", copy + " ").replaceAll("LOCATION '[^']*'", ""));
    return copy;
  }

  private static List<String> described(String table) {
    return spark
        .sql("CALL nd.system.describe('" + table + "')")
        .drop("rows_per_block")
        .toJSON()
        .collectAsList();
  }

  @Test
  void theTextOfATableCreatesItsLike() {
    String table = name();
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user STRING NOT NULL, shop INT NOT NULL, seen TIMESTAMP, city STRING COMMENT 'last"
            + " seen', score DOUBLE, views BIGINT DEFAULT 7, cities ARRAY<STRING>,"
            + " taste ARRAY<FLOAT>) USING iceberg PARTITIONED BY (bucket(4, shop))"
            + " TBLPROPERTIES ('sparknd.key' = 'user,shop', 'sparknd.variable.city.reduction' ="
            + " 'last', 'sparknd.variable.city.order' = 'seen', 'sparknd.variable.score.reduction'"
            + " = 'mean', 'sparknd.variable.views.reduction' = 'add',"
            + " 'sparknd.variable.views.order' = 'seen', 'sparknd.variable.views.window' = '7 days',"
            + " 'sparknd.variable.views.tile' = '1 day', 'sparknd.variable.taste.shape' = '[2]',"
            + " 'sparknd.variable.taste.reduction' = 'add', 'team' = 'search')");
    String insert =
        "INSERT INTO %s (user, shop, seen, city, score, views, taste) VALUES"
            + " ('u', 1, timestamp'2026-03-01', 'Oslo', 1, 2, array(1F, 2F)),"
            + " ('u', 1, timestamp'2026-02-01', 'Rome', 2, 3, array(1F, 2F))";
    spark.sql(insert.formatted(table));
    FeatureTable.open(spark, table).evict("true");
    FeatureTable.open(spark, table).expire(Retention.of(Duration.ZERO));
    String copy = copy(table);
    assertThat(described(copy)).isEqualTo(described(table)).hasSizeGreaterThan(9);
    Map<String, String> properties = properties(copy);
    Map<String, String> before = properties(table);
    before.keySet().removeIf(key -> key.matches("sparknd\\.(batch-history|valid-through)\\..*"));
    assertThat(properties).isEqualTo(before).containsEntry("team", "search");
    spark.sql(insert.formatted(table));
    spark.sql(insert.formatted(copy));
    assertThat(spark.table(copy).toJSON().collectAsList())
        .isEqualTo(spark.table(table).toJSON().collectAsList())
        .hasSize(1);
  }

  private static Map<String, String> properties(String table) {
    return new TreeMap<>(FeatureTable.open(spark, table).iceberg().properties());
  }

  @Test
  void theTextOfANumberedTableCreatesItsLike() {
    String table = name();
    FeatureTable numbered =
        FeatureTable.create(
            spark,
            table,
            FeatureTableSpec.numbered("id", 1000)
                .with(Variable.of("score", "double").reducedBy(VariableReduction.mean())));
    numbered.resize(100_000);
    String copy = copy(table);
    assertThat(described(copy)).isEqualTo(described(table));
    assertThat(properties(copy)).isEqualTo(properties(table));
    spark.sql("INSERT INTO " + copy + " (id, score) VALUES (99999, 1), (99999, 2)");
    assertThat(rows("SELECT id, score FROM " + copy)).containsExactly("[99999,1.5]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          bucket(4, id)                | 'sparknd.size' = '100'
          truncate(10, n)              | 'sparknd.size' = '100'
          truncate(10, id)             | 'sparknd.size' = '100', 'sparknd.rows-per-block' = '20'
          truncate(10, id)             | 'a' = 'b'
          truncate(10, id), days(seen) | 'sparknd.size' = '100'
          """)
  void otherPartitionsAreErrors(String partitions, String properties) {
    String table = name();
    String create =
        "CREATE TABLE %s (id BIGINT NOT NULL, n BIGINT, seen TIMESTAMP) USING iceberg"
            + " PARTITIONED BY (%s) TBLPROPERTIES ('sparknd.key' = 'id', %s)";
    assertThatThrownBy(() -> spark.sql(create.formatted(table, partitions, properties)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("is PARTITIONED BY ")
        .hasMessageContaining("truncate(N, KEY)");
  }

  /** A column of another type, or with properties of its own, is no state. */
  @Test
  void namesOfStateAreErrors() {
    String table = name();
    String create =
        "CREATE TABLE %s (user STRING NOT NULL, seen TIMESTAMP, city STRING, city__seen %s) USING"
            + " iceberg TBLPROPERTIES ('sparknd.key' = 'user', 'sparknd.variable.city.reduction' ="
            + " 'last', 'sparknd.variable.city.order' = 'seen' %s)";
    String reduced = ", 'sparknd.variable.city__seen.reduction' = 'max'";
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("user", "string")
            .with(Variable.of("seen", "timestamp"))
            .with(Variable.of("City__Seen", "timestamp"))
            .with(Variable.of("city", "string").reducedBy(VariableReduction.last("seen")));
    List<ThrowingCallable> calls =
        List.of(
            () -> spark.sql(create.formatted(table, "BIGINT", "")),
            () -> spark.sql(create.formatted(table, "TIMESTAMP", reduced)),
            () -> FeatureTable.create(spark, table, spec),
            () ->
                spark.sql(
                    "CALL nd.system.create_features('"
                        + table
                        + "', keys => 'user STRING', variables => 'city STRING, city__seen"
                        + " TIMESTAMP, seen TIMESTAMP', reductions => map('city', 'last(seen)'))"));
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call)
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("has a column city__seen")
          .hasMessageContaining("holds the state of variable city, whose reduction is last");
    }
    assertThat(spark.catalog().tableExists(table)).isFalse();
  }
}

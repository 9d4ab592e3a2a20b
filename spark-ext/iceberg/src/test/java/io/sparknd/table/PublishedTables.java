/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Feature tables that tests publish, and what replicas of them hold. */
final class PublishedTables {
  static final List<String> VARIABLES = List.of("views", "city", "taste");

  private PublishedTables() {}

  static FeatureTable users() {
    return users(TestTables.spark(), TestTables.name());
  }

  static FeatureTable users(SparkSession spark, String name) {
    FeatureTable table =
        FeatureTable.create(
            spark,
            name,
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add()).withFill(7))
                .with(Variable.of("city", "string"))
                .with(Variable.of("taste", DType.FLOAT32, 2))
                .withBuckets(4));
    table
        .write()
        .batchId("a")
        .scatter(
            spark.sql(
                "SELECT 'u' || lpad(id, 2, '0') AS user, id AS views,"
                    + " if(id % 2 = 0, 'Oslo', NULL) AS city, array(float(id), 0F) AS taste"
                    + " FROM range(40)"))
        .commit();
    return table;
  }

  static Map<String, List<String>> expected(FeatureTable table, List<String> variables) {
    Map<String, List<String>> rows = new TreeMap<>();
    for (Row row :
        table
            .gather(table.toDataset().select("user"), List.of("user"))
            .selectExpr("user", "views", "city", "replace(cast(taste AS string), ' ', '') AS taste")
            .collectAsList()) {
      rows.put(
          row.getAs("user"),
          variables.stream().map(row::getAs).map(v -> v == null ? null : v.toString()).toList());
    }
    return rows;
  }

  static void update(FeatureTable table, String... users) {
    for (String user : users) {
      table.scatter(
          TestTables.spark().sql("SELECT '" + user + "' AS user, 1L AS views, 'Bergen' AS city"));
    }
  }

  static void check(OnlineReplica replica, FeatureTable table) throws Exception {
    assertThat(replica.rows(VARIABLES)).isEqualTo(expected(table, VARIABLES));
  }

  static void publishInVain(FeatureTable table, OnlineReplica replica) throws Exception {
    replica.refuse("u05");
    assertThatThrownBy(() -> table.publish(replica.sink())).isInstanceOf(SparkNdException.class);
    replica.accept("u05");
  }

  static RuntimeException failure(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      return e;
    }
    throw new AssertionError("no error");
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Feature tables of users, and their rows, for tests. */
final class UserTables {
  private UserTables() {}

  static Dataset<Row> sql(String query) {
    return TestTables.spark().sql(query);
  }

  static FeatureTable create(FeatureTableSpec spec) {
    return FeatureTable.create(TestTables.spark(), TestTables.name(), spec);
  }

  static FeatureTable users() {
    return create(
        FeatureTableSpec.keyedBy("user", "string")
            .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add()).withFill(0))
            .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max()))
            .with(Variable.of("cheapest", "decimal(10,2)").reducedBy(VariableReduction.min()))
            .with(Variable.of("city", "string").reducedBy(VariableReduction.last("seen")))
            .with(
                Variable.of("taste", DType.FLOAT32, 3)
                    .reducedBy(VariableReduction.add())
                    .withFill(0.5))
            .withBuckets(4));
  }

  static Dataset<Row> events(String... rows) {
    return sql(
        "SELECT user, views, timestamp(seen) AS seen, CAST(cheapest AS decimal(10,2)) AS cheapest,"
            + " city, taste FROM VALUES "
            + String.join(", ", rows)
            + " AS e(user, views, seen, cheapest, city, taste)");
  }

  static List<String> rows(FeatureTable table) {
    return table.toDataset().orderBy(table.keyColumns().get(0)).collectAsList().stream()
        .map(Row::toString)
        .toList();
  }

  static List<String> texts(List<Row> rows) {
    return rows.stream()
        .map(
            row ->
                IntStream.range(0, row.length())
                    .mapToObj(
                        i ->
                            row.get(i) instanceof byte[] bytes
                                ? Arrays.toString(bytes)
                                : String.valueOf(row.get(i)))
                    .toList()
                    .toString())
        .sorted()
        .toList();
  }
}

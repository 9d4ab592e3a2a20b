/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ReplaceSortOrder;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.actions.RewriteDataFiles;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.spark.actions.SparkActions;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the sort order recorded for data files. */
class SortOrderTest {
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "i0", "i1");

  private SparkSession spark;
  private TensorTable table;

  @BeforeEach
  void makeTable() {
    spark = TestTables.spark();
    table =
        TestTables.create(
            TensorSpec.of(DType.INT64, Shape.of(40, 2))
                .withIndexColumns("i0", "i1")
                .withRowsPerBlock(20)
                .withProperty("write.merge.mode", "copy-on-write"));
    table.scatter(Scatter.update(), updates(), COLUMNS);
  }

  private Dataset<Row> updates() {
    return spark
        .range(0, 80, 1, 1)
        .selectExpr("id div 2 AS i0", "id % 2 AS i1", "(id * 37) % 80 AS value");
  }

  private int orderOfNewFiles(String order) throws IOException {
    // like ALTER TABLE ... WRITE ORDERED BY, which needs Iceberg's SQL parser
    ReplaceSortOrder replacement = table.iceberg().replaceSortOrder();
    for (String field : order.split(", ")) {
      String column = field.replace(" DESC", "");
      if (field.equals(column)) {
        replacement.asc(column);
      } else {
        replacement.desc(column);
      }
    }
    replacement.commit();
    table.scatter(Scatter.update(), updates(), COLUMNS);
    table.iceberg().refresh();
    Map<Integer, Integer> orders = new HashMap<>();
    try (CloseableIterable<FileScanTask> tasks = table.iceberg().newScan().planFiles()) {
      tasks.forEach(task -> orders.merge(id(task.file()), 1, Integer::sum));
    }
    assertThat(orders).as("orders of files").hasSize(1);
    return orders.keySet().iterator().next();
  }

  private static int id(DataFile file) {
    return file.sortOrderId() == null ? 0 : file.sortOrderId();
  }

  @ParameterizedTest
  @ValueSource(strings = {"value", "i1", "i0 DESC", "i0, value"})
  void filesDoNotRecordASortOrderThatTheyLack(String order) throws IOException {
    int id = orderOfNewFiles(order);
    assertThat(id).isNotEqualTo(table.iceberg().sortOrder().orderId());
    assertThat(table.iceberg().sortOrders().get(id).fields()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"i0", "i0, i1", "i0, i1, value"})
  void filesRecordTheTablesSortOrderIfTheyHaveIt(String order) throws IOException {
    assertThat(orderOfNewFiles(order)).isEqualTo(table.iceberg().sortOrder().orderId());
  }

  /** As Iceberg's own writers do: bounds of sorted columns prune files. */
  @Test
  void filesHaveBoundsOfSortedColumnsWithoutOtherMetrics() throws IOException {
    table.iceberg().updateProperties().set("write.metadata.metrics.default", "none").commit();
    table.scatter(Scatter.update(), updates(), COLUMNS);
    table.iceberg().refresh();
    int value = table.iceberg().schema().findField("value").fieldId();
    try (CloseableIterable<FileScanTask> tasks =
        table.iceberg().newScan().includeColumnStats().planFiles()) {
      tasks.forEach(
          task -> assertThat(task.file().lowerBounds()).hasSize(2).doesNotContainKey(value));
    }
  }

  @Tag("slow")
  @Test
  void sortedRewritesWorkOnSparkNdTables() {
    List<Row> before = rows();
    Map<String, UnaryOperator<RewriteDataFiles>> rewrites =
        Map.of(
            "the table's order", RewriteDataFiles::sort,
            "another order", rewrite -> rewrite.sort(descending()),
            "zorder", rewrite -> rewrite.zOrder("i0", "i1"));
    rewrites.forEach(
        (name, sorted) -> {
          SparkSession.setActiveSession(spark); // Iceberg's action looks for a catalog in it
          RewriteDataFiles rewrite =
              SparkActions.get(spark)
                  .rewriteDataFiles(table.iceberg())
                  .option("rewrite-all", "true");
          sorted.apply(rewrite).execute();
          assertThat(rows()).as(name).isEqualTo(before);
          table.scatter(Scatter.update(), updates(), COLUMNS);
          assertThat(rows()).as("a scatter after %s", name).isEqualTo(before);
        });
  }

  private SortOrder descending() {
    return SortOrder.builderFor(table.iceberg().schema()).desc("i0").build();
  }

  private List<Row> rows() {
    return table.toDataset().orderBy("i0", "i1").collectAsList();
  }
}

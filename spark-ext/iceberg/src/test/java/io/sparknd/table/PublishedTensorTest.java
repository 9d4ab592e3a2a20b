/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.PublishedTables.check;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.OnlineReplica.Store;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.result.TablePublication;
import io.sparknd.table.result.TablePublication.Kind;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests {@link TensorTable#publish} to real servers where they are installed. */
class PublishedTensorTest {
  private final SparkSession spark = TestTables.spark();

  @BeforeEach
  void activate() {
    SparkSession.setActiveSession(spark);
  }

  private void set(TensorTable table, String batch, String rows) {
    Dataset<Row> updates = spark.sql("SELECT user, array(n, m) AS v FROM " + rows);
    table
        .write()
        .batchId(batch)
        .scatter(Scatter.update(), updates, TensorColumns.of("v", "user"))
        .commit();
  }

  private static void check(OnlineReplica replica, TensorTable table) throws Exception {
    Map<String, List<String>> expected = new TreeMap<>();
    for (Row row : table.toDataset().collectAsList()) {
      expected.put(row.get(0).toString(), row.getList(1).stream().map(String::valueOf).toList());
    }
    assertThat(replica.rows(List.of("n", "m"))).isEqualTo(expected);
  }

  /** Creates a tensor of 40 pairs. */
  private static TensorTable pairs() {
    return TestTables.create(
        TensorSpec.of(DType.UINT8, Shape.of(40, 2))
            .withIndexColumns("user")
            .withFeatures("n", "m")
            .withRowsPerBlock(7));
  }

  @ParameterizedTest
  @EnumSource(
      value = Store.class,
      names = {"H2", "REDIS"})
  void replicaFollowsATensor(Store store) throws Exception {
    TensorTable table = pairs();
    set(table, "a", "(SELECT id AS user, smallint(250) AS n, smallint(id) AS m FROM range(20))");
    try (OnlineReplica replica = store.start()) {
      TablePublication first = table.publish(replica.sink());
      assertThat(first.kind()).isEqualTo(Kind.FULL);
      assertThat(first.upserted()).isEqualTo(20);
      check(replica, table);
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.UNCHANGED);
      set(table, "b", "VALUES (3, 0S, 0S), (4, 250S, 4S), (39, 1S, 2S) AS e(user, n, m)");
      spark.sql("DELETE FROM " + table.name() + " WHERE user IN (5, 17)");
      table.compact();
      assertThat(table.publish(replica.sink()))
          .extracting(TablePublication::kind, TablePublication::upserted, TablePublication::deleted)
          .containsExactly(Kind.CHANGES, 2L, 2L); // row 4 is as it was
      check(replica, table);
      TablePublication back = table.batch("a").publish(replica.sink());
      assertThat(back.upserted() + back.deleted()).isEqualTo(4);
      check(replica, table.batch("a"));
    }
  }

  @Test
  void aRowThatIsNotOfTheTensorMayBeCorrected() throws Exception {
    TensorTable table = pairs();
    set(table, "a", "VALUES (3, 0S, 1S), (4, 2S, 4S), (5, 2S, 4S) AS e(user, n, m)");
    try (OnlineReplica replica = Store.SQLITE.start()) {
      table.publish(replica.sink());
      set(table, "b", "VALUES (3, 1S, 1S), (12, 2S, 4S) AS e(user, n, m)");
      spark.sql("DELETE FROM " + table.name() + " WHERE user = 5");
      spark.sql("INSERT INTO " + table.name() + " VALUES (41L, 1, 1)");
      String problem = "user = 41 in row 0 is out of bounds";
      assertThatThrownBy(() -> table.publish(replica.sink())).hasMessageContaining(problem);
      assertThatThrownBy(() -> table.publish(replica.sink())).hasMessageContaining(problem);
      spark.sql("DELETE FROM " + table.name() + " WHERE user = 41");
      set(table, "c", "VALUES (4, 7S, 8S) AS e(user, n, m)");
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      check(replica, table);
      set(table, "d", "VALUES (4, 9S, 8S) AS e(user, n, m)");
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.CHANGES);
      check(replica, table);
    }
  }

  /**
   * The store has a state of the larger size, and later publications do not open the file again.
   */
  @Test
  void aRowBeyondASmallerSizeIsNotSent() throws Exception {
    TensorTable table = pairs();
    set(table, "a", "VALUES (3, 0S, 1S), (4, 2S, 4S) AS e(user, n, m)");
    try (OnlineReplica replica = Store.SQLITE.start()) {
      table.publish(replica.sink());
      table.resize(20);
      spark.sql("INSERT INTO " + table.name() + " VALUES (35L, 1, 1)");
      assertThatThrownBy(() -> table.publish(replica.sink()))
          .hasMessageContaining("user = 35 in row 0 is out of bounds for shape [20]");
      assertThat(replica.rows(List.of("n"))).containsOnlyKeys("3", "4");
    }
  }

  @Test
  void slicesOfTensorsAreBytesOfTheirDtype() throws Exception {
    TensorTable table =
        TestTables.create(TensorSpec.of(DType.FLOAT16, Shape.of(9, 3, 2)).withIndexDepth(2));
    table.scatter(
        Scatter.update(),
        spark.sql("SELECT 8 AS a, 2 AS b, array(1F, -2F) AS v"),
        TensorColumns.of("v", "a", "b"));
    String url = "jdbc:h2:mem:tensor" + System.nanoTime();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
      String call = "CALL nd.system.publish('%s', '%s', name => 'online')";
      Row done = spark.sql(call.formatted(table.name(), url)).first();
      assertThat(done.getString(0)).isEqualTo("full");
      try (ResultSet found = statement.executeQuery("SELECT * FROM \"online\"")) {
        assertThat(found.next()).isTrue();
        assertThat(found.getLong("i0")).isEqualTo(8);
        assertThat(found.getLong("i1")).isEqualTo(2);
        assertThat(found.getBytes("value")).containsExactly(0, 0x3c, 0, 0xc0); // half precision
        assertThat(found.next()).isFalse();
      }
    }
  }
}

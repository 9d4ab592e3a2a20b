/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests SparkND through a Spark Connect server, from a JVM with only Spark's thin client. */
@Tag("slow")
class ConnectTest {
  private static ConnectServer server;

  @BeforeAll
  static void startServer() {
    server = ConnectServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static List<String> responses(String... statements) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.add(server.address());
    arguments.addAll(List.of(statements));
    return ConnectServer.runClient(
        RemoteClient.class, ConnectServer.sparkClassPath(), arguments.toArray(String[]::new));
  }

  @Test
  void functionsRunOnTheServer() throws Exception {
    assertThat(
            responses(
                "SELECT tensor_scatter_nd_add(array(1, 2), array(array(1), array(1)), array(5, 6))",
                "CREATE TEMPORARY VIEW t AS SELECT id AS i, array(float(id), 0F) AS v"
                    + " FROM range(3)",
                "CREATE TEMPORARY VIEW u AS SELECT * FROM VALUES (1, array(0.25F, 1F)),"
                    + " (1, array(0.5F, 1F)) AS u(i, v)",
                "SELECT * FROM tensor_scatter_nd_add(TABLE(t), TABLE(u), shape => array(3, 2))"
                    + " ORDER BY i",
                "SELECT scatter_nd(array(array(7)), array(1), array(3))"))
        .containsSubsequence(
            "[ArraySeq(1, 13)]",
            "[0,ArraySeq(0.0, 0.0)]",
            "[1,ArraySeq(1.75, 2.0)]",
            "[2,ArraySeq(2.0, 0.0)]")
        .anyMatch(line -> line.contains("indices[0] = [7] is out of bounds for shape [3]"));
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Tests SparkND through a Spark Connect server, from a JVM with only Spark's thin client. */
@EnabledForJreRange(
    max = JRE.JAVA_21,
    disabledReason = "Spark's thin client has a Netty that does not start on later Java versions")
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

  /** The text of SparkND's conditions is not among Spark's, by which a client makes exceptions. */
  @Test
  void errorsReachAClientThatDoesNotKnowTheirConditions() throws Exception {
    assertThat(
            responses(
                "SELECT scatter_nd(array(array(id)), array(1), array(3)) FROM range(5)",
                "SELECT * FROM gather_nd(TABLE(SELECT id AS i, 1.0D AS v FROM range(4)),"
                    + " TABLE(SELECT id + 3 AS i FROM range(2)), shape => array(4))",
                "SELECT * FROM scatter_nd(TABLE(SELECT 1, 2.0D), shap => 4)"))
        .filteredOn(line -> line.contains("Exception: "))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("SparkIllegalArgumentException: [SPARKND_INDEX_OUT_OF_BOUNDS] ")
                    .contains("[3] is out of bounds for shape [3]"),
            line ->
                assertThat(line)
                    .startsWith("SparkIllegalArgumentException: [SPARKND_INDEX_OUT_OF_BOUNDS] ")
                    .contains("[4] is out of bounds for shape [4]"),
            line ->
                assertThat(line)
                    .startsWith("AnalysisException: [SPARKND_UNKNOWN_ARGUMENT.UNKNOWN_ARGUMENT] ")
                    .contains("shap"));
  }
}

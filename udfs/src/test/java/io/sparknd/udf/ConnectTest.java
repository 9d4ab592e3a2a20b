/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.kernel.ForkedJvm;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.connect.service.SparkConnectService;
import org.apache.spark.sql.connect.service.SparkConnectService$;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Option;

/** Tests SparkND through a Spark Connect server, from a JVM with only Spark's thin client. */
@Tag("slow")
class ConnectTest {
  /**
   * The jar of the client. It is not on the class path of this JVM, because its classes conflict
   * with Spark's.
   */
  private static final String CLIENT = System.getProperty("sparknd.connect.client");

  @BeforeAll
  static void startServer() {
    LocalSpark.session();
    SparkEnv.get().conf().set("spark.connect.grpc.binding.address", "127.0.0.1");
    SparkEnv.get().conf().set("spark.connect.grpc.binding.port", "0");
    SparkConnectService.start(LocalSpark.session().sparkContext());
  }

  @AfterAll
  static void stopServer() {
    SparkConnectService.stop(Option.empty(), Option.empty());
  }

  private static List<String> responses(String... statements) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-cp", classPath(), RemoteClient.class.getName()));
    arguments.add("sc://127.0.0.1:" + SparkConnectService$.MODULE$.localPort());
    arguments.addAll(List.of(statements));
    ForkedJvm client = ForkedJvm.runForSpark(arguments);
    assertThat(client.exit()).as(client.output()).isZero();
    return client.output().lines().filter(line -> !line.matches("\\S+ (WARN|INFO) .*")).toList();
  }

  /**
   * Returns the class path of the client: its jar and Spark's libraries, without Spark and SparkND.
   */
  private static String classPath() {
    Pattern left =
        Pattern.compile(
            "sparknd-|spark-ext/\\w+/target|udfs/target/classes|/spark-(sql|core|catalyst|connect)");
    return Pattern.compile(File.pathSeparator)
        .splitAsStream(System.getProperty("java.class.path"))
        .filter(entry -> !left.matcher(entry).find())
        .collect(Collectors.joining(File.pathSeparator, CLIENT + File.pathSeparator, ""));
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

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
import scala.Option;

/** A Spark Connect server in this JVM, and clients of it in JVMs with Spark's thin client. */
final class ConnectServer implements AutoCloseable {
  /**
   * The jar of the client. It is not on the class path of this JVM, because its classes conflict
   * with Spark's.
   */
  private static final String CLIENT = System.getProperty("sparknd.connect.client");

  private ConnectServer() {}

  static ConnectServer start() {
    LocalSpark.session();
    SparkEnv.get().conf().set("spark.connect.grpc.binding.address", "127.0.0.1");
    SparkEnv.get().conf().set("spark.connect.grpc.binding.port", "0");
    SparkConnectService.start(LocalSpark.session().sparkContext());
    return new ConnectServer();
  }

  String address() {
    return "sc://127.0.0.1:" + SparkConnectService$.MODULE$.localPort();
  }

  @Override
  public void close() {
    SparkConnectService.stop(Option.empty(), Option.empty());
  }

  /** Runs a program in a client's JVM and returns what it prints, without log lines. */
  static List<String> runClient(Class<?> program, String classPath, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of("-cp", classPath, program.getName()));
    command.addAll(List.of(arguments));
    ForkedJvm client = ForkedJvm.runForSpark(command);
    assertThat(client.exit()).as(client.output()).isZero();
    return client.output().lines().filter(line -> !line.matches("\\S+ (WARN|INFO) .*")).toList();
  }

  /** Returns the class path of a client without SparkND. */
  static String sparkClassPath() {
    return classPath(
        "sparknd-|spark-ext/\\w+/target|udfs/target/classes|/spark-(sql|core|catalyst|connect)");
  }

  /** Returns the class path of a client that has SparkND's jar beside Spark's client. */
  static String sparkNdClassPath() {
    return classPath("/spark-(sql|core|catalyst|connect)");
  }

  /** Returns the client's jar and the libraries of this JVM, without those that match. */
  private static String classPath(String without) {
    Pattern left = Pattern.compile(without);
    return Pattern.compile(File.pathSeparator)
        .splitAsStream(System.getProperty("java.class.path"))
        .filter(entry -> !left.matcher(entry).find())
        .collect(Collectors.joining(File.pathSeparator, CLIENT + File.pathSeparator, ""));
  }
}

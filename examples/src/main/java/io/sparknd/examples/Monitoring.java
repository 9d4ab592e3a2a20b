/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import io.sparknd.cli.Example;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.examples.support.ExampleSession;
import io.sparknd.metrics.NdPlugin;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Runs a scatter and a gather, and reads their metrics from the page that Prometheus scrapes. */
public final class Monitoring implements Example {
  /** Settings of the driver's metrics page: a free port, and metric names that begin with shop. */
  static final Map<String, String> SETTINGS =
      Map.of(
          "spark.plugins", NdPlugin.class.getName(),
          "spark.metrics.namespace", "shop",
          "spark.metrics.conf.*.sink.prometheusServlet.class",
              "org.apache.spark.metrics.sink.PrometheusServlet",
          "spark.metrics.conf.*.sink.prometheusServlet.path", "/metrics/prometheus",
          "spark.ui.enabled", "true",
          "spark.ui.port", "0");

  public static void main(String[] args) throws IOException, InterruptedException {
    new Monitoring().run();
  }

  @Override
  public String name() {
    return "monitoring";
  }

  @Override
  public String summary() {
    return "scatter and gather, and read the metrics that Prometheus scrapes";
  }

  @Override
  public void run() throws IOException, InterruptedException {
    try (SparkSession spark = ExampleSession.open(name(), SETTINGS)) {
      run(spark).forEach(System.out::println);
    }
  }

  /** Runs some work and returns SparkND's lines of the metrics page. */
  static List<String> run(SparkSession spark) throws IOException, InterruptedException {
    DistributedTensor visits =
        DistributedTensor.zeros(spark, DType.INT64, Shape.of(1000), Partitioning.of(4));
    Dataset<Row> events = spark.sql("SELECT id % 1000 AS page, 1L AS visit FROM range(50000)");
    DistributedTensor counted =
        visits.scatter(Scatter.add(), events, TensorColumns.of("visit", "page"));
    counted.gather(Gather.strict(), spark.range(3).toDF("page"), List.of("page")).show();

    String address = spark.sparkContext().uiWebUrl().get() + "/metrics/prometheus/";
    HttpResponse<String> page =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(address)).build(),
                HttpResponse.BodyHandlers.ofString());
    return page.body().lines().filter(line -> line.contains("NdPlugin")).toList();
  }
}

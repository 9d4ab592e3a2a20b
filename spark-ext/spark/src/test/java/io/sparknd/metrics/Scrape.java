/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of metrics as Prometheus reads it.
 *
 * @param samples by name, without labels
 */
record Scrape(Map<String, Double> samples) {
  /** A line of Prometheus' text format that is no comment. */
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{[a-z]+=\"[^\"]*\"\\})? ([-+.eE0-9]+|NaN)");

  static Scrape of(String address) throws IOException, InterruptedException {
    HttpResponse<String> page =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(address)).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(page.statusCode()).isEqualTo(200);
    Map<String, Double> samples = new TreeMap<>();
    for (String line : page.body().lines().toList()) {
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches()) { // some of Spark's own gauges have text or "null"
        samples.put(sample.group(1), Double.valueOf(sample.group(2)));
      } else {
        assertThat(line).doesNotContain("sparknd");
      }
    }
    return new Scrape(samples);
  }

  /** What a metric of SparkND is, or one of the numbers that are shown of it. */
  OptionalDouble value(SparkNdMetric metric, String suffix) {
    String name = "_io_sparknd_metrics_NdPlugin_" + metric.label().replace('.', '_') + "_" + suffix;
    return samples.entrySet().stream()
        .filter(sample -> sample.getKey().endsWith(name))
        .mapToDouble(Map.Entry::getValue)
        .findFirst();
  }

  long count(SparkNdMetric metric) {
    return Math.round(value(metric, "Count").orElseThrow());
  }
}

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
 * A metrics page in Prometheus's text format.
 *
 * @param samples values by name, without labels
 */
record Scrape(Map<String, Double> samples) {
  /** A line that is not a comment. */
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
      if (sample.matches()) { // some of Spark's gauges are text or "null"
        samples.put(sample.group(1), Double.valueOf(sample.group(2)));
      } else {
        assertThat(line).doesNotContain("sparknd");
      }
    }
    return new Scrape(samples);
  }

  /** Returns a metric of SparkND, or one of its statistics by suffix. */
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

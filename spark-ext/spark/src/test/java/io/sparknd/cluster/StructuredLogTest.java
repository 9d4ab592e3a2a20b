/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.kernel.ForkedJvm;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests SparkND's lines in Spark's structured log, in a separate JVM. */
@Tag("slow")
class StructuredLogTest {
  /** Spark's default layout of structured logs. */
  private static final String LAYOUT =
      "-Dlog4j2.configurationFile=classpath:org/apache/spark/log4j2-json-layout.properties";

  @Test
  void logLinesAreJsonWithKeys() throws Exception {
    ForkedJvm run =
        ForkedJvm.runForSpark(
            List.of(LAYOUT, "-cp", System.getProperty("java.class.path"), Job.class.getName()));
    assertThat(run.exit()).as(run.output()).isZero();

    JsonNode scatter = line(run, "TensorScatter");
    assertThat(scatter.get("level").asText()).isEqualTo("INFO");
    assertThat(scatter.get("msg").asText()).startsWith("Scatter: 3 updates, 0 dropped");
    JsonNode keys = scatter.get("context");
    assertThat(keys.get("tensor").asText()).isEqualTo("int64[10] in 2 partitions");
    assertThat(keys.get("updates").asText()).isEqualTo("3");
    assertThat(keys.get("dropped").asText()).isEqualTo("0");
    assertThat(keys.get("kernel").asText()).isEqualTo("vector");

    JsonNode gather = line(run, "RowGather");
    assertThat(gather.get("context").get("tensor").asText()).startsWith("int64[10]");
    assertThat(gather.get("context").get("strategy").asText())
        .isEqualToIgnoringCase("shuffle_indices");
    assertThat(gather.get("context").has("updates")).isFalse();
  }

  private static JsonNode line(ForkedJvm run, String logger) throws Exception {
    ObjectMapper json = new ObjectMapper();
    for (String line : run.output().lines().filter(each -> each.startsWith("{")).toList()) {
      JsonNode parsed = json.readTree(line);
      if (parsed.get("logger").asText().equals(logger)) {
        return parsed;
      }
    }
    throw new AssertionError("no line of " + logger + " in\n" + run.output());
  }

  /** The program of the other JVM. */
  static final class Job {
    private Job() {}

    public static void main(String[] arguments) throws IOException {
      try (SparkSession spark =
          SparkSession.builder()
              .master("local[2]")
              .config("spark.ui.enabled", false)
              .config("spark.log.structuredLogging.enabled", true)
              .config("spark.sparknd.strategy", "shuffle_indices")
              .getOrCreate()) {
        DistributedTensor.zeros(spark, DType.INT64, Shape.of(10), Partitioning.of(2))
            .scatter(
                Scatter.add(),
                spark.range(3).selectExpr("id AS i0", "1L AS value"),
                TensorColumns.of("value", "i0"))
            .gather(Gather.strict(), spark.range(2).toDF("i0"), List.of("i0"))
            .collectAsList();
      }
    }
  }
}

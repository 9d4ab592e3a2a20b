/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.JobDescriptions;
import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what Spark's UI says of the jobs of distributed tensors. */
class DescribedJobsTest {
  private static final Shape SHAPE = Shape.of(5, 3);

  private final SparkSession spark = LocalSpark.session();
  private final DistributedTensor tensor =
      DistributedTensor.zeros(spark, DType.FLOAT32, SHAPE, new Partitioning(2, 32));

  @TempDir Path folder;

  private Dataset<Row> updates(String index) {
    return spark.range(4).selectExpr(index + " AS i0", "array(1F, 2F, 3F) AS value");
  }

  private DistributedTensor scattered(String index) {
    return tensor.scatter(Scatter.add(), updates(index), SqlRows.columns(1));
  }

  private Map<String, Runnable> calls() {
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("scatter", () -> scattered("id"));
    calls.put("collect", tensor::collect);
    calls.put("save", () -> tensor.save(folder.resolve("saved").toString()));
    calls.put("toNpy", () -> tensor.toNpy(folder.resolve("tensor.npy")));
    return calls;
  }

  @Test
  void jobsHaveTheTensorAndTheCallUnlessTheCallerDescribesThem() throws Exception {
    SparkContext context = spark.sparkContext();
    try (JobDescriptions jobs = JobDescriptions.of(context)) {
      for (Map.Entry<String, Runnable> call : calls().entrySet()) {
        assertThat(jobs.of(call.getValue()))
            .containsOnly("float32[5, 3] in 2 partitions: " + call.getKey());
      }
      Runnable failing = () -> assertThatThrownBy(() -> scattered("id + 9"));
      assertThat(jobs.of(failing)).containsOnly("float32[5, 3] in 2 partitions: scatter");
      assertThat(jobs.of(() -> spark.range(3).toJavaRDD().count())).containsOnly("null");
      context.setJobDescription("of the caller");
      assertThat(jobs.of(() -> scattered("id"))).containsOnly("of the caller");
      assertThat(context.getLocalProperty("spark.job.description")).isEqualTo("of the caller");
    }
  }

  /** One job finds the widest string, and one reads the blocks. */
  @Test
  void stringsAreReadTwiceForNpy() throws Exception {
    Tensor words = Tensor.of(Shape.of(4), "a", "", "b\uD83D\uDE00", "ccc");
    DistributedTensor strings = DistributedTensor.of(spark, words, new Partitioning(2, 32));
    Path file = folder.resolve("words.npy");
    try (JobDescriptions jobs = JobDescriptions.of(spark.sparkContext())) {
      assertThat(jobs.of(() -> strings.toNpy(file))).hasSize(2);
    }
    assertThat(Npy.read(file)).isEqualTo(words);
  }

  @Test
  void jobsThatReadAQueryHaveTheTensor() throws Exception {
    try (JobDescriptions jobs = JobDescriptions.of(spark.sparkContext())) {
      Runnable read =
          () ->
              DistributedTensor.fromDataset(
                  updates("id"), SqlRows.columns(1), DType.FLOAT32, SHAPE, Partitioning.of(2));
      assertThat(jobs.of(read)).containsOnly("float32[5, 3]: fromDataset");
    }
  }
}

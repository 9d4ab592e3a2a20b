/* SPDX-License-Identifier: Apache-2.0 */
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.Batches;
import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import io.sparknd.embedding.Trained;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.op.TensorFlow;
import io.sparknd.table.options.FeatureColumns;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.TensorTable;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

// definitions that README.md uses but does not show
static final SparkSession spark = SparkSession.active();

static final Dataset<Row> grads =
    spark.sql(
        "SELECT id AS step, id % 7 AS id, array_repeat(float(id), 64) AS grad FROM range(100)");

static final Dataset<Row> clicks = spark.sql("SELECT id AS click, id % 9 AS user_id FROM range(20)");

static final Tensor indices = Tensor.of(Shape.of(2, 1), 3L, 999_999L);

static final Tensor updates = Tensor.fill(DType.FLOAT32, Shape.of(2, 64), 0.5);

static final Dataset<Row> events =
    spark.sql(
        "SELECT id % 7 AS user, 1L AS views, id % 2 AS purchases, id AS last_seen FROM range(50)");

static final Dataset<Row> labels = spark.sql("SELECT id AS user, id % 2 = 0 AS bought FROM range(9)");

static final Dataset<Row> visits =
    spark.sql("SELECT * FROM VALUES ('x', array(3L, 4L)), ('y', array(99L)) AS v(visit, page_ids)");

static final Batches.Generator<long[]> sampler =
    (step, shard) -> new long[] {step % 100, 99_999_999 - shard};

static final Model model = new Model();

/** Pulls every weight toward 1. */
record Model() implements StepFunction<long[]> {
  @Override
  public long[] ids(long[] batch) {
    return batch;
  }

  @Override
  public Loss step(long[] batch, EmbeddingRows rows) {
    double sum = 0;
    for (int i = 0; i < rows.values().length; i++) {
      rows.gradients()[i] = rows.values()[i] - 1;
      sum += rows.gradients()[i] * rows.gradients()[i];
    }
    return new Loss(sum, batch.length);
  }
}

static {
  LocalCatalog.addTo(spark, "lake", Path.of("lake"));
  TensorTable.create(
          spark,
          "lake.shop.users",
          TensorSpec.of(DType.INT64, Shape.of(1000, 3))
              .withIndexColumns("user")
              .withFeatures("views", "purchases", "last_seen"))
      .write()
      .batchId("2026-03-03")
      .scatterFeatures(Scatter.add(), events, FeatureColumns.of("views", "purchases"))
      .commit();
}

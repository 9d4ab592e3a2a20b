/* SPDX-License-Identifier: Apache-2.0 */
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.TensorTable;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

// definitions that docs/reference/sql/streams.md uses but does not show
static final SparkSession spark = SparkSession.active();

static final Path incoming = Path.of("incoming");
static final Path results = Path.of("results");
static final Path checkpoint = Path.of("checkpoint");
static final Path scatterCheckpoint = Path.of("scatter-checkpoint");
static final TensorTable seen = prepared();

static TensorTable prepared() {
  try {
    Files.createDirectories(incoming);
    Files.write(
        incoming.resolve("clicks.json"),
        List.of("{\"user\":7,\"label\":\"buy\"}", "{\"user\":2,\"label\":\"view\"}"));
  } catch (IOException e) {
    throw new UncheckedIOException(e);
  }
  spark
      .sql("SELECT id AS user, array(float(id), 0.5F) AS vec FROM range(1000)")
      .createOrReplaceTempView("embeddings");
  LocalCatalog.addTo(spark, "lake", Path.of("lake"));
  return TensorTable.create(
      spark,
      "lake.features.seen",
      TensorSpec.of(DType.INT64, Shape.of(1000)).withIndexColumns("user"));
}

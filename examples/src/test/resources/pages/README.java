/* SPDX-License-Identifier: Apache-2.0 */
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.TensorTable;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

// definitions that README.md uses but does not show
static final SparkSession spark = SparkSession.active();

static final Dataset<Row> labels = spark.sql("SELECT id AS user, id % 2 = 0 AS bought FROM range(9)");

static {
  spark
      .sql("SELECT id % 7 AS user, double(id) AS amount FROM range(50)")
      .write()
      .parquet(Path.of("data/events.parquet").toString());
  LocalCatalog.addTo(spark, "lake", Path.of("lake"));
}

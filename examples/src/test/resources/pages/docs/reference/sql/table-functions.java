/* SPDX-License-Identifier: Apache-2.0 */
import io.sparknd.op.BadIndices;
import io.sparknd.op.Scatter;
import io.sparknd.sql.TensorScatterNd;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

// definitions that docs/reference/sql/table-functions.md uses but does not show
static final SparkSession spark = SparkSession.active();

static final Dataset<Row> embeddings =
    spark.sql("SELECT id, array_repeat(float(id), 64) AS vec FROM range(10)");

static final Dataset<Row> gradients =
    spark.sql("SELECT id AS ts, id % 3 AS id, array_repeat(1F, 64) AS vec FROM range(10)");

/* SPDX-License-Identifier: Apache-2.0 */
import io.sparknd.op.Scatter;
import io.sparknd.sql.TensorScatterNd;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

// definitions that docs/reference/sql/tensor_scatter_nd.md uses but does not show
static final SparkSession spark = SparkSession.active();

static final Dataset<Row> embeddings =
    spark.sql("SELECT * FROM VALUES (0, array(0F, 0.5F)), (1, array(1F, 1.5F)) AS t(id, vec)");

static final Dataset<Row> gradients =
    spark.sql("SELECT * FROM VALUES (1, array(0.25F, 0.25F)), (1, array(0.5F, 0F)) AS g(id, vec)");

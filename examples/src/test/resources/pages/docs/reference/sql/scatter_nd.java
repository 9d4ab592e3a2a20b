/* SPDX-License-Identifier: Apache-2.0 */
import io.sparknd.sql.ScatterNd;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

// definitions that docs/reference/sql/scatter_nd.md uses but does not show
static final SparkSession spark = SparkSession.active();

static final Dataset<Row> events =
    spark.sql("SELECT * FROM VALUES (0, 1), (2, 1), (2, 1), (3, 1) AS e(page, views)");

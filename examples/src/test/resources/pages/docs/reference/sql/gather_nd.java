/* SPDX-License-Identifier: Apache-2.0 */
import io.sparknd.sql.GatherNd;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

// definitions that docs/reference/sql/gather_nd.md uses but does not show
static final SparkSession spark = SparkSession.active();

static final Dataset<Row> embeddings =
    spark.sql("SELECT * FROM VALUES (0, array(0F, 0.5F)), (1, array(1F, 1.5F)), (2, array(2F, 2.5F)) AS t(id, vec)");

static final Dataset<Row> clicks =
    spark.sql("SELECT * FROM VALUES (2, 'buy'), (0, 'view'), (2, 'view') AS c(user, label)");

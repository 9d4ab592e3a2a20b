/* SPDX-License-Identifier: Apache-2.0 */
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.FeatureColumns;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.TensorTable;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

// definitions that docs/how-to/tables.md uses but does not show
static final SparkSession spark = SparkSession.active();

static final Dataset<Row> grads =
    spark.sql(
        "SELECT id % 7 AS user, array_repeat(float(id), 64) AS grad, id AS ts FROM range(20)");

static final Dataset<Row> clicks =
    spark.sql("SELECT id % 7 AS user, id % 64 AS feature, 1F AS n FROM range(20)");

static final Dataset<Row> visits =
    spark.sql("SELECT id % 7 AS user, id % 64 AS feature, float(id) AS day FROM range(20)");

static final Dataset<Row> events =
    spark.sql(
        "SELECT id % 7 AS user, 1L AS views, id % 2 AS purchases,"
            + " if(id % 3 = 0, id, NULL) AS city, id AS at FROM range(20)");

// in the future, because the table was just created
static final Instant lastNight = Instant.now().plus(Duration.ofHours(1));

/* SPDX-License-Identifier: Apache-2.0 */
import io.sparknd.table.FeatureTable;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

// definitions that docs/how-to/feature-tables.md uses but does not show
static final SparkSession spark = SparkSession.active();

static final Dataset<Row> events =
    spark.sql(
        "SELECT concat('u', id % 7) AS user, 1L AS views, timestamp_seconds(id) AS seen,"
            + " concat('c', id % 3) AS city, array(1F, 2F, 3F) AS taste FROM range(20)");

static final Dataset<Row> labels =
    spark.sql("SELECT concat('u', id) AS customer, id AS bought FROM range(9)");

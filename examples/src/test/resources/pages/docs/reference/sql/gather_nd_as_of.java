/* SPDX-License-Identifier: Apache-2.0 */
import io.sparknd.table.FeatureTable;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

// definitions that docs/reference/sql/gather_nd_as_of.md uses but does not show
static final SparkSession spark = SparkSession.active();

static final Dataset<Row> labels =
    spark.sql("SELECT * FROM VALUES ('u1', DATE'2020-01-01'), ('u1', DATE'2999-01-01') AS l(user, day)");

static {
  LocalCatalog.addTo(spark, "lake", Path.of("lake"));
}

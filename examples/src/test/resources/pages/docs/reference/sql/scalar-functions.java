/* SPDX-License-Identifier: Apache-2.0 */
import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

// definitions that docs/reference/sql/scalar-functions.md uses but does not show
static final SparkSession spark = SparkSession.active();

static final Dataset<Row> vectors =
    spark.sql("SELECT * FROM VALUES (1, array(0.0D, 0.5D)) AS v(id, vec)");

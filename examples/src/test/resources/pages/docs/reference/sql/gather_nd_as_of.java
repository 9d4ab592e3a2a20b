/* SPDX-License-Identifier: Apache-2.0 */
import io.sparknd.table.LocalCatalog;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

// the catalog that docs/reference/sql/gather_nd_as_of.md uses but does not show
static {
  LocalCatalog.addTo(SparkSession.active(), "lake", Path.of("lake"));
}

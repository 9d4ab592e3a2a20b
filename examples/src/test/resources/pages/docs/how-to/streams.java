/* SPDX-License-Identifier: Apache-2.0 */
import io.sparknd.table.TensorCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

// the catalog that docs/how-to/streams.md needs
static {
  SparkSession.active().conf().set("spark.sql.catalog.lake", TensorCatalog.class.getName());
  try {
    Files.createDirectories(Path.of("lake"));
  } catch (java.io.IOException e) {
    throw new java.io.UncheckedIOException(e);
  }
}

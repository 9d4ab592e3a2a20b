/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A back-up of a table in another folder, made as {@code docs/operate/backup.md} says.
 *
 * @param target the folder, which stands for another bucket
 * @param lastMetadata name of the metadata file that the copy begins with
 * @param files number of files that this back-up copied
 */
record TableCopy(Path target, String lastMetadata, int files) {
  /** Copies all files of table {@code name}. */
  static TableCopy full(String name, Table table, Path target) throws IOException {
    return full(TestTables.spark(), name, table, target);
  }

  /** Copies all files of table {@code name} of a session. */
  static TableCopy full(SparkSession spark, String name, Table table, Path target)
      throws IOException {
    return copy(spark, name, table.location(), target, "");
  }

  /** Copies the files that the table has got since this back-up. */
  TableCopy next(String name, Table table) throws IOException {
    return copy(
        TestTables.spark(),
        name,
        table.location(),
        target,
        ", start_version => '" + lastMetadata + "'");
  }

  private static TableCopy copy(
      SparkSession spark, String name, String location, Path target, String since)
      throws IOException {
    String[] parts = name.split("\\.", 2);
    Path staging = Files.createTempDirectory("sparknd-staging");
    Row rewritten =
        spark
            .sql(
                "CALL "
                    + parts[0]
                    + ".system.rewrite_table_path(table => '"
                    + parts[1]
                    + "', source_prefix => '"
                    + location
                    + "', target_prefix => '"
                    + target.toUri()
                    + "', staging_location => '"
                    + staging.toUri()
                    + "'"
                    + since
                    + ")")
            .first();
    String list = rewritten.getString(rewritten.fieldIndex("file_list_location"));
    List<String> files = Files.readAllLines(path(list));
    for (String line : files) {
      String[] copied = line.split(",");
      Path to = path(copied[1]);
      Files.createDirectories(to.getParent());
      Files.copy(path(copied[0]), to);
    }
    String last = rewritten.getString(rewritten.fieldIndex("latest_version"));
    return new TableCopy(target, last, files.size());
  }

  private static Path path(String location) {
    return location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
  }

  /** Enters the copy into the catalog of {@code name}. */
  void restore(SparkSession spark, String name) {
    String[] parts = name.split("\\.", 2);
    spark.sql("CREATE NAMESPACE IF NOT EXISTS " + name.substring(0, name.lastIndexOf('.')));
    spark.sql(
        "CALL "
            + parts[0]
            + ".system.register_table(table => '"
            + parts[1]
            + "', metadata_file => '"
            + target.toUri()
            + "metadata/"
            + lastMetadata
            + "')");
  }
}

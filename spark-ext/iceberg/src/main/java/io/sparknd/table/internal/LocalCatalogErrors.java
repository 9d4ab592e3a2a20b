/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal;

import static io.sparknd.tensor.ErrorCondition.CANNOT_WRITE_FILE;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_CATALOG;
import static io.sparknd.tensor.ErrorFactory.failedFile;
import static io.sparknd.tensor.ErrorFactory.file;
import static io.sparknd.tensor.ErrorFactory.reason;
import static io.sparknd.tensor.ErrorFactory.state;

import io.sparknd.tensor.SparkNdException;

/** Errors of catalogs in a directory of a local disk. */
public final class LocalCatalogErrors {
  private LocalCatalogErrors() {}

  public static SparkNdException catalogDirectory(String directory, Throwable cause) {
    return failedFile(
        cause,
        CANNOT_WRITE_FILE.sub("CATALOG_DIRECTORY"),
        "catalog directory <directory> cannot be created: <reason>",
        directory,
        reason(cause));
  }

  public static SparkNdException catalogElsewhere(String directory, String file) {
    return file(
        CANNOT_WRITE_FILE.sub("CATALOG_ELSEWHERE"),
        "<file> cannot be written; the table is unchanged: catalog directory <directory> is not on the disk of this host, or was deleted; on a cluster use a catalog that all hosts see",
        file,
        directory);
  }

  public static SparkNdException copiedCatalog(String table, String directory, String original) {
    return state(
        UNSUPPORTED_CATALOG.sub("COPIED_DIRECTORY"),
        "directory <directory> of the catalog was copied or moved from <original>, and Iceberg's metadata has absolute paths: its table <table> is that of the original. Use <original>, or move the directory back; copy tables by rewrite_table_path and register_table",
        directory,
        original,
        table,
        original);
  }
}

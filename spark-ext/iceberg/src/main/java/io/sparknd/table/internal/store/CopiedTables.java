/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.LocalCatalogErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Tables of a local catalog whose directory was copied or moved with its tables. Iceberg's metadata
 * has absolute paths, so such a catalog goes on with the files of the original: what one of the two
 * writes and expires would be missing in the other.
 *
 * @param directory the directory of the catalog
 */
record CopiedTables(Path directory) {
  /** A directory that the catalog has named, which no other table has. */
  private static final Pattern OF_TABLE =
      Pattern.compile(".*-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /**
   * Checks that a table is not that of another catalog's directory of which this one is a copy.
   * Tables may be elsewhere, as those that were created or registered with a location.
   *
   * @param table the table's name, for the message
   * @param location where the catalog says that it is
   * @param isOfTable says whether a directory is that of another table of the catalog
   * @throws io.sparknd.tensor.SparkNdException if it is one
   */
  void requireOwn(String table, String location, Predicate<Path> isOfTable) {
    original(new LocalFile(location).path())
        .filter(original -> !isOfTable.test(original.copy()))
        .ifPresent(
            original -> {
              throw LocalCatalogErrors.copiedCatalog(
                  table, directory.toString(), original.directory().toString());
            });
  }

  /**
   * What a directory seems to be a copy of.
   *
   * @param copy the files of a table in this directory
   */
  private record Original(Path directory, Path copy) {}

  /** Returns what this directory is a copy of, if it has the files of a table elsewhere. */
  private Optional<Original> original(Path table) {
    if (table.startsWith(directory) || !OF_TABLE.matcher(table.toString()).matches()) {
      return Optional.empty();
    }
    int count = table.getNameCount();
    for (int from = count - 1; from > 0; from--) {
      String name = table.subpath(from, count).toString();
      Path copy = directory.resolve(name);
      if (Files.isDirectory(copy) && !isSame(copy, table)) {
        String path = table.toString();
        Path other = Path.of(path.substring(0, path.length() - name.length() - 1));
        // a back-up of a table is not beside a catalog
        return Files.exists(other.resolve(FolderJdbcCatalog.DATABASE)) || !Files.exists(table)
            ? Optional.of(new Original(other, copy))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** The same directory may have two paths, by a symbolic link. */
  private static boolean isSame(Path one, Path other) {
    try {
      return Files.exists(other) && Files.isSameFile(one, other);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

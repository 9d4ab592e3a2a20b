/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.LocalCatalogErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.iceberg.Files;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A local file that exists or is to be created.
 *
 * @param location a path, or a path after {@code file:}; not escaped, as in Iceberg
 * @param folder the catalog's, outside of which nothing is checked; null if unknown
 */
record LocalFile(String location, @Nullable String folder) implements InputFile, OutputFile {
  private static final String SCHEME = "file:";

  LocalFile(String location) {
    this(location, null);
  }

  Path path() {
    return Path.of(
        location.startsWith(SCHEME)
            ? location.substring(SCHEME.length()).replaceFirst("^/+", "/")
            : location);
  }

  @Override
  public long getLength() {
    return input().getLength();
  }

  @Override
  public SeekableInputStream newStream() {
    return input().newStream();
  }

  @Override
  public boolean exists() {
    return java.nio.file.Files.exists(path());
  }

  @Override
  public PositionOutputStream create() {
    return output().create();
  }

  @Override
  public PositionOutputStream createOrOverwrite() {
    return output().createOrOverwrite();
  }

  @Override
  public InputFile toInputFile() {
    return this;
  }

  private InputFile input() {
    return Files.localInput(path().toFile());
  }

  private OutputFile output() {
    requireFolder();
    try {
      // Iceberg's own method fails if two tasks create the same directory concurrently
      java.nio.file.Files.createDirectories(path().toAbsolutePath().getParent());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Files.localOutput(path().toFile());
  }

  /** The driver made the folder: where it is not, a task would write to another host's disk. */
  private void requireFolder() {
    if (folder != null
        && path().startsWith(folder)
        && !java.nio.file.Files.isDirectory(Path.of(folder))) {
      throw LocalCatalogErrors.catalogElsewhere(folder, location);
    }
  }

  @Override
  public String toString() {
    return location;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Files of this machine in a store that knows no folders, as S3: a prefix is compared with whole
 * locations. Locations are paths.
 */
public final class LiteralPrefixIO implements SupportsPrefixOperations {
  private final HadoopFileIO files = new HadoopFileIO(new Configuration());

  @Override
  public Iterable<FileInfo> listPrefix(String prefix) {
    Path folder = Path.of(prefix.substring(0, prefix.lastIndexOf('/')));
    try (Stream<Path> below = Files.walk(folder)) {
      return List.copyOf(
          below
              .filter(Files::isRegularFile)
              .filter(file -> file.toString().startsWith(prefix))
              .map(LiteralPrefixIO::info)
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileInfo info(Path file) {
    try {
      return new FileInfo(
          file.toString(), Files.size(file), Files.getLastModifiedTime(file).toMillis());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void deletePrefix(String prefix) {
    throw new UnsupportedOperationException();
  }

  @Override
  public InputFile newInputFile(String path) {
    return files.newInputFile(path);
  }

  @Override
  public OutputFile newOutputFile(String path) {
    return files.newOutputFile(path);
  }

  @Override
  public void deleteFile(String path) {
    files.deleteFile(path);
  }
}

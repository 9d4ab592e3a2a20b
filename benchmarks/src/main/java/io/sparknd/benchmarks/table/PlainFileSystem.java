/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file system, which sets permissions without running {@code chmod}. Hadoop runs it
 * for every file if its native library is missing. Clusters do not, and it would cost Delta some
 * milliseconds per file.
 */
public final class PlainFileSystem extends LocalFileSystem {

  /** Called by Hadoop. */
  public PlainFileSystem() {
    super(new Raw());
  }

  private static final class Raw extends RawLocalFileSystem {
    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      Files.setPosixFilePermissions(
          pathToFile(path).toPath(),
          PosixFilePermissions.fromString(
              permission.getUserAction().SYMBOL
                  + permission.getGroupAction().SYMBOL
                  + permission.getOtherAction().SYMBOL));
    }
  }
}

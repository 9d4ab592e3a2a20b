/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.history;

import io.sparknd.table.internal.store.StoredFile;
import java.io.Serializable;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;

/**
 * The files that hold one block of a table in its versions.
 *
 * @param files all data files that a version has, each once
 */
public record BlockHistory(long block, List<FileHistory> files) implements Serializable {
  public BlockHistory {
    files = List.copyOf(files);
  }

  /** Returns a block of which nothing was ever written. */
  public static BlockHistory none(long block) {
    return new BlockHistory(block, List.of());
  }

  /**
   * A data file and its deletes.
   *
   * @param versions the versions that have it
   * @param deletes deletes of its rows, or of rows of other files, too
   */
  public record FileHistory(DataFile data, VersionSet versions, List<DeleteHistory> deletes)
      implements Serializable {
    public FileHistory {
      deletes = List.copyOf(deletes);
    }

    /** Returns the file with its deletes in a version. */
    public StoredFile at(int version) {
      List<DeleteFile> all =
          deletes.stream()
              .filter(delete -> delete.versions().contains(version))
              .map(DeleteHistory::file)
              .toList();
      List<DeleteFile> vectors = all.stream().filter(DeleteHistory::isVector).toList();
      return new StoredFile(
          data, vectors.isEmpty() ? all : vectors); // a vector includes other deletes
    }
  }

  /**
   * A deletion vector, or a file of position deletes.
   *
   * @param versions the versions that have it
   */
  public record DeleteHistory(DeleteFile file, VersionSet versions) implements Serializable {
    static boolean isVector(DeleteFile file) {
      return file.contentOffset() != null;
    }
  }
}

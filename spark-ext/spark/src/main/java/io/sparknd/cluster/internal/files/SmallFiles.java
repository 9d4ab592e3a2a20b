/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/** Small files in a directory that the driver writes, each of them completely or not at all. */
public final class SmallFiles {
  private final HadoopFiles directory;

  private SmallFiles(HadoopFiles directory) {
    this.directory = directory;
  }

  /** Returns the files of {@code path}, a directory that need not exist. */
  public static SmallFiles of(SparkSession spark, String path) {
    return new SmallFiles(HadoopFiles.of(spark, path));
  }

  /** Returns the names of files and directories in the directory. */
  public List<String> names() throws IOException {
    try {
      return Stream.of(directory.list()).map(status -> status.getPath().getName()).toList();
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  public byte[] read(String name) throws IOException {
    try (InputStream in = directory.child(name).open()) {
      return in.readAllBytes();
    }
  }

  /**
   * Writes a file under another name and renames it.
   *
   * @throws IOException also if the file exists, which is not overwritten
   */
  public void write(String name, byte[] content) throws IOException {
    HadoopFiles draft = directory.child("." + name + "." + UUID.randomUUID());
    try {
      directory.makeDirectory();
      try (OutputStream out = draft.create()) {
        out.write(content);
      }
      // some file systems, including the local one, overwrite on rename
      if (directory.child(name).exists()) {
        throw new IOException("another program wrote it meanwhile");
      }
      rename(draft, name, content);
    } catch (IOException e) {
      deleteAfter(e, draft);
      throw e;
    }
  }

  /** Object stores copy and delete: the file may be there although the draft cannot be deleted. */
  private void rename(HadoopFiles draft, String name, byte[] content) throws IOException {
    try {
      draft.renameTo(directory.child(name));
    } catch (IOException e) {
      if (!isThere(name, content)) {
        throw e;
      }
      deleteAfter(e, draft);
    }
  }

  private boolean isThere(String name, byte[] content) {
    try {
      return Arrays.equals(read(name), content);
    } catch (IOException e) {
      return false;
    }
  }

  private static void deleteAfter(IOException failure, HadoopFiles draft) {
    try {
      draft.delete();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Deletes a file or an empty directory, if it exists. */
  public void delete(String name) throws IOException {
    directory.child(name).requireDeleted();
  }

  /** Returns the path of a file or directory. */
  public String path(String name) {
    return directory.child(name).toString();
  }
}

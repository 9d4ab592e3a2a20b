/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.files;

import io.sparknd.cluster.spark.TaskErrors;
import io.sparknd.tensor.NdErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.SparkSession;

/**
 * A directory of one file a partition, and a manifest that names them. The manifest is written
 * last, under another name, and renamed, so the directory holds all of it or nothing, whatever
 * fails before; files of failed attempts are in nobody's list.
 */
public final class SavedDirectory implements Serializable {
  private static final long serialVersionUID = 1;

  private final Files directory;
  private final String manifest;
  private final String suffix;

  private SavedDirectory(Files directory, String manifest, String suffix) {
    this.directory = directory;
    this.manifest = manifest;
    this.suffix = suffix;
  }

  /**
   * @param path that driver and executors reach
   * @param suffix of the files
   */
  public static SavedDirectory of(SparkSession spark, String path, String manifest, String suffix) {
    return new SavedDirectory(Files.of(spark, path), manifest, suffix);
  }

  /** Runs the job that writes the files. */
  public interface Job {
    /** The names of the files that count, in the order of partitions. */
    List<String> run() throws Exception;
  }

  /** What the manifest holds. */
  public interface Manifest {
    byte[] of(List<String> files) throws IOException;
  }

  /** What a file holds. */
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes files and manifest; after a failure the directory is gone.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is something in the directory
   */
  public void save(Job job, Manifest content) {
    claim();
    try {
      List<String> files = job.run();
      removeOthers(files);
      commit(content.of(files));
    } catch (IOException e) {
      deleteQuietly(e);
      throw NdErrors.unwritableFile(directory.toString(), e);
    } catch (Exception e) {
      deleteQuietly(e);
      throw TaskErrors.unwrapped(e);
    }
  }

  private void claim() {
    try {
      if (directory.exists() && directory.list().length > 0) {
        throw NdErrors.directoryInTheWay(directory.toString());
      }
      directory.makeDirectory();
    } catch (IOException e) {
      throw NdErrors.unwritableFile(directory.toString(), e);
    }
  }

  /**
   * Writes the file of a partition, in a task. Each attempt has a file of its own; only that of the
   * attempt that Spark accepts is named.
   *
   * @return its name
   */
  public String write(int partition, Content content) throws IOException {
    String name = String.format("part-%05d-%s%s", partition, UUID.randomUUID(), suffix);
    try (OutputStream out = directory.child(name).create()) {
      content.writeTo(out);
    }
    return name;
  }

  private void removeOthers(List<String> files) throws IOException {
    Set<String> named = new HashSet<>(files);
    for (FileStatus status : directory.list()) {
      String name = status.getPath().getName();
      if (name.endsWith(suffix) && !named.contains(name)) {
        directory.child(name).delete();
      }
    }
  }

  private void commit(byte[] content) throws IOException {
    Files draft = directory.child("." + manifest + "." + UUID.randomUUID());
    try (OutputStream out = draft.create()) {
      out.write(content);
    }
    draft.renameTo(directory.child(manifest));
  }

  private void deleteQuietly(Exception failure) {
    try {
      directory.delete();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** The manifest's bytes. */
  public byte[] manifest() throws IOException {
    try (InputStream in = open(manifest)) {
      return in.readAllBytes();
    }
  }

  /** Opens one of the files. */
  public InputStream open(String name) throws IOException {
    return directory.child(name).open();
  }

  /** The path that was given. */
  @Override
  public String toString() {
    return directory.toString();
  }
}

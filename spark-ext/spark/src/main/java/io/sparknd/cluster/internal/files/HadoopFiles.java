/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.spark.ClassicSpark;
import java.io.IOException;
import java.io.Serializable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.SerializableConfiguration;

/** A file or directory that the driver and the executors access through Hadoop's file systems. */
final class HadoopFiles implements Serializable {
  private static final long serialVersionUID = 1;

  private final SerializableConfiguration conf;
  private final String path;

  private HadoopFiles(SerializableConfiguration conf, String path) {
    this.conf = conf;
    this.path = path;
  }

  /** Returns a file that is accessed with the session's settings, as files that Spark reads. */
  static HadoopFiles of(SparkSession spark, String path) {
    return new HadoopFiles(new SerializableConfiguration(ClassicSpark.hadoop(spark)), path);
  }

  /**
   * Returns a file of the directory.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name leads outside the directory: names come
   *     from manifests, which are not trusted
   */
  HadoopFiles child(String name) {
    if (name.contains("/") || name.contains(":") || name.equals("..")) {
      throw ClusterErrors.fileElsewhere(path, name);
    }
    return new HadoopFiles(conf, pathOf(name));
  }

  private String pathOf(String name) {
    try {
      return new Path(path, name).toString();
    } catch (IllegalArgumentException e) { // hadoopPath tells of it where the file is accessed
      return path.isEmpty() ? path : path + Path.SEPARATOR + name;
    }
  }

  private Path hadoopPath() throws IOException {
    try {
      return new Path(path);
    } catch (IllegalArgumentException e) { // for a relative path with a colon in its first part
      throw new IOException(e.getMessage(), e);
    }
  }

  private FileSystem system() throws IOException {
    try {
      return hadoopPath().getFileSystem(conf.value());
    } catch (RuntimeException e) { // as for a file system whose jar is missing
      throw new IOException(e.getMessage(), e);
    }
  }

  FSDataInputStream open() throws IOException {
    try {
      return system().open(hadoopPath());
    } catch (IllegalArgumentException e) { // for a local file with a colon in its name
      throw new IOException(e.getMessage(), e);
    }
  }

  FSDataOutputStream create() throws IOException {
    return create(false);
  }

  /** Creates a file whose name is unique to this writer, or overwrites it. */
  FSDataOutputStream replace() throws IOException {
    return create(true);
  }

  private FSDataOutputStream create(boolean overwrite) throws IOException {
    try {
      return system().create(hadoopPath(), overwrite);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  long length() throws IOException {
    return system().getFileStatus(hadoopPath()).getLen();
  }

  boolean exists() throws IOException {
    return system().exists(hadoopPath());
  }

  FileStatus[] list() throws IOException {
    return system().listStatus(hadoopPath());
  }

  void makeDirectory() throws IOException {
    system().mkdirs(hadoopPath());
  }

  void renameTo(HadoopFiles target) throws IOException {
    if (!system().rename(hadoopPath(), target.hadoopPath())) {
      throw new IOException("cannot rename " + path + " to " + target.path);
    }
  }

  /** Deletes a file or an empty directory, never the contents of a directory. */
  void delete() throws IOException {
    system().delete(hadoopPath(), false);
  }

  /**
   * Deletes like {@link #delete}.
   *
   * @throws IOException also if it is still there: some file systems, including the local one,
   *     report a failure by a return value
   */
  void requireDeleted() throws IOException {
    if (!isDeleted()) {
      throw new IOException("cannot delete " + path);
    }
  }

  /** Deletes like {@link #delete}; returns whether nothing is there then. */
  boolean isDeleted() throws IOException {
    return system().delete(hadoopPath(), false) || !exists();
  }

  @Override
  public String toString() {
    return path;
  }
}

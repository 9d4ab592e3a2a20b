/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.TensorErrors;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.SparkSession;

/**
 * A directory with one file for each partition, and a manifest that names the files. The manifest
 * is written last, as a draft under another name, and renamed, so a save is complete or absent
 * after any failure before the rename. Files of failed attempts are not in the manifest. The draft
 * is there as long as the save runs; tasks ask for it.
 *
 * <p>Each save has an id, which is part of the names of all its files. A save deletes only files
 * with its own id, and the directory only if the save created it and it is empty. Other files in
 * the directory are never deleted.
 */
public final class SavedDirectory implements Serializable {
  private static final long serialVersionUID = 2;

  private final HadoopFiles directory;
  private final String manifest;
  private final String suffix;
  private final String saveId = UUID.randomUUID().toString();

  private SavedDirectory(HadoopFiles directory, String manifest, String suffix) {
    this.directory = directory;
    this.manifest = manifest;
    this.suffix = suffix;
  }

  /**
   * Returns the directory at {@code path}.
   *
   * @param path a path that the driver and the executors can access
   * @param manifest the file name of the manifest
   * @param suffix the suffix of the file names
   */
  public static SavedDirectory of(SparkSession spark, String path, String manifest, String suffix) {
    return new SavedDirectory(HadoopFiles.of(spark, path), manifest, suffix);
  }

  /** Runs the job that writes the files. */
  public interface Job {
    /** Returns the names of the accepted files, in partition order. */
    List<String> run() throws Exception;

    /** Deletes what the job wrote besides files of this save, if its result cannot be saved. */
    default void discard(List<String> written, Exception failure) {}
  }

  /** Creates the content of the manifest. */
  public interface Manifest {
    byte[] of(List<String> files) throws IOException;
  }

  /** Writes the content of a file. */
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes the files and the manifest. After a failure, the files of this save are deleted, and so
   * is the directory if this save created it and it is empty. If the rename of the manifest fails
   * and the directory cannot be read afterwards, the manifest may be in place, so all files stay.
   *
   * <p>Of several concurrent saves to one directory, at most one succeeds; the others fail and
   * delete none of its files.
   *
   * @throws io.sparknd.tensor.SparkNdException if the directory is not empty, or the manifest of
   *     another save appears meanwhile, which is never overwritten
   */
  public void save(Job job, Manifest content) {
    write(claim(), job, content);
  }

  /**
   * Adds the files and the manifest to a directory that another save completed. After a failure,
   * the files of this one are deleted, as for {@link #save}.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is a file with the name of the manifest
   */
  public void append(Job job, Manifest content) {
    try {
      writeDraft(new byte[0]);
    } catch (IOException e) {
      discard(false, e);
      throw TensorErrors.unwritableFile(directory.toString(), e);
    }
    write(false, job, content);
  }

  /**
   * Deletes the manifest and the files that {@link #append} wrote. As long as the manifest is
   * there, so are the files that it names.
   */
  public void withdraw() {
    try {
      directory.child(manifest).requireDeleted();
      removeOthers(List.of());
    } catch (IOException e) {
      throw TensorErrors.unwritableFile(directory.toString(), e);
    }
  }

  private void write(boolean made, Job job, Manifest content) {
    List<String> files = List.of();
    try {
      files = job.run();
      removeOthers(files);
      byte[] written = content.of(files);
      writeDraft(written);
      if (!isCommitted(written)) {
        throw ClusterErrors.targetNotEmpty(directory.toString());
      }
    } catch (UnknownOutcome e) {
      throw TensorErrors.unwritableFile(directory.toString(), e.failure);
    } catch (Exception e) {
      discard(job, files, e);
      discard(made, e);
      throw e instanceof IOException failed
          ? TensorErrors.unwritableFile(directory.toString(), failed)
          : TaskErrors.unwrapped(e);
    }
  }

  private static void discard(Job job, List<String> files, Exception failure) {
    InterruptedCleanup.run(() -> job.discard(files, failure));
  }

  /**
   * Claims the directory. The draft is written before the directory is listed, so of two concurrent
   * saves at least one sees the draft of the other.
   *
   * @return whether this save created the directory
   */
  private boolean claim() {
    boolean made = false;
    try {
      made = !directory.exists();
      if (!made && directory.list().length > 0) {
        throw ClusterErrors.targetNotEmpty(directory.toString());
      }
      directory.makeDirectory();
      writeDraft(new byte[0]);
      if (directory.list().length > 1) {
        SparkNdException error = ClusterErrors.targetNotEmpty(directory.toString());
        discard(made, error);
        throw error;
      }
      return made;
    } catch (IOException e) {
      discard(made, e);
      throw TensorErrors.unwritableFile(directory.toString(), e);
    }
  }

  /**
   * Writes the file of a partition, in a task. Each attempt writes its own file; the manifest names
   * only that of the attempt that Spark accepts. An attempt that fails, or outlives the save,
   * deletes its file.
   *
   * @return the name of the file
   * @throws io.sparknd.tensor.SparkNdException if the save has ended
   */
  public String write(int partition, Content content) throws IOException {
    requireRunning(); // before create, which would make a deleted directory again
    String name =
        String.format(
            Locale.ROOT, "part-%05d-%s-%s%s", partition, saveId, UUID.randomUUID(), suffix);
    HadoopFiles file = directory.child(name);
    try {
      try (OutputStream out = file.create()) {
        content.writeTo(out);
      }
      requireRunning(); // some file systems show a file from its end on
      return name;
    } catch (Throwable e) { // also if there is no memory
      InterruptedCleanup.run(() -> delete(file, e));
      throw e;
    }
  }

  /**
   * Throws an error if the save has ended. Spark does not wait for the tasks of a failed job, and
   * tells them of the failure only later. A failed save therefore deletes its draft before it lists
   * its files: a task whose file is not in that list no longer finds the draft.
   */
  private void requireRunning() throws IOException {
    if (!draft().exists()) {
      String problem =
          draft()
              + " is not there: the save has ended, its files were deleted, or this executor does not"
              + " see the file system of the driver; save to a path that all of them access";
      throw TensorErrors.unwritableFile(directory.toString(), new FileNotFoundException(problem));
    }
  }

  private static void delete(HadoopFiles file, Throwable failure) {
    try {
      file.delete();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Deletes the files of this save's other attempts. */
  private void removeOthers(List<String> files) throws IOException {
    Set<String> named = new HashSet<>(files);
    for (FileStatus status : directory.list()) {
      String name = status.getPath().getName();
      if (isOwnPart(name) && !named.contains(name)) {
        directory.child(name).delete();
      }
    }
  }

  private boolean isOwnPart(String name) {
    return name.startsWith("part-") && name.contains("-" + saveId + "-") && name.endsWith(suffix);
  }

  private HadoopFiles draft() {
    return directory.child("." + manifest + "." + saveId);
  }

  /** Writes the draft, or overwrites it: its name is unique to this save. */
  private void writeDraft(byte[] content) throws IOException {
    try (OutputStream out = draft().replace()) {
      out.write(content);
    }
  }

  /** Renames the draft; returns false if there is a manifest of another save. */
  private boolean isCommitted(byte[] content) throws IOException {
    HadoopFiles target = directory.child(manifest);
    try {
      // some file systems, including the local one, overwrite on rename
      if (target.exists()) {
        return false;
      }
      draft().renameTo(target);
    } catch (IOException e) {
      if (!isInPlace(content, e)) {
        throw e;
      }
    } catch (RuntimeException e) { // of a file system; what it did is as unknown
      if (!isInPlace(content, new IOException(e))) {
        throw e;
      }
    }
    return true;
  }

  /**
   * Whether a failed rename took effect. File names contain the save id, so equal bytes are this
   * save's.
   */
  private boolean isInPlace(byte[] content, IOException failure) throws UnknownOutcome {
    try {
      return directory.child(manifest).exists() && Arrays.equals(manifest(), content);
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw new UnknownOutcome(failure);
    }
  }

  /** A rename of which it is not known whether it took effect: the files stay. */
  private static final class UnknownOutcome extends IOException {
    private static final long serialVersionUID = 1;

    final IOException failure;

    UnknownOutcome(IOException failure) {
      super(failure);
      this.failure = failure;
    }
  }

  /** Deletes the files of this save, and the directory if this save created it and it is empty. */
  private void discard(boolean made, Exception failure) {
    // clients of file systems answer an interrupted thread with an exception
    InterruptedCleanup.run(() -> deleteAll(made, failure));
  }

  private void deleteAll(boolean made, Exception failure) {
    try {
      draft().delete(); // first: see requireRunning
      removeOthers(List.of());
      if (made && directory.list().length == 0) {
        directory.delete();
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Returns the names of the directory's files and directories, in ascending order. */
  public List<String> names() throws IOException {
    return Arrays.stream(directory.list()).map(file -> file.getPath().getName()).sorted().toList();
  }

  /**
   * Deletes a complete save: the manifest, the files that it names, and the directory if it is
   * empty then.
   *
   * @throws IOException also if files are still there
   */
  public void delete(List<String> files) throws IOException {
    directory.child(manifest).requireDeleted();
    List<String> left = new ArrayList<>();
    for (String file : files) {
      if (!directory.child(file).isDeleted()) {
        left.add(file);
      }
    }
    if (!left.isEmpty()) {
      throw new IOException("cannot delete " + String.join(", ", left) + " of " + directory);
    }
    if (directory.list().length == 0) {
      directory.delete();
    }
  }

  /** Reads the bytes of the manifest. */
  public byte[] manifest() throws IOException {
    try (InputStream in = open(manifest)) {
      return in.readAllBytes();
    }
  }

  /** Opens one of the files. */
  public InputStream open(String name) throws IOException {
    return directory.child(name).open();
  }

  /** Returns the path of the directory. */
  @Override
  public String toString() {
    return directory.toString();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import io.sparknd.tensor.TensorErrors;
import io.sparknd.tensor.internal.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes result files to one folder. Files of an earlier run are replaced; other files are not
 * touched.
 */
final class OutputFiles {
  private final Path folder;
  private final List<Written> written = new ArrayList<>();

  /** A file and its size. */
  record Written(Path file, long bytes) {}

  private OutputFiles(Path folder) {
    this.folder = folder;
  }

  /**
   * Returns the files of {@code folder}, which is created if missing.
   *
   * @throws io.sparknd.tensor.SparkNdException if it cannot be created
   */
  static OutputFiles in(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw TensorErrors.unwritableFile(folder.toString(), e);
    }
    return new OutputFiles(folder);
  }

  /** Writes {@code name.npy} and {@code name.arrow}, block by block from the cluster. */
  void tensor(CheckedTensor result) {
    write(result.name() + ".npy", file -> result.cluster().toNpy(file));
    write(result.name() + ".arrow", file -> AtomicFile.write(file, result.cluster()::toArrow));
  }

  /** Writes {@code name.txt}: line i, counted from 0, holds the name of index i. */
  void names(String name, List<String> names) {
    write(name + ".txt", file -> AtomicFile.write(file, out -> out.write(lines(names))));
  }

  private static byte[] lines(List<String> names) {
    return names.stream()
        .map(name -> name + System.lineSeparator())
        .collect(Collectors.joining())
        .getBytes(StandardCharsets.UTF_8);
  }

  private void write(String name, Contents contents) {
    Path file = folder.resolve(name);
    try {
      contents.writeTo(file);
      written.add(new Written(file, Files.size(file)));
    } catch (IOException e) {
      throw TensorErrors.unwritableFile(file.toString(), e);
    }
  }

  /** Returns the written files, in order. */
  List<Written> written() {
    return List.copyOf(written);
  }

  /** Writes contents to a file. */
  private interface Contents {
    void writeTo(Path file) throws IOException;
  }
}
